// More classes than there are colours are told apart by names in the picture, not by a legend.
#pragma once

#include "plot/style.hpp"

#include <recta/plot.hpp>

namespace recta::plot {

inline constexpr Index kInLegend = kColours; // classes that a legend tells apart

// The labels of points leave the legend and stand in the middle of their points.
void name_inside(Picture& picture);

struct ClassValues {
  std::string label;
  std::vector<double> values;
};
// Classes one below the other, the largest median on top: the middle half of their values, and the median.
void add_ranges(const std::vector<ClassValues>& classes, Picture& picture);

} // namespace recta::plot
