#include "plot/contour.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace recta::plot {
namespace {

constexpr std::int64_t kNone = -1;

class March {
public:
  March(const Grid& grid, double level)
      : grid_(grid), level_(level), columns_(static_cast<std::int64_t>(grid.x.size())),
        rows_(static_cast<std::int64_t>(grid.y.size())), next_(static_cast<std::size_t>(2 * columns_ * rows_), kNone),
        entered_(next_.size(), false) {}

  std::vector<Contour> run() {
    for (std::int64_t j = 0; j + 1 < rows_; ++j)
      for (std::int64_t i = 0; i + 1 < columns_; ++i) square(i, j);
    std::vector<Contour> lines;
    for (std::size_t e = 0; e < next_.size(); ++e) // those that begin at the border first
      if (next_[e] != kNone && !entered_[e]) lines.push_back(follow(static_cast<std::int64_t>(e)));
    for (std::size_t e = 0; e < next_.size(); ++e)
      if (next_[e] != kNone) lines.push_back(follow(static_cast<std::int64_t>(e)));
    return lines;
  }

private:
  double value(std::int64_t i, std::int64_t j) const {
    return grid_.values[static_cast<std::size_t>(j * columns_ + i)];
  }
  // An edge is called by its first corner: across from (i, j) to (i + 1, j), or up to (i, j + 1).
  std::int64_t across(std::int64_t i, std::int64_t j) const { return 2 * (j * columns_ + i); }
  std::int64_t up(std::int64_t i, std::int64_t j) const { return across(i, j) + 1; }

  void piece(std::int64_t from, std::int64_t to) {
    next_[static_cast<std::size_t>(from)] = to;
    entered_[static_cast<std::size_t>(to)] = true;
  }

  void square(std::int64_t i, std::int64_t j) {
    const std::array<double, 4> v = {value(i, j), value(i + 1, j), value(i + 1, j + 1), value(i, j + 1)};
    if (!std::ranges::all_of(v, [](double a) { return std::isfinite(a); })) return;
    const std::array<std::int64_t, 4> edge = {across(i, j), up(i + 1, j), across(i, j + 1), up(i, j)};
    std::array<bool, 4> low{};
    for (std::size_t k = 0; k < 4; ++k) low[k] = v[k] < level_;
    const bool saddle = low[0] == low[2] && low[1] == low[3] && low[0] != low[1];
    const bool middle = v[0] / 4 + v[1] / 4 + v[2] / 4 + v[3] / 4 < level_;
    // Going round against the clock, a line leaves through the edge where low ends and comes in where low begins.
    for (std::size_t k = 0; k < 4; ++k) {
      if (!low[k] || low[(k + 1) % 4]) continue; // low ends on edge k
      std::size_t begin = (k + 3) % 4;           // where this stretch of low corners begins
      while (!(low[(begin + 1) % 4] && !low[begin])) begin = (begin + 3) % 4;
      if (saddle && middle) begin = (k + 1) % 4; // both low corners are one piece: cut off the high one instead
      piece(edge[k], edge[begin]);
    }
  }

  Pixel crossing(std::int64_t edge) const {
    const std::int64_t node = edge / 2, i = node % columns_, j = node / columns_;
    const bool is_up = edge % 2 == 1;
    const double a = value(i, j), b = is_up ? value(i, j + 1) : value(i + 1, j);
    const double t = std::clamp((level_ / 2 - a / 2) / (b / 2 - a / 2), 0.0, 1.0);
    const auto ui = static_cast<std::size_t>(i), uj = static_cast<std::size_t>(j);
    if (is_up) return {grid_.x[ui], grid_.y[uj] + t * (grid_.y[uj + 1] - grid_.y[uj])};
    return {grid_.x[ui] + t * (grid_.x[ui + 1] - grid_.x[ui]), grid_.y[uj]};
  }

  Contour follow(std::int64_t edge) {
    Contour line;
    const std::int64_t start = edge;
    while (edge != kNone) {
      line.points.push_back(crossing(edge));
      edge = std::exchange(next_[static_cast<std::size_t>(edge)], kNone);
      if (edge == start) {
        line.closed = true;
        break;
      }
    }
    return line;
  }

  const Grid& grid_;
  double level_;
  std::int64_t columns_, rows_;
  std::vector<std::int64_t> next_;
  std::vector<bool> entered_;
};

std::vector<double> with_ends(const std::vector<double>& at) {
  std::vector<double> out = {at.front()};
  out.insert(out.end(), at.begin(), at.end());
  out.push_back(at.back());
  return out;
}

} // namespace

std::vector<Contour> contours(const Grid& grid, double level) {
  return March(grid, level).run();
}

std::vector<Contour> below(const Grid& grid, double level) {
  constexpr double kHigh = std::numeric_limits<double>::max();
  // A frame of high values on the border itself: it has no width, so lines are closed along the border.
  const std::size_t columns = grid.x.size(), rows = grid.y.size();
  Grid framed{with_ends(grid.x), with_ends(grid.y), std::vector<double>((columns + 2) * (rows + 2), kHigh)};
  for (std::size_t j = 0; j < rows; ++j)
    for (std::size_t i = 0; i < columns; ++i) {
      const double value = grid.values[j * columns + i];
      if (std::isfinite(value)) framed.values[(j + 1) * (columns + 2) + i + 1] = value;
    }
  return contours(framed, level);
}

} // namespace recta::plot
