// The cost of two weights: its contours, the ball of a penalty with the point where they touch, the path of a descent.
//
// Contours are those of least + (k / m)^2 (cost at the point that matters - least): ellipses at even distances, the
// m-th through the point where the ball is touched, or through the start of a descent.
//
// In a disc the point of least cost solves (H + mu I) w = H c with |w| = radius, and |w| falls as mu grows: bisection.
// On a diamond it is the best of four edges, each a quadratic of one variable.
#include "base/guard.hpp"
#include "plot/text.hpp"

#include <recta/plot.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace recta::plot {
namespace {

using Point = std::array<double, 2>;

constexpr Index kGridColumns = 121, kGridRows = 81, kFewer = 61; // fewer where the cost is a sum over rows
constexpr std::size_t kDots = 200;                               // steps of a way that has a dot on each
constexpr double kAspect = 1.6;                                  // of the plane, about

// (H + mu I)^-1 H c
Point shrunk(const Quadratic& q, double mu) {
  const double a = q.xx + mu, b = q.xy, d = q.yy + mu;
  const double right = q.xx * q.x + q.xy * q.y, up = q.xy * q.x + q.yy * q.y;
  const double determinant = a * d - b * b;
  return {(d * right - b * up) / determinant, (a * up - b * right) / determinant};
}

Point in_disc(const Quadratic& q, double radius) {
  double low = 0, high = 1;
  const auto length = [&](double mu) {
    const Point w = shrunk(q, mu);
    return std::hypot(w[0], w[1]);
  };
  while (length(high) > radius && high < 1e300) high *= 4;
  for (int k = 0; k < 200 && low < high; ++k) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (length(middle) > radius ? low : high) = middle;
  }
  const Point w = shrunk(q, high);
  const double stretch = radius / std::hypot(w[0], w[1]);
  return {w[0] * stretch, w[1] * stretch};
}

Point on_edge(const Quadratic& q, Point from, Point to) {
  const double ux = to[0] - from[0], uy = to[1] - from[1];
  const double bend = q.xx * ux * ux + 2 * q.xy * ux * uy + q.yy * uy * uy;
  const double dx = q.x - from[0], dy = q.y - from[1];
  const double slope = (q.xx * dx + q.xy * dy) * ux + (q.xy * dx + q.yy * dy) * uy;
  const double t = bend > 0 ? std::clamp(slope / bend, 0.0, 1.0) : 0;
  if (t == 1) return to; // a corner is exact
  return {from[0] + t * ux, from[1] + t * uy};
}

Point on_diamond(const Quadratic& q, double r) {
  const std::array<Point, 4> corners = {{{r, 0}, {0, r}, {-r, 0}, {0, -r}}};
  Point best = corners[0];
  for (std::size_t k = 0; k < 4; ++k) {
    const Point w = on_edge(q, corners[k], corners[(k + 1) % 4]);
    if (q(w[0], w[1]) < q(best[0], best[1])) best = w;
  }
  return best;
}

Region region_of(Ball ball, double r) {
  if (ball == Ball::diamond) return {{r, 0, -r, 0}, {0, r, 0, -r}, fmt::format("‖w‖₁ ≤ {}", rounded(r, 3)), 1};
  Region disc{.label = fmt::format("‖w‖₂ ≤ {}", rounded(r, 3)), .colour = 1};
  for (int k = 0; k < 240; ++k) {
    const double angle = 2 * std::numbers::pi * k / 240;
    disc.x.push_back(r * std::cos(angle));
    disc.y.push_back(r * std::sin(angle));
  }
  return disc;
}

struct Box {
  double left, right, bottom, top;
  void take(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    left = std::min(left, x), right = std::max(right, x);
    bottom = std::min(bottom, y), top = std::max(top, y);
  }
};

double cost_at(const CostPicture& what, double x, double y) {
  return what.exact ? what.exact(x, y) : what.cost(x, y);
}

// Around the centre, the ball and the paths, with a margin, and no flat side.
Box box_of(const CostPicture& what) {
  const Quadratic& q = what.cost;
  Box box{q.x, q.x, q.y, q.y};
  if (!what.known && !what.ways.empty() && !what.ways[0].x.empty())
    box = {what.ways[0].x[0], what.ways[0].x[0], what.ways[0].y[0], what.ways[0].y[0]};
  for (const Way& way : what.ways)
    for (std::size_t k = 0; k < way.x.size(); ++k) box.take(way.x[k], way.y[k]);
  if (what.ball != Ball::none) box.take(what.radius, what.radius), box.take(-what.radius, -what.radius);
  const double size = std::max({box.right - box.left, box.top - box.bottom, 1e-12 * (std::abs(q.x) + std::abs(q.y))});
  const double least = size > 0 ? 0.2 * size : 1; // if all points are one, and along a flat side
  const bool single = box.right == box.left && box.top == box.bottom;
  const double x_air = single ? std::max(std::abs(q.x), 0.5) : std::max(0.25 * (box.right - box.left), least);
  const double y_air = single ? std::max(std::abs(q.y), 0.5) : std::max(0.25 * (box.top - box.bottom), least);
  return {box.left - x_air, box.right + x_air, box.bottom - y_air, box.top + y_air};
}

bool comparable(const Box& box) {
  const double ratio = (box.right - box.left) / (box.top - box.bottom);
  return ratio > 1.0 / 4 && ratio < 8;
}

// Makes one unit as long on both axes: wider or higher, until the plane is filled.
Box filled(Box box) {
  const double width = box.right - box.left, height = box.top - box.bottom;
  const double x = std::max(0.0, kAspect * height - width) / 2, y = std::max(0.0, width / kAspect - height) / 2;
  return {box.left - x, box.right + x, box.bottom - y, box.top + y};
}

// A little more than the box: the plane is not quite of the aspect assumed.
Field field_of(const CostPicture& what, const Box& box, double rise) {
  const double dx = 0.2 * (box.right - box.left), dy = 0.2 * (box.top - box.bottom);
  Field field{.left = box.left - dx, .right = box.right + dx, .bottom = box.bottom - dy, .top = box.top + dy};
  field.columns = what.exact ? kFewer : kGridColumns, field.rows = what.exact ? kFewer : kGridRows;
  field.label = "equal cost", field.colour = 0, field.shaded = true;
  double highest = 0, least = what.cost.least;
  const auto last = [](Index count) { return static_cast<double>(count - 1); };
  for (Index j = 0; j < field.rows; ++j)
    for (Index i = 0; i < field.columns; ++i) {
      const double x = field.left + (field.right - field.left) * static_cast<double>(i) / last(field.columns);
      const double y = field.bottom + (field.top - field.bottom) * static_cast<double>(j) / last(field.rows);
      field.values.push_back(cost_at(what, x, y));
      highest = std::max(highest, field.values.back());
    }
  if (what.exact) least = std::ranges::min(field.values);
  if (what.exact && !(rise > 0.05 * (highest - least))) rise = (highest - least) / 4;
  constexpr int kThrough = 3, kMost = 12; // the third passes through the point that matters
  for (int k = 1; k <= kMost; ++k) {
    const double share = static_cast<double>(k) / kThrough;
    const double level = least + share * share * rise;
    if (level < highest) field.levels.push_back(level);
  }
  return field;
}

Result<void> check(const CostPicture& what) {
  const Quadratic& q = what.cost;
  for (const double number : {q.xx, q.xy, q.yy, q.x, q.y, q.least})
    if (!std::isfinite(number)) return fail(ErrorCode::bad_data, "plot", "the cost has a number that is not finite");
  if (!what.exact && !(q.xx > 0 && q.yy > 0 && q.xx * q.yy - q.xy * q.xy > 0))
    return fail(ErrorCode::bad_data, "plot",
                "the cost has no single lowest point: one weight can stand in for the other",
                "leave out one of the two features");
  if (what.ball != Ball::none && !(what.radius >= 0 && std::isfinite(what.radius)))
    return fail(ErrorCode::bad_data, "plot", fmt::format("{} is not a radius", what.radius),
                "give a number from zero up");
  for (const Way& way : what.ways)
    if (way.x.size() != way.y.size())
      return fail(ErrorCode::bad_data, "plot",
                  fmt::format("a path has {} values of one weight and {} of the other", way.x.size(), way.y.size()));
  return {};
}

Picture drawn(const CostPicture& what) {
  const Quadratic& q = what.cost;
  const Box data_box = box_of(what);
  const Box box = comparable(data_box) ? filled(data_box) : data_box;
  const bool ball = what.ball != Ball::none;
  const Point touch = touching_point(q, what.ball, what.radius);
  double rise = q(touch[0], touch[1]) - q.least;
  for (const Way& way : what.ways)
    if (!way.x.empty() && std::isfinite(way.x[0] + way.y[0]))
      rise = std::max(rise, cost_at(what, way.x[0], way.y[0]) - q.least);
  if (!(rise > 0) && !what.exact) rise = (q(box.right, q.y) - q.least + q(q.x, box.top) - q.least) / 2;

  Picture picture{.x = {.label = what.names[0], .low = box.left, .high = box.right},
                  .y = {.label = what.names[1], .low = box.bottom, .high = box.top}};
  picture.same_unit = comparable(data_box);
  picture.height = 520;
  picture.layers.emplace_back(field_of(what, box, rise));
  if (ball) picture.layers.insert(picture.layers.end(), {Rule{.at = 0, .upright = true}, Rule{.at = 0}});
  if (ball) picture.layers.emplace_back(region_of(what.ball, what.radius));
  int colour = 1;
  for (const Way& way : what.ways)
    picture.layers.emplace_back(
        Line{.x = way.x, .y = way.y, .label = way.label, .colour = colour++, .dotted = way.x.size() <= kDots});
  if (what.known) picture.layers.emplace_back(Mark{.x = q.x, .y = q.y, .text = "least cost"});
  if (ball)
    picture.layers.emplace_back(Mark{.x = touch[0], .y = touch[1], .text = "least cost with the penalty", .colour = 1});
  for (const Way& way : what.ways)
    if (!way.x.empty() && &way == &what.ways.front())
      picture.layers.emplace_back(Mark{.x = way.x[0], .y = way.y[0], .text = "start", .colour = 1});
  picture.title = ball                    ? "Where the cost meets its penalty"
                  : what.ways.empty()     ? "The cost of two weights"
                  : what.ways.size() == 1 ? "The way of a descent"
                                          : "The ways of descents";
  return picture;
}

} // namespace

double Quadratic::operator()(double at_x, double at_y) const {
  const double dx = at_x - x, dy = at_y - y;
  return least + (xx * dx * dx + 2 * xy * dx * dy + yy * dy * dy) / 2;
}

std::array<double, 2> touching_point(const Quadratic& q, Ball ball, double radius) {
  const double size = ball == Ball::diamond ? std::abs(q.x) + std::abs(q.y) : std::hypot(q.x, q.y);
  if (ball == Ball::none || size <= radius) return {q.x, q.y};
  if (!(radius > 0)) return {0, 0};
  return ball == Ball::disc ? in_disc(q, radius) : on_diamond(q, radius);
}

Result<Picture> cost_picture(const CostPicture& what) {
  return guarded("plot", cure::kFree, [&]() -> Result<Picture> {
    if (auto good = check(what); !good) return std::unexpected(good.error());
    return drawn(what);
  });
}

} // namespace recta::plot
