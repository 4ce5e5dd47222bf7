#include "solver/closed_form/near_doubles.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

// |R (x - w)| for R = (1 1; 0 d): (e_1 + e_2)^2 + d^2 e_2^2.
double cost(const std::vector<DoubleDouble>& x, const std::vector<DoubleDouble>& w, double d) {
  const DoubleDouble first = x[0] - w[0], second = x[1] - w[1], along = first + second;
  return std::sqrt((along * along + second * second * (d * d)).hi);
}

TEST(NearDoubles, ACoefficientTakesBackWhatRoundingALargerOneDid) {
  const double d = 0x1p-30;
  const std::vector<DoubleDouble> h{1.0, 0.0, 1.0, DoubleDouble(1.0, d * d)};
  const Cholesky<DoubleDouble> factor(h, 2, 0);
  ASSERT_EQ(factor.rank(), 2);
  const std::vector<DoubleDouble> w{DoubleDouble(1.0) / 10.0, DoubleDouble(1e8) / 3.0};
  const std::vector<DoubleDouble> nearest{w[0].hi, w[1].hi}, x = near_doubles(factor, w);
  EXPECT_EQ(x[0].lo, 0);
  EXPECT_EQ(x[1].lo, 0);
  const double ulp_first = 0x1p-56, ulp_second = 0x1p-28; // of numbers about 0.1 and 3e7
  EXPECT_GT(cost(nearest, w, d), 1e-10);
  EXPECT_LE(cost(x, w, d), std::hypot(ulp_first / 2, d * ulp_second / 2) * (1 + 1e-12));
}

TEST(NearDoubles, ColumnsThatHaveNothingToDoWithOneAnotherAreRoundedToTheNearest) {
  const Cholesky<DoubleDouble> factor({4.0, 0.0, 0.0, 9.0}, 2, 0);
  const std::vector<DoubleDouble> w{DoubleDouble(1.0) / 3.0, DoubleDouble(2.0) / 7.0};
  const std::vector<DoubleDouble> x = near_doubles(factor, w);
  EXPECT_EQ(x[0].hi, 1.0 / 3);
  EXPECT_EQ(x[1].hi, 2.0 / 7);
}

} // namespace
} // namespace recta
