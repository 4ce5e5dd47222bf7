// Pictures as SVG: layers on one pair of axes, light or dark as the reader's screen is. The same data give the same
// bytes. docs/plots.md shows them.
#pragma once

#include <recta/model.hpp>

#include <limits>

namespace recta::plot {

inline constexpr double kFromData = std::numeric_limits<double>::quiet_NaN();

enum class Scale : std::uint8_t { linear, log };

struct Axis {
  std::string label{};
  Scale scale = Scale::linear;
  bool falling = false;                     // from the highest to the lowest
  double low = kFromData, high = kFromData; // what is shown
};

// A colour is a place in a palette that colour-blind people can tell apart, from 0; or one of these.
inline constexpr int kNextColour = -1, kInk = -2, kSoft = -3; // kSoft: grey, for what stands behind

// Layers are drawn in the order given. What is not finite, and what is not positive on a logarithmic axis, is left out;
// a line is broken there. Millions of points are thinned to what can be seen; the outermost always stay.
struct Points {
  std::vector<double> x{}, y{};
  std::string label{}; // in the legend; empty: not there
  int colour = kNextColour;
};
struct Line {
  std::vector<double> x{}, y{};
  std::string label{};
  int colour = kNextColour;
  bool dashed = false, dotted = false; // dotted: a dot on every point
};
struct Band { // from low to high
  std::vector<double> x{}, low{}, high{};
  std::string label{};
  int colour = kNextColour;
};
struct Region { // inside a closed line
  std::vector<double> x{}, y{};
  std::string label{};
  int colour = kNextColour;
};
struct Field { // of numbers on a grid: lines of equal value, darker inside the lower ones where shaded
  double left = 0, right = 1, bottom = 0, top = 1;
  Index columns = 0, rows = 0;
  std::vector<double> values{}; // row by row from the bottom
  std::vector<double> levels{}; // ascending
  std::string label{};
  int colour = kNextColour;
  bool shaded = false;
};
struct Mark { // one point that has a name
  double x = 0, y = 0;
  std::string text{};
  int colour = kInk;
};
struct Rule { // a line across the picture
  double at = 0;
  bool upright = false;
  std::string text{};
  bool dashed = false;
};
using Layer = std::variant<Points, Line, Band, Region, Field, Mark, Rule>;

struct Picture {
  std::string title{}, subtitle{};
  Axis x{}, y{};
  std::vector<Layer> layers{};
  bool same_unit = false;      // as long on one axis as on the other
  bool names_at_lines = false; // at the right end of each line instead of a legend
  double width = 720, height = 450;
};

// An error when there is nothing to draw.
Result<std::string> svg(const Picture& picture);

} // namespace recta::plot
