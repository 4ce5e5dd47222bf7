// Tubes that hold all rows: an objective of zero is claimed for rows that cost nothing, roundings counted.
#include "base/double_double.hpp"
#include "family/svm/test_points.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

// A tube that holds all rows costs nothing at any b between two ends, of which the middle is taken.
TEST(Regression, ThatCostsNothingIsProvedByRowsThatAreInsideTheTube) {
  const Points rows{1, {1, 2, 3, 4}, {2271724.854284816, 28502.401633545232, 628368.7513391591, 7293572.763490991}};
  for (const char* const loss : {"epsilon-insensitive", "squared-epsilon-insensitive"}) {
    const auto wide = fit("svr", rows.arrays(), with({{"loss", std::string(loss)}, {"epsilon", 1e7}}));
    ASSERT_TRUE(wide) << wide.error().text();
    EXPECT_EQ(wide->certificate.verdict, Verdict::proved) << wide->certificate.sentence();
    EXPECT_EQ(wide->certificate.objective, 0);
    EXPECT_NEAR(machine(*wide).parts[0].b, (rows.y[1] + rows.y[3]) / 2, 1);
  }
}

// |t - b| is more than epsilon by less than its rounding: the loss that is computed is zero, and the true one is not.
TEST(Regression, ThatCostsNothingAsComputedIsNotProvedToCostNothing) {
  const double epsilon = 0.3, b = 0.39999999999999997;
  const Points rows{1, {1, 2}, {0.09999999999999996, 0.09999999999999996}};
  const DoubleDouble apart = two_sum(b, -rows.y[0]);
  ASSERT_TRUE(apart.hi == epsilon && apart.lo > 0);
  for (const char* const loss : {"epsilon-insensitive", "squared-epsilon-insensitive"}) {
    const auto model = fit("svr", rows.arrays(), with({{"loss", std::string(loss)}, {"epsilon", epsilon}}));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    svm::Machine moved = machine(*model);
    moved.parts[0].b = moved.parts[0].b_low = moved.parts[0].b_high = b;
    Model other = *model;
    other.body = std::make_shared<svm::MachineBody>(moved, model->body->summary());
    const auto certificate = verify(other, rows.arrays());
    ASSERT_TRUE(certificate) << certificate.error().text();
    EXPECT_GT(certificate->slack, 0);
    EXPECT_NE(certificate->verdict, Verdict::proved) << certificate->sentence();
  }
}

} // namespace
} // namespace recta
