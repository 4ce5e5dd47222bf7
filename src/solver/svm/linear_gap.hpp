// Terms of P - D that the rows of a machine do not have one by one: coefficients that do not quite add up to zero, and
// weights that are not quite the sum of the rows.
#pragma once

#include "objective/svm/objective.hpp"
#include "solver/svm/linear_rows.hpp"

#include <span>

namespace recta::svm {

// sum_i C_i loss(t_i, f_i + b)
double loss_of(const Problem& problem, std::span<const double> f, double b);

// The cost of scaling the coefficients of one sign until they add up to zero, w being the root of `square` away from
// their sum X'beta.
double cost_of_balance(const Problem& problem, const LinearRows& rows, std::span<const double> beta,
                       std::span<const double> f, double b, double square);

// D - b sum beta, which is D once the coefficients add up to zero.
double merit_of(const Problem& problem, std::span<const double> beta, std::span<const double> f, double b);

// sum_i |beta_i| |x_i|: rounding of the coefficients moves X'beta by a share of this.
double reach_of(const LinearRows& rows, std::span<const double> beta);

} // namespace recta::svm
