// Criteria for a point of a path besides its cross-validation, and the choice among points.
#pragma once

#include <recta/path.hpp>

namespace recta::select {

// An error if rows are to be left out one by one, or strengths stand beside a sum: for models whose answers have no
// closed form.
Result<void> check_no_closed_form(const std::string& word, const PathOptions& how);

// Lambdas from the largest down to ratio times it, evenly spaced in the logarithm.
std::vector<double> lambda_grid(double largest, double ratio, Index count);

// Mean over folds (by their weights) and its standard error, from fold_error.
void add_cross_validation(PathPoint& point, const std::vector<double>& fold_weight);

// Forgets folds that were begun and not all finished.
void forget_folds(PathPoint& point);

// From mse and degrees_of_freedom, `rows` many rows: with d parameters (one more with an intercept),
//   AIC = n ln mse + 2 d,  BIC = n ln mse + d ln n,  GCV = mse / (1 - d / n)^2,  Cp = n mse / sigma2 + 2 d - n.
// sigma2: residual variance of the fit without a penalty; NaN if there is none.
void add_criteria(PathPoint& point, Index rows, bool intercept, double sigma2);

} // namespace recta::select
