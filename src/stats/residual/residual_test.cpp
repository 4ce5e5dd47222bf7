#include "base/double_double.hpp"
#include "design/csc/csc_source.hpp"
#include "stats/reduce.hpp"
#include "stats/residual/residual.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

std::shared_ptr<Predictor> predictor(Index p, Index k = 1) {
  auto made = std::make_shared<Predictor>();
  made->cols = p;
  made->targets = k;
  for (Index j = 0; j < p * k; ++j) {
    made->w.push_back(static_cast<double>(j % 5 - 2));
    made->w_low.push_back(static_cast<double>(j % 3 - 1) * 0x1p-60);
  }
  for (Index j = 0; j < k; ++j) made->b.push_back(static_cast<double>(j) + 3);
  for (Index j = 0; j < p; ++j) made->centre.push_back(static_cast<double>(j % 7) - 3);
  return made;
}

// The same sums by the definition, row by row in double-double.
struct Plain {
  DoubleDouble sum, squares, weight, log_weight;
  std::vector<DoubleDouble> gradient;
  std::vector<double> gradient_abs;
};

Plain plain(const Table& t, const Predictor& f, Index k) {
  Plain out{{},
            {},
            {},
            {},
            std::vector<DoubleDouble>(static_cast<std::size_t>(t.cols)),
            std::vector<double>(static_cast<std::size_t>(t.cols))};
  for (Index i = 0; i < t.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double v = t.weight.empty() ? 1 : t.weight[row];
    if (v == 0) continue;
    DoubleDouble r = t.y[static_cast<std::size_t>(i * t.targets + k)];
    if (!t.offset.empty()) r -= t.offset[row];
    r -= f.b[static_cast<std::size_t>(k)];
    for (Index j = 0; j < t.cols; ++j) {
      const auto at = static_cast<std::size_t>(k * t.cols + j);
      r -= DoubleDouble(f.w[at], f.w_low[at]) * t.x[static_cast<std::size_t>(i * t.cols + j)];
    }
    out.weight += v;
    out.log_weight += std::log(v);
    out.sum += r * v;
    out.squares += r * r * v;
    for (Index j = 0; j < t.cols; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const DoubleDouble term = r * v * (t.x[static_cast<std::size_t>(i * t.cols + j)] - DoubleDouble(f.centre[at]));
      out.gradient[at] += term;
      out.gradient_abs[at] += std::abs(term.hi);
    }
  }
  return out;
}

double distance(double hi, double lo, DoubleDouble expected) {
  return std::abs((DoubleDouble(hi, lo) - expected).hi);
}

void expect_near(const Residual& found, const Table& t, const Predictor& f, double u) {
  for (Index k = 0; k < f.targets; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const Plain expected = plain(t, f, k);
    EXPECT_LT(distance(found.weight, found.weight_low, expected.weight), 1e-28 * expected.weight.hi);
    EXPECT_LT(distance(found.log_weight, found.log_weight_low, expected.log_weight), 1e-13);
    EXPECT_LT(distance(found.squares[at], found.squares_low[at], expected.squares), 1e-26 * expected.squares.hi);
    EXPECT_LT(distance(found.sum[at], found.sum_low[at], expected.sum), 1e-26 * expected.squares.hi);
    for (Index j = 0; j < t.cols; ++j) {
      const auto c = static_cast<std::size_t>(j), g = static_cast<std::size_t>(k * t.cols + j);
      EXPECT_LE(distance(found.gradient[g], found.gradient_low[g], expected.gradient[c]), u * found.gradient_abs[g]);
      EXPECT_NEAR(found.gradient_abs[g], expected.gradient_abs[c], 1e-13 * expected.gradient_abs[c]);
    }
  }
}

constexpr double kBound = Residual::kGradientRounding * 0x1p-53;

Residual gathered(const Table& t, std::shared_ptr<const Predictor> f, Index block, int threads) {
  Pool pool(threads);
  TableRows rows(t, block);
  const auto partial = reduce(rows, Residual(std::move(f)), pool);
  EXPECT_TRUE(partial) << partial.error().text();
  return partial->total();
}

Table table(Index rows, Index cols, bool weighted) {
  Table t = Table::integers(rows, cols, 1000);
  for (double& x : t.x) x /= 7;
  for (Index i = 0; weighted && i < rows; ++i) {
    t.weight.push_back(static_cast<double>(i % 5) / 3);
    t.offset.push_back(static_cast<double>(i % 11) / 10);
  }
  return t;
}

TEST(Residual, of_one_row_can_be_done_on_paper) {
  const Table t{1, 2, 1, {2, 5}, {30}, {4}, {1}};
  auto f = std::make_shared<Predictor>();
  *f = {2, 1, {3, 4}, {}, {2}, {}, {1, 1}};
  const Residual r = gathered(t, f, 8, 1); // r = 30 - 1 - 2 - 6 - 20 = 1
  EXPECT_EQ(r.sum, std::vector<double>{4});
  EXPECT_EQ(r.squares, std::vector<double>{4});
  EXPECT_EQ(r.gradient, (std::vector<double>{4, 16}));
  EXPECT_EQ(r.gradient_abs, (std::vector<double>{4, 16}));
  EXPECT_EQ(r.weight, 4);
  EXPECT_EQ(r.log_weight, std::log(4.0));
}

TEST(Residual, keeps_its_rounding_bound_whatever_the_number_of_columns) {
  for (const Index cols : {1, 3, 8, 13, 40, 101})
    for (const bool weighted : {false, true}) {
      const Table t = table(301, cols, weighted);
      const auto f = predictor(cols);
      expect_near(gathered(t, f, 64, 2), t, *f, kBound);
    }
}

TEST(Residual, in_extended_precision_has_a_gradient_to_thirty_digits) {
  const Table t = table(120, 9, true);
  const auto f = predictor(9);
  f->precision = Precision::extended;
  expect_near(gathered(t, f, 64, 2), t, *f, 1e-28);
}

TEST(Residual, of_several_targets) {
  Table t = table(90, 6, true);
  t.targets = 3;
  while (static_cast<Index>(t.y.size()) < 3 * t.rows) t.y.push_back(t.y[t.y.size() - 90] + 1);
  const auto f = predictor(6, 3);
  expect_near(gathered(t, f, 32, 2), t, *f, kBound);
}

TEST(Residual, sees_what_a_double_cannot) {
  // y = x w exactly in 106 bits: only the low part of w is left.
  Table t = Table::integers(64, 4, 1000);
  const auto f = predictor(4);
  f->b = {0};
  for (Index i = 0; i < 64; ++i) {
    double y = 0;
    for (Index j = 0; j < 4; ++j) y += t.x[static_cast<std::size_t>(4 * i + j)] * f->w[static_cast<std::size_t>(j)];
    t.y[static_cast<std::size_t>(i)] = y;
  }
  const Residual r = gathered(t, f, 16, 1);
  DoubleDouble squares;
  for (Index i = 0; i < 64; ++i) {
    double left = 0;
    for (Index j = 0; j < 4; ++j)
      left -= t.x[static_cast<std::size_t>(4 * i + j)] * f->w_low[static_cast<std::size_t>(j)];
    squares += left * left;
  }
  EXPECT_NEAR(r.squares[0] / squares.hi, 1, 1e-12);
}

TEST(Residual, has_the_same_bits_for_every_layout_type_and_number_of_threads) {
  Table t = Table::integers(600, 19, 1000);
  const auto f = predictor(19);
  const std::string one = gathered(t, f, 64, 1).to_bytes();
  for (const int threads : {2, 3, 8}) EXPECT_EQ(gathered(t, f, 64, threads).to_bytes(), one);
  std::vector<double> by_column(t.x.size());
  const std::vector<float> floats(t.x.begin(), t.x.end());
  for (Index i = 0; i < 600; ++i)
    for (Index j = 0; j < 19; ++j)
      by_column[static_cast<std::size_t>(j * 600 + i)] = t.x[static_cast<std::size_t>(i * 19 + j)];
  Residual rows(f), columns(f), single(f);
  Batch batch = t.all();
  rows.accumulate(batch);
  batch.x = MatrixView::col_major(by_column.data(), 600, 19);
  columns.accumulate(batch);
  MatrixView view = std::get<MatrixView>(t.all().x);
  view.data = floats.data();
  view.scalar = Scalar::float32;
  batch.x = view;
  single.accumulate(batch);
  EXPECT_EQ(rows.to_bytes(), columns.to_bytes());
  EXPECT_EQ(rows.to_bytes(), single.to_bytes());
}

TEST(Residual, of_columns_shared_out_among_threads_has_the_bits_of_one_thread_over_rows) {
  for (const Index rows : {1, 7, 32, 77, 300})
    for (const bool weighted : {false, true}) {
      constexpr Index kCols = 701;
      Table t = table(rows, kCols, false);
      t.targets = 2;
      for (Index i = 0; i < rows; ++i) t.y.push_back(t.y[static_cast<std::size_t>(i)] / 3);
      for (Index i = 0; weighted && i < rows; ++i) t.weight.push_back(static_cast<double>(i % 4 + 1) / 3);
      const auto f = predictor(kCols, 2);
      for (std::size_t j = 0; j < f->w.size(); ++j)
        if (j % 9 != 4) f->w[j] = f->w_low[j] = 0; // few columns are in use
      std::vector<double> by_column(t.x.size());
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < kCols; ++j)
          by_column[static_cast<std::size_t>(j * rows + i)] = t.x[static_cast<std::size_t>(i * kCols + j)];
      Residual alone(f);
      alone.accumulate(t.all());
      expect_near(alone, t, *f, kBound);
      for (const bool fortran : {false, true}) {
        Pool pool(3);
        Batch batch = t.all();
        if (fortran) batch.x = MatrixView::col_major(by_column.data(), rows, kCols);
        Residual here(f), shared(f);
        here.accumulate(batch);
        shared.accumulate(batch, pool);
        EXPECT_EQ(here.to_bytes(), alone.to_bytes()) << rows << fortran;
        EXPECT_EQ(shared.to_bytes(), alone.to_bytes()) << rows << fortran;
      }
    }
}

TEST(Residual, of_sparse_rows_is_that_of_the_same_rows_written_out) {
  Table t = table(100, 20, true);
  std::vector<std::int64_t> start{0}, index;
  std::vector<double> value;
  for (Index i = 0; i < t.rows; ++i) {
    for (Index j = 0; j < 20; ++j) {
      double& x = t.x[static_cast<std::size_t>(i * 20 + j)];
      if ((i * 7 + j * 13) % 5 != 0) x = 0;
      if (x == 0) continue;
      index.push_back(j);
      value.push_back(x);
    }
    start.push_back(static_cast<std::int64_t>(index.size()));
  }
  const auto f = predictor(20);
  Batch batch = t.all();
  batch.x = SparseView{t.rows, 20, start.data(), index.data(), value.data(), IndexWidth::bits64};
  Residual r(f);
  r.accumulate(batch);
  const Plain expected = plain(t, *f, 0);
  EXPECT_LT(distance(r.squares[0], r.squares_low[0], expected.squares), 1e-26 * expected.squares.hi);
  for (std::size_t j = 0; j < 20; ++j) {
    EXPECT_LE(distance(r.gradient[j], r.gradient_low[j], expected.gradient[j]), kBound * r.gradient_abs[j]);
    EXPECT_GE(r.gradient_abs[j], expected.gradient_abs[j] * (1 - 1e-13)); // an upper bound suffices
  }
}

TEST(Residual, of_compressed_columns_is_that_of_their_rows) {
  constexpr Index kCols = 30;
  Table t = table(200, kCols, true);
  std::vector<std::int32_t> start{0}, index;
  std::vector<double> value;
  for (Index j = 0; j < kCols; ++j) {
    for (Index i = 0; i < t.rows; ++i) {
      double& x = t.x[static_cast<std::size_t>(i * kCols + j)];
      if ((i * 7 + j * 13) % 6 != 0) x = 0;
      if (x == 0) continue;
      index.push_back(static_cast<std::int32_t>(i));
      value.push_back(t.weight[static_cast<std::size_t>(i)] == 0 ? NAN : x); // rows without weight may hold anything
    }
    start.push_back(static_cast<std::int32_t>(index.size()));
  }
  SparseView x{t.rows, kCols, start.data(), index.data(), value.data(), IndexWidth::bits32};
  x.compressed = Compressed::by_column;
  const Batch all = t.all();
  for (const Precision precision : {Precision::standard, Precision::extended}) {
    const auto f = predictor(kCols);
    f->precision = precision;
    CscSource source(x, {all.target, all.weight, all.offset, {}});
    Pool one(1), three(3);
    const auto found = reduce(source, Residual(f), one), shared = reduce(source, Residual(f), three);
    ASSERT_TRUE(found && shared);
    const Residual r = found->total();
    EXPECT_EQ(r.to_bytes(), shared->total().to_bytes());
    EXPECT_EQ(r.rows, 160);
    const Plain expected = plain(t, *f, 0);
    const double u = precision == Precision::standard ? kBound : 1e-28;
    EXPECT_LT(distance(r.weight, r.weight_low, expected.weight), 1e-28 * expected.weight.hi);
    EXPECT_LT(distance(r.squares[0], r.squares_low[0], expected.squares), 1e-26 * expected.squares.hi);
    for (std::size_t j = 0; j < kCols; ++j) {
      EXPECT_LE(distance(r.gradient[j], r.gradient_low[j], expected.gradient[j]), u * r.gradient_abs[j]);
      EXPECT_GE(r.gradient_abs[j], expected.gradient_abs[j] * (1 - 1e-13)); // an upper bound suffices
    }
  }
}

TEST(Residual, of_compressed_columns_names_the_first_bad_number) {
  const std::vector<std::int64_t> start{0, 2, 3}, index{0, 2, 1};
  const std::vector<double> value{1, INFINITY, 2}, y{1, 2, 3};
  SparseView x{3, 2, start.data(), index.data(), value.data()};
  x.compressed = Compressed::by_column;
  CscSource source(x, {MatrixView::vector(y.data(), 3), {}, {}, {}});
  Pool pool(2);
  const auto bad = reduce(source, Residual(predictor(2)), pool);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "row 3, column 1");
}

TEST(Residual, names_the_first_bad_number) {
  Table t = table(100, 3, false);
  t.y[70] = NAN;
  Pool pool(2);
  TableRows rows(t, 8);
  const auto bad = reduce(rows, Residual(predictor(3)), pool);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, "row 71, target 1");
}

TEST(Residual, bytes_come_back_and_damaged_ones_are_refused) {
  const Table t = table(30, 4, true);
  const Residual r = gathered(t, predictor(4), 8, 1);
  const std::string bytes = r.to_bytes();
  ASSERT_TRUE(Residual::from_bytes(bytes));
  EXPECT_EQ(Residual::from_bytes(bytes)->to_bytes(), bytes);
  for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(Residual::from_bytes(bytes.substr(0, n))) << n;
  EXPECT_FALSE(Residual::from_bytes(bytes + '\0'));
  for (std::size_t at = 4; at < 20; ++at) {
    std::string bent = bytes;
    bent[at] = static_cast<char>(0x7f);
    EXPECT_FALSE(Residual::from_bytes(bent)) << at;
  }
}

TEST(Residual, LowPartsCountByTheKernelsAsTheyDoInDoubleDouble) {
  Table t = Table::integers(203, 11, 1000);
  t.weight.assign(203, 0.5);
  std::vector<double> low;
  for (double& x : t.x) {
    const DoubleDouble root = sqrt(DoubleDouble(std::abs(x) + 1));
    x = root.hi;
    low.push_back(root.lo);
  }
  Batch batch = t.all();
  std::get<MatrixView>(batch.x).low = low.data();
  const auto with = [&](Precision precision) {
    auto f = predictor(11);
    f->precision = precision;
    Residual sums(f);
    sums.accumulate(batch);
    return sums;
  };
  const Residual fast = with(Precision::standard), careful = with(Precision::extended);
  const auto near = [](DoubleDouble a, DoubleDouble b, double scale) {
    EXPECT_LE(std::abs((a - b).hi), 1e-28 * scale) << a.hi << " " << b.hi;
  };
  near({fast.squares[0], fast.squares_low[0]}, {careful.squares[0], careful.squares_low[0]}, careful.squares[0]);
  near({fast.sum[0], fast.sum_low[0]}, {careful.sum[0], careful.sum_low[0]}, careful.squares[0]);
  for (std::size_t j = 0; j < 11; ++j) {
    near({fast.gradient[j], fast.gradient_low[j]}, {careful.gradient[j], careful.gradient_low[j]},
         10 * careful.gradient_abs[j]);
    EXPECT_NEAR(fast.gradient_abs[j], careful.gradient_abs[j], 1e-12 * careful.gradient_abs[j]);
  }
  EXPECT_EQ(fast.weight, careful.weight);
  EXPECT_EQ(fast.rows, careful.rows);
}

} // namespace
} // namespace recta
