// The summary of a regression with a loss of its own, from an answer that was checked: the same in a fit and when it is
// verified.
#pragma once

#include "certificate/loss/certify.hpp"
#include "family/loss/solve.hpp"

namespace recta {

LinearSummary summary_of(const LossCase& known, const LossSolution& solution, const LossChecked& checked,
                         const FitOptions& options, const Schema& schema, Pool& pool);

// If a likelihood has no finite maximum: standard errors of the coefficients that are finite all the same.
Result<void> add_finite_errors(const LossObjective& objective, double tolerance, const TaskRows& task,
                               Certificate& certificate, LinearSummary& linear);

} // namespace recta
