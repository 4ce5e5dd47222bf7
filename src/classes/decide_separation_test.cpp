// The solver and its judge together, against answers known by hand, against a perceptron in whole numbers, and against
// the multipliers added up as fractions.
#include "classes/decide_separation.hpp"
#include "design/view_source.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <random>

namespace recta::separation {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

struct Set {
  Index rows, cols;
  std::vector<double> x, y;

  const double* row(Index i) const { return x.data() + i * cols; }
  void add(const std::vector<double>& numbers, double label) {
    x.insert(x.end(), numbers.begin(), numbers.end());
    y.push_back(label);
    ++rows;
  }
};

struct Kind {
  bool intercept = true, constant = false;
};

Separability judged(const Set& set, Kind kind = {}) {
  DenseSource source(MatrixView::row_major(set.x.data(), set.rows, set.cols), {});
  const auto held = HeldRows::hold(source);
  Pool pool(2);
  const auto proof = decide({(*held)->seen(), set.y, kind.intercept, kind.constant},
                            {source, set.y, kind.intercept, kind.constant}, pool, {});
  EXPECT_TRUE(proof.has_value());
  return *proof;
}

// Algorithms 15.10 (a).
TEST(Separate, FourPointsOnALineAreSeparableHalfway) {
  const Separability s = judged({4, 1, {1, 2, 3, 4}, {-1, -1, 1, 1}});
  EXPECT_EQ(s.verdict, Separation::separable);
  EXPECT_TRUE(s.exact);
  EXPECT_EQ(s.weights, std::vector{2.0});
  EXPECT_EQ(s.b, -5);
  EXPECT_EQ(s.margin_squared, "1/4");
  EXPECT_EQ(s.margin_lower, 0.5);
  EXPECT_EQ(s.margin_upper, 0.5);
  ASSERT_EQ(s.multipliers.size(), 2u);
  EXPECT_EQ(s.multipliers[0].row, 2);
  EXPECT_EQ(s.multipliers[0].fraction, "1/2");
  EXPECT_EQ(s.origin_distance(), 2.5);
  const double x = 7;
  EXPECT_EQ(s.signed_distance(&x), 4.5);
}

// Spec W9: B^2 = 29; H6: on 10 (-), 12 (+) it is 122 if the intercept counts, so R^2 B^2 = 17690, and 1 if it is free.
TEST(Separate, AConstantFeatureCountsInTheNorm) {
  const Separability s = judged({4, 1, {1, 2, 3, 4}, {-1, -1, 1, 1}}, {false, true});
  EXPECT_EQ(s.verdict, Separation::separable);
  EXPECT_TRUE(s.exact);
  EXPECT_EQ(s.margin_squared, "1/29");
  EXPECT_EQ(s.weights, std::vector{2.0});
  EXPECT_EQ(s.b, -5);
  EXPECT_EQ(judged({2, 1, {10, 12}, {-1, 1}}, {false, true}).margin_squared, "1/122");
  EXPECT_EQ(judged({2, 1, {10, 12}, {-1, 1}}).margin_squared, "1");
}

// 15.10 (b).
TEST(Separate, PointsOfBothClassesAtOnePlaceAreOnTheHyperplane) {
  const Separability s = judged({4, 1, {1, 2, 2, 3}, {-1, -1, 1, 1}});
  EXPECT_EQ(s.verdict, Separation::except);
  EXPECT_TRUE(s.exact);
  EXPECT_EQ(s.on_hyperplane, (std::vector<Index>{2, 3}));
  EXPECT_DOUBLE_EQ(-s.b / s.weights[0], 2);
  EXPECT_GT(s.weights[0], 0);
}

// Six points on the line x1 = 0 in no order, one on each side of it: the line itself is the only weak separator.
TEST(Separate, RowsThatOthersSpanAreOnTheHyperplaneToo) {
  const Separability s = judged({8, 2, {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 7, -1, 3, 2, 4}, {1, -1, 1, -1, 1, 1, -1, 1}});
  EXPECT_EQ(s.verdict, Separation::except);
  EXPECT_EQ(s.on_hyperplane, (std::vector<Index>{1, 2, 3, 4, 5, 6}));
  EXPECT_GT(s.weights[0], 0);
  EXPECT_NEAR(s.weights[1] / s.weights[0], 0, 1e-15);
}

// 15.10 (c).
TEST(Separate, OverlapIsProvedByMultipliers) {
  const Separability s = judged({3, 1, {1, 2, 3}, {1, -1, 1}});
  EXPECT_EQ(s.verdict, Separation::not_separable);
  EXPECT_TRUE(s.exact);
  ASSERT_EQ(s.multipliers.size(), 3u);
  EXPECT_EQ(s.multipliers[0].fraction, "1/4");
  EXPECT_EQ(s.multipliers[1].fraction, "1/2");
  EXPECT_EQ(s.multipliers[2].fraction, "1/4");
}

// 15.11.
TEST(Separate, XorIsNotSeparable) {
  for (const bool intercept : {true, false}) {
    const Separability s = judged({4, 2, {1, 1, 1, -1, -1, 1, -1, -1}, {1, -1, -1, 1}}, {intercept, false});
    EXPECT_EQ(s.verdict, Separation::not_separable);
    EXPECT_TRUE(s.exact);
    EXPECT_EQ(s.residual, 0);
  }
}

TEST(Separate, WithoutFeaturesOnlyTheInterceptIsThere) {
  const Separability s = judged({3, 0, {}, {1, -1, -1}});
  EXPECT_EQ(s.verdict, Separation::not_separable);
  EXPECT_TRUE(s.exact);
}

TEST(Separate, ARowOfZerosIsOnEveryHyperplaneThroughTheOrigin) {
  const Separability s = judged({2, 1, {0, 3}, {1, 1}}, {false, false});
  EXPECT_EQ(s.verdict, Separation::except);
  EXPECT_EQ(s.on_hyperplane, std::vector<Index>{1});
}

TEST(Separate, RowsWithoutALabelAreNotThere) {
  EXPECT_EQ(judged({4, 1, {1, 2, 3, 2.5}, {-1, -1, 1, 0}}).margin_squared, "1/4");
}

// Differences of 2 beside numbers of 2^53: every double here is whole, and the answer exact.
TEST(Separate, ASmallMarginBesideLargeNumbersIsTold) {
  const double far = 0x1p53;
  const Separability s = judged({2, 1, {far, far + 2}, {-1, 1}});
  EXPECT_EQ(s.verdict, Separation::separable);
  EXPECT_TRUE(s.exact);
  EXPECT_EQ(s.margin_lower, 1);
}

TEST(Separate, NumbersWhoseSquaresAreNoDoublesHaveAMargin) {
  for (const double unit : {0x1p1000, 0x1p-1000}) {
    const Separability s = judged({4, 1, {unit, 2 * unit, 3 * unit, 4 * unit}, {-1, -1, 1, 1}});
    EXPECT_EQ(s.verdict, Separation::separable);
    EXPECT_TRUE(s.exact);
    EXPECT_EQ(s.margin_lower, unit / 2);
    EXPECT_EQ(s.margin_upper, unit / 2);
  }
}

// Half of the least double is none: the margin is between zero and it.
TEST(Separate, TheLeastDoublesAreToldApart) {
  const double least = 0x1p-1074;
  const Separability s = judged({2, 1, {least, 2 * least}, {-1, 1}});
  EXPECT_EQ(s.verdict, Separation::separable);
  EXPECT_TRUE(s.exact);
  EXPECT_EQ(s.margin_lower, 0);
  EXPECT_EQ(s.margin_upper, least);
  ASSERT_TRUE(std::isfinite(s.weights[0]));
  EXPECT_EQ(s.b, s.weights[0] * 2 * least * -0.75); // halfway between 1 and 2, as products that are doubles
  for (const auto& [low, high] : {std::pair{1e-308, 2e-308}, {3e-308, 5e-308}, {-1.7e308, 1.7e308}, {1e-300, 1e300}}) {
    const Separability apart = judged({3, 1, {low, high, high}, {-1, 1, 1}});
    EXPECT_EQ(apart.verdict, Separation::separable);
    EXPECT_TRUE(apart.exact);
    const double half = high / 2 - low / 2;
    EXPECT_TRUE(apart.margin_lower == half || apart.margin_lower == std::nextafter(half, 0.0)); // rounded down
    EXPECT_EQ(judged({3, 1, {low, high, low}, {-1, 1, 1}}).verdict, Separation::except);
    EXPECT_EQ(judged({3, 1, {low, high, low / 2 + high / 2}, {-1, -1, 1}}).verdict, Separation::not_separable);
  }
}

// Columns of 1e-300 and 1e300 side by side, dense and compressed: only the first tells the classes apart.
TEST(Separate, ColumnsFromEitherEndOfTheDoublesAreSeenInTheirOwnUnits) {
  Set set{0, 2, {}, {}};
  std::mt19937_64 random(7);
  for (int i = 0; i < 40; ++i) {
    const double y = i % 2 == 0 ? 1 : -1;
    set.add({1e-300 * (y + 0.5 * static_cast<double>(random() % 2)), 1e300 * static_cast<double>(random() % 5)}, y);
  }
  std::vector<std::int64_t> start{0}, index;
  for (int i = 0; i < 40; ++i) index.insert(index.end(), {0, 1}), start.push_back(std::ssize(index));
  CsrSource sparse(SparseView{40, 2, start.data(), index.data(), set.x.data()}, {});
  DenseSource dense(MatrixView::row_major(set.x.data(), set.rows, set.cols), {});
  for (RowSource* source : {static_cast<RowSource*>(&sparse), static_cast<RowSource*>(&dense)}) {
    const auto held = HeldRows::hold(*source);
    Pool pool(2);
    const auto proof = certify(separate({(*held)->seen(), set.y}, pool).claim, {*source, set.y}, {});
    EXPECT_EQ(proof->verdict, Separation::separable);
    EXPECT_TRUE(proof->proved);
    EXPECT_GT(proof->weights[0], 0);
    EXPECT_LE(proof->margin_lower, 0.75e-300 * (1 + 1e-15)); // from -0.5 to 1, halved
  }
}

// Products that are no doubles tell nothing.
TEST(Separate, ASideBeyondTheDoublesIsNoProof) {
  const Set set{4, 2, {1e200, -1e200, 2e200, 3e200, 3e200, 1e200, -1e200, 1e200}, {1, 1, -1, -1}};
  DenseSource source(MatrixView::row_major(set.x.data(), set.rows, set.cols), {});
  SeparationClaim claim;
  claim.rows = {0, 2};
  claim.multipliers = {0.5, 0.5};
  claim.hyperplanes.push_back({{1e200, 1e200}, 0});
  const auto proof = certify(claim, {source, set.y}, {});
  EXPECT_NE(proof->verdict, Separation::separable);
  EXPECT_FALSE(std::isnan(proof->margin_lower) || std::isnan(proof->margin_upper));
}

TEST(Separate, UnitsOfColumnsDoNotChangeTheVerdict) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const double noise : {0.0, 1.0}) {
    Set set{0, 3, {}, {}};
    for (int i = 0; i < 300; ++i) {
      const double a = normal(random), b = normal(random), c = normal(random);
      const double y = a + b - c + noise * normal(random) > 0 ? 1 : -1;
      set.add({1e8 * (a + 0.1 * y), 1e-8 * (b + 0.1 * y), 5 + c - 0.1 * y}, y);
    }
    const Separability s = judged(set);
    EXPECT_EQ(s.verdict, noise == 0 ? Separation::separable : Separation::not_separable);
    EXPECT_TRUE(s.proved);
  }
}

// w <- w + y x in whole numbers: on small ones the bound on its mistakes is small, so a long run is a proof either way.
bool perceptron_separates(const Set& set, Kind kind) {
  std::vector<std::int64_t> w(static_cast<std::size_t>(set.cols) + 1);
  const bool last = kind.intercept || kind.constant;
  for (int mistakes = 0, right = 0; mistakes < 200'000;) {
    for (Index i = 0; i < set.rows; ++i) {
      std::int64_t f = last ? w.back() : 0;
      for (Index j = 0; j < set.cols; ++j)
        f += w[static_cast<std::size_t>(j)] * static_cast<std::int64_t>(set.row(i)[j]);
      const auto y = static_cast<std::int64_t>(set.y[static_cast<std::size_t>(i)]);
      if (y * f > 0) {
        if (++right == set.rows) return true;
        continue;
      }
      right = 0;
      ++mistakes;
      for (Index j = 0; j < set.cols; ++j)
        w[static_cast<std::size_t>(j)] += y * static_cast<std::int64_t>(set.row(i)[j]);
      if (last) w.back() += y;
    }
  }
  return false;
}

// A reader's check of the multipliers: add them up as fractions.
void expect_multipliers_hold(const Separability& s, const Set& set, Kind kind) {
  Fraction sum = 0, signs = 0;
  std::vector<Fraction> v(static_cast<std::size_t>(set.cols) + 1);
  for (const Multiplier& m : s.multipliers) {
    const Fraction a(m.fraction);
    EXPECT_GT(a, 0);
    const int y = set.y[static_cast<std::size_t>(m.row - 1)] > 0 ? 1 : -1;
    sum += a;
    signs += y * a;
    for (Index j = 0; j < set.cols; ++j)
      v[static_cast<std::size_t>(j)] += a * y * static_cast<int>(set.row(m.row - 1)[j]);
    if (kind.constant) v.back() += a * y;
  }
  EXPECT_EQ(sum, 1);
  if (kind.intercept) {
    EXPECT_EQ(signs, 0);
  }
  Fraction square = 0;
  for (const Fraction& x : v) square += x * x;
  EXPECT_EQ(square, s.verdict == Separation::separable ? Fraction(s.margin_squared) : Fraction(0));
}

void expect_sides(const Separability& s, const Set& set) {
  for (Index i = 0; i < set.rows; ++i) {
    const double side = set.y[static_cast<std::size_t>(i)] * s.signed_distance(set.row(i));
    const bool on = std::ranges::count(s.on_hyperplane, i + 1) > 0;
    const double least = s.verdict == Separation::separable ? s.margin_lower * (1 - 1e-12) : 1e-9;
    EXPECT_TRUE(on ? std::abs(side) < 1e-12 : side >= least) << side;
  }
}

TEST(Separate, SmallSetsOfWholeNumbersAreDecidedExactly) {
  std::mt19937_64 random(11);
  int separable = 0, except = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    Set set{0, static_cast<Index>(1 + random() % 3), {}, {}};
    const Index n = static_cast<Index>(2 + random() % 7);
    const Kind kind = trial % 3 == 0 ? Kind{true, false} : trial % 3 == 1 ? Kind{false, false} : Kind{false, true};
    for (Index i = 0; i < n; ++i) {
      std::vector<double> x;
      for (Index j = 0; j < set.cols; ++j) x.push_back(static_cast<double>(random() % 7) - 3);
      set.add(x, i == 0 ? 1 : i == 1 ? -1 : random() % 2 == 0 ? 1 : -1);
    }
    const Separability s = judged(set, kind);
    ASSERT_TRUE(s.exact) << trial;
    ASSERT_EQ(s.verdict == Separation::separable, perceptron_separates(set, kind)) << trial;
    expect_multipliers_hold(s, set, kind);
    if (s.verdict != Separation::not_separable && !kind.constant) expect_sides(s, set);
    separable += s.verdict == Separation::separable ? 1 : 0;
    except += s.verdict == Separation::except ? 1 : 0;
  }
  EXPECT_GT(separable, 500); // of all kinds there are many
  EXPECT_GT(except, 200);
  EXPECT_LT(separable + except, 2500);
}

Set plane_with_noise(Index rows, Index cols, double noise, double apart, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Set set{0, cols, {}, {}};
  for (Index i = 0; i < rows; ++i) {
    std::vector<double> x;
    double f = 0.3;
    for (Index j = 0; j < cols; ++j) x.push_back(normal(random)), f += x.back() * static_cast<double>(j % 3 - 1);
    const double y = f + noise * normal(random) > 0 ? 1 : -1;
    for (Index j = 0; j < cols; ++j) x[static_cast<std::size_t>(j)] += apart * y * static_cast<double>(j % 3 - 1);
    set.add(x, y);
  }
  return set;
}

TEST(Separate, LargeSetsAreProvedByBounds) {
  const Set apart = plane_with_noise(5000, 60, 0, 0.02, 1), mixed = plane_with_noise(5000, 60, 0.5, 0, 2);
  const Separability yes = judged(apart), no = judged(mixed);
  EXPECT_EQ(yes.verdict, Separation::separable);
  EXPECT_TRUE(yes.proved);
  EXPECT_FALSE(yes.exact);
  EXPECT_LE(yes.margin_lower, yes.margin_upper);
  EXPECT_GT(yes.margin_lower, yes.margin_upper * (1 - 1e-9));
  EXPECT_GE(yes.margin_upper, 0.02 * std::sqrt(40.0)); // what the construction leaves
  expect_sides(yes, apart);
  EXPECT_EQ(no.verdict, Separation::not_separable);
  EXPECT_TRUE(no.proved);
  EXPECT_EQ(no.multipliers.size(), 62u); // a simplex around the origin
  EXPECT_LT(no.residual, 1e-15);
}

TEST(Separate, MoreColumnsThanRowsAreAlwaysSeparable) {
  const Separability s = judged(plane_with_noise(60, 100, 3, 0, 3));
  EXPECT_EQ(s.verdict, Separation::separable);
  EXPECT_TRUE(s.proved);
}

TEST(Separate, TheAnswerHasTheSameBitsAtAnyNumberOfThreads) {
  const Set set = plane_with_noise(20'000, 8, 0, 0.01, 4);
  DenseSource source(MatrixView::row_major(set.x.data(), set.rows, set.cols), {});
  const auto held = HeldRows::hold(source);
  Pool one(1), three(3);
  const Candidate a = separate({(*held)->seen(), set.y}, one), b = separate({(*held)->seen(), set.y}, three);
  EXPECT_EQ(a.claim.rows, b.claim.rows);
  EXPECT_EQ(a.claim.multipliers, b.claim.multipliers);
  EXPECT_EQ(a.claim.hyperplanes[0].w, b.claim.hyperplanes[0].w);
}

// The judge believes no solver.
TEST(Separate, AFalseClaimIsNotProved) {
  const Set set = plane_with_noise(3000, 60, 0, 0.02, 6);
  DenseSource source(MatrixView::row_major(set.x.data(), set.rows, set.cols), {});
  const auto held = HeldRows::hold(source);
  Pool pool(2);
  const SeparationClaim good = separate({(*held)->seen(), set.y}, pool).claim;
  const LabelledRows rows{source, set.y};
  SeparationClaim wrong = good;
  wrong.zero = true;
  EXPECT_FALSE(certify(wrong, rows, {})->proved);
  wrong = good;
  for (Hyperplane& h : wrong.hyperplanes)
    for (double& w : h.w) w = -w;
  EXPECT_EQ(certify(wrong, rows, {})->verdict, Separation::undecided);
  EXPECT_LT(certify(wrong, rows, {})->margin_lower, 0);
  wrong = good;
  wrong.multipliers.assign(wrong.multipliers.size(), 1); // worse, but still a bound
  EXPECT_GT(certify(wrong, rows, {})->margin_upper,
            good.hyperplanes.empty() ? 0 : certify(good, rows, {})->margin_upper);
}

TEST(Separate, DirectionsAreTheSameOnlyIfTheyAreOfOneLength) {
  EXPECT_TRUE(same_direction({1, -2}, {0.5, -1}));
  EXPECT_FALSE(same_direction({1, -2}, {-1, 2}));
  EXPECT_FALSE(same_direction({1, -2, 3}, {1, -2}));
  EXPECT_FALSE(same_direction({0, 0}, {0, 0}));
}

} // namespace
} // namespace recta::separation
