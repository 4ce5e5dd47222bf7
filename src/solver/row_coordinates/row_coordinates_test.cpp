#include "solver/newton/test_wide_problems.hpp"
#include "solver/row_coordinates/row_coordinates.hpp"
#include "stats/rows.hpp"

#include <limits>

namespace recta {
namespace {

using testing::Labelled;

constexpr Index kRows = 60, kCols = 900;

struct Wide {
  Labelled data = Labelled::make(kRows, kCols, 20);
  std::vector<double> unit, mean;

  Wide() {
    for (Index j = 0; j < kCols; ++j) {
      unit.push_back(j % 50 == 7 ? 0 : 0.5 + 0.1 * static_cast<double>(j % 9));
      mean.push_back(0.01 * static_cast<double>(j % 5) - 0.02);
    }
  }
  RowCoordinates::Columns columns() const { return {unit, mean}; }
  // (x_i - m)' w over the columns in use.
  double score(Index i, const std::vector<double>& w) const {
    double sum = 0;
    for (Index j = 0; j < kCols; ++j) sum += unit[j] > 0 ? (data.dense[i * kCols + j] - mean[j]) * w[j] : 0;
    return sum;
  }
};

MatrixView only_block(RowSource& rows) {
  MatrixView all;
  EXPECT_TRUE(for_each_batch(rows, [&](const Batch& batch) -> Result<void> {
    EXPECT_EQ(batch.first_row, 0);
    all = std::get<MatrixView>(batch.x);
    return {};
  }));
  return all;
}

TEST(RowCoordinates, GiveTheScoresAndThePenaltyOfTheWeightsTheyStandFor) {
  const Wide wide;
  Pool pool(2);
  auto source = wide.data.sparse_rows();
  const auto held = HeldRows::hold(source);
  auto found = RowCoordinates::find(**held, wide.columns(), 3, pool);
  ASSERT_TRUE(found);
  std::vector<double> v;
  for (Index k = 0; k < 3 * kRows; ++k) v.push_back(std::sin(1.7 * static_cast<double>(k + 1)));
  const std::vector<double> w = found->weights(v, pool);
  const MatrixView l = only_block(found->rows());
  for (Index k = 0; k < 3; ++k) {
    const std::vector<double> one(w.begin() + k * kCols, w.begin() + (k + 1) * kCols);
    double squares = 0, penalty = 0;
    for (Index i = 0; i < kRows; ++i) {
      double score = 0;
      for (Index c = 0; c < kRows; ++c) score += element(l, i, c) * v[k * kRows + c];
      EXPECT_NEAR(score, wide.score(i, one), 1e-11) << "row " << i;
      squares += v[k * kRows + i] * v[k * kRows + i];
    }
    for (Index j = 0; j < kCols; ++j) {
      penalty += wide.unit[j] * one[j] * one[j];
      if (wide.unit[j] == 0) EXPECT_EQ(one[j], 0) << "column " << j;
    }
    EXPECT_NEAR(penalty, squares, 1e-10 * squares);
  }
}

TEST(RowCoordinates, RowsThatAreAlikeStayAlike) {
  Wide wide;
  std::copy_n(wide.data.dense.begin(), kCols, wide.data.dense.begin() + 5 * kCols);
  wide.data.compress();
  Pool pool(1);
  auto source = wide.data.sparse_rows();
  const auto held = HeldRows::hold(source);
  auto found = RowCoordinates::find(**held, wide.columns(), 3, pool);
  ASSERT_TRUE(found);
  const MatrixView l = only_block(found->rows());
  for (Index c = 0; c < kRows; ++c) EXPECT_NEAR(element(l, 0, c), element(l, 5, c), 1e-5) << c; // root of the rounding
}

TEST(RowCoordinates, LeaveOutRowsWithoutWeightAndKeepWhatBelongsToRows) {
  Wide wide;
  for (Index i = 0; i < kRows; ++i) {
    wide.data.weight.push_back(i % 4 == 0 ? 0 : 1.5);
    wide.data.offset.push_back(0.25 * static_cast<double>(i));
    if (i % 4 == 0) wide.data.dense[i * kCols + 3] = std::numeric_limits<double>::quiet_NaN();
  }
  wide.data.compress();
  Pool pool(2);
  auto source = wide.data.sparse_rows();
  const auto held = HeldRows::hold(source);
  auto found = RowCoordinates::find(**held, wide.columns(), 3, pool);
  ASSERT_TRUE(found);
  EXPECT_TRUE(for_each_batch(found->rows(), [&](const Batch& batch) -> Result<void> {
    for (Index i = 0; i < kRows; ++i) {
      EXPECT_EQ(element(batch.target, i, 0), wide.data.y[i]);
      EXPECT_EQ(batch.weight[i], wide.data.weight[i]);
      EXPECT_EQ(batch.offset[i], wide.data.offset[i]);
    }
    return {};
  }));
  for (const double w : found->weights(std::vector<double>(kRows, 1.0), pool)) EXPECT_TRUE(std::isfinite(w));
}

TEST(RowCoordinates, HaveTheSameBitsAtAnyNumberOfThreads) {
  const Wide wide;
  std::vector<double> first;
  for (const int threads : {1, 2, 3}) {
    Pool pool(threads);
    auto source = wide.data.sparse_rows();
    const auto held = HeldRows::hold(source);
    auto found = RowCoordinates::find(**held, wide.columns(), 3, pool);
    ASSERT_TRUE(found);
    const std::vector<double> w = found->weights(std::vector<double>(kRows, 1.0), pool);
    if (first.empty()) first = w;
    EXPECT_EQ(w, first);
  }
}

TEST(RowCoordinates, AreNotUsedIfTheyDoNotPay) {
  Pool pool(1);
  const Labelled tall = Labelled::make(400, 500, 8), wide = Labelled::make(kRows, kCols, 20);
  const std::vector<double> ones(kCols, 1.0), zeros(kCols, 0.0);
  auto sparse = tall.sparse_rows();
  auto held = HeldRows::hold(sparse);
  EXPECT_FALSE(RowCoordinates::find(**held, {std::span(ones).first(500), std::span(zeros).first(500)}, 3, pool));
  auto dense = wide.dense_rows();
  held = HeldRows::hold(dense);
  EXPECT_FALSE(RowCoordinates::find(**held, {ones, zeros}, 3, pool));
  auto empty = wide.sparse_rows();
  held = HeldRows::hold(empty);
  EXPECT_FALSE(RowCoordinates::find(**held, {zeros, zeros}, 3, pool)); // every weight stays zero
}

} // namespace
} // namespace recta
