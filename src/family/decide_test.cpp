// Small sets whose margins are nothing, or next to nothing, against a simplex method in fractions that shares no code
// with the search or its judge.
#include "classes/decide_separation.hpp"
#include "design/view_source.hpp"
#include "solver/separation/exact_search.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <random>

namespace recta::separation {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

struct Set {
  Index cols;
  std::vector<double> x, y;
  Index rows() const { return std::ssize(y); }
};

Separability decided(const Set& set, bool intercept = true) {
  DenseSource source(MatrixView::row_major(set.x.data(), set.rows(), set.cols), {});
  const auto held = HeldRows::hold(source);
  Pool pool(1);
  return *decide({(*held)->seen(), set.y, intercept}, {source, set.y, intercept}, pool, {});
}

// The largest c'u with A u <= b, u >= 0, b >= 0; by Bland's rule, which ends.
Fraction largest(std::vector<std::vector<Fraction>> a, std::vector<Fraction> b, std::vector<Fraction> c) {
  std::vector<std::size_t> basic, other;
  for (std::size_t j = 0; j < c.size(); ++j) other.push_back(j);
  for (std::size_t i = 0; i < b.size(); ++i) basic.push_back(c.size() + i);
  Fraction best = 0;
  for (;;) {
    std::size_t in = c.size(), out = b.size();
    for (std::size_t j = 0; j < c.size(); ++j)
      if (c[j] > 0 && (in == c.size() || other[j] < other[in])) in = j;
    if (in == c.size()) return best;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (a[i][in] <= 0) continue;
      if (out == b.size()) {
        out = i;
        continue;
      }
      const Fraction now = b[i] / a[i][in], before = b[out] / a[out][in];
      if (now < before || (now == before && basic[i] < basic[out])) out = i;
    }
    const Fraction pivot = a[out][in];
    for (std::size_t j = 0; j < c.size(); ++j) a[out][j] /= pivot;
    a[out][in] = 1 / pivot;
    b[out] /= pivot;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (i == out) continue;
      const Fraction by = a[i][in];
      for (std::size_t j = 0; j < c.size(); ++j)
        a[i][j] = j == in ? Fraction(-by / pivot) : Fraction(a[i][j] - by * a[out][j]);
      b[i] -= by * b[out];
    }
    const Fraction gain = c[in];
    for (std::size_t j = 0; j < c.size(); ++j)
      c[j] = j == in ? Fraction(-gain / pivot) : Fraction(c[j] - gain * a[out][j]);
    best += gain * b[out];
    std::swap(basic[out], other[in]);
  }
}

// Strictly: max t with y f >= t. Weakly (Konis): the most that all y f >= 0 together can be.
Separation by_simplex(const Set& set, bool intercept) {
  const auto p = static_cast<std::size_t>(set.cols), d = p + (intercept ? 1 : 0);
  std::vector<std::vector<Fraction>> z;
  for (std::size_t i = 0; i < set.y.size(); ++i) {
    auto& row = z.emplace_back();
    for (std::size_t j = 0; j < d; ++j) row.emplace_back((j < p ? set.x[i * p + j] : 1) * set.y[i]);
  }
  // Unknowns q+, q-, t.
  std::vector<std::vector<Fraction>> a;
  std::vector<Fraction> b, strict(2 * d + 1), weak(2 * d + 1);
  for (const auto& row : z) {
    auto& line = a.emplace_back(2 * d + 1);
    for (std::size_t j = 0; j < d; ++j) {
      line[j] = -row[j], line[d + j] = row[j];
      weak[j] += row[j], weak[d + j] -= row[j];
    }
    line[2 * d] = 1;
    b.emplace_back(0);
  }
  for (std::size_t j = 0; j < d; ++j) {
    auto& line = a.emplace_back(2 * d + 1);
    line[j] = line[d + j] = 1;
    b.emplace_back(1);
  }
  strict[2 * d] = 1;
  if (largest(a, b, strict) > 0) return Separation::separable;
  return largest(a, b, weak) > 0 ? Separation::except : Separation::not_separable; // t = 0 there
}

// The sides of doubles as they stand: all above zero, and zero on the hyperplane.
bool holds_as_shown(const Separability& s, const Set& set) {
  for (Index i = 0; i < set.rows(); ++i) {
    Fraction f(s.b);
    for (Index j = 0; j < set.cols; ++j) {
      Fraction term(s.weights[static_cast<std::size_t>(j)]);
      term *= Fraction(set.x[static_cast<std::size_t>(i * set.cols + j)]);
      f += term;
    }
    f *= static_cast<int>(set.y[static_cast<std::size_t>(i)]);
    if (std::ranges::count(s.on_hyperplane, i + 1) > 0 ? f != 0 : f <= 0) return false;
  }
  return true;
}

Set tenths(std::mt19937_64& random) {
  Set set{static_cast<Index>(1 + random() % 5), {}, {}};
  const auto p = static_cast<std::size_t>(set.cols), n = 3 + random() % 9;
  const auto digit = [&] { return (static_cast<double>(random() % 7) - 3) / 10; };
  const auto kind = random() % 3; // plain; the last column the sum of the others; products of two lists
  std::vector<double> factor;
  for (std::size_t j = 0; j < p; ++j) factor.push_back(digit());
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    const double scale = digit();
    for (std::size_t j = 0; j < p; ++j) {
      const double x = kind == 1 && j + 1 == p && p > 1 ? sum : kind == 2 && j > 0 ? scale * factor[j] : digit();
      set.x.push_back(x);
      sum += x;
    }
    set.y.push_back(i == 0 ? 1 : i == 1 ? -1 : random() % 2 == 0 ? 1 : -1);
  }
  return set;
}

TEST(Decide, SmallSetsOfTenthsAreDecidedAsTheirDoublesAre) {
  std::mt19937_64 random(3);
  int count[3] = {};
  for (int trial = 0; trial < 400; ++trial) {
    const Set set = tenths(random);
    const bool intercept = trial % 4 != 0;
    const Separability s = decided(set, intercept);
    ASSERT_EQ(s.verdict, by_simplex(set, intercept)) << trial;
    EXPECT_TRUE(s.proved) << trial;
    EXPECT_EQ(s.overlap, s.verdict == Separation::not_separable) << trial;
    if (!s.weights.empty()) {
      EXPECT_EQ(s.rounded, !holds_as_shown(s, set)) << trial;
    }
    ++count[static_cast<int>(s.verdict)];
  }
  for (const int each : count) EXPECT_GT(each, 20);
}

// 0.1 + 0.2 is not 0.3: on paper the rows cancel, and as doubles a margin of 1e-17 is left.
TEST(Decide, AMarginBelowTheRoundingOfDecimalsIsFound) {
  const Set set{4,
                {0.3,  0.1,  0.2,  0.0, 0.2, 0.1, -0.1, 0.0, 0.2, 0.1,  0.2, 0.0, 0.0, 0.3,  0.1, -0.2,
                 -0.2, -0.2, -0.3, 0.1, 0.3, 0.0, 0.0,  0.1, 0.2, -0.2, 0.3, 0.0, 0.1, -0.3, 0.2, -0.1},
                {-1, -1, 1, 1, 1, 1, -1, 1}};
  const Separability s = decided(set);
  EXPECT_EQ(s.verdict, Separation::separable);
  EXPECT_TRUE(s.exact);
  EXPECT_GT(s.margin_lower, 0);
  EXPECT_LT(s.margin_upper, 1e-16);
  EXPECT_EQ(s.rounded, !holds_as_shown(s, set));
}

// x = -1 has a row of either class, and a row of a at -0.9999999999 beside it.
TEST(Decide, RowsNextToTheHyperplaneAreNotOnIt) {
  const Separability s = decided({1,
                                  {1e-14, -0.9999999999, 2.00000000000001, 1e-10, -1.99999999999999, 1.00000000000001,
                                   -1, -1, -1e-10, 1.00000000000001},
                                  {-1, -1, -1, -1, 1, -1, 1, -1, -1, -1}});
  EXPECT_EQ(s.verdict, Separation::except);
  EXPECT_EQ(s.on_hyperplane, (std::vector<Index>{7, 8}));
  EXPECT_FALSE(s.overlap);
  EXPECT_EQ(s.weights, std::vector{-1.0});
  EXPECT_EQ(s.b, -1);
}

TEST(Decide, AHyperplaneOfWholeNumbersIsShownAsSuch) {
  const Set set{1, {100000001, 100000000, 100000001}, {-1, -1, 1}};
  const Separability s = decided(set);
  EXPECT_EQ(s.verdict, Separation::except);
  EXPECT_EQ(s.weights, std::vector{1.0});
  EXPECT_EQ(s.b, -100000001);
  EXPECT_FALSE(s.rounded);
}

TEST(Decide, ColumnsThatDependLeaveOverlapProved) {
  const Separability s = decided({2, {1, 2, 2, 4, 3, 6, 4, 8}, {1, -1, 1, -1}});
  EXPECT_EQ(s.verdict, Separation::not_separable);
  EXPECT_TRUE(s.overlap);
}

TEST(Decide, NumbersFromBothEndsOfTheDoublesAreExact) {
  const Separability s = decided({1, {1e-200, 2, 3e200, 4e200}, {-1, -1, 1, 1}});
  EXPECT_TRUE(s.exact);
  EXPECT_EQ(s.multipliers.at(0).row, 2);
  EXPECT_EQ(s.multipliers.at(1).row, 3);
}

// The judge believes no list of rows.
TEST(Decide, OverlapIsNotProvedByRowsThatSpanTooLittle) {
  const Set set{2, {0, 1, 0, 1, 1, 0, 2, 5}, {1, -1, 1, 1}};
  DenseSource source(MatrixView::row_major(set.x.data(), set.rows(), set.cols), {});
  const auto held = HeldRows::hold(source);
  SeparationClaim claim = *separate_exactly({(*held)->seen(), set.y}, 1e8);
  EXPECT_EQ(certify(claim, {source, set.y}, {})->verdict, Separation::except);
  claim.on.clear();
  const auto open = certify(claim, {source, set.y}, {});
  EXPECT_EQ(open->verdict, Separation::not_separable);
  EXPECT_FALSE(open->overlap);
  for (const std::vector<Index>& more : {std::vector<Index>{2}, {3}, {2, 3}}) {
    claim.layers = {{0, 1}, more};
    EXPECT_FALSE(certify(claim, {source, set.y}, {})->overlap);
  }
}

} // namespace
} // namespace recta::separation
