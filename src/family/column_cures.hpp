// The three cures of collinearity as choices made before a fit: a penalty as large as the condition number asks for,
// columns left out until none is determined by the others, and principal components in the place of the columns.
#pragma once

#include "driver/first_pass.hpp"
#include "objective/least_squares/objective.hpp"

namespace recta {

Result<void> check_cures(const ModelInfo& info, const FitOptions& options);

// The least lambda for which the condition number of X'VX + W lambda, (s_1^2 + W lambda) / (s_p^2 + W lambda), lies in
// the range asked for; 0 if it lies there, or below, without a penalty. s: singular values in the units of the penalty.
Result<double> lambda_for_condition(const LeastSquaresObjective& objective, const Gram* gram, const FitOptions& options,
                                    std::vector<std::string>& notes);

// The column of numbers with the largest variance inflation is left out, until none is above the limit. Features made
// of categories stay and count.
Result<void> drop_inflated(Request& request, const Rows& rows, const Clock& clock, Schema& schema);

// The columns of numbers, over their deviations about their means, give way to the directions of their largest variance
// (Pearson 1901), which are uncorrelated over the training rows. Signs: the largest weight of each is positive.
Result<void> replace_by_components(Request& request, const Rows& rows, const Clock& clock, Schema& schema);

// Applies the last two as the options ask, over rows that `make` makes from the schema as it is then.
template <class Make>
Result<void> cure_columns(Request& request, const Make& make, const Clock& clock, Schema& schema) {
  for (const bool drops : {true, false}) {
    if (!(drops ? request.options->max_inflation > 0 : request.options->components > 0)) continue;
    if (request.info->without_target) continue; // it makes components of its own, or none
    auto done = make([&](const Rows& rows) {
      return drops ? drop_inflated(request, rows, clock, schema) : replace_by_components(request, rows, clock, schema);
    });
    if (!done) return done;
  }
  return {};
}

} // namespace recta
