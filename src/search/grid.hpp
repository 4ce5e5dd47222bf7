// The points of a grid, and what each of them changes in the options of a fit.
#pragma once

#include <recta/cross_validate.hpp>

namespace recta::search {

// An error unless every name is known, occurs once and has values that are all different, and the options do not set it
// themselves.
Result<void> check_grid(const ModelInfo& model, const FitOptions& options, const std::vector<GridAxis>& grid);

std::vector<Params> grid_points(const std::vector<GridAxis>& grid);

FitOptions options_at(const ModelInfo& model, FitOptions options, const Params& point);

// "lambda=0.1, poly=2": the same text for the same point, in every search.
std::string point_text(const Params& point);
std::string value_text(const ParamValue& value);

} // namespace recta::search
