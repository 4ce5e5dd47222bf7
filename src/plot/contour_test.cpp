#include "plot/contour.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>

using namespace recta::plot;

namespace {

template <class F>
Grid grid(int columns, int rows, double half, F f) {
  Grid g;
  for (int i = 0; i < columns; ++i) g.x.push_back(-half + 2 * half * i / (columns - 1));
  for (int j = 0; j < rows; ++j) g.y.push_back(-half + 2 * half * j / (rows - 1));
  for (const double y : g.y)
    for (const double x : g.x) g.values.push_back(f(x, y));
  return g;
}

// Twice the area to the left of a closed line.
double area(const Contour& line) {
  double sum = 0;
  for (std::size_t k = 0; k < line.points.size(); ++k) {
    const Pixel a = line.points[k], b = line.points[(k + 1) % line.points.size()];
    sum += a.x * b.y - a.y * b.x;
  }
  return sum / 2;
}

} // namespace

TEST(Contours, CutOneCornerWhereInterpolationSays) {
  const Grid g{{0, 1}, {0, 1}, {0, 1, 2, 4}}; // lower left 0, lower right 1, upper left 2, upper right 4
  const auto lines = contours(g, 0.5);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(lines[0].closed);
  EXPECT_EQ(lines[0].points, (std::vector<Pixel>{{0.5, 0}, {0, 0.25}})); // the low corner on the left
}

TEST(Contours, OfACircleIsOneClosedLineAtItsRadius) {
  const auto lines = contours(grid(101, 81, 2, [](double x, double y) { return x * x + y * y; }), 1);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].closed);
  for (const Pixel& p : lines[0].points) EXPECT_NEAR(std::hypot(p.x, p.y), 1, 1e-3);
  EXPECT_NEAR(area(lines[0]), std::numbers::pi, 5e-3); // positive: the low side is on the left
}

TEST(Contours, OfAStraightSlopeIsAStraightLineFromBorderToBorder) {
  const auto lines = contours(grid(11, 11, 1, [](double x, double y) { return x + 2 * y; }), 0.3);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_FALSE(lines[0].closed);
  for (const Pixel& p : lines[0].points) EXPECT_NEAR(p.x + 2 * p.y, 0.3, 1e-12);
  EXPECT_NEAR(std::abs(lines[0].points.front().x - lines[0].points.back().x), 2, 1e-12);
}

TEST(Contours, AtASaddleJoinTheSideOfTheMiddle) {
  const Grid g{{0, 1}, {0, 1}, {0, 1, 1, 0}}; // low at two opposite corners
  EXPECT_EQ(contours(g, 0.4).size(), 2U);     // middle 0.5 is above: each low corner is cut off
  EXPECT_EQ(contours(g, 0.4)[0].points, (std::vector<Pixel>{{0.4, 0}, {0, 0.4}}));
  EXPECT_EQ(contours(g, 0.6)[0].points, (std::vector<Pixel>{{0.6, 0}, {1, 0.4}})); // below: the high ones are
}

TEST(Contours, LeaveOutSquaresWithoutNumbersAndLevelsOutsideTheField) {
  Grid g = grid(5, 5, 1, [](double x, double) { return x; });
  EXPECT_TRUE(contours(g, 7).empty());
  g.values[12] = std::numeric_limits<double>::quiet_NaN(); // the middle
  for (const Contour& line : contours(g, 0.25)) EXPECT_LE(line.points.size(), 2U);
  EXPECT_TRUE(contours(grid(4, 4, 1, [](double, double) { return 3.0; }), 3).empty()); // constant
}

TEST(Below, ClosesEveryLineAlongTheBorder) {
  const auto half = below(grid(21, 21, 1, [](double x, double) { return x; }), 0.5); // x < 0.5 of [-1, 1]^2
  ASSERT_EQ(half.size(), 1U);
  EXPECT_TRUE(half[0].closed);
  EXPECT_NEAR(area(half[0]), 1.5 * 2, 1e-12);
  const auto whole = below(grid(5, 5, 1, [](double, double) { return 0.0; }), 1);
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_NEAR(area(whole[0]), 4, 1e-12);
}
