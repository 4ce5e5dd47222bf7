// The rows of a table that a picture of classes shows, and the words it has for them.
#pragma once

#include <recta/model.hpp>

namespace recta::plot {

// Rows that have a class, a positive weight and a prediction.
struct ClassRows {
  std::vector<std::size_t> used;
  std::vector<Index> place;   // of the class, one per row used
  std::vector<double> weight; // likewise
};

// `scores` has so many columns per row; a row whose first is not finite is left out.
Result<ClassRows> class_rows(const Model& model, const Dataset& data, const Values& scores, Index columns);

std::string class_name(const Model& model, Index place);
std::string class_subtitle(const Model& model, std::size_t rows);

} // namespace recta::plot
