// Models along a path, for searches: they predict, and have no proof and no figures of their fit.
#pragma once

#include "data/split/table_view.hpp"

#include <recta/path.hpp>

#include <functional>

namespace recta {

// Hands the model of every strength on to `use`, from the largest strength down. A strength among the parameters, a
// model without a path and columns that must first be chosen among are errors of usage, before any work. If it is
// stopped, the error is ErrorCode::interrupted.
Result<void> path_models(const std::string& word, const TableView& data, const FitOptions& options,
                         const std::vector<double>& lambdas, const Watch& watch,
                         const std::function<Result<void>(double lambda, const Model& model)>& use);

} // namespace recta
