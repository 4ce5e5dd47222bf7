#include <recta/plot.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>
#include <rapidcheck/gtest.h>

using namespace recta::plot;
using testing::HasSubstr;

namespace {

template <class L>
const L* find_layer(const Picture& picture) {
  for (const Layer& layer : picture.layers)
    if (const L* found = std::get_if<L>(&layer)) return found;
  return nullptr;
}

// The least cost on the border of the ball, by trying many points.
double tried(const Quadratic& q, Ball ball, double r) {
  double best = std::numeric_limits<double>::infinity();
  constexpr int kTries = 40'000;
  for (int k = 0; k < kTries; ++k) {
    const double angle = 2 * std::numbers::pi * k / kTries, c = std::cos(angle), s = std::sin(angle);
    const double stretch = ball == Ball::disc ? r : r / (std::abs(c) + std::abs(s));
    best = std::min(best, q(stretch * c, stretch * s));
  }
  return best;
}

} // namespace

TEST(TouchingPoint, OfARoundCostIsTheNearestPointOfTheBall) {
  const Quadratic round{.x = 3, .y = 4};
  const auto disc = touching_point(round, Ball::disc, 1);
  EXPECT_NEAR(disc[0], 0.6, 1e-14);
  EXPECT_NEAR(disc[1], 0.8, 1e-14);
  const auto edge = touching_point(round, Ball::diamond, 3); // (3, 4) moved by (-2, -2)
  EXPECT_DOUBLE_EQ(edge[0], 1);
  EXPECT_DOUBLE_EQ(edge[1], 2);
  const auto corner = touching_point(round, Ball::diamond, 1); // the nearest is (0, 1): a weight of exactly zero
  EXPECT_EQ(corner[0], 0);
  EXPECT_EQ(corner[1], 1);
}

TEST(TouchingPoint, IsTheCentreWhereTheBallHoldsItAndTheOriginInABallOfNothing) {
  const Quadratic q{.xx = 2, .xy = 1, .yy = 3, .x = 0.25, .y = -0.5};
  for (const Ball ball : {Ball::none, Ball::disc, Ball::diamond})
    EXPECT_EQ(touching_point(q, ball, 1), (std::array{0.25, -0.5}));
  EXPECT_EQ(touching_point(q, Ball::disc, 0), (std::array{0.0, 0.0}));
}

RC_GTEST_PROP(TouchingPoint, HasTheLeastCostOfTheBorder, ()) {
  const auto some = [] { return *rc::gen::inRange(-40, 41) / 10.0; };
  const double a = 1 + std::abs(some()), b = some(), d = some();
  const Quadratic q{.xx = a * a + b * b, .xy = b * d, .yy = d * d + 0.5, .x = some(), .y = some(), .least = 2};
  for (const Ball ball : {Ball::disc, Ball::diamond}) {
    const double r = 0.3;
    const double size = ball == Ball::disc ? std::hypot(q.x, q.y) : std::abs(q.x) + std::abs(q.y);
    RC_PRE(size > r);
    const auto w = touching_point(q, ball, r);
    RC_ASSERT(std::abs((ball == Ball::disc ? std::hypot(w[0], w[1]) : std::abs(w[0]) + std::abs(w[1])) - r) < 1e-12);
    const double found = q(w[0], w[1]), best = tried(q, ball, r);
    RC_ASSERT(found <= best * (1 + 1e-12));
    RC_ASSERT(found >= best * (1 - 1e-4));
  }
}

TEST(CostPicture, HasAContourThroughThePointWhereTheBallIsTouched) {
  const Quadratic q{.xx = 2, .xy = 0.5, .yy = 1, .x = 2, .y = 1.5, .least = 1};
  const auto picture = cost_picture({.cost = q, .names = {"a", "b"}, .ball = Ball::diamond, .radius = 1});
  ASSERT_TRUE(picture) << picture.error().text();
  const auto touch = touching_point(q, Ball::diamond, 1);
  const Field* field = find_layer<Field>(*picture);
  ASSERT_NE(field, nullptr);
  double nearest = 1;
  for (const double level : field->levels) nearest = std::min(nearest, std::abs(level - q(touch[0], touch[1])));
  EXPECT_LT(nearest, 1e-12);
  EXPECT_THAT(svg(*picture).value(), HasSubstr("‖w‖₁ ≤ 1"));
}

TEST(CostPicture, ShowsTheWayOfADescent) {
  const auto picture = cost_picture({.cost = {.x = 1, .y = 1}, .ways = {{{-2, 0, 0.7}, {3, 1.5, 1.1}}}});
  ASSERT_TRUE(picture);
  const Line* line = find_layer<Line>(*picture);
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->x.size(), 3U);
  EXPECT_LE(picture->x.low, -2);
  EXPECT_GE(picture->y.high, 3);
}

TEST(CostPicture, RefusesAValleyAndNumbersThatAreNotFinite) {
  EXPECT_THAT(cost_picture({.cost = {.xx = 1, .xy = 1, .yy = 1}}).error().what, HasSubstr("no single lowest point"));
  EXPECT_FALSE(cost_picture({.cost = {.x = std::nan("")}}));
  EXPECT_FALSE(cost_picture({.ball = Ball::disc, .radius = -1}));
  EXPECT_FALSE(cost_picture({.ways = {{{1}, {}}}}));
}
