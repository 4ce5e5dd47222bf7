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
  // Of every row: rows with the same name beside each other are a group, with one name and a line between it and the
  // next. Empty: numbers.
  std::vector<std::string> names{};
};

// Above 150 rows squares stand for the mean of several pairs. An error if there is nothing finite to draw.
Result<std::string> heat_map_svg(const HeatMap& map);

} // namespace recta::plot
