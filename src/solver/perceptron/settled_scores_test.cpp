#include "design/view_source.hpp"
#include "solver/perceptron/settled_scores.hpp"

#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

// The rule itself, applied to every score: by prediction's kernel, and by the sizes of all terms.
double by_the_rule(const std::vector<double>& x, const Point& at) {
  double z = 0, terms = std::abs(at.b);
  simd::kernels().row_dots(MatrixView::row_major(x.data(), 1, std::ssize(x)), at.w.data(), &z);
  for (std::size_t j = 0; j < x.size(); ++j) terms += std::abs(x[j] * at.w[j]);
  return std::abs(z + at.b) <= 0x1p-51 * terms ? 0 : z + at.b;
}

struct Tried {
  int looks = 0, ties = 0;
};

// Rows that pull at random. Numbers are tenths, whose sums are not exact, of sizes that differ by up to 10^spread.
Tried tried(std::uint64_t seed, Index n, Index p, double spread) {
  const bool intercept = seed % 4 == 0;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> power(-spread, spread);
  std::vector<std::vector<double>> rows;
  std::vector<double> flat;
  for (Index i = 0; i < n; ++i) {
    auto& row = rows.emplace_back();
    for (Index j = 0; j < p; ++j)
      row.push_back((static_cast<double>(random() % 5) - 2) / 10 * std::pow(10, std::round(power(random))));
    flat.insert(flat.end(), row.begin(), row.end());
  }
  const DenseRows dense{.blocks = {{flat.data(), p}}, .shift = 30, .cols = p};
  std::vector<Index> all;
  for (Index i = 0; i < n; ++i) all.push_back(i);
  Point at{std::vector<double>(static_cast<std::size_t>(p)), 0};
  SettledScores<DenseRows> scores(dense, all, at);
  Tried out;
  for (int change = 0; change < 40; ++change) {
    for (Index i = 0; i < n; ++i) {
      const DenseRow row = row_of(dense, i);
      const double z = row.dot(at.w.data()) + at.b, settled = scores.settled(row, at, z);
      const double expected = by_the_rule(rows[static_cast<std::size_t>(i)], at);
      EXPECT_EQ(settled == 0, expected == 0) << "row " << i << " after " << change << " changes";
      EXPECT_EQ(settled > 0, expected > 0) << "row " << i << " after " << change << " changes";
      ++out.looks;
      out.ties += z != 0 && settled == 0 ? 1 : 0;
    }
    const auto i = static_cast<std::size_t>(random() % static_cast<std::uint64_t>(n));
    const double by = random() % 2 == 0 ? 0.3 : -0.3;
    for (std::size_t j = 0; j < rows[i].size(); ++j) at.w[j] += by * rows[i][j];
    if (intercept) at.b += by;
    scores.changed(by, at.b);
  }
  return out;
}

TEST(SettledScores, AreThoseOfTheRuleForEveryRowAtEveryPoint) {
  Tried all;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Tried one = tried(seed, 2 + static_cast<Index>(seed % 9), 1 + static_cast<Index>(seed % 6),
                            static_cast<double>(seed % 3) * 4);
    all.looks += one.looks;
    all.ties += one.ties;
  }
  EXPECT_GT(all.ties, 100) << "of " << all.looks; // scores that rounding alone keeps from zero were among them
}

// 10^16 - 10^16 + 1: no cheap look at the score tells that its terms are so large.
TEST(SettledScores, OfTermsThatCancelAreTies) {
  const std::vector<double> x{1, 1, 1, -1};
  const std::vector<Index> all{0, 1};
  const DenseRows rows{.blocks = {{x.data(), 2}}, .shift = 30, .cols = 2};
  const Point at{{1e16, -1e16}, 1};
  const SettledScores<DenseRows> scores(rows, all, at);
  EXPECT_EQ(scores.settled(row_of(rows, 0), at, 1), 0);
  EXPECT_EQ(scores.settled(row_of(rows, 1), at, 2e16), 2e16);
}

TEST(SettledScores, OfSparseRowsAreThoseOfDenseOnes) {
  const std::vector<double> value{0.1, 0.2, 0.3, 0.1, 0.2};
  const std::vector<std::int32_t> start{0, 3, 5}, index{0, 2, 5, 0, 2};
  const std::vector<Index> all{0, 1};
  const SparseRows<std::int32_t> rows{.blocks = {{start.data(), index.data(), value.data()}}, .shift = 30, .cols = 6};
  const Point at{{1, 0, 1, 0, 0, -1}, 0};
  const SettledScores<SparseRows<std::int32_t>> scores(rows, all, at);
  const double z = row_of(rows, 0).dot(at.w.data());
  EXPECT_NE(z, 0);
  EXPECT_EQ(scores.settled(row_of(rows, 0), at, z), 0);
  EXPECT_DOUBLE_EQ(scores.settled(row_of(rows, 1), at, 0.3), 0.3);
}

} // namespace
} // namespace recta
