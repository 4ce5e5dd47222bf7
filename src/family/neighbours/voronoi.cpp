// The cell of a row is the part of the plane where no other row is nearer. Where distances are Euclidean after an
// affine map m of the plane, the border to another row is straight:
//   f(v) = |m(v) - m(a)|^2 - |m(v) - m(b)|^2  is affine in v,
// so the cell of a is the frame of the picture cut by f <= 0 for every other row b (Sutherland and Hodgman 1974). Rows
// are cut by in the order of their distance from a, and those more than twice as far as the farthest corner are left
// out. Cost: n^2 log n. Of rows at one place, the first in the order of neighbours has the cell.
#include "family/neighbours/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace recta::neighbours {
namespace {

constexpr Index kMostCells = 3000; // more of them are smaller than a dot

struct Place {
  double x = 0, y = 0;
};

struct Corner {
  Place at{};
  Index beyond = -1; // the row on the other side of the edge that begins here; -1: the frame
};
using Cell = std::vector<Corner>;

class Plane {
public:
  explicit Plane(const PlaneOfRows& rows) : rows_(rows) {}

  Place mapped(Place v) const {
    double row[2] = {v.x, v.y};
    (void)rows_.body.map(row, 0); // an affine map, defined everywhere
    return {row[0], row[1]};
  }
  Place site(Index row) const { return {rows_.body.points().row(row)[0], rows_.body.points().row(row)[1]}; }
  static double squared(Place a, Place b) { return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y); }

  Cell cell(Index of, std::vector<Index> others) const {
    const Place own = site(of);
    std::ranges::sort(others, {}, [&](Index b) { return std::pair(squared(own, site(b)), b); });
    Cell cell = {{{rows_.left, rows_.bottom}},
                 {{rows_.right, rows_.bottom}},
                 {{rows_.right, rows_.top}},
                 {{rows_.left, rows_.top}}};
    double reach = kInfinity;
    for (const Index b : others) {
      if (b == of) continue;
      const double apart = squared(own, site(b));
      if (apart > 4 * reach) break;
      if (!cut(cell, own, b)) continue;
      reach = 0;
      for (const Corner& corner : cell) reach = std::max(reach, squared(mapped(corner.at), own));
    }
    return cell;
  }

private:
  // Whether anything was cut off.
  bool cut(Cell& cell, Place own, Index b) const {
    const Place other = site(b);
    std::vector<double> f;
    for (const Corner& corner : cell) {
      const Place v = mapped(corner.at);
      f.push_back(squared(v, own) - squared(v, other));
    }
    if (std::ranges::none_of(f, [](double one) { return one > 0; })) return false;
    Cell kept;
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const std::size_t next = (i + 1) % cell.size();
      if (f[i] <= 0) kept.push_back(cell[i]);
      if ((f[i] <= 0) == (f[next] <= 0)) continue;
      const double share = f[i] / (f[i] - f[next]);
      const Place a = cell[i].at, c = cell[next].at;
      kept.push_back({{a.x + share * (c.x - a.x), a.y + share * (c.y - a.y)}, f[i] <= 0 ? b : cell[i].beyond});
    }
    cell = std::move(kept);
    return true;
  }

  const PlaneOfRows& rows_;
};

// Rows at places of their own, the first in the order of neighbours of those at one place.
std::vector<Index> sites(const Points& points) {
  std::map<std::pair<double, double>, Index> first;
  for (Index i = 0; i < points.rows; ++i) {
    const auto [found, is_new] = first.try_emplace({points.row(i)[0], points.row(i)[1]}, i);
    if (!is_new && points.before(i, found->second)) found->second = i;
  }
  std::vector<Index> out;
  for (const auto& [place, row] : first) out.push_back(row);
  std::ranges::sort(out);
  return out;
}

void add(std::vector<double>& x, std::vector<double>& y, Place v) {
  x.push_back(v.x), y.push_back(v.y);
}
void break_off(std::vector<double>& x, std::vector<double>& y) {
  add(x, y, {plot::kFromData, plot::kFromData});
}

} // namespace

Result<plot::Picture> voronoi_picture(const Model& model) {
  const auto plane = plane_of("voronoi", model);
  if (!plane) return std::unexpected(plane.error());
  const NeighbourBody& body = plane->body;
  const Settings& settings = body.settings();
  if (settings.k != 1)
    return fail(ErrorCode::usage, "voronoi",
                "cells belong to one nearest neighbour, and here more than one row answers",
                "fit with --k 1, or draw regions, which any k has");
  if (!straight_borders(settings.metric))
    return fail(ErrorCode::usage, "voronoi",
                fmt::format("the borders between cells are not straight lines by the metric {}", settings.metric.word),
                "draw regions, which any metric has, or take the metric euclidean");
  const std::vector<Index> rows = sites(body.points());
  if (std::ssize(rows) > kMostCells)
    return fail(ErrorCode::usage, "voronoi", fmt::format("{} cells are smaller than a dot", rows.size()),
                "draw regions, or thin the rows first: recta thin");

  const std::size_t classes = model.schema.classes.labels.size();
  std::vector<plot::Region> cells(std::max<std::size_t>(classes, 1));
  plot::Line border{.label = classes > 0 ? "border of the classes" : "", .colour = plot::kInk};
  const Plane cutter(*plane);
  for (const Index row : rows) {
    const auto place = classes > 0 ? static_cast<std::size_t>(body.target(row, 0)) : 0;
    const Cell cell = cutter.cell(row, rows);
    for (std::size_t i = 0; i < cell.size(); ++i) {
      add(cells[place].x, cells[place].y, cell[i].at);
      const Index beyond = cell[i].beyond;
      if (classes == 0 || beyond <= row || body.target(row, 0) == body.target(beyond, 0)) continue;
      add(border.x, border.y, cell[i].at);
      add(border.x, border.y, cell[(i + 1) % cell.size()].at);
      break_off(border.x, border.y);
    }
    break_off(cells[place].x, cells[place].y);
  }
  plot::Picture picture = framed(*plane);
  picture.title = fmt::format("Voronoi cells of {} rows", rows.size());
  picture.subtitle = fmt::format("{}, k = 1: a new row gets the {} of the row whose cell it lies in", model.word,
                                 model.schema.targets.at(0));
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k].colour = classes > 0 ? static_cast<int>(k) : plot::kSoft;
    if (!cells[k].x.empty()) picture.layers.emplace_back(std::move(cells[k]));
  }
  if (!border.x.empty()) picture.layers.emplace_back(std::move(border));
  add_rows(*plane, picture);
  return picture;
}

} // namespace recta::neighbours
