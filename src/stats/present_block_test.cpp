#include "base/double_double.hpp"
#include "base/random.hpp"
#include "stats/present_block.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr Index kRows = 7, kCols = 5, kVectors = 3;

struct Data {
  std::vector<double> x, y, v, w, r; // x by row
};

Data data() {
  Random random(5);
  Data made;
  const auto fill = [&](std::vector<double>& to, Index count) {
    for (Index i = 0; i < count; ++i) to.push_back(std::round(8 * random.normal())); // sums without rounding
  };
  fill(made.x, kRows * kCols);
  fill(made.y, kRows);
  made.v.assign(kRows, 1);
  fill(made.w, kVectors * kCols);
  fill(made.r, kVectors * kRows);
  return made;
}

// Compares products over the rows with weight, by plain loops and by the block.
void expect_products(const std::variant<MatrixView, SparseView>& x, const Data& d) {
  Batch batch;
  batch.x = x;
  batch.target = MatrixView::vector(d.y.data(), kRows);
  batch.weight = d.v;
  PresentBlock block;
  block.take(batch, 0);
  const Index n = block.rows();
  std::vector<double> z(static_cast<std::size_t>(n * kVectors)), g(static_cast<std::size_t>(kVectors * kCols), 1.0);
  block.row_products(d.w.data(), kVectors, z.data());
  block.column_products(d.r.data(), kVectors, g.data());
  for (Index k = 0; k < kVectors; ++k) {
    for (Index i = 0; i < n; ++i) {
      double sum = 0;
      for (Index j = 0; j < kCols; ++j) sum += d.x[block.number[i] * kCols + j] * d.w[k * kCols + j];
      EXPECT_EQ(z[i * kVectors + k], sum);
    }
    for (Index j = 0; j < kCols; ++j) {
      double sum = 1; // the result is added to what stood there
      for (Index i = 0; i < n; ++i) sum += d.x[block.number[i] * kCols + j] * d.r[i * kVectors + k];
      EXPECT_EQ(g[k * kCols + j], sum);
    }
  }
}

TEST(PresentBlock, MultipliesSeveralVectorsInAnyLayout) {
  const Data d = data();
  expect_products(MatrixView::row_major(d.x.data(), kRows, kCols), d);
  std::vector<double> by_column(d.x.size()), apart(2 * d.x.size(), 1e9);
  std::vector<float> narrow;
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kCols; ++j) {
      by_column[j * kRows + i] = d.x[i * kCols + j];
      apart[2 * (i * kCols + j)] = d.x[i * kCols + j];
      narrow.push_back(static_cast<float>(d.x[i * kCols + j]));
    }
  expect_products(MatrixView::col_major(by_column.data(), kRows, kCols), d);
  expect_products(MatrixView{apart.data(), kRows, kCols, 2 * kCols, 2, Scalar::float64, nullptr}, d);
  expect_products(MatrixView{narrow.data(), kRows, kCols, kCols, 1, Scalar::float32, nullptr}, d);
  std::vector<std::int64_t> start{0}, index;
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < kCols; ++j) index.push_back(j);
    start.push_back(static_cast<std::int64_t>(index.size()));
  }
  expect_products(SparseView{kRows, kCols, start.data(), index.data(), d.x.data(), IndexWidth::bits64}, d);
}

TEST(PresentBlock, LeavesOutRowsWithoutWeight) {
  Data d = data();
  d.v = {1, 0, 2, 1, 0, 0, 1};
  expect_products(MatrixView::row_major(d.x.data(), kRows, kCols), d);
}

TEST(PresentBlock, ACompensatedScoreIsOffByNoMoreThanItsBound) {
  Random random(3);
  for (int tries = 0; tries < 50; ++tries) {
    std::vector<double> x, w;
    DoubleDouble exact = 0.0; // of numbers with 26 bits, whose products are doubles
    double terms = 0;
    for (Index j = 0; j < 40; ++j) {
      x.push_back(std::ldexp(std::round(0x1p24 * random.normal()), j % 2 ? 20 : -20));
      w.push_back(std::round(0x1p24 * random.normal()));
      exact += x.back() * w.back();
      terms += std::abs(x.back() * w.back());
    }
    Batch batch;
    const double y = 0;
    batch.x = MatrixView::row_major(x.data(), 1, 40);
    batch.target = MatrixView::vector(&y, 1);
    PresentBlock block;
    block.take(batch, 0);
    double high = 0, low = 0;
    block.row_dots2(w.data(), &high, &low);
    EXPECT_LE(std::abs((DoubleDouble(high, low) - exact).hi), block.row_dots2_error(w.data()));
    EXPECT_LE(block.row_dots2_error(w.data()), 1e-29 * terms);
  }
}

} // namespace
} // namespace recta
