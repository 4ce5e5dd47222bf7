#include "plot/thin.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace recta::plot;

namespace {

constexpr std::size_t kMany = 1'000'000;

template <class Points, class At>
void expect_same_extremes(const std::vector<Pixel>& all, const Points& kept, At at) {
  const auto extremes = [](const auto& points, auto&& of) {
    double left = 1e9, right = -1e9, low = 1e9, high = -1e9;
    for (const auto& p : points) {
      left = std::min(left, of(p).x), right = std::max(right, of(p).x);
      low = std::min(low, of(p).y), high = std::max(high, of(p).y);
    }
    return std::vector{left, right, low, high};
  };
  EXPECT_EQ(extremes(all, [](const Pixel& p) { return p; }), extremes(kept, at));
}

} // namespace

TEST(ThinPoints, KeepsAllOfAFew) {
  const std::vector<Pixel> points = {{1, 2}, {1, 2}, {3, 4}};
  const std::vector<Dot> dots = thin_points(points, 3);
  ASSERT_EQ(dots.size(), 3U);
  EXPECT_EQ(dots[2].at, (Pixel{3, 4}));
}

TEST(ThinPoints, LeavesFewOfAMillionAndKeepsTheOutermostAndTheCount) {
  std::vector<Pixel> points;
  for (std::size_t i = 0; i < kMany; ++i) {
    const double t = static_cast<double>(i);
    points.push_back({300 + 200 * std::sin(t), 200 + 100 * std::sin(1.7 * t) + 50 * std::cos(0.3 * t)});
  }
  points[123'456] = {640.5, 17};
  points[654'321] = {3, 399.25};
  const std::vector<Dot> dots = thin_points(points, 12'000);
  EXPECT_LE(dots.size(), 12'000U);
  EXPECT_GE(dots.size(), 3'000U);
  expect_same_extremes(points, dots, [](const Dot& dot) { return dot.at; });
  const std::size_t stands_for = std::accumulate(dots.begin(), dots.end(), std::size_t{0},
                                                 [](std::size_t sum, const Dot& dot) { return sum + dot.count; });
  EXPECT_NEAR(static_cast<double>(stands_for), static_cast<double>(kMany), 4);
}

TEST(ThinLine, KeepsFirstLowestHighestAndLastOfEveryColumnOfPixels) {
  std::vector<Pixel> points;
  for (int i = 0; i < 10; ++i) points.push_back({0.1 * i, i == 3 ? -5.0 : i == 7 ? 9.0 : 1.0});
  for (int i = 0; i < 10; ++i) points.push_back({1 + 0.1 * i, 2.0});
  const std::vector<Pixel> expected = {{0, 1}, {0.1 * 3, -5}, {0.1 * 7, 9}, {0.1 * 9, 1}, {1, 2}, {1 + 0.1 * 9, 2}};
  EXPECT_EQ(thin_line(points, 5), expected);
}

TEST(ThinLine, KeepsTheOutermostPointsOfAWindingPath) {
  std::vector<Pixel> points;
  for (std::size_t i = 0; i < kMany; ++i) {
    const double t = static_cast<double>(i) * 1e-4, r = 150 * std::exp(-0.02 * t);
    points.push_back({200 + r * std::cos(t), 200 + r * std::sin(t)});
  }
  const std::vector<Pixel> kept = thin_line(points, 4000);
  EXPECT_LE(kept.size(), 4000U);
  expect_same_extremes(points, kept, [](const Pixel& p) { return p; });
  EXPECT_EQ(kept.front(), points.front());
  EXPECT_EQ(kept.back(), points.back());
}
