#include "plot/space.hpp"

#include "plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace recta::plot {
namespace {

constexpr double kTurn = std::numbers::pi / 9, kTilt = std::numbers::pi / 9;
constexpr double kBesidePoints = 0.08; // of the range of the points, on either side, as regions have it

double dot(const InSpace& a, const InSpace& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

InSpace cross(const InSpace& a, const InSpace& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

InSpace minus(const InSpace& a, const InSpace& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

// The place inside the unit cube as one in the box.
InSpace in_box(const Box& box, const InSpace& u) {
  InSpace point;
  for (std::size_t j = 0; j < 3; ++j) point[j] = box.low[j] + u[j] * (box.high[j] - box.low[j]);
  return point;
}

struct Edge {
  InSpace from; // a corner of the unit cube
  std::size_t along;
};

// All twelve; those from the corner (0, 0, 0) are the axes.
std::vector<Edge> edges() {
  std::vector<Edge> all;
  for (std::size_t j = 0; j < 3; ++j)
    for (const double a : {0.0, 1.0})
      for (const double b : {0.0, 1.0}) {
        InSpace from{};
        from[(j + 1) % 3] = a, from[(j + 2) % 3] = b;
        all.push_back({from, j});
      }
  return all;
}

// Corners of a flat convex figure with the normal w, by the angle at which its middle sees them.
void put_in_order(std::vector<InSpace>& corners, const InSpace& w) {
  InSpace middle{};
  for (const InSpace& corner : corners)
    for (std::size_t j = 0; j < 3; ++j) middle[j] += corner[j] / static_cast<double>(corners.size());
  const InSpace first = minus(corners[0], middle), second = cross(w, first);
  const double length = std::sqrt(dot(w, w)); // the second is so many times as long as the first
  std::ranges::sort(corners, {}, [&](const InSpace& corner) {
    const InSpace from = minus(corner, middle);
    return std::atan2(dot(from, second) / length, dot(from, first));
  });
}

} // namespace

Box box_around(std::span<const InSpace> points) {
  Box box;
  for (std::size_t j = 0; j < 3; ++j) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const InSpace& point : points)
      if (std::ranges::all_of(point, [](double value) { return std::isfinite(value); }))
        low = std::min(low, point[j]), high = std::max(high, point[j]);
    const double room = high > low ? kBesidePoints * (high - low) : 1;
    box.low[j] = low - room, box.high[j] = high + room;
  }
  return box;
}

OnPaper on_paper(const Box& box, const InSpace& point) {
  InSpace u;
  for (std::size_t j = 0; j < 3; ++j) u[j] = (point[j] - box.low[j]) / (box.high[j] - box.low[j]);
  return {.across = -std::sin(kTurn) * u[0] + std::cos(kTurn) * u[1],
          .up = -std::sin(kTilt) * (std::cos(kTurn) * u[0] + std::sin(kTurn) * u[1]) + std::cos(kTilt) * u[2]};
}

std::vector<InSpace> corners_of_plane(const Box& box, const InSpace& w, double value) {
  InSpace slope; // of the plane's equation <slope, u> = rest inside the unit cube
  for (std::size_t j = 0; j < 3; ++j) slope[j] = w[j] * (box.high[j] - box.low[j]);
  const double rest = value - dot(w, box.low);
  std::vector<InSpace> corners;
  for (const Edge& edge : edges()) {
    const double before = dot(slope, edge.from) - rest, after = before + slope[edge.along];
    if ((before <= 0) == (after <= 0)) continue;
    InSpace u = edge.from;
    u[edge.along] = std::clamp(-before / slope[edge.along], 0.0, 1.0);
    corners.push_back(u);
  }
  if (corners.size() < 3) return {};
  put_in_order(corners, slope);
  for (InSpace& corner : corners) corner = in_box(box, corner);
  return corners;
}

void draw_box(Picture& picture, const Box& box, const std::vector<std::string>& names) {
  picture.x.names = picture.y.names = {""};
  picture.same_unit = true;
  Region outline{.colour = kSoft}; // a line there and back for every edge: thinner than a line of the plot
  std::vector<Layer> axes;
  for (const Edge& edge : edges()) {
    InSpace to = edge.from;
    to[edge.along] = 1;
    const OnPaper a = on_paper(box, in_box(box, edge.from)), b = on_paper(box, in_box(box, to));
    if (edge.from == InSpace{}) {
      const std::size_t j = edge.along;
      axes.emplace_back(Line{.x = {a.across, b.across}, .y = {a.up, b.up}, .colour = kInk});
      axes.emplace_back(
          Mark{.x = b.across,
               .y = b.up,
               .text = fmt::format("{} from {} to {}", names[j], rounded(box.low[j], 3), rounded(box.high[j], 3))});
    } else {
      outline.x.insert(outline.x.end(), {a.across, b.across, kFromData});
      outline.y.insert(outline.y.end(), {a.up, b.up, kFromData});
    }
  }
  picture.layers.emplace_back(std::move(outline));
  std::ranges::move(axes, std::back_inserter(picture.layers));
}

} // namespace recta::plot
