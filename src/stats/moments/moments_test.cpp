#include "stats/moments/moments.hpp"
#include "stats/reduce.hpp"
#include "stats/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Table;
using testing::TableRows;

Moments gathered(const Table& t, Index block, int threads) {
  Pool pool(threads);
  TableRows rows(t, block);
  const auto partial = reduce(rows, Moments(t.cols, t.targets), pool);
  EXPECT_TRUE(partial) << partial.error().text();
  return partial->total();
}

TEST(Moments, of_one_two_three_and_four_five_are_mean_three_and_scatter_ten) {
  const Table t{5, 1, 1, {1, 2, 3, 4, 5}, {0, 0, 7, 0, 0}, {}, {}};
  const Moments m = gathered(t, 3, 2);
  EXPECT_EQ(m.columns[0].mean.hi, 3);
  EXPECT_EQ(m.columns[0].scatter.hi, 10);
  EXPECT_EQ(m.columns[0].variance(), 2);
  EXPECT_EQ(m.columns[0].least, 1);
  EXPECT_EQ(m.columns[0].largest, 5);
  EXPECT_EQ(m.columns[1].zeros, 4);
}

TEST(Moments, of_integers_are_exact_where_the_result_is_a_double) {
  // Numbers -k .. k shifted by 2^40: mean 2^40, scatter k (k + 1) (2k + 1) / 3.
  Table t{2001, 1, 1, {}, std::vector<double>(2001), {}, {}};
  for (Index i = -1000; i <= 1000; ++i) t.x.push_back(static_cast<double>(i) + 0x1p40);
  const Moments m = gathered(t, 64, 3);
  EXPECT_EQ(m.columns[0].mean.hi, 0x1p40);
  EXPECT_EQ(m.columns[0].scatter.hi, 1000.0 * 1001 * 2001 / 3);
}

TEST(Moments, count_missing_numbers_and_leave_them_out) {
  const Table t{4, 2, 1, {1, NAN, NAN, 2, 3, INFINITY, 5, 4}, {1, 1, 1, 1}, {1, 1, 2, 0}, {}};
  const Moments m = gathered(t, 4, 1);
  EXPECT_EQ(m.columns[0].missing, 1);
  EXPECT_EQ(m.columns[0].count, 2); // the row of weight zero is absent
  EXPECT_EQ(m.columns[0].mean.hi, 7.0 / 3);
  EXPECT_EQ(m.columns[0].weight.hi, 3);
  EXPECT_EQ(m.columns[1].infinite, 1);
  EXPECT_EQ(m.columns[1].mean.hi, 2);
  EXPECT_EQ(m.columns[1].scatter.hi, 0);
}

TEST(Moments, have_the_same_bits_at_any_number_of_threads_and_through_bytes) {
  Table t = Table::integers(2000, 5, 1000);
  for (double& x : t.x) x /= 7;
  const std::string one = gathered(t, 32, 1).to_bytes();
  for (const int threads : {2, 3, 8}) EXPECT_EQ(gathered(t, 32, threads).to_bytes(), one);
  EXPECT_EQ(Moments::from_bytes(one)->to_bytes(), one);
  for (std::size_t n = 0; n < one.size(); n += 3) EXPECT_FALSE(Moments::from_bytes(one.substr(0, n)));
  EXPECT_FALSE(Moments::from_bytes(one + "x"));
  for (std::size_t at = 4; at < 20; ++at) {
    std::string bent = one;
    bent[at] = static_cast<char>(0x7f);
    EXPECT_FALSE(Moments::from_bytes(bent)) << at;
  }
}

TEST(Moments, of_sparse_rows_count_what_is_not_stored_as_zero) {
  const std::vector<std::int64_t> start{0, 1, 1, 3}, index{1, 0, 1};
  const std::vector<double> value{4, 3, 8}, y{1, 2, 3};
  Batch batch;
  batch.x = SparseView{3, 2, start.data(), index.data(), value.data()};
  batch.target = MatrixView::vector(y.data(), 3);
  Moments m(2, 1);
  m.accumulate(batch);
  EXPECT_EQ(m.columns[0].mean.hi, 1);
  EXPECT_EQ(m.columns[0].scatter.hi, 6);
  EXPECT_EQ(m.columns[0].zeros, 2);
  EXPECT_EQ(m.columns[1].mean.hi, 4);
  EXPECT_EQ(m.columns[1].scatter.hi, 32);
  EXPECT_EQ(m.columns[1].least, 0);
}

} // namespace
} // namespace recta
