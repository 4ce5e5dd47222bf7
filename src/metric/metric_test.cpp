// Every metric: laws on random rows, and values that can be checked by hand.
#include "base/random.hpp"
#include "metric/metric.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::neighbours {
namespace {

using Numbers = std::vector<double>;

// The distance that users see of two rows, which are mapped first.
double distance_of(const Metric& metric, Numbers a, Numbers b) {
  const Index p = static_cast<Index>(a.size());
  EXPECT_TRUE(map_row(metric, a.data(), p) && map_row(metric, b.data(), p));
  return reported(metric, std::visit([&](const auto& one) { return measured(one, a.data(), b.data(), p); },
                                     measure_of(metric, b.data())));
}

Numbers random_rows(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Numbers out;
  for (Index i = 0; i < rows * cols; ++i) out.push_back(std::floor(4 * random.uniform()) + random.uniform() / 4);
  return out;
}

Metric learned_metric(const std::string& word, const Numbers& x, Index rows, Index cols) {
  Metric metric{word, 3};
  if (learns(metric)) metric.learned = *learn(metric, {x.data(), rows, cols});
  return metric;
}

TEST(Metrics, ObeyTheLawsTheyClaim) {
  for (const std::string& word : metric_names()) {
    if (by_place({word})) continue;
    const Index cols = word == "haversine" ? 2 : 4;
    const Numbers x = random_rows(12, cols, 1);
    const Metric metric = learned_metric(word, x, 12, cols);
    const auto row = [&](Index i) { return Numbers(x.begin() + i * cols, x.begin() + (i + 1) * cols); };
    for (Index i = 0; i < 12; ++i) {
      EXPECT_NEAR(distance_of(metric, row(i), row(i)), 0, 1e-7) << word;
      for (Index j = 0; j < 12; ++j) {
        const double d = distance_of(metric, row(i), row(j));
        EXPECT_GE(d, 0) << word;
        EXPECT_NEAR(d, distance_of(metric, row(j), row(i)), 1e-12) << word;
        const bool distances = word != "squared-euclidean" && word != "cosine"; // functions of one
        for (Index k = 0; k < 12 && obeys_triangle(metric) && distances; ++k)
          EXPECT_LE(d, distance_of(metric, row(i), row(k)) + distance_of(metric, row(k), row(j)) + 1e-7) << word;
      }
    }
  }
}

TEST(Metrics, HaveTheirValues) {
  EXPECT_EQ(distance_of({"euclidean"}, {0, 0}, {3, 4}), 5);
  EXPECT_EQ(distance_of({"squared-euclidean"}, {0, 0}, {3, 4}), 25);
  EXPECT_EQ(distance_of({"manhattan"}, {0, 0}, {3, 4}), 7);
  EXPECT_EQ(distance_of({"chebyshev"}, {0, 0}, {3, 4}), 4);
  EXPECT_NEAR(distance_of({"minkowski", 3}, {0, 0}, {1, 2}), std::cbrt(9), 1e-15);
  EXPECT_NEAR(distance_of({"cosine"}, {1, 0}, {1, 1}), 1 - std::sqrt(0.5), 1e-15);
  EXPECT_EQ(distance_of({"hamming"}, {1, 2, 3, 4}, {1, 2, 0, 0}), 0.5);
  EXPECT_EQ(distance_of({"jaccard"}, {1, 1, 0, 0}, {1, 0, 1, 0}), 2.0 / 3);
  EXPECT_EQ(distance_of({"canberra"}, {1, 0, 0}, {3, 0, 5}), 1.5);
  EXPECT_EQ(distance_of({"bray-curtis"}, {1, 0}, {1, 1}), 1.0 / 3);
  EXPECT_NEAR(distance_of({"haversine"}, {0, 0}, {0, 1}), 1, 1e-15);
}

TEST(Metrics, WeighFeatures) {
  const Numbers w{2, 0, 1};
  EXPECT_NEAR(distance_of({"euclidean", 2, w}, {0, 0, 0}, {1, 7, 3}), std::sqrt(11), 1e-15);
  EXPECT_EQ(distance_of({"manhattan", 2, w}, {0, 0, 0}, {1, 7, 3}), 5);
  EXPECT_EQ(distance_of({"chebyshev", 2, w}, {0, 0, 0}, {1, 7, 1}), 2);
  EXPECT_NEAR(distance_of({"minkowski", 3, w}, {0, 0, 0}, {1, 7, 3}), std::cbrt(29), 1e-14);
  EXPECT_NEAR(distance_of({"hamming", 2, w}, {1, 1, 1}, {0, 0, 1}), 2.0 / 3, 1e-15);
  EXPECT_EQ(distance_of({"canberra", 2, w}, {1, 1, 0}, {3, 9, 5}), 2);
  EXPECT_FALSE(takes_weights({"jaccard"}));
}

TEST(Metrics, MahalanobisIsInUnitsOfTheCovariance) {
  const Numbers x = random_rows(40, 2, 2);
  const Metric metric = learned_metric("mahalanobis", x, 40, 2);
  double mean[2] = {}, s[3] = {}; // covariance: 00, 01, 11
  for (Index i = 0; i < 40; ++i) mean[0] += x[at(2 * i)] / 40, mean[1] += x[at(2 * i + 1)] / 40;
  for (Index i = 0; i < 40; ++i) {
    const double a = x[at(2 * i)] - mean[0], b = x[at(2 * i + 1)] - mean[1];
    s[0] += a * a / 39, s[1] += a * b / 39, s[2] += b * b / 39;
  }
  const double a = 1.5, b = -2, det = s[0] * s[2] - s[1] * s[1];
  const double want = std::sqrt((s[2] * a * a - 2 * s[1] * a * b + s[0] * b * b) / det);
  EXPECT_NEAR(distance_of(metric, {1.5, 0}, {0, 2}), want, 1e-12);
  const Numbers flat{1, 2, 2, 4, 3, 6};
  const auto refused = learn({"mahalanobis"}, {flat.data(), 3, 2});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), testing::HasSubstr("feature 2: it is constant or a combination"));
}

TEST(Metrics, GowerDoesWithoutMissingValues) {
  // A number of range 10, and a category of two levels.
  const Numbers x{0, 1, 0, 10, 0, 1, 5, 1, 0};
  const std::vector<Index> category{-1, 1, 1};
  Metric metric{"gower"};
  metric.learned = *learn(metric, {x.data(), 3, 3, {}, category});
  EXPECT_EQ(distance_of(metric, {0, 1, 0}, {10, 0, 1}), 1);
  EXPECT_EQ(distance_of(metric, {0, 1, 0}, {5, 1, 0}), 0.25);
  EXPECT_EQ(distance_of(metric, {kNaN, 1, 0}, {5, 0, 1}), 1);         // the category alone
  EXPECT_DOUBLE_EQ(distance_of(metric, {2, 0, 0}, {5, 0, 1}), 0.3);   // the number alone
  EXPECT_EQ(distance_of(metric, {kNaN, 1, 0}, {5, 0, 0}), kInfinity); // nothing in common
  EXPECT_EQ(distance_of(metric, {-90, 1, 0}, {10, 1, 0}), 0.5);       // beyond the range: 1
  Numbers empty{kNaN, 0, 0};
  EXPECT_FALSE(map_row(metric, empty.data(), 3));
  metric.weights = {3, 1, 1};
  EXPECT_EQ(distance_of(metric, {0, 1, 0}, {5, 0, 1}), (3 * 0.5 + 1) / 4);
}

TEST(Metrics, NanEuclideanScalesWhatIsThere) {
  EXPECT_EQ(distance_of({"nan-euclidean"}, {3, kNaN, 0, 4}, {0, 1, 0, kNaN}), std::sqrt(4.0 / 2 * 9));
  EXPECT_EQ(distance_of({"nan-euclidean"}, {3, kNaN}, {kNaN, 1}), kInfinity);
}

TEST(Metrics, PrecomputedAreLookedUp) {
  const Numbers rows{0, 7, 7, 0}, query{3, 4};
  const Measure measure = measure_of({"precomputed"}, rows.data());
  const auto of = [&](Index i) {
    return std::visit([&](const auto& one) { return measured(one, query.data(), rows.data() + 2 * i, 2); }, measure);
  };
  EXPECT_EQ(of(0), 3);
  EXPECT_EQ(of(1), 4);
  EXPECT_NE(objection({"precomputed"}, 3, 2), "");
}

} // namespace
} // namespace recta::neighbours
