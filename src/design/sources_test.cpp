// One matrix in every layout: the same rows in the same blocks.
#include "design/csc/csc_source.hpp"
#include "design/view_source.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr Index kRows = 9001, kCols = 3;

double element(Index i, Index j) {
  return (i + j) % 3 == 0 ? 0 : static_cast<double>(10 * i + j);
}

// Reads every block twice and compares it with the formula.
void expect_rows(RowSource& source) {
  const auto scratch = source.scratch();
  for (int pass = 0; pass < 2; ++pass) {
    Index seen = 0, blocks = 0;
    while (const auto block = source.claim(*scratch).value()) {
      EXPECT_EQ(*block, blocks++);
      const Batch batch = source.load(*scratch).value();
      ASSERT_EQ(batch.first_row, seen);
      for (Index i = 0; i < batch.rows(); ++i) {
        double row[kCols] = {};
        if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
          for (Index j = 0; j < kCols; ++j) {
            const Index at = i * dense->row_stride + j * dense->col_stride;
            row[j] = dense->scalar == Scalar::float32 ? static_cast<const float*>(dense->data)[at]
                                                      : static_cast<const double*>(dense->data)[at];
          }
        } else {
          const auto& sparse = std::get<SparseView>(batch.x);
          const bool narrow = sparse.width == IndexWidth::bits32;
          const auto entry = [&](const void* p, Index s) {
            return narrow ? Index{static_cast<const std::int32_t*>(p)[s]} : static_cast<const Index*>(p)[s];
          };
          for (Index s = entry(sparse.start, i); s < entry(sparse.start, i + 1); ++s)
            row[entry(sparse.index, s)] = sparse.value[s];
        }
        for (Index j = 0; j < kCols; ++j) ASSERT_EQ(row[j], element(seen + i, j));
        ASSERT_EQ(static_cast<const double*>(batch.target.data)[i], static_cast<double>(seen + i));
        ASSERT_EQ(batch.weight[static_cast<std::size_t>(i)], static_cast<double>(seen + i) / 2);
      }
      seen += batch.rows();
    }
    EXPECT_EQ(seen, kRows);
    ASSERT_TRUE(source.rewind());
  }
}

class Sources : public testing::Test {
protected:
  Sources() {
    for (Index i = 0; i < kRows; ++i) y.push_back(static_cast<double>(i)), v.push_back(static_cast<double>(i) / 2);
  }
  Outcome outcome() const { return {MatrixView::vector(y.data(), kRows), v, {}}; }
  std::vector<double> y, v;
};

template <class I>
struct Packed {
  std::vector<I> start{0}, index;
  std::vector<double> value;
  Packed(Index outer, Index inner, auto&& at) {
    for (Index o = 0; o < outer; ++o) {
      for (Index i = 0; i < inner; ++i)
        if (const double x = at(o, i); x != 0) index.push_back(static_cast<I>(i)), value.push_back(x);
      start.push_back(static_cast<I>(index.size()));
    }
  }
};

} // namespace

TEST_F(Sources, DenseInEitherOrderAndPrecision) {
  std::vector<double> by_row, by_col(kRows * kCols);
  std::vector<float> single;
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kCols; ++j) {
      by_row.push_back(element(i, j));
      single.push_back(static_cast<float>(element(i, j)));
      by_col[static_cast<std::size_t>(j * kRows + i)] = element(i, j);
    }
  DenseSource rows(MatrixView::row_major(by_row.data(), kRows, kCols), outcome());
  expect_rows(rows);
  DenseSource cols(MatrixView::col_major(by_col.data(), kRows, kCols), outcome());
  expect_rows(cols);
  DenseSource floats({single.data(), kRows, kCols, kCols, 1, Scalar::float32, nullptr}, outcome());
  expect_rows(floats);
}

TEST_F(Sources, CompressedByRowAndByColumnWithEitherIndexWidth) {
  const auto by_row = [](Index i, Index j) { return element(i, j); };
  const auto by_col = [](Index j, Index i) { return element(i, j); };
  const Packed<std::int64_t> rows(kRows, kCols, by_row), cols(kCols, kRows, by_col);
  const Packed<std::int32_t> rows32(kRows, kCols, by_row), cols32(kCols, kRows, by_col);
  const auto view = [](const auto& c, IndexWidth width, recta::Compressed kind) {
    return SparseView{kRows, kCols, c.start.data(), c.index.data(), c.value.data(), width, kind};
  };
  CsrSource csr(view(rows, IndexWidth::bits64, recta::Compressed::by_row), outcome());
  expect_rows(csr);
  CsrSource csr32(view(rows32, IndexWidth::bits32, recta::Compressed::by_row), outcome());
  expect_rows(csr32);
  CscSource csc(view(cols, IndexWidth::bits64, recta::Compressed::by_column), outcome());
  expect_rows(csc);
  CscSource csc32(view(cols32, IndexWidth::bits32, recta::Compressed::by_column), outcome());
  expect_rows(csc32);
}

} // namespace recta
