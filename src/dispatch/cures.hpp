// Two of the three cures of collinearity as choices made before a fit: a penalty as large as the condition number asks
// for, and columns left out until none is determined by the others. The third, other features, is the user's.
#pragma once

#include "certificate/least_squares/objective.hpp"
#include "dispatch/linear.hpp"

namespace recta {

Result<void> check_cures(const ModelInfo& info, const FitOptions& options);

// The least lambda for which the condition number of X'VX + W lambda, (s_1^2 + W lambda) / (s_p^2 + W lambda), lies in
// the range asked for; 0 where it lies there, or below, without. s: singular values in the units of the penalty.
Result<double> lambda_for_condition(const LeastSquaresObjective& objective, const Gram* gram, const FitOptions& options,
                                    std::vector<std::string>& notes);

// Of the columns of numbers the one with the largest variance inflation is left out, until none is above the limit.
// Features made of categories stay and count.
Result<void> drop_inflated(Order& order, const Rows& rows, const Clock& clock, Schema& schema);

} // namespace recta
