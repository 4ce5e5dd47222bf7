#include "evaluate/inference/likelihood.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "evaluate/inference/tails.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

void judge(Coefficient& c, double variance, double width) {
  c.standard_error = std::sqrt(variance);
  c.t = c.value / c.standard_error;
  c.p_value = normal_two_sided(c.t);
  c.lower = c.value - width * c.standard_error;
  c.upper = c.value + width * c.standard_error;
}

// Columns that are part of a combination: how much of the fit is whose is not determined.
std::vector<char> open_columns(const Cholesky<double>& factor, const std::vector<Index>& used, const Basis* basis,
                               std::size_t p) {
  std::vector<char> open(p);
  const auto size = std::ssize(used);
  for (Index s = 0; s < size; ++s) {
    if (factor.is_basic(s)) continue;
    const std::vector<double> factors = factor.combination(s);
    open[used[s]] = 1;
    for (Index r = 0; r < size; ++r) // beside the size of the column, less than this is the rounding of a zero
      if (std::abs(factors[r]) * factor.column_scale(s) > 1e-9 * factor.column_scale(r)) open[used[r]] = 1;
  }
  for (std::size_t s = 0; basis && s < basis->columns.size(); ++s) {
    const Basis::Column& each = basis->columns[s];
    if (!each.left_out) continue;
    open[each.column] = 1;
    for (const auto& [k, c] : each.terms) open[k] = 1;
  }
  return open;
}

// (H^-1)_jj of the columns as they are: with w = T v it is t'H^-1 t, t the row of T.
std::vector<double> variances(const Cholesky<double>& factor, const std::vector<Index>& used, const Basis* basis,
                              std::size_t p, Pool& pool) {
  std::vector<double> out(p), row(used.size());
  if (!basis) {
    const std::vector<double> diagonal = factor.inverse_diagonal(&pool);
    for (std::size_t s = 0; s < used.size(); ++s) out[used[s]] = diagonal[s];
    return out;
  }
  std::vector<std::vector<double>> t(p, std::vector<double>(p));
  for (std::size_t j = 0; j < p; ++j) t[j][j] = 1;
  for (const Basis::Column& each : basis->columns)
    for (const auto& [k, c] : each.terms) t[k][each.column] = -c.hi;
  for (std::size_t k = 0; k < p; ++k) {
    for (std::size_t s = 0; s < used.size(); ++s) row[s] = t[k][used[s]];
    for (const double x : factor.forward(row)) out[k] += x * x;
  }
  return out;
}

} // namespace

void add_errors_of(const std::vector<double>& variances, double intercept, LinearSummary& summary) {
  const double width = normal_quantile(summary.confidence);
  TargetFit& fit = summary.targets.at(0);
  for (std::size_t j = 0; j < variances.size(); ++j)
    if (!std::isnan(variances[j])) judge(fit.coefficients.at(j), variances[j], width);
  if (!std::isnan(intercept)) judge(fit.intercept, intercept, width);
}

void add_likelihood_inference(const Gram& curvature, const Basis* basis, const std::vector<char>& constant, Pool& pool,
                              LinearSummary& summary) {
  const Index p = curvature.cols;
  std::vector<char> unused = constant;
  for (std::size_t s = 0; basis && s < basis->columns.size(); ++s)
    unused[basis->columns[s].column] |= basis->columns[s].left_out;
  std::vector<Index> used;
  for (Index j = 0; j < p; ++j)
    if (!unused[j]) used.push_back(j);
  const auto size = static_cast<Index>(used.size());
  std::vector<double> h(used.size() * used.size()), mean(used.size());
  const bool centred = summary.intercept;
  for (Index c = 0; c < size; ++c) {
    for (Index r = 0; r <= c; ++r) {
      const double about = curvature.scatter[used[c] + used[r] * curvature.size()];
      h[r + c * size] = centred ? about : about + curvature.weight * curvature.mean[used[r]] * curvature.mean[used[c]];
    }
    mean[c] = curvature.mean[used[c]];
  }
  const blas::SerialBlas serial;
  const Cholesky<double> factor(std::move(h), size, 10 * std::max(static_cast<double>(size), 8.0) * 0x1p-53, &pool);
  const std::vector<double> variance = variances(factor, used, basis, unused.size(), pool);
  const std::vector<char> open = open_columns(factor, used, basis, unused.size());
  const double width = normal_quantile(summary.confidence);
  TargetFit& fit = summary.targets.at(0);
  for (Index j = 0; j < p; ++j)
    if (!constant[j] && !open[j]) judge(fit.coefficients[j], variance[j], width);
  double intercept_variance = 1 / curvature.weight;
  for (const double x : factor.forward(mean)) intercept_variance += x * x; // m'H^-1 m
  if (centred) judge(fit.intercept, intercept_variance, width);

  const double counted =
      summary.weights_are == WeightMeaning::frequency ? summary.weight_sum : static_cast<double>(summary.rows);
  const auto rank = static_cast<double>(factor.rank());
  summary.degrees_of_freedom = counted - rank - (centred ? 1 : 0);
  ClassFit& classes = summary.classes;
  classes.ratio = std::max(0.0, 2 * (classes.log_likelihood - classes.null_log_likelihood));
  classes.ratio_freedom = rank;
  classes.ratio_p_value = chi_squared_upper(classes.ratio, rank);
}

} // namespace recta
