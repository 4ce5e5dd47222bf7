#include "summary/plain_fit.hpp"

#include "base/numbers.hpp"

#include <utility>

namespace recta {
namespace {

Coefficient plain(std::string feature, double value, double deviation) {
  return {.feature = std::move(feature),
          .value = value,
          .standardised = value * deviation,
          .standard_error = kNaN,
          .t = kNaN,
          .p_value = kNaN,
          .lower = kNaN,
          .upper = kNaN};
}

} // namespace

void add_columns(const ColumnSums& sums, LinearSummary& out) {
  for (Index j = 0; j < sums.cols; ++j) {
    out.means.push_back(sums.mean(j).hi);
    out.deviations.push_back(sums.deviation(j));
  }
}

TargetFit plain_fit(std::string target, const std::vector<std::string>& names, std::span<const double> w, double b,
                    const LinearSummary& columns) {
  TargetFit fit;
  fit.target = std::move(target);
  fit.intercept = plain("intercept", b, 1);
  fit.coefficients.reserve(names.size());
  for (std::size_t j = 0; j < names.size(); ++j) {
    fit.coefficients.push_back(plain(names[j], w[j], columns.deviations[j]));
    fit.intercept.standardised += w[j] * columns.means[j];
  }
  for (double* none :
       {&fit.rss, &fit.mse, &fit.r2, &fit.adjusted_r2, &fit.sigma, &fit.log_likelihood, &fit.f, &fit.f_p_value})
    *none = kNaN;
  return fit;
}

} // namespace recta
