#include "solver/closed_form/describe.hpp"

#include "base/listening.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <lapacke.h>
#include <limits>

namespace recta {
namespace {

std::vector<double> singular_values(std::vector<double> r, Index rows, Index cols) {
  const Index count = std::min(rows, cols);
  std::vector<double> values(count);
  if (count == 0) return values;
  double unused = 0;
  const auto n = static_cast<double>(count);
  announce(fmt::format("singular values of {} x {}", rows, cols), 16 * n * n * n); // half of it works at memory's pace
  LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', static_cast<lapack_int>(rows), static_cast<lapack_int>(cols), r.data(),
                 static_cast<lapack_int>(rows), values.data(), &unused, 1, &unused, 1);
  return values;
}

// Columns divided by `unit`; those of unit 0 are removed.
std::vector<double> scaled(const std::vector<double>& r, Index rank, const std::vector<double>& unit) {
  std::vector<double> out;
  for (std::size_t j = 0; j < unit.size(); ++j)
    if (unit[j] > 0)
      for (Index i = 0; i < rank; ++i) out.push_back(r[i + static_cast<Index>(j) * rank] / unit[j]);
  return out;
}

// The units of the columns in which all have the same penalty.
std::vector<double> penalty_units(const Quadratic& q) {
  std::vector<double> unit(q.cols());
  for (Index j = 0; j < q.cols(); ++j) {
    unit[j] = (q.objective().standardise ? q.deviation(j) : 1) * std::sqrt(q.objective().factor(j));
    if (q.constant(j)) unit[j] = 0;
  }
  return unit;
}

// `r` is rank x p by column with r'r = A.
void describe_spectrum(const Quadratic& q, const std::vector<double>& r, Index rank, LeastSquaresSolution& solution) {
  std::vector<double> length(q.cols());
  for (Index j = 0; j < q.cols(); ++j) length[j] = q.constant(j) ? 0 : std::sqrt(std::max(0.0, q.product(j, j).hi));
  const std::vector<double> shape = scaled(r, rank, length);
  const Index varying = rank > 0 ? static_cast<Index>(shape.size()) / rank : 0;
  const std::vector<double> relative = singular_values(shape, rank, varying);
  solution.condition = relative.empty() ? 1 : relative.front() / relative.back();
  solution.condition_is_estimate = false;
  for (Index j = 0; j < q.cols(); ++j)
    if (!q.constant(j) && q.objective().factor(j) == 0) return; // no one unit in which all are penalised alike
  const std::vector<double> units = scaled(r, rank, penalty_units(q));
  solution.singular_values = singular_values(units, rank, varying);
  const double lambda = (q.weight() * q.objective().lambda2).hi;
  for (const double s : solution.singular_values)
    solution.shrinkage.push_back(lambda > 0 ? 1 / (1 + lambda / s / s) : 1); // s * s may overflow
}

} // namespace

void describe_or_stop(const std::function<void()>& describe, Index rank, double condition,
                      LeastSquaresSolution& solution) {
  try {
    describe();
  } catch (const Interrupted&) {
    solution.interrupted = true;
    solution.stop = "interrupted";
    solution.rank = rank;
    solution.condition = condition;
    solution.condition_is_estimate = true;
    solution.inverse_diagonal.clear();
    solution.inverse_intercept = std::numeric_limits<double>::quiet_NaN();
    solution.singular_values.clear();
    solution.shrinkage.clear();
    solution.notes.emplace_back("stopped before the answer was described: no standard errors, no singular values");
  }
}

template <class T>
void describe_features(const Quadratic& q, const Cholesky<T>& features, LeastSquaresSolution& solution) {
  solution.rank = features.rank();
  solution.condition = std::sqrt(features.condition_estimate());
  solution.condition_is_estimate = true;
  if (q.cols() <= kExactSpectrum) describe_spectrum(q, features.rows_in_double(), features.rank(), solution);
}

template <class T>
void say_aliased(const Quadratic& q, const NormalSolver<T>& normal, LeastSquaresSolution& solution) {
  solution.aliased = normal.aliased();
  if (solution.aliased.empty()) return;
  solution.notes.push_back(fmt::format("rank {} of {} columns: {}{}", solution.rank, q.cols(), kLeastNorm,
                                       q.objective().standardise ? ", in standardised units" : ""));
}

template <class T>
void describe_inverse(const Quadratic& q, const NormalSolver<T>& normal, Pool& pool, LeastSquaresSolution& solution) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  solution.inverse_intercept = none;
  if (q.objective().penalised()) return;
  const std::vector<T> diagonal = normal.factor().inverse_diagonal(&pool);
  for (Index j = 0; j < q.cols(); ++j)
    solution.inverse_diagonal.push_back(normal.determined(j) ? static_cast<double>(diagonal[j]) : none);
  if (!q.objective().intercept || !normal.intercept_determined()) return;
  std::vector<T> mean(q.cols());
  for (Index j = 0; j < q.cols(); ++j) mean[j] = q.constant(j) ? T(0.0) : static_cast<T>(q.mean(j));
  DoubleDouble sum = 1.0 / q.weight();
  for (const T& z : normal.factor().forward(mean)) sum += DoubleDouble(z) * DoubleDouble(z);
  solution.inverse_intercept = sum.hi;
}

template void describe_features(const Quadratic&, const Cholesky<double>&, LeastSquaresSolution&);
template void describe_features(const Quadratic&, const Cholesky<DoubleDouble>&, LeastSquaresSolution&);
template void say_aliased(const Quadratic&, const NormalSolver<double>&, LeastSquaresSolution&);
template void say_aliased(const Quadratic&, const NormalSolver<DoubleDouble>&, LeastSquaresSolution&);
template void describe_inverse(const Quadratic&, const NormalSolver<double>&, Pool&, LeastSquaresSolution&);
template void describe_inverse(const Quadratic&, const NormalSolver<DoubleDouble>&, Pool&, LeastSquaresSolution&);

} // namespace recta
