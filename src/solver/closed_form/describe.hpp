// Facts about the features that a solution reports: rank, singular values, condition number, the share of each
// direction that ridge keeps, and the variances of the coefficients.
#pragma once

#include "solver/closed_form/normal.hpp"

#include <functional>
#include <string_view>

namespace recta {

inline constexpr Index kExactSpectrum = 500; // columns up to which singular values are computed

// Describes an existing answer. If told to stop, the answer stays, says so, and knows about the features only the rank
// and the condition number given here.
void describe_or_stop(const std::function<void()>& describe, Index rank, double condition,
                      LeastSquaresSolution& solution);

// `features` factors the products of the features without any penalty.
template <class T>
void describe_features(const Quadratic& quadratic, const Cholesky<T>& features, LeastSquaresSolution& solution);

inline constexpr std::string_view kLeastNorm = "the answer of least norm among many";

// Notes the columns that are combinations of others, and that the answer is the one of least norm.
template <class T>
void say_aliased(const Quadratic& quadratic, const NormalSolver<T>& normal, LeastSquaresSolution& solution);

// Variances in units of sigma^2, if coefficients are determined by the rows alone.
template <class T>
void describe_inverse(const Quadratic& quadratic, const NormalSolver<T>& normal, Pool& pool,
                      LeastSquaresSolution& solution);

extern template void describe_features(const Quadratic&, const Cholesky<double>&, LeastSquaresSolution&);
extern template void describe_features(const Quadratic&, const Cholesky<DoubleDouble>&, LeastSquaresSolution&);
extern template void say_aliased(const Quadratic&, const NormalSolver<double>&, LeastSquaresSolution&);
extern template void say_aliased(const Quadratic&, const NormalSolver<DoubleDouble>&, LeastSquaresSolution&);
extern template void describe_inverse(const Quadratic&, const NormalSolver<double>&, Pool&, LeastSquaresSolution&);
extern template void describe_inverse(const Quadratic&, const NormalSolver<DoubleDouble>&, Pool&,
                                      LeastSquaresSolution&);

} // namespace recta
