#include "plot/frame.hpp"

#include "plot/style.hpp"
#include "plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::plot {
namespace {

constexpr double kEdge = 22; // between a picture's edge and anything in it
constexpr double kRow = 20;  // of the legend
constexpr double kSign = 22; // width of a legend's sign
constexpr double kLongestName = 150;
constexpr double kAcross = 84, kUp = 46; // pixels between ticks

template <class... Fs>
struct Cases : Fs... {
  using Fs::operator()...;
};

struct Extent {
  Range x, y;
  bool log_x, log_y;
  void at(double px, double py) {
    if (!std::isfinite(px) || !std::isfinite(py) || (log_x && px <= 0) || (log_y && py <= 0)) return;
    x.take(px);
    y.take(py);
  }
  void all(const std::vector<double>& xs, const std::vector<double>& ys) {
    for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i) at(xs[i], ys[i]);
  }
};

Extent extent_of(const Picture& picture, const std::vector<Layer>& layers) {
  Extent extent{{}, {}, picture.x.scale == Scale::log, picture.y.scale == Scale::log};
  for (const Layer& layer : layers) {
    std::visit(Cases{[&](const Band& b) { extent.all(b.x, b.low), extent.all(b.x, b.high); },
                     [&](const Field& f) { extent.at(f.left, f.bottom), extent.at(f.right, f.top); },
                     [&](const Cells& c) { extent.at(c.left, c.bottom), extent.at(c.right, c.top); },
                     [&](const Mark& m) { extent.at(m.x, m.y); },
                     [&](const Rule& r) {
                       const bool log = r.upright ? extent.log_x : extent.log_y;
                       if (!log || r.at > 0) (r.upright ? extent.x : extent.y).take(r.at);
                     },
                     [&](const auto& l) { extent.all(l.x, l.y); }},
               layer);
  }
  return extent;
}

std::vector<LegendEntry> entries_of(const Picture& picture, const std::vector<Layer>& layers) {
  using Look = LegendEntry::Look;
  std::vector<LegendEntry> all;
  const auto add = [&](const std::string& label, int colour, Look look) {
    if (label.empty()) return;
    const std::string text = fitted(label, kTextSize, picture.width / 2);
    all.push_back({text, colour, look, kSign + 6 + text_width(text, kTextSize) + 18});
  };
  for (const Layer& layer : layers) {
    std::visit(Cases{[&](const Points& p) { add(p.label, p.colour, Look::dot); },
                     [&](const Line& l) {
                       if (!picture.names_at_lines) add(l.label, l.colour, l.dashed ? Look::dash : Look::line);
                     },
                     [&](const Field& f) { add(f.label, f.colour, Look::line); }, [&](const Mark&) {},
                     [&](const Rule&) {}, [&](const auto& area) { add(area.label, area.colour, Look::patch); }},
               layer);
  }
  return all;
}

std::vector<std::vector<LegendEntry>> legend_rows(const std::vector<LegendEntry>& entries, double width) {
  std::vector<std::vector<LegendEntry>> rows;
  double used = width + 1;
  for (const LegendEntry& entry : entries) {
    if (used + entry.width > width) {
      rows.emplace_back();
      used = 0;
    }
    rows.back().push_back(entry);
    used += entry.width;
  }
  return rows;
}

double names_width(const Picture& picture, const std::vector<Layer>& layers) {
  double widest = 0;
  if (!picture.names_at_lines) return 0;
  for (const Layer& layer : layers)
    if (const Line* line = std::get_if<Line>(&layer))
      widest = std::max(widest, text_width(fitted(line->label, kTextSize, kLongestName), kTextSize));
  return widest;
}

Ticks ticks_of(const Axis& axis, const Place& place, double apart) {
  return axis.names.empty() ? place.ticks(apart) : named_ticks(axis.names);
}

std::string axis_label(const Axis& axis, const Ticks& ticks, double room) {
  const std::string unit = ticks.unit.empty()                                    ? ""
                           : axis.label.empty() || ticks.unit.starts_with("in ") ? " (" + ticks.unit + ")"
                                                                                 : " " + ticks.unit;
  return fitted(axis.label, kTextSize, room - text_width(unit, kTextSize)) + unit;
}

double words_height(const Picture& picture, std::size_t legend_rows) {
  double height = picture.title.empty() ? kEdge - 8 : kEdge + 14;
  if (!picture.subtitle.empty()) height += picture.title.empty() ? 12 : 20;
  if (legend_rows > 0) height += 6 + kRow * static_cast<double>(legend_rows);
  return height + 10;
}

void text(std::string& out, double x, double y, std::string_view more, std::string_view words) {
  out += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", pixels(x), pixels(y), more, escaped(words));
}

void write_legend(std::string& out, const Frame& frame, double left, double bottom) {
  double y = bottom - kRow * static_cast<double>(frame.legend.size()) + kRow / 2;
  for (const auto& row : frame.legend) {
    double x = left;
    for (const LegendEntry& entry : row) {
      const std::string stroke = stroke_class(entry.colour), fill = fill_class(entry.colour);
      if (entry.look == LegendEntry::Look::dot) {
        out +=
            fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>\n", fill, pixels(x + kSign / 2), pixels(y));
      } else if (entry.look == LegendEntry::Look::patch) {
        out += fmt::format("<rect class=\"{}\" fill-opacity=\".25\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\"/>\n",
                           fill, pixels(x), pixels(y - 6), pixels(kSign));
      } else {
        out += fmt::format("<path class=\"line {}{}\" d=\"M{} {}h{}\"/>\n", stroke,
                           entry.look == LegendEntry::Look::dash ? " dash" : "", pixels(x), pixels(y), pixels(kSign));
      }
      text(out, x + kSign + 6, y + 4.5, " class=\"label\"", entry.text);
      x += entry.width;
    }
    y += kRow;
  }
}

} // namespace

std::string stroke_class(int colour) {
  return colour == kInk ? "ink" : colour == kSoft ? "soft" : fmt::format("s{}", colour % kColours);
}

std::string fill_class(int colour) {
  return colour == kInk ? "fink" : colour == kSoft ? "fsoft" : fmt::format("f{}", colour % kColours);
}

Frame frame_of(const Picture& picture, const std::vector<Layer>& layers) {
  const Extent extent = extent_of(picture, layers);
  const auto legend = legend_rows(entries_of(picture, layers), picture.width - 2 * kEdge);
  const double top = words_height(picture, legend.size());
  const double bottom = kEdge + 14 + (picture.x.label.empty() ? 0 : 20);
  Place y(picture.y, extent.y, std::max(80.0, picture.height - top - bottom));
  Ticks y_ticks = ticks_of(picture.y, y, kUp);
  double widest = 0;
  for (const Tick& tick : y_ticks.all) widest = std::max(widest, text_width(tick.label, kSmallSize));
  const bool y_named = !picture.y.label.empty() || !y_ticks.unit.empty();
  const double left = kEdge - 8 + (y_named ? 22 : 0) + widest + 8;
  const double names = names_width(picture, layers), right = names > 0 ? names + 22 : kEdge;
  Place x(picture.x, extent.x, std::max(120.0, picture.width - left - right));
  if (picture.same_unit && picture.x.scale == Scale::linear && picture.y.scale == Scale::linear) {
    const double unit = std::max((x.high() - x.low()) / x.length(), (y.high() - y.low()) / y.length());
    x.widen(unit);
    y.widen(unit);
    y_ticks = ticks_of(picture.y, y, kUp);
  }
  Ticks x_ticks = ticks_of(picture.x, x, kAcross);
  return {left, top, x, y, std::move(x_ticks), std::move(y_ticks), legend};
}

void write_below(std::string& out, const Picture& picture, const Frame& frame) {
  const double width = frame.plane_width(), height = frame.plane_height();
  out += fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", pixels(picture.width),
                     pixels(picture.height));
  std::string grid;
  for (const Tick& tick : frame.x_ticks.all)
    if (!tick.label.empty())
      grid += fmt::format("M{} {}v{}", pixels(frame.left + frame.x(tick.at)), pixels(frame.top), pixels(height));
  for (const Tick& tick : frame.y_ticks.all)
    if (!tick.label.empty())
      grid +=
          fmt::format("M{} {}h{}", pixels(frame.left), pixels(frame.top + height - frame.y(tick.at)), pixels(width));
  out += fmt::format("<path class=\"grid\" d=\"{}\"/>\n", grid);
}

void write_above(std::string& out, const Picture& picture, const Frame& frame) {
  const double width = frame.plane_width(), height = frame.plane_height(), bottom = frame.top + height;
  if (std::ranges::any_of(frame.x_ticks.all, [](const Tick& tick) { return !tick.label.empty(); })) {
    std::string axis = fmt::format("M{} {}h{}", pixels(frame.left), pixels(bottom), pixels(width));
    for (const Tick& tick : frame.x_ticks.all)
      axis +=
          fmt::format("M{} {}v{}", pixels(frame.left + frame.x(tick.at)), pixels(bottom), tick.label.empty() ? 3 : 5);
    out += fmt::format("<path class=\"axis\" d=\"{}\"/>\n", axis);
  } // an axis without a name at any tick is left out
  for (const Tick& tick : frame.x_ticks.all)
    if (!tick.label.empty())
      text(out, frame.left + frame.x(tick.at), bottom + 19, " text-anchor=\"middle\"", tick.label);
  for (const Tick& tick : frame.y_ticks.all)
    if (!tick.label.empty())
      text(out, frame.left - 8, bottom - frame.y(tick.at) + 4, " text-anchor=\"end\"", tick.label);

  if (const std::string label = axis_label(picture.x, frame.x_ticks, width); !label.empty())
    text(out, frame.left + width / 2, bottom + 40, " class=\"label\" text-anchor=\"middle\"", label);
  if (const std::string label = axis_label(picture.y, frame.y_ticks, height); !label.empty()) {
    const double x = kEdge - 8 + 11, y = frame.top + height / 2;
    text(out, x, y,
         fmt::format(" class=\"label\" text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"", pixels(x), pixels(y)),
         label);
  }
  double y = kEdge + 8;
  const double room = picture.width - 2 * kEdge;
  if (!picture.title.empty()) text(out, kEdge, y, " class=\"title\"", fitted(picture.title, kTitleSize, room));
  if (!picture.subtitle.empty())
    text(out, kEdge, picture.title.empty() ? y : y += 20, "", fitted(picture.subtitle, kSmallSize, room));
  write_legend(out, frame, kEdge, frame.top - 10);
}

} // namespace recta::plot
