#include <recta/recta.hpp>

#include <gtest/gtest.h>
#include <limits>

namespace recta {

TEST(ColumnMoments, LeaveMissingNumbersOutColumnByColumn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{1, 10, 2, nan, 6, 30}, weights{1, 1, 2};
  const auto all = column_moments({.dense = MatrixView::row_major(x.data(), 3, 2), .weights = weights.data()});
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[0].count, 3);
  EXPECT_EQ((*all)[0].weight, 4);
  EXPECT_EQ((*all)[0].mean, 3.75);
  EXPECT_EQ((*all)[0].variance, (2.75 * 2.75 + 1.75 * 1.75 + 2 * 2.25 * 2.25) / 4);
  EXPECT_EQ((*all)[1].missing, 1);
  EXPECT_EQ((*all)[1].mean, 70.0 / 3);
  EXPECT_EQ((*all)[1].least, 10);
  EXPECT_EQ((*all)[1].largest, 30);
}

TEST(ColumnMoments, OfSparseColumnsCountTheZerosThatAreNotStored) {
  const std::vector<Index> start{0, 1, 1, 2, 3}, index{0, 0, 1};
  const std::vector<double> value{2, 4, 5};
  const SparseView x{4, 2, start.data(), index.data(), value.data(), IndexWidth::bits64, Compressed::by_row};
  const auto all = column_moments({.sparse = x}, 2);
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[0].mean, 1.5);
  EXPECT_EQ((*all)[0].variance, (0.25 + 2.25 + 6.25 + 2.25) / 4);
  EXPECT_EQ((*all)[1].mean, 1.25);
}

TEST(ColumnMoments, OfAConstantColumnFarFromZeroHaveNoVariance) {
  const std::vector<double> x(100'000, 0.1);
  const auto all = column_moments({.dense = MatrixView::vector(x.data(), 100'000)});
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[0].mean, 0.1);
  EXPECT_EQ((*all)[0].variance, 0);
}

TEST(ColumnMoments, OfAConstantColumnHaveNoVarianceWhateverItsRowsWeigh) {
  const std::vector<double> x(3000, 0.1);
  std::vector<double> weights;
  for (std::size_t i = 0; i < x.size(); ++i) weights.push_back(1 / static_cast<double>(3 + i % 7));
  const auto all = column_moments({.dense = MatrixView::vector(x.data(), 3000), .weights = weights.data()}, 2);
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[0].mean, 0.1);
  EXPECT_EQ((*all)[0].variance, 0);
}

} // namespace recta
