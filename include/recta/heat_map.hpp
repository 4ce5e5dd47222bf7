// Numbers of pairs as a picture: one square per pair, darker the larger its number.
#pragma once

#include <recta/error.hpp>

#include <string>
#include <vector>

namespace recta::plot {

struct HeatMap {
  std::string title{}, subtitle{};
  Index rows = 0;               // as many columns
  std::vector<double> values{}; // by row
  // One name per row; if empty, rows are numbered. Adjacent rows with the same name form a group, which is named once
  // and separated from the next by a line.
  std::vector<std::string> names{};
};

// With more than 150 rows a square shows the mean of several pairs. It is an error if there is nothing finite to draw.
Result<std::string> heat_map_svg(const HeatMap& map);

} // namespace recta::plot
