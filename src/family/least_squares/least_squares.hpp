// Least squares and ridge from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "driver/procedure.hpp"
#include "solver/least_squares.hpp"

namespace recta {

// For a descent over rows that can be read only once it takes them as they arrive.
const Procedure& linear_procedure(const Request& request, const Rows& rows);
const Procedure& linear_procedure();

Result<Trace> trace_linear(const Request& request, const Schema& schema, const Rows& rows, Index every,
                           const Clock& clock);

} // namespace recta
