#include "design/csc/csc_source.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/fingerprint/fingerprint.hpp"
#include "stats/pass.hpp"
#include "stats/test_rows.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

constexpr Index kRows = 70, kCols = 1100;

TEST(ColumnSums, OfIntegersAreExact) {
  const Table t = Table::integers(kRows, kCols, 1000);
  ColumnSums sums(kCols, 1);
  sums.accumulate(t.all());
  EXPECT_EQ(sums.rows, kRows);
  EXPECT_EQ(sums.weight, DoubleDouble(kRows));
  for (Index j = 0; j < kCols; ++j) {
    double sum = 0, squares = 0;
    for (Index i = 0; i < kRows; ++i) {
      const double x = t.x[static_cast<std::size_t>(i * kCols + j)];
      sum += x, squares += x * x;
    }
    ASSERT_EQ(sums.sum[j], DoubleDouble(sum)) << j;
    ASSERT_EQ(sums.squares[j], DoubleDouble(squares)) << j;
  }
}

TEST(ColumnSums, HaveTheSameBitsForEveryLayoutAndNumberOfThreads) {
  for (const bool weighted : {false, true}) {
    Table t = Table::integers(kRows, kCols, 1000);
    for (double& x : t.x) x /= 7;
    for (Index i = 0; weighted && i < kRows; ++i) t.weight.push_back(static_cast<double>(i % 5 + 1) / 3);
    std::vector<double> by_column(t.x.size());
    for (Index i = 0; i < kRows; ++i)
      for (Index j = 0; j < kCols; ++j) by_column[j * kRows + i] = t.x[i * kCols + j];
    ColumnSums alone(kCols, 1);
    alone.accumulate(t.all());
    for (const bool fortran : {false, true})
      for (const int threads : {1, 2, 5}) {
        Pool pool(threads);
        Batch batch = t.all();
        if (fortran) batch.x = MatrixView::col_major(by_column.data(), kRows, kCols);
        ColumnSums shared(kCols, 1);
        shared.accumulate(batch, pool);
        EXPECT_EQ(shared.to_bytes(), alone.to_bytes());
        TableRows rows(t, kRows);
        EXPECT_EQ(fresh_pass(rows, ColumnSums(kCols, 1), pool, {}, {})->to_bytes(), alone.to_bytes());
      }
  }
}

TEST(ColumnSums, PassOverRowsWithoutWeightWhateverTheyHold) {
  Table t = Table::integers(6, 3, 10);
  t.weight = {1, 2, 0, 1, 0, 3};
  t.x[2 * 3 + 1] = std::numeric_limits<double>::quiet_NaN();
  ColumnSums sums(3, 1);
  Pool pool(2);
  sums.accumulate(t.all(), pool);
  EXPECT_TRUE(sums.finite());
  EXPECT_EQ(sums.rows, 4);
  EXPECT_EQ(sums.weight, DoubleDouble(7));
  EXPECT_EQ(sums.sum[1], DoubleDouble(t.x[1] + 2 * t.x[4] + t.x[10] + 3 * t.x[16]));
}

TEST(ColumnSums, OfCompressedColumnsAreThoseOfTheirRows) {
  Table t = Table::integers(50, 8, 3);
  t.weight.assign(50, 2.0);
  t.weight[7] = 0;
  std::vector<Index> start{0}, index;
  std::vector<double> value;
  for (Index j = 0; j < 8; ++j) {
    for (Index i = 0; i < 50; ++i)
      if (const double x = t.x[i * 8 + j]; x != 0) index.push_back(i), value.push_back(x);
    start.push_back(static_cast<Index>(index.size()));
  }
  SparseView x{50, 8, start.data(), index.data(), value.data()};
  x.compressed = Compressed::by_column;
  const Batch all = t.all();
  CscSource columns(x, {all.target, all.weight, all.offset, {}});
  TableRows rows(t, 50);
  Pool pool(2);
  const Both<ColumnSums, RowFingerprint> empty{ColumnSums(8, 1), RowFingerprint(8, 1)};
  EXPECT_EQ(fresh_pass(columns, empty, pool, {}, {})->to_bytes(), fresh_pass(rows, empty, pool, {}, {})->to_bytes());
}

TEST(ColumnSums, OfAConstantColumnHaveNoSpread) {
  Table t = Table::integers(9, 2, 10);
  for (Index i = 0; i < 9; ++i) t.x[i * 2] = 0.1;
  ColumnSums sums(2, 1);
  sums.accumulate(t.all());
  EXPECT_TRUE(sums.constant(0, true));
  EXPECT_FALSE(sums.constant(0, false));
  EXPECT_FALSE(sums.constant(1, true));
  EXPECT_EQ(sums.deviation(0), 0);
}

} // namespace
} // namespace recta
