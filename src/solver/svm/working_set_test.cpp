// Steps over a working set depend on the kernel's shape, not on its unit.
#include "base/numbers.hpp"
#include "solver/svm/working_set.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta::svm {
namespace {

// A Gaussian kernel of 40 points, many of them close together, times `unit`; the costs are over it.
WorkingSet set_of(double unit, bool intercept) {
  constexpr Index kRows = 40;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::vector<double> x;
  for (Index i = 0; i < kRows; ++i) x.push_back(normal(engine));
  WorkingSet out;
  out.size = kRows, out.intercept = intercept;
  for (Index i = 0; i < kRows; ++i) {
    const bool plus = x[at(i)] + normal(engine) > 0;
    const double cost = 10 / unit;
    out.beta.push_back(0), out.slope.push_back(plus ? -1 : 1), out.ridge.push_back(0);
    out.low.push_back(plus ? 0 : -cost), out.high.push_back(plus ? cost : 0);
    for (Index j = 0; j < kRows; ++j)
      out.kernel.push_back(unit * std::exp(-(x[at(i)] - x[at(j)]) * (x[at(i)] - x[at(j)]) / 50));
  }
  return out;
}

// Powers of two are exact: a kernel times s has the multipliers over s, bit for bit, after the same steps.
TEST(WorkingSet, OfAScaledKernelHasTheMultipliersScaled) {
  for (const bool intercept : {true, false}) {
    WorkingSet known = set_of(1, intercept);
    const Index steps = known.solve(1e-6, 100000);
    ASSERT_LE(known.violation(), 1e-6);
    for (const double unit : {0x1p-33, 0x1p33, 0x1p-100, 0x1p100}) { // about 1e-10 and 1e10, and far beyond
      WorkingSet scaled = set_of(unit, intercept);
      EXPECT_EQ(scaled.solve(1e-6, 100000), steps) << unit;
      EXPECT_LE(scaled.violation(), 1e-6) << unit;
      for (std::size_t i = 0; i < known.beta.size(); ++i) EXPECT_EQ(unit * scaled.beta[i], known.beta[i]) << unit;
    }
  }
}

// Two equal rows of opposite sides bend nothing: the step goes to the end of their boxes, whatever the unit.
TEST(WorkingSet, OfTwoEqualRowsGoesToTheEndsOfTheirBoxes) {
  for (const double unit : {1.0, 1e-10, 1e10, 1e-300}) {
    WorkingSet two;
    two.size = 2, two.beta = {0, 0}, two.slope = {-1, 1}, two.low = {0, -3}, two.high = {2, 0}, two.ridge = {0, 0};
    two.kernel.assign(4, unit);
    EXPECT_EQ(two.solve(1e-9, 100), 1);
    EXPECT_EQ(two.beta, (std::vector<double>{2, -2})) << unit;
  }
}

} // namespace
} // namespace recta::svm
