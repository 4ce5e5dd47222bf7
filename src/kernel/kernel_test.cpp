// Kernels against plain loops, and values that do not depend on what they are computed beside.
#include "base/numbers.hpp"
#include "kernel/near_sums.hpp"
#include "kernel/points.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta::kernel {
namespace {

struct Cloud {
  Index rows, cols;
  std::vector<double> x;
  Cloud(Index n, Index p, double shift, unsigned seed) : rows(n), cols(p) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (Index i = 0; i < n * p; ++i) x.push_back(engine() % 3 == 0 ? shift : normal(engine) + shift);
  }
  const double* row(Index i) const { return x.data() + i * cols; }
  Points points(bool sparse, std::vector<double> centre = {}) const {
    Points out(cols, sparse, std::move(centre));
    for (Index i = 0; i < rows; ++i) out.add(row(i));
    return out;
  }
};

double plain(const Settings& settings, const Cloud& cloud, Index i, Index j) {
  double product = 0, distance = 0, absolute = 0, chi = 0;
  for (Index k = 0; k < cloud.cols; ++k) {
    const double a = cloud.row(i)[k], b = cloud.row(j)[k];
    product += a * b, distance += (a - b) * (a - b), absolute += std::abs(a - b);
    chi += a + b > 0 ? (a - b) * (a - b) / (a + b) : 0;
  }
  if (settings.word == "linear") return product;
  if (settings.word == "rbf") return std::exp(-settings.gamma * distance);
  if (settings.word == "laplacian") return std::exp(-settings.gamma * absolute);
  if (settings.word == "chi2") return std::exp(-settings.gamma * chi);
  const double base = settings.gamma * product + settings.coef;
  return settings.word == "sigmoid" ? std::tanh(base) : std::pow(base, static_cast<double>(settings.degree));
}

std::vector<Settings> all() {
  return {{"linear"},         {"rbf", 0.3}, {"polynomial", 0.5, 1, 3}, {"polynomial", 1, 0, 1}, {"sigmoid", 0.1, -0.2},
          {"laplacian", 0.2}, {"chi2", 0.3}};
}

// Rows that the kernel takes.
Cloud cloud_for(const Settings& settings, Index rows, Index cols, unsigned seed) {
  Cloud out(rows, cols, 0, seed);
  if (make_kernel(settings)->from_zero_up())
    for (double& number : out.x) number = std::abs(number);
  return out;
}

TEST(Kernels, AgreeWithPlainLoopsWithinTheirOwnBound) {
  for (const Settings& settings : all())
    for (const bool sparse : {false, true}) {
      const Cloud cloud = cloud_for(settings, 37, 11, 1);
      const Points points = cloud.points(sparse);
      const auto kernel = make_kernel(settings);
      const double bound = kernel->error({cloud.cols, points.longest(), points.longest()});
      std::vector<double> out(at(37 * 40));
      points.values(*kernel, cloud.x, 37, out.data(), 40);
      for (Index i = 0; i < 37; ++i)
        for (Index j = 0; j < 37; ++j)
          EXPECT_NEAR(out[at(i * 40 + j)], plain(settings, cloud, i, j), 4 * bound) << settings.word << sparse;
    }
}

TEST(Kernels, OfARowHaveTheSameBitsAloneAndAmongMany) {
  Pool pool(2);
  for (const Settings& settings : all())
    for (const bool sparse : {false, true}) {
      const Cloud cloud = cloud_for(settings, 301, 13, 2);
      const Points points = cloud.points(sparse);
      const auto kernel = make_kernel(settings);
      std::vector<double> together(at(301 * 301)), alone(301);
      points.values(*kernel, cloud.x, 301, together.data(), 301, &pool);
      for (Index i = 0; i < 301; i += 7) {
        points.values(*kernel, {cloud.row(i), 13}, 1, alone.data(), 301);
        for (Index j = 0; j < 301; ++j)
          EXPECT_EQ(std::bit_cast<std::uint64_t>(alone[at(j)]),
                    std::bit_cast<std::uint64_t>(together[at(i * 301 + j)]));
      }
    }
}

TEST(Kernels, AGaussianFarFromTheOriginKeepsItsDigitsAboutACentre) {
  const Cloud cloud(20, 4, 1e6, 3);
  const Settings settings{"rbf", 0.5};
  const Points points = cloud.points(false, std::vector<double>(4, 1e6));
  const auto kernel = make_kernel(settings);
  const std::vector<Index> three{0, 7, 19};
  std::vector<double> out(3 * 20);
  points.values_of(*kernel, three, out.data(), 20);
  for (Index k = 0; k < 3; ++k)
    for (Index j = 0; j < 20; ++j) EXPECT_NEAR(out[at(k * 20 + j)], plain(settings, cloud, three[at(k)], j), 1e-13);
}

// exp(-t) below the smallest doubles is 0, or the double beside it, and never a number of another size.
TEST(Kernels, OfRowsFarApartAreNextToZero) {
  for (const char* const word : {"rbf", "laplacian", "chi2"}) {
    const auto kernel = make_kernel({word, 8});
    Points points(1);
    for (int k = 0; k < 300; ++k) {
      const double x = 7 * k;
      points.add(&x);
    }
    std::vector<double> values(300);
    for (Index i = 0; i < 300; i += 37) {
      points.values_of(*kernel, std::span(&i, 1), values.data(), 300);
      for (Index j = 0; j < 300; ++j) {
        const double apart = 7 * std::abs(static_cast<double>(i - j)), sum = 7 * static_cast<double>(i + j);
        const double t = 8 * (word[0] == 'r'   ? apart * apart
                              : word[0] == 'l' ? apart
                              : i == j         ? 0
                                               : apart * apart / sum);
        EXPECT_NEAR(values[at(j)], std::exp(-t), 1e-12 * std::exp(-t) + 1e-320) << word << " " << i << " " << j;
      }
    }
  }
}

std::vector<double> random_beta(Index count) {
  std::mt19937_64 engine(9);
  std::normal_distribution<double> normal;
  std::vector<double> out;
  for (Index i = 0; i < count; ++i) out.push_back(normal(engine));
  return out;
}

Queries queries_of(const Points& points, const Cloud& cloud) {
  Queries out;
  for (Index i = 0; i < cloud.rows; ++i)
    points.ask(MatrixView::row_major(cloud.x.data(), cloud.rows, cloud.cols), i, out);
  return out;
}

TEST(Expansions, OfThePointsThemselvesAreThoseOfTheirRows) {
  constexpr Index kRows = 1400; // two blocks and a part of one
  Pool one(1), three(3);
  const std::vector<double> beta = random_beta(kRows);
  for (const Settings& settings : all())
    for (const bool sparse : {false, true}) {
      const Cloud cloud = cloud_for(settings, kRows, 5, 3);
      const Points points = cloud.points(sparse);
      const auto kernel = make_kernel(settings);
      const Queries queries = queries_of(points, cloud);
      const auto expected = points.expansions(*kernel, queries, beta);
      const auto own = points.own_expansions(*kernel, beta, one), again = points.own_expansions(*kernel, beta, three);
      ASSERT_EQ(own.size(), at(kRows));
      const double of_values = kernel->error({cloud.cols, points.longest(), points.longest()});
      for (std::size_t i = 0; i < own.size(); ++i) {
        EXPECT_EQ(own[i].value, again[i].value);
        EXPECT_EQ(own[i].error, again[i].error);
        EXPECT_NEAR(own[i].value, expected[i].value,
                    own[i].error + expected[i].error + (sparse ? 2 * kRows * of_values : 0))
            << settings.word << ' ' << i;
        EXPECT_NEAR(own[i].size, expected[i].size, 1e-9 * own[i].size);
        EXPECT_LE(own[i].error, 1e-13 * own[i].size);
      }
    }
}

TEST(Expansions, FromProductsOfFloatsAreWithinTheirBound) {
  constexpr Index kRows = 700, kCols = 300;
  Cloud cloud(kRows, kCols, 0.5, 6);
  std::fill_n(cloud.x.begin(), kCols, 0.0);
  for (Index j = 0; j < kCols; ++j) cloud.x[at(kCols + j)] *= 1e-30, cloud.x[at(2 * kCols + j)] *= 1e20;
  const std::vector<double> beta = random_beta(kRows - 3);
  Points points(kCols);
  for (Index i = 3; i < kRows; ++i) points.add(cloud.row(i));
  Pool pool(2);
  const Queries queries = queries_of(points, cloud);
  for (const Settings& settings :
       {Settings{"rbf", 0.003}, {"polynomial", 0.01, 1, 3}, {"linear"}, {"rbf+linear", 0.01}}) {
    const auto kernel = make_kernel(settings);
    ASSERT_TRUE(NearSums::suited(*kernel, points));
    const auto near = NearSums(*kernel, points, beta, pool).expansions(queries);
    const auto exact = points.expansions(*kernel, queries, beta);
    double mass = 0, farthest = 0;
    for (const double b : beta) mass += std::abs(b);
    for (Index i = 0; i < kRows; ++i) {
      const std::size_t q = at(i);
      if (i == 2) {
        EXPECT_EQ(near[q].error, kInfinity) << "numbers whose squares floats do not hold";
        continue;
      }
      EXPECT_NEAR(near[q].value, exact[q].value,
                  near[q].error + exact[q].error + mass * points.error(*kernel, queries, i))
          << settings.word << ' ' << i;
      if (i > 2) EXPECT_LT(near[q].error, 2e-3 * near[q].size + 1e-3 * mass) << settings.word;
      farthest = std::max(farthest, std::abs(near[q].value - exact[q].value) / near[q].error);
    }
    EXPECT_GT(farthest, 1e-4) << "the bound is not far from what happens";
  }
  EXPECT_FALSE(NearSums::suited(*make_kernel({"laplacian", 0.2}), points));
  EXPECT_FALSE(NearSums::suited(*make_kernel({"rbf", 0.2}), cloud.points(true)));
}

TEST(Kernels, AreListedByTheirFolders) {
  std::vector<std::string> words;
  for (const KernelInfo& info : kernels()) words.push_back(info.word);
  EXPECT_EQ(words, (std::vector<std::string>{"string:blended", "chi2", "graph:diffusion", "laplacian", "linear",
                                             "string:mismatch", "polynomial", "precomputed", "graph:random-walk", "rbf",
                                             "graph:shortest-path", "sigmoid", "string:spectrum", "string:subsequence",
                                             "graph:wl"}));
  EXPECT_FALSE(make_kernel({"no such kernel"}));
  EXPECT_FALSE(make_kernel({"sigmoid"})->definite());
  EXPECT_EQ(make_kernel({"rbf", 0.5})->text(), "exp(-0.5 |x - z|^2)");
}

TEST(CombinedKernels, AreTheSumsAndProductsOfTheirParts) {
  const Cloud cloud(21, 5, 0, 4);
  for (const bool sparse : {false, true}) {
    const Points points = cloud.points(sparse);
    const Settings combined{"rbf*polynomial + linear", 0.3, 1, 2};
    const auto kernel = make_kernel(combined);
    ASSERT_TRUE(kernel);
    EXPECT_TRUE(kernel->definite());
    std::vector<double> out(21 * 21);
    points.values(*kernel, cloud.x, 21, out.data(), 21);
    const double bound = kernel->error({cloud.cols, points.longest(), points.longest()});
    for (Index i = 0; i < 21; ++i)
      for (Index j = 0; j < 21; ++j) {
        const double expected = plain({"rbf", 0.3}, cloud, i, j) * plain({"polynomial", 0.3, 1, 2}, cloud, i, j) +
                                plain({"linear"}, cloud, i, j);
        EXPECT_NEAR(out[at(i * 21 + j)], expected, 4 * bound);
      }
    EXPECT_LT(bound, 1e-9);
  }
  EXPECT_TRUE(make_kernel({"rbf*rbf", 0.5})->centred());
  EXPECT_FALSE(make_kernel({"rbf+sigmoid", 0.5})->definite());
  EXPECT_EQ(make_kernel({"rbf*linear+linear", 0.5})->text(), "(exp(-0.5 |x - z|^2))(<x, z>) + <x, z>");
}

TEST(CombinedKernels, HaveNoPartThatReadsTexts) {
  Index texts = 0;
  for (const KernelInfo& info : kernels()) {
    if (!info.texts) continue;
    EXPECT_EQ(make_kernel({.word = "rbf+" + info.word}), nullptr) << info.word;
    ++texts;
  }
  EXPECT_GT(texts, 0);
}

TEST(CombinedKernels, AreMadeOfKernelsOfInnerProductsAlone) {
  for (const char* const word : {"rbf+", "+rbf", "rbf**linear", "rbf+chi2", "laplacian*rbf", "precomputed+linear", "*"})
    EXPECT_FALSE(make_kernel({word})) << word;
}

} // namespace
} // namespace recta::kernel
