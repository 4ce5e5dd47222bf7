// Losses of straight lines on columns that are nearly the same. The oracle has the same rows in columns that are not:
// x1 = x0 + d e spans with x0 what x0 and (x1 - x0) / d span, and the difference of neighbouring doubles is exact.
#include "base/random.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr Index kRows = 150;

struct Rows {
  std::vector<double> x, y; // by row
  Index cols = 2;

  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), kRows, cols), .y = MatrixView::vector(y.data(), kRows)};
  }
};

double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(6.283185307179586 * random.uniform());
}

// Both columns, and in `apart` the same space in columns of its own.
Rows alike(double d, double mean, Rows& apart) {
  Random random(17, 1);
  Rows rows;
  for (Index i = 0; i < kRows; ++i) {
    const double a = normal(random) + mean, e = normal(random), b = a + d * e;
    rows.x.insert(rows.x.end(), {a, b});
    apart.x.insert(apart.x.end(), {a, (b - a) / d});
    rows.y.push_back(a - 1.5 * e + normal(random) + (random.uniform() < 0.1 ? 20 : 0));
  }
  apart.y = rows.y;
  return rows;
}

double distance(const Certificate& c) {
  const auto* gap = std::get_if<DualityGap>(&c.claim);
  return gap ? gap->gap + c.slack : INFINITY;
}

class AlikeColumnsOfLines : public ::testing::TestWithParam<std::string> {};

TEST_P(AlikeColumnsOfLines, AreToldApartAsFarAsDoublesHoldTheirCoefficients) {
  for (const double d : {1e-4, 1e-5, 1e-6, 1e-7}) {
    Rows apart;
    const Rows rows = alike(d, 0.5, apart);
    const auto model = fit(GetParam(), rows.arrays()), oracle = fit(GetParam(), apart.arrays());
    ASSERT_TRUE(model && oracle);
    ASSERT_EQ(oracle->certificate.verdict, Verdict::proved) << oracle->certificate.sentence();
    const Certificate& c = model->certificate;
    EXPECT_EQ(c.verdict, Verdict::proved) << d << ": " << c.sentence();
    EXPECT_NEAR(c.objective, oracle->certificate.objective, 1e-10 * c.null_objective) << d;
    const auto again = verify(*model, rows.arrays());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->verdict, Verdict::proved) << again->sentence();
  }
}

// The loss is not flat at its optimum: what rounding moves a score by, it costs.
TEST_P(AlikeColumnsOfLines, PastThatTheDistanceGivenIsOneOverAllColumns) {
  for (const double mean : {0.5, 1e3})
    for (const double d : {1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14}) {
      if (mean * 0x1p-52 > d / 8) continue; // b and a are then the same numbers
      Rows apart;
      const Rows rows = alike(d, mean, apart);
      const auto model = fit(GetParam(), rows.arrays()), oracle = fit(GetParam(), apart.arrays());
      ASSERT_TRUE(model && oracle);
      ASSERT_EQ(oracle->certificate.verdict, Verdict::proved) << oracle->certificate.sentence();
      const Certificate& c = model->certificate;
      const double above = c.objective - oracle->certificate.objective, limit = c.tolerance * c.null_objective;
      EXPECT_GE(distance(c), above - 1e-13) << d << ": " << c.sentence();
      EXPECT_TRUE(!c.reaches_tolerance() || above <= limit) << d << ": " << c.sentence();
      EXPECT_LE(above, 8 * mean * 0x1p-52 / d + 1e-10) << d << ": " << c.sentence(); // coefficients are of size 1 / d
      const auto again = verify(*model, rows.arrays());
      ASSERT_TRUE(again);
      EXPECT_EQ(again->verdict, c.verdict) << again->sentence();
    }
}

TEST_P(AlikeColumnsOfLines, ThatDifferByRoundingAloneAreNamedAndNoDistanceIsGiven) {
  Random random(5, 1);
  Rows rows;
  rows.cols = 3;
  for (Index i = 0; i < kRows; ++i) {
    const double a = normal(random), b = normal(random);
    rows.x.insert(rows.x.end(), {a, b, a + b}); // rounded
    rows.y.push_back(a - b + normal(random));
  }
  const auto model = fit(GetParam(), rows.arrays());
  ASSERT_TRUE(model);
  const Certificate& c = model->certificate;
  EXPECT_EQ(c.verdict, Verdict::stopped_early) << c.sentence();
  EXPECT_FALSE(c.reaches_tolerance());
  EXPECT_TRUE(std::holds_alternative<KktResidual>(c.claim)) << c.sentence();
  EXPECT_THAT(c.stop.text(), HasSubstr("left out"));
  EXPECT_THAT(c.conditions, Contains(HasSubstr("x3")));
}

TEST_P(AlikeColumnsOfLines, ThatAreCombinationsExactlyAreNoHindrance) {
  Random random(7, 1);
  Rows rows;
  rows.cols = 3;
  for (Index i = 0; i < kRows; ++i) {
    const double a = std::round(64 * normal(random)) / 64, b = std::round(8 * normal(random)) / 8;
    rows.x.insert(rows.x.end(), {a, b, a + b - 2}); // exact
    rows.y.push_back(0.3 * a - b + normal(random));
  }
  const auto model = fit(GetParam(), rows.arrays());
  ASSERT_TRUE(model);
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_THAT(model->certificate.conditions, Contains(HasSubstr("x3 = x1 + x2 - 2")));
}

INSTANTIATE_TEST_SUITE_P(Losses, AlikeColumnsOfLines, ::testing::Values("quantile", "epsilon-insensitive"),
                         [](const auto& word) { return word.param == "quantile" ? "quantile" : "epsilon"; });

} // namespace
} // namespace recta
