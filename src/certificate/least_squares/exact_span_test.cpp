#include "base/random.hpp"
#include "certificate/least_squares/exact_span.hpp"
#include "objective/test_rows.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace recta {
namespace {

using testing::Rows;

// True if all columns are combinations of the first `some`.
bool spanned(Index some, bool constant, Rows rows) {
  std::vector<Index> first(static_cast<std::size_t>(some));
  std::iota(first.begin(), first.end(), Index{0});
  Pool pool(2);
  const auto looked = look_at_span(first, constant, rows.n, {rows, pool, {}}, {});
  EXPECT_TRUE(looked);
  return looked->all;
}

// Powers of five distinct values: rank 5 with the constant, by factors that are no small whole numbers.
TEST(ExactSpan, IsThatOfPowersOfAFewValues) {
  std::vector<double> x, y;
  for (int i = 0; i < 40; ++i) {
    const double value = (i % 5) * 0.7 + 0.1;
    double power = 1;
    for (int j = 0; j < 7; ++j) x.push_back(power *= value);
    y.push_back(i);
  }
  const Rows rows(40, 7, x, y);
  EXPECT_TRUE(spanned(4, true, rows));
  EXPECT_FALSE(spanned(3, true, rows));
  EXPECT_FALSE(spanned(5, true, rows)); // five are not independent of each other and the constant
  EXPECT_TRUE(spanned(5, false, rows));
  Rows off = rows;
  off.x[3 * 7 + 6] = std::nextafter(off.x[3 * 7 + 6], 1e9); // one bit of one row
  EXPECT_FALSE(spanned(4, true, off));
  off.weights.assign(40, 1.0);
  off.weights[3] = 0; // a row without weight is absent
  EXPECT_TRUE(spanned(4, true, off));
}

TEST(ExactSpan, TellsASumFromOneThatWasRounded) {
  Random random(5, 1);
  std::vector<double> exact, rounded, y;
  for (int i = 0; i < 30; ++i) {
    const double a = std::round(random.uniform() * 4096) / 64 - 32, b = random.uniform();
    const double c = std::round(b * 1024) * 0x1p-1000;
    exact.insert(exact.end(), {a, c * 0x1p990, 3 * a - c * 0x1p990});
    rounded.insert(rounded.end(), {a, b, a + b});
    y.push_back(a);
  }
  EXPECT_TRUE(spanned(2, false, Rows(30, 3, exact, y)));
  EXPECT_TRUE(spanned(2, true, Rows(30, 3, exact, y)));
  EXPECT_FALSE(spanned(2, true, Rows(30, 3, rounded, y)));
}

TEST(ExactSpan, HoldsOverAllExponents) {
  std::vector<double> x, y(12);
  for (int i = 0; i < 12; ++i) {
    const double a = std::ldexp(i + 1.0, 900 - 150 * i);
    x.insert(x.end(), {a, -a / 4, a * 8});
  }
  EXPECT_TRUE(spanned(1, false, Rows(12, 3, x, y)));
  EXPECT_TRUE(spanned(1, true, Rows(12, 3, x, y)));
  EXPECT_FALSE(spanned(0, true, Rows(12, 3, x, y)));
}

// A column that is constant except for one bit, beside a column kept that is twice another: the rank is no more than
// their number.
TEST(ExactSpan, AsksThatTheColumnsAreIndependent) {
  const std::vector<double> x{1, 2, 1, 2, 4, 1, 3, 6, std::nextafter(1, 2), 4, 8, 1}, y(4);
  EXPECT_FALSE(spanned(2, true, Rows(4, 3, x, y)));
}

} // namespace
} // namespace recta
