#include "base/guard.hpp"
#include "plot/style.hpp"
#include "plot/text.hpp"

#include <recta/heat_map.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::plot {
namespace {

constexpr Index kMostSquares = 150;                    // along a side
constexpr double kSide = 460, kTop = 74, kNames = 150; // of the plane, above it, and left of it for names
constexpr double kScaleWidth = 16, kScaleRoom = 130;   // the bar of shades, and what stands right of the plane

struct Squares {
  Index count = 0;
  std::vector<double> values;
  double low = 0, high = 0;
};

// Means over blocks of pairs; NaN: no number is finite.
Squares squares_of(const HeatMap& map) {
  Squares out{std::min(map.rows, kMostSquares),
              {},
              std::numeric_limits<double>::infinity(),
              -std::numeric_limits<double>::infinity()};
  const auto first = [&](Index square) { return square * map.rows / out.count; };
  for (Index a = 0; a < out.count; ++a)
    for (Index b = 0; b < out.count; ++b) {
      double sum = 0, finite = 0;
      for (Index i = first(a); i < first(a + 1); ++i)
        for (Index j = first(b); j < first(b + 1); ++j)
          if (const double v = map.values[static_cast<std::size_t>(i * map.rows + j)]; std::isfinite(v))
            sum += v, ++finite;
      const double mean = sum / finite;
      out.values.push_back(mean);
      if (finite > 0) out.low = std::min(out.low, mean), out.high = std::max(out.high, mean);
    }
  return out;
}

void write_squares(std::string& out, const Squares& squares, double left) {
  const double size = kSide / static_cast<double>(squares.count), range = squares.high - squares.low;
  out += fmt::format("<g class=\"{}\">\n", fill_class(0));
  for (Index a = 0; a < squares.count; ++a)
    for (Index b = 0; b < squares.count; ++b) {
      const double value = squares.values[static_cast<std::size_t>(a * squares.count + b)];
      const double shade = range > 0 ? (value - squares.low) / range : 1;
      if (!(shade >= 0.005)) continue; // paper; NaN too
      out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"{:.2f}\"/>\n",
                         pixels(left + static_cast<double>(b) * size), pixels(kTop + static_cast<double>(a) * size),
                         pixels(size + 0.3), pixels(size + 0.3), shade);
    }
  out += "</g>\n";
}

void write_scale(std::string& out, const Squares& squares, double left) {
  constexpr int kSteps = 24;
  const double height = kSide / 2, step = height / kSteps;
  out += fmt::format("<g class=\"{}\">\n", fill_class(0));
  for (int k = 0; k < kSteps; ++k)
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\"{:.2f}\"/>\n", pixels(left),
                       pixels(kTop + step * k), pixels(kScaleWidth), pixels(step + 0.3), 1 - (k + 0.5) / kSteps);
  out += "</g>\n";
  for (const auto& [value, y] : {std::pair{squares.high, kTop + 10}, std::pair{squares.low, kTop + height}})
    out += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", pixels(left + kScaleWidth + 6), pixels(y),
                       escaped(rounded(value, 3)));
}

// The names of groups beside their middle, and lines between groups. Names that would lie on one another are left out.
void write_groups(std::string& out, const HeatMap& map, double left) {
  const double size = kSide / static_cast<double>(map.rows);
  double free = kTop;
  for (Index from = 0, to = 0; from < map.rows; from = to) {
    const std::string& name = map.names[static_cast<std::size_t>(from)];
    while (to < map.rows && map.names[static_cast<std::size_t>(to)] == name) ++to;
    const double middle = kTop + size * static_cast<double>(from + to) / 2;
    if (middle - kSmallSize / 2 >= free - 1) {
      out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", pixels(left - 8),
                         pixels(middle + 4), escaped(fitted(name, kSmallSize, kNames - 20)));
      free = middle + kSmallSize / 2;
    }
    if (to == map.rows || to - from < 2) continue;
    const double border = size * static_cast<double>(to);
    out += fmt::format("<path class=\"thin ink\" d=\"M{0} {1}h{2}M{3} {4}v{2}\"/>\n", pixels(left),
                       pixels(kTop + border), pixels(kSide), pixels(left + border), pixels(kTop));
  }
}

Result<std::string> drawn_map(const HeatMap& map) {
  if (map.rows < 1 || std::ssize(map.values) != map.rows * map.rows ||
      (!map.names.empty() && std::ssize(map.names) != map.rows))
    return fail(ErrorCode::bad_data, "plot", fmt::format("{} rows have {} values", map.rows, map.values.size()),
                "give a square of numbers, and a name for each row or none");
  const Squares squares = squares_of(map);
  if (!(squares.low <= squares.high))
    return fail(ErrorCode::bad_data, "plot", "there is nothing to draw: no number is finite", "check the data");
  const double left = map.names.empty() ? 60 : kNames, width = left + kSide + kScaleRoom, height = kTop + kSide + 46;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"recta\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\" aria-label=\"{2}\">\n<title>{2}</title>\n<style>\n{3}</style>\n<rect class=\"paper\" width=\"{0}\" "
      "height=\"{1}\"/>\n",
      pixels(width), pixels(height), escaped(map.title), kStyle);
  out += fmt::format("<text class=\"title\" x=\"20\" y=\"32\">{}</text>\n<text x=\"20\" y=\"54\">{}</text>\n",
                     escaped(fitted(map.title, kTitleSize, width - 40)),
                     escaped(fitted(map.subtitle, kSmallSize, width - 40)));
  write_squares(out, squares, left);
  if (map.names.empty()) {
    for (const auto& [row, y] : {std::pair{Index{1}, kTop + 10}, std::pair{map.rows, kTop + kSide}})
      out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", pixels(left - 8), pixels(y), row);
  } else {
    write_groups(out, map, left);
  }
  out += fmt::format("<rect class=\"axis\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", pixels(left),
                     pixels(kTop), pixels(kSide), pixels(kSide));
  write_scale(out, squares, left + kSide + 24);
  return out + "</svg>\n";
}

} // namespace

Result<std::string> heat_map_svg(const HeatMap& map) {
  return guarded("plot", cure::kFewerRows, [&] { return drawn_map(map); });
}

} // namespace recta::plot
