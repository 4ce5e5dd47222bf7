// Scores and sums of the proof of a linear machine, against sums whose value is known.
#include "base/numbers.hpp"
#include "certificate/svm/linear_sums.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

// Rows around 1e10 that cancel in pairs, and a last one: g is that row times its coefficient, exactly.
struct PairedRows {
  Index rows = 601, cols = 0;
  std::vector<double> x, beta, w;
  std::vector<Index> all;

  explicit PairedRows(Index columns) : cols(columns) {
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal;
    for (Index k = 0; k < rows / 2; ++k) {
      std::vector<double> row;
      for (Index j = 0; j < cols; ++j) row.push_back(1e10 * normal(engine));
      const double own = normal(engine);
      for (const double sign : {1.0, -1.0}) {
        x.insert(x.end(), row.begin(), row.end());
        beta.push_back(sign * own);
      }
    }
    for (Index j = 0; j < cols; ++j) x.push_back(0x1p-20 * static_cast<double>(j + 1)), w.push_back(normal(engine));
    beta.push_back(0.5);
    for (Index i = 0; i < rows; ++i) all.push_back(i);
  }
  double expected(Index j) const { return 0x1p-21 * static_cast<double>(j + 1); }
};

Batch batch_of(const std::variant<MatrixView, SparseView>& x) {
  Batch out;
  out.x = x;
  return out;
}

void expect_sums(const PairedRows& rows, const std::variant<MatrixView, SparseView>& x) {
  const LinearWeights weights{rows.w, 0.25, 3};
  LinearBlock block(batch_of(x), rows.all, rows.beta);
  block.read(weights);
  LinearSums sums(weights);
  sums.add(block);
  ASSERT_EQ(sums.columns(), at(rows.cols + 1));
  for (Index j = 0; j < rows.cols; ++j) {
    const double size = sums.size(at(j));
    EXPECT_GT(size, 1e9);
    EXPECT_NEAR(sums.g(at(j)).hi, rows.expected(j), 0x1p-80 * size) << j;
  }
  EXPECT_NEAR(sums.g(at(rows.cols)).hi, 0.5 * 3, 1e-25);
  for (Index i = 0; i < rows.rows; ++i) {
    long double exact = 0.25L, size = 0.25L;
    for (Index j = 0; j < rows.cols; ++j) {
      const long double term = static_cast<long double>(rows.x[at(i * rows.cols + j)]) * rows.w[at(j)];
      exact += term, size += std::abs(term);
    }
    const RowScore score = block.scores()[at(i)];
    EXPECT_LE(std::abs(score.z - exact), score.off + 0x1p-62L * size) << i; // long double is rounded too
    EXPECT_LE(score.off, 0x1p-52 * std::abs(score.z) + 1e-20 * static_cast<double>(size)) << i;
  }
}

TEST(LinearSums, OfDenseRowsLoseNothingToCancellation) {
  const PairedRows rows(11);
  expect_sums(rows, MatrixView::row_major(rows.x.data(), rows.rows, rows.cols));
}

TEST(LinearSums, OfColumnsAreThoseOfRows) {
  const PairedRows rows(11);
  std::vector<double> columns;
  for (Index j = 0; j < rows.cols; ++j)
    for (Index i = 0; i < rows.rows; ++i) columns.push_back(rows.x[at(i * rows.cols + j)]);
  expect_sums(rows, MatrixView{columns.data(), rows.rows, rows.cols, 1, rows.rows, Scalar::float64});
}

// The rows in the first columns of `cols`.
struct Compressed {
  std::vector<std::int64_t> start{0}, index;
  std::vector<double> value;
  SparseView view;

  Compressed(const PairedRows& rows, Index cols) {
    for (Index i = 0; i < rows.rows; ++i) {
      for (Index j = 0; j < rows.cols; ++j) index.push_back(j), value.push_back(rows.x[at(i * rows.cols + j)]);
      start.push_back(std::ssize(index));
    }
    view = {rows.rows, cols, start.data(), index.data(), value.data()};
  }
};

TEST(LinearSums, OfSparseRowsLoseNothingToCancellation) {
  const PairedRows rows(11);
  expect_sums(rows, Compressed(rows, 11).view);
}

// So many columns that a block has no sums of its own.
TEST(LinearSums, OfSparseRowsOfManyColumnsAreAddedRowByRow) {
  constexpr Index kCols = 5000;
  const PairedRows rows(11);
  const std::vector<double> w(kCols, 1.0);
  const LinearWeights weights{w, 0, 0};
  const Compressed wide(rows, kCols);
  LinearBlock block(batch_of(wide.view), rows.all, rows.beta);
  block.read(weights);
  LinearSums sums(weights);
  sums.add(block);
  for (Index j = 0; j < 11; ++j) EXPECT_NEAR(sums.g(at(j)).hi, rows.expected(j), 0x1p-80 * sums.size(at(j))) << j;
  EXPECT_EQ(sums.g(kCols - 1).hi, 0);
}

// Rows that do not count may hold anything.
TEST(LinearSums, LeaveOutRowsThatAreNotPresent) {
  const std::vector<double> x{1, 2, kNaN, kNaN, 3, -4}, w{0.5, 0.25};
  const LinearWeights weights{w, 1, 0};
  LinearBlock block(batch_of(MatrixView::row_major(x.data(), 3, 2)), {0, 2}, {2, -1});
  block.read(weights);
  LinearSums sums(weights);
  sums.add(block);
  EXPECT_EQ(sums.g(0).hi, -1);
  EXPECT_EQ(sums.g(1).hi, 8);
  EXPECT_EQ(sums.size(1), 8);
  EXPECT_EQ(block.scores()[0].z, 2);
  EXPECT_EQ(block.scores()[1].z, 1.5);
  EXPECT_EQ(block.longest(), 5);
}

} // namespace
} // namespace recta::svm
