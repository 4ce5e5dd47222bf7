// Additions to a finished least-squares fit, on request: standard errors that do not assume equal variances, and what
// prediction intervals need.
#pragma once

#include "driver/first_pass.hpp"
#include "solver/least_squares.hpp"

namespace recta {

Result<void> check_errors(const ModelInfo& info, const FitOptions& options);
// Whether the rows can be read as often as the options ask.
Result<void> check_passes(const FitOptions& options, const Schema& schema, const Rows& rows);

Result<void> add_errors(const Request& request, const Rows& rows, const LeastSquaresSolution& solution, Pool& pool,
                        const Clock& clock, Model& model);

} // namespace recta
