// A picture as SVG text: checks, colours, then the parts from the paper up.
#include "base/guard.hpp"
#include "plot/layers.hpp"
#include "plot/style.hpp"
#include "plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::plot {
namespace {

constexpr double kSmallest = 160, kLargest = 10'000; // pixels

std::unexpected<Error> refuse(const std::string& what, const std::string& advice) {
  return fail(ErrorCode::bad_data, "plot", what, advice);
}

Result<void> check_lengths(const Layer& layer) {
  std::size_t a = 0, b = 0, c = 0;
  if (const Points* p = std::get_if<Points>(&layer)) a = p->x.size(), b = c = p->y.size();
  if (const Line* l = std::get_if<Line>(&layer)) a = l->x.size(), b = c = l->y.size();
  if (const Region* r = std::get_if<Region>(&layer)) a = r->x.size(), b = c = r->y.size();
  if (const Band* d = std::get_if<Band>(&layer)) a = d->x.size(), b = d->low.size(), c = d->high.size();
  if (a == b && b == c) return {};
  return refuse(fmt::format("a layer has {} values of x and {} of y", a, b == a ? c : b), "give one y for every x");
}

// A field or cells; `least`: columns and rows that it needs.
template <class GridLayer>
Result<void> check_grid(const GridLayer& grid, const char* name, Index least) {
  if (grid.columns < least || grid.rows < least ||
      grid.values.size() != static_cast<std::size_t>(grid.columns) * static_cast<std::size_t>(grid.rows))
    return refuse(fmt::format("{} of {} columns and {} rows {} {} values", name, grid.columns, grid.rows,
                              name == std::string_view("cells") ? "have" : "has", grid.values.size()),
                  fmt::format("give columns times rows values, at least {0} by {0}", least));
  if (!(grid.left < grid.right) || !(grid.bottom < grid.top))
    return refuse(fmt::format("{} without width or height", name), "left is less than right, bottom less than top");
  return {};
}

Result<void> check(const Picture& picture) {
  for (const double size : {picture.width, picture.height})
    if (!(size >= kSmallest && size <= kLargest))
      return fail(ErrorCode::usage, "plot", fmt::format("{} pixels are not a possible size of a picture", size),
                  fmt::format("choose from {} to {}", kSmallest, kLargest));
  for (const Layer& layer : picture.layers) {
    if (auto good = check_lengths(layer); !good) return good;
    if (const Field* field = std::get_if<Field>(&layer))
      if (auto good = check_grid(*field, "a field", 2); !good) return good;
    if (const Cells* cells = std::get_if<Cells>(&layer))
      if (auto good = check_grid(*cells, "cells", 1); !good) return good;
  }
  return {};
}

std::vector<Layer> coloured(std::vector<Layer> layers) {
  int next = 0;
  for (Layer& layer : layers) {
    std::visit(
        [&](auto& l) {
          if constexpr (requires { l.colour; })
            if (l.colour == kNextColour) l.colour = next++;
        },
        layer);
  }
  return layers;
}

Result<std::string> drawn(const Picture& picture) {
  if (auto good = check(picture); !good) return std::unexpected(good.error());
  const std::vector<Layer> layers = coloured(picture.layers);
  const Frame frame = frame_of(picture, layers);
  const auto shows = [&](const Layer& layer) { return !std::holds_alternative<Rule>(layer) && drawable(layer, frame); };
  if (std::ranges::none_of(layers, shows))
    return refuse("there is nothing to draw: no point has finite coordinates",
                  picture.x.scale == Scale::log || picture.y.scale == Scale::log
                      ? "a logarithmic axis shows positive numbers alone"
                      : "check the data for missing values");
  const std::string width = pixels(picture.width), height = pixels(picture.height);
  const std::string name = escaped(picture.title.empty() ? picture.y.label : picture.title);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"recta\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"{2}\">\n<title>{2}</title>\n<style>\n{3}</style>\n",
      width, height, name, kStyle);
  write_below(out, picture, frame);
  out += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">\n", pixels(frame.left), pixels(frame.top),
                     pixels(frame.plane_width()), pixels(frame.plane_height()));
  for (const Layer& layer : layers) write_layer(out, layer, frame);
  for (const Layer& layer : layers) write_words(out, layer, frame);
  out += "</svg>\n";
  write_above(out, picture, frame);
  if (picture.names_at_lines) write_names(out, layers, frame);
  return out + "</svg>\n";
}

// Each picture whole, as it is alone, one after the other and row under row.
Result<std::string> drawn_rows(const std::vector<Picture>& pictures, Index columns) {
  if (pictures.empty()) return refuse("there is no picture to draw", "give one or more");
  double width = 0, height = 0, left = 0, top = 0;
  std::string inside;
  for (Index k = 0; k < std::ssize(pictures); ++k) {
    const Picture& picture = pictures[static_cast<std::size_t>(k)];
    if (k > 0 && columns > 0 && k % columns == 0) left = 0, top = height;
    auto one = drawn(picture);
    if (!one) return one;
    const std::string y = top > 0 ? fmt::format(" y=\"{}\"", pixels(top)) : "";
    inside += fmt::format("<svg x=\"{}\"{}{}", pixels(left), y, one->substr(4));
    left += picture.width;
    width = std::max(width, left);
    height = std::max(height, top + picture.height);
  }
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
                     "viewBox=\"0 0 {0} {1}\">\n{2}</svg>\n",
                     pixels(width), pixels(height), inside);
}

} // namespace

Result<std::string> svg(const Picture& picture) {
  return guarded("plot", cure::kFewerRows, [&] { return drawn(picture); });
}

Result<std::string> side_by_side(const std::vector<Picture>& pictures, Index columns) {
  return guarded("plot", cure::kFewerRows, [&] { return drawn_rows(pictures, columns); });
}

} // namespace recta::plot
