// The cost around a model's weights, from the rows it was trained on.
#pragma once

#include <recta/plot.hpp>

namespace recta::plot {

Result<Picture> contours_of(const Model& model, const Dataset& data);

// "ridge, lambda = 0.1, 506 rows, R² 0.741 in training"
std::string subtitle(const Model& model, std::size_t rows);

} // namespace recta::plot
