// Regressions on columns that are nearly the same. The oracle has the same rows in columns that are not: x1 = x0 + d e
// spans with x0 what x0 and (x1 - x0) / d span, and the difference of neighbouring doubles is exact.
#include "base/random.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr Index kRows = 300;

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

double target(const std::string& word, double z, Random& random) {
  if (word == "logistic") return random.uniform() < 1 / (1 + std::exp(-z)) ? 1 : 0;
  if (word == "poisson") return std::floor(std::exp(0.5 * z) + 2 * random.uniform());
  if (word == "gamma") return std::exp(0.5 * z) * (0.2 + random.uniform());
  return z + normal(random) + (random.uniform() < 0.1 ? 20 : 0);
}

// Both columns, and in `apart` the same space in columns of its own.
Rows alike(const std::string& word, double d, Rows& apart) {
  Random random(11, 1);
  Rows rows;
  for (Index i = 0; i < kRows; ++i) {
    const double a = normal(random) + 0.5, e = normal(random), b = a + d * e;
    rows.x.insert(rows.x.end(), {a, b});
    apart.x.insert(apart.x.end(), {a, (b - a) / d});
    rows.y.push_back(target(word, a - 1.5 * e, random));
  }
  apart.y = rows.y;
  return rows;
}

double gap_of(const Certificate& c) {
  const auto* gap = std::get_if<DualityGap>(&c.claim);
  return gap ? gap->gap + c.slack : INFINITY;
}

class AlikeColumns : public ::testing::TestWithParam<std::string> {};

TEST_P(AlikeColumns, AreToldApartAsFarAsDoublesHoldTheirCoefficients) {
  for (const double d : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    Rows apart;
    const Rows rows = alike(GetParam(), d, apart);
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

TEST_P(AlikeColumns, PastThatTheDistanceGivenIsOneOverAllColumns) {
  for (const double d : {1e-11, 1e-12, 1e-13, 1e-14}) {
    Rows apart;
    const Rows rows = alike(GetParam(), d, apart);
    const auto model = fit(GetParam(), rows.arrays()), oracle = fit(GetParam(), apart.arrays());
    ASSERT_TRUE(model && oracle);
    const Certificate& c = model->certificate;
    const double above = c.objective - oracle->certificate.objective, limit = c.tolerance * c.null_objective;
    EXPECT_GE(gap_of(c), above - 1e-13) << d << ": " << c.sentence();
    EXPECT_TRUE(!c.reaches_tolerance() || above <= limit) << d << ": " << c.sentence();
    if (above > limit) EXPECT_EQ(c.verdict, Verdict::stopped_early) << c.sentence();
    Rows one{{}, rows.y, 1};
    for (Index i = 0; i < kRows; ++i) one.x.push_back(rows.x[2 * i]);
    EXPECT_LE(c.objective, fit(GetParam(), one.arrays())->certificate.objective + 1e-13)
        << d; // never worse than without
  }
}

TEST_P(AlikeColumns, ThatDifferByRoundingAloneAreNamedAndNoDistanceIsGiven) {
  Random random(5, 1);
  Rows rows;
  rows.cols = 3;
  for (Index i = 0; i < kRows; ++i) {
    const double a = normal(random), b = normal(random);
    rows.x.insert(rows.x.end(), {a, b, a + b}); // rounded
    rows.y.push_back(target(GetParam(), a - b, random));
  }
  const auto model = fit(GetParam(), rows.arrays());
  ASSERT_TRUE(model);
  const Certificate& c = model->certificate;
  EXPECT_EQ(c.verdict, Verdict::stopped_early) << c.sentence(); // the optimum over all three may be lower
  EXPECT_FALSE(c.reaches_tolerance());
  EXPECT_TRUE(std::holds_alternative<KktResidual>(c.claim)) << c.sentence();
  EXPECT_THAT(c.stop.text(), HasSubstr("left out"));
  EXPECT_THAT(c.conditions, Contains(HasSubstr("x3")));
}

TEST_P(AlikeColumns, ThatAreCombinationsGiveTheAnswerOfLeastNorm) {
  Random random(7, 1);
  Rows plain, twice;
  plain.cols = 2, twice.cols = 5;
  for (Index i = 0; i < kRows; ++i) {
    const double a = normal(random) + 3, b = std::round(8 * normal(random)) / 8, c = std::round(a * 64) / 64;
    plain.x.insert(plain.x.end(), {c, b});
    twice.x.insert(twice.x.end(), {c, b, c, c + b - 2, b}); // all exact
    plain.y.push_back(target(GetParam(), 0.3 * c - b, random));
  }
  twice.y = plain.y;
  const auto once = fit(GetParam(), plain.arrays()), model = fit(GetParam(), twice.arrays());
  ASSERT_TRUE(once && model);
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_THAT(model->certificate.conditions, Contains(HasSubstr("x3 = x1")));
  const auto weight = [](const Model& m, std::size_t j) { return m.linear()->targets[0].coefficients[j].value; };
  const double a = weight(*once, 0), b = weight(*once, 1);
  // The least of all w with w1 + w3 + w4 = a, w2 + w4 + w5 = b has w1 = w3 = s, w2 = w5 = t, w4 = s + t.
  const double s = (3 * a - b) / 8, t = (3 * b - a) / 8;
  const double least[] = {s, t, s, s + t, t};
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(weight(*model, j), least[j], 1e-11) << j;
  EXPECT_NEAR(model->certificate.objective, once->certificate.objective, 1e-14);
}

// Powers of five values: those beyond the fourth are combinations of the others, by no small whole numbers.
TEST(AlikeColumnsOf, AFewDistinctRowsAreCombinationsExactly) {
  for (const std::string word :
       {"linear", "logistic", "poisson", "gamma", "huber", "quantile", "epsilon-insensitive"}) {
    Random random(13, 1);
    Rows rows, four;
    rows.cols = 6, four.cols = 4;
    for (Index i = 0; i < kRows; ++i) {
      const double value = 0.7 * static_cast<double>(i % 5) + 0.1;
      for (Index j = 0; j < rows.cols; ++j) rows.x.push_back(std::pow(value, static_cast<double>(j + 1)));
      for (Index j = 0; j < four.cols; ++j) four.x.push_back(std::pow(value, static_cast<double>(j + 1)));
      rows.y.push_back(target(word, value - 2, random));
    }
    four.y = rows.y;
    const auto model = fit(word, rows.arrays()), oracle = fit(word, four.arrays());
    ASSERT_TRUE(model && oracle);
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << word << ": " << model->certificate.sentence();
    EXPECT_NEAR(model->certificate.objective, oracle->certificate.objective, 1e-9) << word;
    rows.x[6 * 41 + 5] = std::nextafter(rows.x[6 * 41 + 5], 1e9); // one bit of one row, and it can be met exactly
    const auto nearly = fit(word, rows.arrays());
    ASSERT_TRUE(nearly);
    EXPECT_FALSE(nearly->certificate.reaches_tolerance()) << word << ": " << nearly->certificate.sentence();
    EXPECT_TRUE(std::holds_alternative<KktResidual>(nearly->certificate.claim)) << nearly->certificate.sentence();
    EXPECT_THAT(nearly->certificate.conditions, Contains(HasSubstr("x5"))) << nearly->certificate.sentence();
  }
}

TEST(AlikeColumnsOf, SoftmaxAreNamedWhereItDoesNotTellThemApart) {
  for (const double d : {1e-9, 1e-11, 1e-13}) {
    Rows apart;
    const Rows rows = alike("logistic", d, apart);
    const auto model = fit("softmax", rows.arrays());
    ASSERT_TRUE(model);
    const Certificate& c = model->certificate;
    EXPECT_FALSE(c.reaches_tolerance()) << c.sentence();
    EXPECT_FALSE(std::holds_alternative<DualityGap>(c.claim)) << c.sentence();
    EXPECT_THAT(c.stop.text(), HasSubstr("x2"));
  }
}

TEST(AlikeColumnsOf, SoftmaxThatDifferByRoundingAloneAreNamedToo) {
  Random random(5, 1);
  Rows rows;
  rows.cols = 3;
  for (Index i = 0; i < kRows; ++i) {
    const double a = normal(random), b = normal(random);
    rows.x.insert(rows.x.end(), {a, b, a + b}); // rounded
    rows.y.push_back(target("logistic", a - b, random));
  }
  const auto model = fit("softmax", rows.arrays());
  ASSERT_TRUE(model);
  const Certificate& c = model->certificate;
  EXPECT_FALSE(c.reaches_tolerance()) << c.sentence();
  EXPECT_FALSE(std::holds_alternative<DualityGap>(c.claim)) << c.sentence();
  EXPECT_THAT(c.stop.text(), HasSubstr("x3"));
}

// Powers of a column far from zero, with rows far off: the scale is fitted too.
TEST(AlikeColumnsOf, PowersAreToldApart) {
  Random random(3, 1);
  Rows rows;
  rows.cols = 9;
  for (Index i = 0; i < kRows; ++i) {
    const double x = -9 + 6 * static_cast<double>(i) / kRows;
    for (Index j = 0; j < rows.cols; ++j) rows.x.push_back(std::pow(x, static_cast<double>(j + 1)));
    rows.y.push_back(std::sin(x) + 0.01 * normal(random) + (i % 17 == 0 ? 1 : 0));
  }
  const auto model = fit("huber", rows.arrays());
  ASSERT_TRUE(model);
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
}

INSTANTIATE_TEST_SUITE_P(Losses, AlikeColumns, ::testing::Values("logistic", "poisson", "gamma", "huber"),
                         [](const auto& word) { return word.param; });

} // namespace
} // namespace recta
