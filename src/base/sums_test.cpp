#include "base/sums.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

namespace recta {
namespace {

TEST(Sums, compensated_sum_keeps_what_a_plain_sum_loses) {
  const std::vector<double> x = {1, 1e100, 1, -1e100};
  EXPECT_EQ(std::accumulate(x.begin(), x.end(), 0.0), 0);
  EXPECT_EQ(compensated_sum(x), 2);
}

TEST(Sums, dot2_is_exact_where_products_cancel) {
  const double big = 134217729; // 2^27 + 1: its square needs 55 bits
  const std::vector<double> x = {big, 1e20, -1e20, 1}, y = {big, 1, 1, -18014398509481984.0};
  EXPECT_EQ(dot2(x, y), 268435457); // (2^27 + 1)^2 - 2^54
}

TEST(Sums, the_unrounded_forms_carry_the_low_part) {
  EXPECT_EQ(compensated_sum2(std::vector<double>{1, 0x1p-70}), DoubleDouble(1, 0x1p-70));
  EXPECT_EQ(dot2_unrounded(std::vector<double>{1 + 0x1p-40}, std::vector<double>{1 + 0x1p-40}),
            DoubleDouble(1 + 0x1p-39, 0x1p-80));
}

TEST(Sums, pairwise_sum_of_many_tenths_is_close_where_a_plain_sum_drifts) {
  const std::vector<double> x(1'000'000, 0.1);
  const double plain = std::accumulate(x.begin(), x.end(), 0.0);
  EXPECT_GT(std::abs(plain - 100000), 1e-7);
  EXPECT_LT(std::abs(pairwise_sum(x) - 100000), 1e-9);
}

TEST(Sums, every_length_sums_every_term_once) {
  for (Index n : {0, 1, 127, 128, 129, 255, 256, 257, 384, 1000, 4097}) {
    std::vector<double> x(n);
    std::iota(x.begin(), x.end(), 1.0);
    const double want = static_cast<double>(n * (n + 1) / 2);
    EXPECT_EQ(pairwise_sum(x), want) << n;
    EXPECT_EQ(compensated_sum(x), want) << n;
    EXPECT_EQ(dot2(x, std::vector<double>(n, 1.0)), want) << n;
  }
}

TEST(Sums, strides_pick_every_kth_number) {
  const std::vector<double> x = {1, -5, 2, -5, 4, -5};
  EXPECT_EQ(pairwise_sum({x.data(), 3, 2}), 7);
  EXPECT_EQ(compensated_sum({x.data(), 3, 2}), 7);
  EXPECT_EQ(dot2({x.data(), 3, 2}, {x.data() + 5, 3, -2}), -35);
}

TEST(Sums, overflow_and_nan_are_not_hidden) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(compensated_sum(std::vector<double>{1, inf}), inf);
  EXPECT_EQ(compensated_sum(std::vector<double>{1e308, 1e308}), inf);
  EXPECT_TRUE(std::isnan(compensated_sum(std::vector<double>{1, std::nan("")})));
}

} // namespace
} // namespace recta
