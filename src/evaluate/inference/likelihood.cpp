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

} // namespace

void add_likelihood_inference(const Gram& curvature, const std::vector<char>& constant, Pool& pool,
                              LinearSummary& summary) {
  const Index p = curvature.cols;
  std::vector<Index> used;
  for (Index j = 0; j < p; ++j)
    if (!constant[j]) used.push_back(j);
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
  const std::vector<double> variance = factor.inverse_diagonal(&pool);
  const double width = normal_quantile(summary.confidence);
  TargetFit& fit = summary.targets.at(0);
  for (Index s = 0; s < size; ++s)
    if (factor.is_basic(s)) judge(fit.coefficients[used[s]], variance[s], width);
  double own = 1 / curvature.weight;
  for (const double x : factor.forward(mean)) own += x * x; // m'H^-1 m
  if (centred) judge(fit.intercept, own, width);

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
