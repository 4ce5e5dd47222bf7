// The layout of a picture: the title, the legend, both axes, and the plane between them in which layers are drawn.
#pragma once

#include "plot/scale.hpp"

#include <string>
#include <vector>

namespace recta::plot {

struct LegendEntry {
  std::string text;
  int colour = 0;
  enum class Look : std::uint8_t { dot, line, dash, patch } look = Look::line;
  double width = 0; // sign, text and gap
};

struct Frame {
  double left = 0, top = 0; // left and top of the plane
  Place x, y;
  Ticks x_ticks, y_ticks;
  std::vector<std::vector<LegendEntry>> legend; // in rows

  double plane_width() const { return x.length(); }
  double plane_height() const { return y.length(); }
};

// Layers have their colours: no kNextColour is left.
Frame frame_of(const Picture& picture, const std::vector<Layer>& layers);

// Everything except the layers, which go between the two: grid and paper below, axes and words above.
void write_below(std::string& out, const Picture& picture, const Frame& frame);
void write_above(std::string& out, const Picture& picture, const Frame& frame);

} // namespace recta::plot
