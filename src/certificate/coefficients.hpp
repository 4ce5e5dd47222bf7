// What the coefficients of a claim must be before they are checked against the rows.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta {

Result<void> check_finite(const std::vector<double>& w, const std::vector<double>& b);
// Finite, with `cols` x `targets` weights and `targets` intercepts.
Result<void> check_coefficients(const std::vector<double>& w, const std::vector<double>& b, Index cols, Index targets);

} // namespace recta
