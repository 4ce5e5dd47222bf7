// Classifiers on columns far from zero - shifted by 2^20, in other units, timestamps - beside the same rows near zero.
#include <recta/recta.hpp>

#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <string_view>

namespace recta {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

struct Set {
  Index n = 0, p = 0;
  std::vector<double> x{}, y{};

  // Small rows of numbers that are multiples of 2^-20, columns of several sizes, classes more or less mixed.
  Set(unsigned seed, Index classes) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    n = std::uniform_int_distribution<Index>(20, 200)(random);
    p = std::uniform_int_distribution<Index>(1, 5)(random);
    const double mixed = std::array{0.3, 1.0, 3.0}[random() % 3];
    std::vector<double> size, slope;
    for (Index j = 0; j < p; ++j) size.push_back(std::array{0.125, 1.0, 8.0}[random() % 3]);
    for (Index s = 0; s < p * classes; ++s) slope.push_back(normal(random));
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < p; ++j) x.push_back(std::round(normal(random) * size[j] * 0x1p20) / 0x1p20);
      Index own = 0;
      double best = -INFINITY;
      for (Index k = 0; k < classes; ++k) {
        double z = mixed * normal(random);
        for (Index j = 0; j < p; ++j) z += slope[k * p + j] * x[i * p + j] / size[j];
        if (z > best) best = z, own = k;
      }
      y.push_back(static_cast<double>(i < classes ? i : own)); // every class is there
    }
  }
  Set shifted(double by) const {
    Set out = *this;
    for (double& each : out.x) each += by;
    return out;
  }
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), n, p);
    out.y = MatrixView::vector(y.data(), n);
    return out;
  }
};

std::vector<double> slopes(const Model& model) {
  std::vector<double> out;
  for (const TargetFit& fit : model.linear()->targets)
    for (const Coefficient& c : fit.coefficients) out.push_back(c.value);
  return out;
}

Model fitted(const std::string& word, const Set& set, const Params& params) {
  auto model = fit(word, set.arrays(), {.params = params});
  EXPECT_TRUE(model) << model.error().text();
  return *std::move(model);
}

// Every slope to nine digits, and the same claim.
void expect_same(const Model& a, const Model& b, const std::string& where) {
  EXPECT_EQ(a.certificate.verdict, Verdict::proved) << where << a.certificate.sentence();
  EXPECT_EQ(b.certificate.verdict, Verdict::proved) << where << b.certificate.sentence();
  ASSERT_EQ(a.certificate.claim.index(), b.certificate.claim.index()) << where;
  if (std::holds_alternative<NoFiniteMaximum>(a.certificate.claim)) return;
  const std::vector<double> at = slopes(a), far = slopes(b);
  for (std::size_t s = 0; s < at.size(); ++s) EXPECT_NEAR(far[s], at[s], 1e-9 * std::abs(at[s])) << where << ", " << s;
}

const std::vector<Params> kPenalties{
    {{"tau", 1e-4}}, {{"tau", 1e-2}, {"l1-share", 0.5}}, {{"lambda1", 1e-4}}, {{"lambda1", 1e-2}}, {}};

TEST(Shift, OfColumnsByTwoToTheTwentyMovesNoSlopeOfTwoClasses) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Set set(seed, 2), far = set.shifted(0x1p20);
    for (std::size_t k = 0; k < kPenalties.size(); ++k)
      expect_same(fitted("logistic", set, kPenalties[k]), fitted("logistic", far, kPenalties[k]),
                  "seed " + std::to_string(seed) + ", penalty " + std::to_string(k) + ": ");
  }
}

TEST(Shift, OfColumnsByTwoToTheTwentyMovesNoSlopeOfSeveralClasses) {
  for (unsigned seed = 1; seed <= 15; ++seed) {
    const Set set(seed, 3), far = set.shifted(0x1p20);
    for (std::size_t k = 0; k < kPenalties.size(); ++k)
      expect_same(fitted("softmax", set, kPenalties[k]), fitted("softmax", far, kPenalties[k]),
                  "seed " + std::to_string(seed) + ", penalty " + std::to_string(k) + ": ");
  }
}

TEST(Shift, LeavesStandardErrorsAndFirthsAnswer) {
  const Set set(3, 2), far = set.shifted(0x1p24);
  for (const bool firth : {false, true}) {
    const Params params{{"firth", firth}};
    const Model a = fitted("logistic", set, params), b = fitted("logistic", far, params);
    EXPECT_EQ(b.certificate.verdict, firth ? Verdict::within_tolerance : Verdict::proved) << b.certificate.sentence();
    for (std::size_t j = 0; j < static_cast<std::size_t>(set.p); ++j) {
      const Coefficient &at = a.linear()->targets[0].coefficients[j], &moved = b.linear()->targets[0].coefficients[j];
      EXPECT_NEAR(moved.value, at.value, 1e-9 * std::abs(at.value));
      EXPECT_NEAR(moved.standard_error, at.standard_error, 1e-9 * at.standard_error);
      EXPECT_TRUE(std::isfinite(at.standard_error));
    }
  }
}

// x = 1e8 - 1: both of class 0; x = 1e8 + 1: one of each. The plane x = 1e8 + 1 has two rows on it, two beside it.
Set quasi() {
  Set set(1, 2);
  set.n = 4, set.p = 1;
  set.x = {1e8 - 1, 1e8 + 1, 1e8 - 1, 1e8 + 1};
  set.y = {0, 1, 0, 0};
  return set;
}

TEST(Shift, SeparationButForRowsOnThePlaneIsProvedFarOut) {
  for (const char* word : {"logistic", "softmax"}) {
    const Model model = fitted(word, quasi(), {});
    EXPECT_TRUE(std::holds_alternative<NoFiniteMaximum>(model.certificate.claim)) << model.certificate.sentence();
    EXPECT_EQ(model.certificate.verdict, Verdict::proved);
    EXPECT_THAT(model.certificate.conditions, Contains(HasSubstr("but for rows that lie on")));
    EXPECT_EQ(verify(model, quasi().arrays())->verdict, Verdict::proved);
  }
}

TEST(Shift, FirthsAnswerFarOutIsSaidToBeAsNearAsDoublesCome) {
  const Model far = fitted("logistic", quasi(), {{"firth", true}}),
              near = fitted("logistic", quasi().shifted(-1e8), {{"firth", true}});
  EXPECT_EQ(far.certificate.verdict, Verdict::within_tolerance) << far.certificate.sentence();
  EXPECT_NEAR(slopes(far)[0], slopes(near)[0], 1e-8 * std::abs(slopes(near)[0]));
}

// In units 2^27 times as small, a penalty 2^54 times as large is the same one.
TEST(Shift, UnitsOfColumnsAreOfNoConsequence) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Set set(seed, 3);
    Set scaled = set;
    for (double& x : scaled.x) x *= 0x1p27;
    for (const char* word : {"lambda", "lambda1"}) {
      const double unit = std::string_view(word) == "lambda" ? 0x1p54 : 0x1p27;
      const Model a = fitted("softmax", set, {{word, 1e-3}}), b = fitted("softmax", scaled, {{word, 1e-3 * unit}});
      EXPECT_EQ(b.certificate.verdict, Verdict::proved);
      const std::vector<double> at = slopes(a), there = slopes(b);
      for (std::size_t s = 0; s < at.size(); ++s)
        EXPECT_NEAR(there[s] * 0x1p27, at[s], 1e-9 * std::abs(at[s])) << seed << word;
    }
  }
}

// One class apart from two that overlap. As the penalty goes to zero the least objective goes to that of the two alone.
TEST(Softmax, PenaltiesThatHardlyHoldSeparatedClassesAreProved) {
  Set set(7, 2);
  Set three = set;
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < set.p; ++j) three.x.push_back(100 + static_cast<double>(i + j));
    three.y.push_back(2);
    ++three.n;
  }
  const Model two = fitted("logistic", set, {});
  ASSERT_EQ(two.certificate.verdict, Verdict::proved);
  const double least = two.certificate.objective * static_cast<double>(set.n) / static_cast<double>(three.n);
  for (const Params& params : std::vector<Params>{{{"lambda", 1e-14}},
                                                  {{"lambda", 1e-16}},
                                                  {{"lambda", 1e-18}},
                                                  {{"lambda1", 1e-5}},
                                                  {{"lambda1", 1e-7}},
                                                  {{"lambda", 1e-14}, {"l1-share", 0.5}}}) {
    const Model model = fitted("softmax", three, params);
    EXPECT_EQ(model.certificate.verdict, Verdict::proved) << model.certificate.sentence();
    EXPECT_NEAR(model.certificate.objective, least, 1e-2);
    EXPECT_GE(model.certificate.objective, least - 1e-14);
    const double gap = std::get<DualityGap>(model.certificate.claim).gap;
    EXPECT_LE(gap, 1e-10 * model.certificate.null_objective);
    EXPECT_EQ(verify(model, three.arrays())->verdict, Verdict::proved);
  }
}

} // namespace
} // namespace recta
