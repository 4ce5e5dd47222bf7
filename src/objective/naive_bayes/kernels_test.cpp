// Every instruction set against plain loops, to the bit, at every number of columns that fills registers or does not.
#include "base/double_double.hpp"
#include "base/simd/kernels.hpp"
#include "objective/naive_bayes/kernels.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

namespace recta::naive_bayes {
namespace {

const double kGap = std::nan("");

std::vector<double> normal_numbers(Index count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(1e3, 3);
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& x : out) x = normal(random);
  return out;
}

// The bits, so that missing numbers are equal and zeros of either sign are not.
std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (const double value : values) out.push_back(std::bit_cast<std::uint64_t>(value));
  return out;
}

template <class Test>
void at_every_level(const Test& test) {
  const simd::Level before = simd::level();
  for (const simd::Level level : simd::levels()) {
    ASSERT_TRUE(simd::force(level));
    SCOPED_TRACE(simd::name(level));
    test();
  }
  simd::force(before);
}

// Rows in an order of their own, in memory that is wider than the columns.
struct Sample {
  Index columns, stride, n = 37;
  std::vector<double> x, weight, mean;
  std::vector<Index> place;

  explicit Sample(Index p)
      : columns(p), stride(p + 3), x(normal_numbers(n * stride, 1)), weight(normal_numbers(n, 2)),
        mean(normal_numbers(p, 3)), place(static_cast<std::size_t>(n)) {
    std::iota(place.rbegin(), place.rend(), Index{0});
  }
  WeightedRows rows(bool placed) const { return {x.data(), stride, placed ? place.data() : nullptr, weight.data(), n}; }
  double at(Index i, Index j, bool placed) const {
    return x[static_cast<std::size_t>((placed ? n - 1 - i : i) * stride + j)];
  }
};

} // namespace

TEST(NaiveBayesKernels, SumsOfRowsAreThoseOfPlainLoops) {
  at_every_level([] {
    for (const Index p : {1, 2, 7, 8, 9, 31, 50, 64, 67, 130})
      for (const bool placed : {false, true}) {
        const Sample sample(p);
        std::vector<double> sum(static_cast<std::size_t>(p), 0.5), expected = sum;
        kernels().sums(sample.rows(placed), p, sum.data());
        for (Index i = 0; i < sample.n; ++i)
          for (Index j = 0; j < p; ++j)
            expected[static_cast<std::size_t>(j)] +=
                sample.weight[static_cast<std::size_t>(i)] * sample.at(i, j, placed);
        EXPECT_EQ(bits(sum), bits(expected)) << p;
      }
  });
}

TEST(NaiveBayesKernels, SumsAboutAMeanAreThoseOfPlainLoops) {
  at_every_level([] {
    for (const Index p : {1, 3, 8, 15, 50, 56, 57, 100})
      for (const bool placed : {false, true}) {
        const Sample sample(p);
        const auto size = static_cast<std::size_t>(p);
        std::vector<double> sum(size, 0.5), squares(size, 0.25), exact(size, 0.5), error(size),
            exact_squares(size, 0.25);
        std::vector<double> plain = sum, plain_squares = squares, high = exact, low = error;
        kernels().sums_apart(sample.rows(placed), p, sample.mean.data(), {sum.data(), nullptr, squares.data()});
        kernels().exact_sums_apart(sample.rows(placed), p, sample.mean.data(),
                                   {exact.data(), error.data(), exact_squares.data()});
        for (Index i = 0; i < sample.n; ++i)
          for (std::size_t j = 0; j < size; ++j) {
            const double apart = sample.at(i, static_cast<Index>(j), placed) - sample.mean[j];
            const double pull = sample.weight[static_cast<std::size_t>(i)] * apart;
            plain[j] += pull;
            plain_squares[j] += pull * apart;
            const DoubleDouble both = two_sum(high[j], pull);
            high[j] = both.hi;
            low[j] += both.lo;
          }
        EXPECT_EQ(bits(sum), bits(plain)) << p;
        EXPECT_EQ(bits(squares), bits(plain_squares)) << p;
        EXPECT_EQ(bits(exact), bits(high)) << p;
        EXPECT_EQ(bits(error), bits(low)) << p;
        EXPECT_EQ(bits(exact_squares), bits(plain_squares)) << p;
      }
  });
}

// Three classes in no order, some rows absent, with weights and without.
TEST(NaiveBayesKernels, SumsOfSeveralClassesAreThoseOfEachAlone) {
  at_every_level([] {
    for (const Index p : {1, 2, 7, 8, 9, 31, 50, 64, 67, 130})
      for (const bool weighted : {false, true}) {
        const Sample sample(p);
        const Index width = (p + 7) / 8 * 8;
        const std::vector<double> ones(sample.weight.size(), 1.0);
        const std::vector<double>&weight = weighted ? sample.weight : ones, mean = normal_numbers(3 * width, 4);
        std::vector<Index> place;
        for (Index i = 0; i < sample.n; ++i) place.push_back((i + i / 5) % 4 - 1);
        std::vector<double> sum(mean.size()), apart(mean.size(), 0.5), error(mean.size()), squares(mean.size());
        const ClassedRows rows{sample.x.data(), sample.stride, place.data(), weighted ? weight.data() : nullptr,
                               sample.n,        width};
        kernels().sums_by_class(rows, p, sum.data());
        kernels().exact_sums_by_class(rows, p, mean.data(), {apart.data(), error.data(), squares.data()});
        for (Index k = 0; k < 3; ++k) {
          std::vector<Index> own;
          std::vector<double> own_weight;
          for (Index i = 0; i < sample.n; ++i)
            if (place[static_cast<std::size_t>(i)] == k) {
              own.push_back(i);
              own_weight.push_back(weight[static_cast<std::size_t>(i)]);
            }
          ASSERT_GT(own.size(), 1u);
          const WeightedRows alone{sample.x.data(), sample.stride, own.data(), own_weight.data(),
                                   static_cast<Index>(own.size())};
          const auto columns = static_cast<std::size_t>(p);
          std::vector<double> a(columns), b(columns, 0.5), c(columns), d(columns);
          kernels().sums(alone, p, a.data());
          kernels().exact_sums_apart(alone, p, mean.data() + k * width, {b.data(), c.data(), d.data()});
          const auto of_class = [&](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + k * width, all.begin() + k * width + p);
          };
          EXPECT_EQ(bits(of_class(sum)), bits(a)) << p;
          EXPECT_EQ(bits(of_class(apart)), bits(b)) << p;
          EXPECT_EQ(bits(of_class(error)), bits(c)) << p;
          EXPECT_EQ(bits(of_class(squares)), bits(d)) << p;
        }
      }
  });
}

TEST(NaiveBayesKernels, GaussianScoresSkipMissingNumbers) {
  at_every_level([] {
    for (const Index classes : {1, 2, 3, 4, 5, 11})
      for (const bool gaps : {false, true}) {
        constexpr Index kColumns = 6;
        std::vector<double> x = normal_numbers(kColumns * kScoredRows, 4);
        for (std::size_t s = 0; gaps && s < x.size(); s += 7) x[s] = kGap;
        const std::vector<double> constant = normal_numbers(kColumns * classes, 5),
                                  mean = normal_numbers(kColumns * classes, 6),
                                  half = normal_numbers(kColumns * classes, 7);
        std::vector<double> s = normal_numbers(classes * kScoredRows, 8), expected = s;
        kernels().gaussian_scores(x.data(), kColumns, {constant.data(), mean.data(), half.data(), classes}, s.data());
        for (Index i = 0; i < kScoredRows; ++i)
          for (Index j = 0; j < kColumns; ++j)
            for (Index k = 0; k < classes; ++k) {
              const double value = x[static_cast<std::size_t>(j * kScoredRows + i)];
              if (std::isnan(value)) continue;
              const auto c = static_cast<std::size_t>(j * classes + k);
              const double apart = value - mean[c];
              expected[static_cast<std::size_t>(k * kScoredRows + i)] += constant[c] - half[c] * apart * apart;
            }
        EXPECT_EQ(bits(s), bits(expected)) << classes;
      }
  });
}

TEST(NaiveBayesKernels, FindTheCellsOfCodesAndNothingElse) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double values[] = {0, 1, 2, 4, -0.0, 5, 0.5, -1, 1e300, infinity, -infinity, 4.999999999, 5e-324, kGap};
  at_every_level([&] {
    for (const Index columns : {1, 3, 8, 9, 50})
      for (const double value : values)
        for (Index where = 0; where < columns; ++where) {
          const auto size = static_cast<std::size_t>(columns);
          std::vector<double> x(size, 3.0), first(size), sizes(size, 5.0);
          for (std::size_t j = 0; j < size; ++j) first[j] = static_cast<double>(100 + 5 * j);
          x[static_cast<std::size_t>(where)] = value;
          std::vector<std::uint32_t> cells(size), expected;
          for (std::size_t j = 0; j < size; ++j) expected.push_back(static_cast<std::uint32_t>(100 + 5 * j + 3));
          const bool code = value >= 0 && value < 5 && value == std::floor(value);
          expected[static_cast<std::size_t>(where)] =
              code ? static_cast<std::uint32_t>(100 + 5 * where) + static_cast<std::uint32_t>(value) : 77;
          EXPECT_EQ(kernels().coded_cells(x.data(), columns, {first.data(), sizes.data(), 77}, cells.data()),
                    code || std::isnan(value))
              << value << " among " << columns;
          EXPECT_EQ(cells, expected) << value << " among " << columns;
        }
  });
}

TEST(NaiveBayesKernels, ScoresOfCodesAreSumsOfTheirTables) {
  at_every_level([] {
    for (const Index width : {4, 8, 12, 20})
      for (const Index rows : {1, 3, 4, 7}) {
        constexpr Index kColumns = 5, kCells = 9;
        const std::vector<double> table = normal_numbers(kCells * width, 9);
        std::vector<std::uint32_t> cells;
        for (Index s = 0; s < rows * kColumns; ++s) cells.push_back(static_cast<std::uint32_t>(s * 7 % kCells));
        std::vector<double> s = normal_numbers(rows * width, 10), expected = s;
        kernels().coded_scores(cells.data(), rows, kColumns, table.data(), width, s.data());
        for (Index i = 0; i < rows; ++i)
          for (Index j = 0; j < kColumns; ++j)
            for (Index k = 0; k < width; ++k)
              expected[static_cast<std::size_t>(i * width + k)] +=
                  table[static_cast<std::size_t>(cells[static_cast<std::size_t>(i * kColumns + j)] * width + k)];
        EXPECT_EQ(bits(s), bits(expected)) << width << " " << rows;
      }
  });
}

} // namespace recta::naive_bayes
