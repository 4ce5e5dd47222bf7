// The dual as it is taught: its ascent step by step, and a fit by it.
#pragma once

#include "family/svm/request.hpp"
#include "family/svm/rows.hpp"
#include "solver/svm/dual_ascent.hpp"

namespace recta::svm {

inline constexpr Index kMostAscentRows = 3000; // whose n x n values are held

Result<void> check_ascent_fit(const Request& request, const MachineRows& held, const Rows& rows);
Solution solve_by_ascent(const Problem& problem, const MachineRows& rows, const MachineRows::Side& side,
                         const MachineSpec& spec, double tolerance);
Result<Trace> trace_ascent(const Request& request, const Schema& schema, const Rows& rows, Index every,
                           const Clock& clock);

} // namespace recta::svm
