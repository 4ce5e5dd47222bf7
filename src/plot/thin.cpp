#include "plot/thin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace recta::plot {
namespace {

// Positions of the leftmost, rightmost, lowest and highest point.
std::array<std::size_t, 4> outermost(const std::vector<Pixel>& points) {
  std::array<std::size_t, 4> best{};
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].x < points[best[0]].x) best[0] = i;
    if (points[i].x > points[best[1]].x) best[1] = i;
    if (points[i].y < points[best[2]].y) best[2] = i;
    if (points[i].y > points[best[3]].y) best[3] = i;
  }
  return best;
}

// One dot per cell, the first that fell into it.
std::vector<Dot> by_cell(const std::vector<Dot>& dots, double cell) {
  using Key = std::pair<std::int64_t, std::size_t>; // the cell, and which dot
  std::vector<Key> keys(dots.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto column = static_cast<std::int64_t>(std::floor(dots[i].at.x / cell));
    const auto row = static_cast<std::int64_t>(std::floor(dots[i].at.y / cell));
    keys[i] = {row * (std::int64_t{1} << 31) + column, i};
  }
  std::ranges::sort(keys);
  std::vector<Dot> kept;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Dot& dot = dots[keys[k].second];
    if (k > 0 && keys[k].first == keys[k - 1].first) {
      kept.back().count += dot.count;
    } else {
      kept.push_back(dot);
    }
  }
  return kept;
}

void add_new(std::vector<Pixel>& out, Pixel p) {
  if (out.empty() || out.back() != p) out.push_back(p);
}

std::vector<Pixel> by_column(const std::vector<Pixel>& points) {
  std::vector<Pixel> out;
  for (std::size_t k = 0; k < points.size();) {
    std::size_t end = k, low = k, high = k;
    for (; end < points.size() && std::floor(points[end].x) == std::floor(points[k].x); ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    std::array<std::size_t, 4> kept = {k, low, high, end - 1};
    std::ranges::sort(kept);
    for (const std::size_t i : kept) add_new(out, points[i]);
    k = end;
  }
  return out;
}

std::vector<Pixel> by_distance(const std::vector<Pixel>& points, double apart) {
  const auto ends = outermost(points);
  std::vector<Pixel> out = {points.front()};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double distance = std::hypot(points[i].x - out.back().x, points[i].y - out.back().y);
    const bool kept = i + 1 == points.size() || std::ranges::find(ends, i) != ends.end();
    if (distance >= apart || kept) add_new(out, points[i]);
  }
  return out;
}

} // namespace

std::vector<Dot> thin_points(const std::vector<Pixel>& points, std::size_t most) {
  std::vector<Dot> dots;
  for (const Pixel& p : points) dots.push_back({p, 1});
  if (points.size() <= most) return dots;
  for (double cell = 1; dots.size() + 4 > most && cell < 64; cell *= 1.5) dots = by_cell(dots, cell);
  for (const std::size_t i : outermost(points)) {
    const bool there = std::ranges::any_of(dots, [&](const Dot& dot) { return dot.at == points[i]; });
    if (!there) dots.push_back({points[i], 1});
  }
  return dots;
}

std::vector<Pixel> thin_line(const std::vector<Pixel>& points, std::size_t most) {
  if (points.size() <= most) return points;
  if (std::ranges::is_sorted(points, {}, &Pixel::x)) return by_column(points);
  double apart = 0.05;
  std::vector<Pixel> out = by_distance(points, apart);
  while (out.size() > most && apart < 8) out = by_distance(points, apart *= 2);
  return out;
}

} // namespace recta::plot
