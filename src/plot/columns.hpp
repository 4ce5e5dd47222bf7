// The columns that a model reads, and tables of evenly spaced numbers in their place.
#pragma once

#include <recta/model.hpp>

namespace recta::plot {

// All columns that the model reads, if they are numbers; nothing if some are not.
std::vector<const SchemaColumn*> number_columns(const Model& model);

std::vector<double> evenly(double low, double high, Index count);

Dataset grid_over(std::vector<std::pair<std::string, std::vector<double>>> columns);

} // namespace recta::plot
