#include "plot/layers.hpp"

#include "plot/contour.hpp"
#include "plot/style.hpp"
#include "plot/text.hpp"
#include "plot/thin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace recta::plot {
namespace {

constexpr std::size_t kFewPoints = 2000, kManyPoints = 12'000, kLinePoints = 4000;
constexpr double kLongestLabel = 150;

Pixel at(const Frame& frame, double x, double y) {
  return {frame.x(x), frame.plane_height() - frame.y(y)};
}

// Stretches of points that can be shown.
std::vector<std::vector<Pixel>> stretches(const Frame& frame, const std::vector<double>& x,
                                          const std::vector<double>& y) {
  std::vector<std::vector<Pixel>> all(1);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (frame.x.holds(x[i]) && frame.y.holds(y[i])) {
      all.back().push_back(at(frame, x[i], y[i]));
    } else if (!all.back().empty()) {
      all.emplace_back();
    }
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

// "M1 2L3 4 5 6": after the first pair the letter is understood.
std::string path(const std::vector<Pixel>& points, bool closed) {
  std::string d;
  for (std::size_t i = 0; i < points.size(); ++i)
    d += fmt::format("{}{} {}", i == 0 ? "M" : i == 1 ? "L" : " ", pixels(points[i].x), pixels(points[i].y));
  return d + (points.size() == 1 ? "h0" : closed ? "Z" : "");
}

bool inside(const Frame& frame, Pixel p) {
  return p.x >= -4 && p.y >= -4 && p.x <= frame.plane_width() + 4 && p.y <= frame.plane_height() + 4;
}

void write_circles(std::string& out, const std::vector<Pixel>& points, int colour) {
  out += fmt::format("<g class=\"{}\" fill-opacity=\"{}\">\n", fill_class(colour), points.size() > 200 ? ".45" : ".7");
  const char* radius = points.size() > 200 ? "2.6" : "3.4";
  for (const Pixel& p : points)
    out += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", pixels(p.x), pixels(p.y), radius);
  out += "</g>\n";
}

// Dots that stand for more points are darker; one path per shade.
void write_crowd(std::string& out, const std::vector<Dot>& dots, int colour) {
  constexpr std::array<const char*, 4> kShades = {".3", ".5", ".75", "1"};
  std::array<std::string, 4> paths;
  std::size_t most = 1;
  for (const Dot& dot : dots) most = std::max(most, dot.count);
  for (const Dot& dot : dots) {
    const double depth = most > 1 ? std::log(static_cast<double>(dot.count)) / std::log(static_cast<double>(most)) : 0;
    paths[static_cast<std::size_t>(std::min(3.0, depth * 4))] +=
        fmt::format("M{} {}h0", pixels(dot.at.x), pixels(dot.at.y));
  }
  for (std::size_t k = 0; k < paths.size(); ++k) {
    if (paths[k].empty()) continue;
    out += fmt::format("<path class=\"dots {}\" stroke-width=\"3\" stroke-opacity=\"{}\" d=\"{}\"/>\n",
                       stroke_class(colour), kShades[k], paths[k]);
  }
}

void write(std::string& out, const Points& points, const Frame& frame) {
  std::vector<Pixel> all;
  for (const auto& stretch : stretches(frame, points.x, points.y))
    for (const Pixel& p : stretch)
      if (inside(frame, p)) all.push_back(p);
  if (all.size() <= kFewPoints) return write_circles(out, all, points.colour);
  write_crowd(out, thin_points(all, kManyPoints), points.colour);
}

void write(std::string& out, const Line& line, const Frame& frame) {
  std::string d;
  std::vector<Pixel> dots;
  for (const auto& stretch : stretches(frame, line.x, line.y)) {
    d += path(thin_line(stretch, kLinePoints), false);
    dots.insert(dots.end(), stretch.begin(), stretch.end());
  }
  const bool dashed = line.dashed || line.colour >= kColours; // the palette comes round again
  out += fmt::format("<path class=\"line {}{}\" d=\"{}\"/>\n", stroke_class(line.colour), dashed ? " dash" : "", d);
  if (line.dotted && dots.size() <= kFewPoints) write_circles(out, dots, line.colour);
}

void write(std::string& out, const Band& band, const Frame& frame) {
  std::vector<double> low = band.low;
  low.resize(std::min(low.size(), band.high.size()));
  for (std::size_t i = 0; i < low.size(); ++i) // a place is shown if both ends can be
    if (!frame.y.holds(band.high[i])) low[i] = kFromData;
  std::vector<double> high(band.high.begin(), band.high.begin() + static_cast<std::ptrdiff_t>(low.size()));
  for (std::size_t i = 0; i < low.size(); ++i)
    if (!frame.y.holds(low[i])) high[i] = kFromData;
  const auto below = stretches(frame, band.x, low), above = stretches(frame, band.x, high);
  std::string d;
  for (std::size_t k = 0; k < below.size(); ++k) {
    std::vector<Pixel> round = thin_line(above[k], kLinePoints);
    const std::vector<Pixel> back = thin_line(below[k], kLinePoints);
    round.insert(round.end(), back.rbegin(), back.rend());
    d += path(round, true);
  }
  out += fmt::format("<path class=\"{}\" fill-opacity=\".16\" d=\"{}\"/>\n", fill_class(band.colour), d);
}

void write(std::string& out, const Region& region, const Frame& frame) {
  std::string d;
  for (const auto& stretch : stretches(frame, region.x, region.y)) d += path(thin_line(stretch, kLinePoints), true);
  out += fmt::format("<path class=\"{}\" fill-opacity=\".18\" d=\"{}\"/>\n", fill_class(region.colour), d);
  out += fmt::format("<path class=\"thin {}\" d=\"{}\"/>\n", stroke_class(region.colour), d);
}

Grid grid_of(const Field& field, const Frame& frame) {
  Grid grid;
  for (Index i = 0; i < field.columns; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(field.columns - 1);
    grid.x.push_back(frame.x(field.left + share * (field.right - field.left)));
  }
  for (Index j = 0; j < field.rows; ++j) {
    const double share = static_cast<double>(j) / static_cast<double>(field.rows - 1);
    grid.y.push_back(frame.plane_height() - frame.y(field.bottom + share * (field.top - field.bottom)));
  }
  grid.values = field.values;
  return grid;
}

// To a tenth of a pixel: interpolation is no better, and there are many points.
std::string paths(std::vector<Contour> lines) {
  std::string d;
  for (Contour& line : lines) {
    for (Pixel& p : line.points) p = {std::round(10 * p.x) / 10, std::round(10 * p.y) / 10};
    d += path(line.points, line.closed);
  }
  return d;
}

void write(std::string& out, const Field& field, const Frame& frame) {
  const Grid grid = grid_of(field, frame);
  const std::size_t n = field.levels.size();
  for (std::size_t k = n; field.shaded && k-- > 0;) { // each lies inside the one before and darkens it
    out += fmt::format("<path class=\"{}\" fill-opacity=\"{}\" fill-rule=\"evenodd\" d=\"{}\"/>\n",
                       fill_class(field.colour), n > 6 ? ".05" : ".07", paths(below(grid, field.levels[k])));
  }
  for (const double level : field.levels)
    out += fmt::format("<path class=\"thin {}\" stroke-opacity=\".75\" d=\"{}\"/>\n", stroke_class(field.colour),
                       paths(contours(grid, level)));
}

constexpr Index kMostCells = 256; // in one direction; more are averaged, as nobody sees them apart
constexpr int kShades = 32;

// At most kMostCells by kMostCells, each the mean of those it stands for.
Cells thinned(const Cells& cells) {
  Cells few = cells;
  few.columns = std::min(cells.columns, kMostCells);
  few.rows = std::min(cells.rows, kMostCells);
  if (few.columns == cells.columns && few.rows == cells.rows) return few;
  few.values.assign(static_cast<std::size_t>(few.columns * few.rows), 0.0);
  std::vector<double> counts(few.values.size());
  for (Index r = 0; r < cells.rows; ++r)
    for (Index c = 0; c < cells.columns; ++c) {
      const double value = cells.values[static_cast<std::size_t>(r * cells.columns + c)];
      if (!std::isfinite(value)) continue;
      const Index to = r * few.rows / cells.rows * few.columns + c * few.columns / cells.columns;
      few.values[static_cast<std::size_t>(to)] += value;
      counts[static_cast<std::size_t>(to)] += 1;
    }
  for (std::size_t k = 0; k < counts.size(); ++k) few.values[k] = counts[k] > 0 ? few.values[k] / counts[k] : kFromData;
  return few;
}

// One path per shade; cells of one shade that touch in a row are one rectangle.
void write(std::string& out, const Cells& cells, const Frame& frame) {
  const Cells shown = thinned(cells);
  double low = shown.low, high = shown.high;
  for (const double value : shown.values) {
    if (!std::isfinite(value)) continue;
    if (!std::isfinite(shown.low)) low = std::isfinite(low) ? std::min(low, value) : value;
    if (!std::isfinite(shown.high)) high = std::isfinite(high) ? std::max(high, value) : value;
  }
  const auto shade = [&](double value) {
    if (!std::isfinite(value)) return 0;
    const double depth = high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
    return static_cast<int>(std::lround(depth * kShades));
  };
  const auto edge = [](double from, double to, Index part, Index parts) {
    return from + (to - from) * static_cast<double>(part) / static_cast<double>(parts);
  };
  std::array<std::string, kShades + 1> paths;
  for (Index r = 0; r < shown.rows; ++r) {
    const double* row = shown.values.data() + r * shown.columns;
    const double bottom = edge(shown.bottom, shown.top, r, shown.rows),
                 top = edge(shown.bottom, shown.top, r + 1, shown.rows);
    for (Index c = 0, end = 0; c < shown.columns; c = end) {
      for (end = c + 1; end < shown.columns && shade(row[end]) == shade(row[c]);) ++end;
      const Pixel a = at(frame, edge(shown.left, shown.right, c, shown.columns), top),
                  b = at(frame, edge(shown.left, shown.right, end, shown.columns), bottom);
      paths[static_cast<std::size_t>(shade(row[c]))] +=
          fmt::format("M{} {}H{}V{}H{}Z", pixels(a.x), pixels(a.y), pixels(b.x), pixels(b.y), pixels(a.x));
    }
  }
  for (std::size_t k = 1; k < paths.size(); ++k) // those of shade 0 are paper
    if (!paths[k].empty())
      out += fmt::format("<path class=\"{}\" shape-rendering=\"crispEdges\" fill-opacity=\"{}\" d=\"{}\"/>\n",
                         fill_class(shown.colour), pixels(static_cast<double>(k) / kShades), paths[k]);
}

void write(std::string& out, const Mark& mark, const Frame& frame) {
  const Pixel p = at(frame, mark.x, mark.y);
  out += fmt::format(
      "<circle class=\"paper\" cx=\"{0}\" cy=\"{1}\" r=\"6.5\"/>\n<circle class=\"{2}\" cx=\"{0}\" cy=\"{1}\" "
      "r=\"5\"/>\n",
      pixels(p.x), pixels(p.y), fill_class(mark.colour));
}

void write(std::string& out, const Rule& rule, const Frame& frame) {
  const std::string d = rule.upright ? fmt::format("M{} 0v{}", pixels(frame.x(rule.at)), pixels(frame.plane_height()))
                                     : fmt::format("M0 {}h{}", pixels(frame.plane_height() - frame.y(rule.at)),
                                                   pixels(frame.plane_width()));
  out += fmt::format("<path class=\"thin soft{}\" d=\"{}\"/>\n", rule.dashed ? " dash" : "", d);
}

// Words over lines: their outline in the colour of the paper first.
void words(std::string& out, Pixel p, const char* anchor, std::string_view text, const std::string& colour) {
  const std::string place = fmt::format("x=\"{}\" y=\"{}\" text-anchor=\"{}\"", pixels(p.x), pixels(p.y), anchor);
  const std::string shown = escaped(fitted(text, kTextSize, 2 * kLongestLabel));
  out += fmt::format("<text class=\"halo\" {0}>{1}</text>\n<text class=\"name {2}\" {0}>{1}</text>\n", place, shown,
                     colour);
}

bool any_place(const Frame& frame, const std::vector<double>& x, const std::vector<double>& y) {
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (frame.x.holds(x[i]) && frame.y.holds(y[i])) return true;
  return false;
}

struct Name {
  const Line* line;
  double y;
};

// Pushes names apart, upward from below where the lowest would fall out.
void spread(std::vector<Name>& names, double height) {
  // Not stable_sort: clang finds the buffer g++ 12 takes for it deprecated. Lines lie in one array, in order.
  std::ranges::sort(names, {}, [](const Name& name) { return std::pair(name.y, name.line); });
  const double apart = std::min(16.0, height / static_cast<double>(names.size()));
  for (std::size_t k = 1; k < names.size(); ++k) names[k].y = std::max(names[k].y, names[k - 1].y + apart);
  double floor = height;
  for (std::size_t k = names.size(); k-- > 0;) {
    names[k].y = std::min(names[k].y, floor);
    floor = names[k].y - apart;
  }
}

} // namespace

bool drawable(const Layer& layer, const Frame& frame) {
  if (const Band* b = std::get_if<Band>(&layer))
    return any_place(frame, b->x, b->low) && any_place(frame, b->x, b->high);
  if (const Field* f = std::get_if<Field>(&layer))
    return std::ranges::any_of(f->values, [](double v) { return std::isfinite(v); });
  if (const Cells* c = std::get_if<Cells>(&layer))
    return std::ranges::any_of(c->values, [](double v) { return std::isfinite(v); });
  if (const Mark* m = std::get_if<Mark>(&layer)) return frame.x.holds(m->x) && frame.y.holds(m->y);
  if (const Rule* r = std::get_if<Rule>(&layer)) return r->upright ? frame.x.holds(r->at) : frame.y.holds(r->at);
  if (const Points* p = std::get_if<Points>(&layer)) return any_place(frame, p->x, p->y);
  if (const Line* l = std::get_if<Line>(&layer)) return any_place(frame, l->x, l->y);
  const Region& region = std::get<Region>(layer);
  return any_place(frame, region.x, region.y);
}

void write_layer(std::string& out, const Layer& layer, const Frame& frame) {
  if (drawable(layer, frame)) std::visit([&](const auto& l) { write(out, l, frame); }, layer);
}

void write_words(std::string& out, const Layer& layer, const Frame& frame) {
  if (!drawable(layer, frame)) return;
  if (const Mark* mark = std::get_if<Mark>(&layer); mark != nullptr && !mark->text.empty()) {
    const Pixel p = at(frame, mark->x, mark->y);
    const double width = text_width(mark->text, kTextSize);
    const bool left = p.x + 12 + width > frame.plane_width() && p.x - 12 - width > 0;
    words(out, {left ? p.x - 11 : p.x + 11, std::max(12.0, p.y - 7)}, left ? "end" : "start", mark->text,
          fill_class(mark->colour));
  }
  if (const Rule* rule = std::get_if<Rule>(&layer); rule != nullptr && !rule->text.empty()) {
    const double width = frame.plane_width(), height = frame.plane_height();
    const double beside = frame.x(rule->at);
    const bool right = rule->upright && beside + 6 + text_width(rule->text, kTextSize) <= width;
    const Pixel p =
        rule->upright ? Pixel{right ? beside + 6 : beside - 6, 13} : Pixel{width - 4, height - frame.y(rule->at) - 6};
    words(out, p, right ? "start" : "end", rule->text, "fsoft");
  }
}

void write_names(std::string& out, const std::vector<Layer>& layers, const Frame& frame) {
  std::vector<Name> names;
  for (const Layer& layer : layers) {
    const Line* line = std::get_if<Line>(&layer);
    if (line == nullptr || line->label.empty()) continue;
    const auto parts = stretches(frame, line->x, line->y);
    if (!parts.empty()) names.push_back({line, std::clamp(parts.back().back().y, 0.0, frame.plane_height())});
  }
  if (names.empty()) return;
  spread(names, frame.plane_height());
  for (const Name& name : names)
    out += fmt::format("<text class=\"name {}\" x=\"{}\" y=\"{}\">{}</text>\n", fill_class(name.line->colour),
                       pixels(frame.left + frame.plane_width() + 8), pixels(frame.top + name.y + 4.5),
                       escaped(fitted(name.line->label, kTextSize, kLongestLabel)));
}

} // namespace recta::plot
