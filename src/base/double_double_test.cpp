#include "base/double_double.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace recta {
namespace {

// 1024 bits hold every sum and product of doubles in these tests exactly.
using Exact =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<1024, boost::multiprecision::digit_base_2>,
                                  boost::multiprecision::et_off>;

Exact exact(DoubleDouble a) {
  return Exact(a.hi) + Exact(a.lo);
}

constexpr double kU = 0x1p-53;

// |got - want| in units of u^2 |want|
double error_in_u2(DoubleDouble got, const Exact& want) {
  if (want == 0) return got == DoubleDouble(0.0) ? 0 : std::numeric_limits<double>::infinity();
  return static_cast<double>(abs((exact(got) - want) / want)) / kU / kU;
}

bool normalised(DoubleDouble a) {
  return a.hi + a.lo == a.hi;
}

class Numbers {
public:
  double single() { return std::ldexp(mantissa_(engine_), exponent_(engine_)) * (engine_() % 2 ? 1 : -1); }
  DoubleDouble pair() {
    const double hi = single();
    return two_sum(hi, hi * kU * (mantissa_(engine_) - 1.5));
  }

private:
  std::mt19937_64 engine_{1};
  std::uniform_real_distribution<double> mantissa_{1, 2};
  std::uniform_int_distribution<int> exponent_{-30, 30};
};

TEST(DoubleDouble, two_sum_and_two_prod_are_exact) {
  Numbers numbers;
  for (int i = 0; i < 2000; ++i) {
    const double a = numbers.single(), b = numbers.single();
    EXPECT_EQ(exact(two_sum(a, b)), Exact(a) + Exact(b));
    EXPECT_EQ(exact(two_prod(a, b)), Exact(a) * Exact(b));
  }
}

TEST(DoubleDouble, every_operation_keeps_its_proven_bound) {
  Numbers numbers;
  for (int i = 0; i < 2000; ++i) {
    const DoubleDouble a = numbers.pair(), b = numbers.pair();
    const double c = numbers.single();
    EXPECT_LE(error_in_u2(a + c, exact(a) + Exact(c)), 2.0);
    EXPECT_LE(error_in_u2(c - a, Exact(c) - exact(a)), 2.0);
    EXPECT_LE(error_in_u2(a + b, exact(a) + exact(b)), 3.01);
    EXPECT_LE(error_in_u2(a - b, exact(a) - exact(b)), 3.01);
    EXPECT_LE(error_in_u2(a * c, exact(a) * Exact(c)), 2.0);
    EXPECT_LE(error_in_u2(a * b, exact(a) * exact(b)), 5.0);
    EXPECT_LE(error_in_u2(a / c, exact(a) / Exact(c)), 3.0);
    EXPECT_LE(error_in_u2(a / b, exact(a) / exact(b)), 9.8);
    EXPECT_LE(error_in_u2(c / b, Exact(c) / exact(b)), 9.8);
    EXPECT_LE(error_in_u2(sqrt(abs(a)), sqrt(exact(abs(a)))), 25.0 / 8);
    for (const DoubleDouble& r : {a + b, a - b, a * b, a / b, a + c, a * c, a / c, sqrt(abs(a))})
      EXPECT_TRUE(normalised(r));
  }
}

TEST(DoubleDouble, sums_that_cancel_are_relative_to_the_result) {
  Numbers numbers;
  for (int i = 0; i < 2000; ++i) {
    const DoubleDouble a = numbers.pair();
    const DoubleDouble near = {-a.hi, a.lo * 0.75};
    EXPECT_LE(error_in_u2(a + near, exact(a) + exact(near)), 3.01);
  }
  EXPECT_EQ(DoubleDouble(0.1) - DoubleDouble(0.1), DoubleDouble(0.0));
}

TEST(DoubleDouble, a_third_times_three_is_one_and_the_root_of_two_squared_is_two_to_106_bits) {
  const DoubleDouble one = DoubleDouble(1) / 3.0 * 3.0;
  EXPECT_EQ(one.hi, 1);
  EXPECT_LE(std::abs(one.lo), 5 * kU * kU);
  const DoubleDouble two = sqrt(DoubleDouble(2)) * sqrt(DoubleDouble(2));
  EXPECT_EQ(two.hi, 2);
  EXPECT_LE(std::abs(two.lo), 2 * 8 * kU * kU);
}

TEST(DoubleDouble, zero_infinity_and_nan_behave_as_doubles_do) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ((DoubleDouble(1) / 0.0).hi, inf);
  EXPECT_EQ((DoubleDouble(1) / DoubleDouble(0)).hi, inf);
  EXPECT_TRUE(std::isnan((DoubleDouble(0) / DoubleDouble(0)).hi));
  EXPECT_EQ((DoubleDouble(1) / DoubleDouble(inf)).hi, 0);
  EXPECT_EQ(sqrt(DoubleDouble(0)).hi, 0);
  EXPECT_TRUE(std::isnan(sqrt(DoubleDouble(-1)).hi));
  EXPECT_EQ(sqrt(DoubleDouble(inf)).hi, inf);
}

TEST(DoubleDouble, comparisons_look_at_the_low_part) {
  const DoubleDouble one = 1, more = {1, 0x1p-80};
  EXPECT_TRUE(one < more);
  EXPECT_TRUE(more > one);
  EXPECT_TRUE(one <= one && one >= one);
  EXPECT_FALSE(more <= one);
  EXPECT_EQ(abs(DoubleDouble(-1, -0x1p-80)), more);
}

static_assert(DoubleDouble(1) + 0x1p-80 == DoubleDouble(1, 0x1p-80), "sums work at compile time");

} // namespace
} // namespace recta
