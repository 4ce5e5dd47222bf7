#include "evaluate/inference/inference.hpp"

#include "base/double_double.hpp"
#include "base/explained_share.hpp"
#include "base/numbers.hpp"
#include "evaluate/inference/tails.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

namespace recta {
namespace {

// Rows as degrees of freedom count them.
double counted_rows(const LeastSquaresSolution& s, const InferenceOptions& o) {
  const bool frequency = o.weighted && o.weights_are == WeightMeaning::frequency;
  return frequency ? s.weight : static_cast<double>(s.rows);
}

double degrees_of_freedom(const LeastSquaresObjective& objective, const LeastSquaresSolution& s,
                          const InferenceOptions& o) {
  const double left = counted_rows(s, o) - (objective.intercept ? 1 : 0);
  // The expected degrees of freedom of a lasso are its coefficients that are not zero (Zou, Hastie, Tibshirani 2007).
  if (o.selected)
    return objective.penalised() || s.targets > 1 || o.grouped ? kNaN : left - static_cast<double>(s.rank);
  if (!objective.penalised()) return left - static_cast<double>(s.rank);
  if (s.singular_values.empty() && s.rank > 0) return kNaN;
  return left - std::accumulate(s.shrinkage.begin(), s.shrinkage.end(), 0.0);
}

double log_likelihood(double rss, const LeastSquaresSolution& s, const Residual& r, const InferenceOptions& o) {
  const double two_pi = 2 * std::numbers::pi;
  if (o.weighted && o.weights_are == WeightMeaning::precision)
    return -(static_cast<double>(s.rows) * std::log(two_pi) - r.log_weight + rss) / 2;
  const double n = counted_rows(s, o);
  return -n / 2 * (std::log(two_pi * rss / n) + 1);
}

} // namespace

void judge(Coefficient& c, double variance, double sigma, double freedom, double width) {
  c.standard_error = sigma * std::sqrt(variance);
  c.t = c.standard_error == 0 && c.value == 0 ? kNaN : c.value / c.standard_error;
  c.p_value = student_two_sided(c.t, freedom);
  c.lower = c.value - width * c.standard_error;
  c.upper = c.value + width * c.standard_error;
}

void withhold_tests(TargetFit& fit) {
  fit.log_likelihood = fit.f = fit.f_p_value = kNaN;
  const auto withhold = [](Coefficient& c) { c.standard_error = c.t = c.p_value = c.lower = c.upper = kNaN; };
  withhold(fit.intercept);
  for (Coefficient& c : fit.coefficients) withhold(c);
}

namespace {

// The sum of squares about the mean, 0 if it is the rounding of equal numbers: doubles that differ at all differ by
// 2^-53 of their size, and the sums keep twice the digits of a double.
DoubleDouble total_squares(const LeastSquaresSolution& s, Index t, double mean) {
  const DoubleDouble tss{s.target_square[t], s.target_square_low[t]};
  const double rounding = 0x1p-100 * mean;
  return tss.hi > s.weight * rounding * rounding ? tss : DoubleDouble{};
}

// Explained and total are kept in double-double up to their difference: R^2 near 0 would lose digits otherwise.
void sums_of_squares(TargetFit& fit, DoubleDouble rss, DoubleDouble tss, double counted, bool selected,
                     const LinearSummary& summary) {
  const double freedom = summary.degrees_of_freedom, rank = static_cast<double>(summary.rank),
               difference = (tss - rss).hi;
  const double explained = std::abs(difference) <= 0x1p-90 * tss.hi ? 0 : difference; // that is the sums' own rounding
  const bool some = tss.hi > 0, free = freedom > 0;
  fit.r2 = some ? explained / tss.hi : kNaN;
  fit.sigma = free ? std::sqrt(fit.rss / freedom) : kNaN;
  const double total_freedom = counted - (summary.intercept ? 1 : 0);
  fit.adjusted_r2 = some && free ? explained_share(fit.rss / freedom, tss.hi / total_freedom) : kNaN;
  fit.f =
      some && free && rank > 0 && summary.lambda2 == 0 && !selected ? (explained / rank) / (fit.rss / freedom) : kNaN;
  fit.f_p_value = fisher_upper(fit.f, rank, freedom);
}

void name_aliases(const LeastSquaresSolution& s, const InferenceOptions& o, LinearSummary& out) {
  for (const AliasedColumn& aliased : s.aliased) {
    Alias alias{o.features[aliased.column], {}};
    for (const auto& [column, factor] : aliased.equals) alias.equals.emplace_back(o.features[column], factor);
    out.aliased.push_back(std::move(alias));
  }
  for (const Index column : s.constant) out.aliased.push_back({o.features[column], {}});
}

} // namespace

LinearSummary summarise(const LeastSquaresObjective& objective, const LeastSquaresSolution& s, const Residual& residual,
                        const InferenceOptions& o) {
  LinearSummary out;
  out.solver = s.solver;
  out.reason = s.reason;
  out.rows = s.rows;
  out.weight_sum = s.weight;
  out.rank = s.rank;
  out.condition = s.condition;
  out.condition_is_estimate = s.condition_is_estimate;
  out.lambda1 = o.lambda1;
  out.lambda2 = objective.lambda2;
  out.intercept = objective.intercept;
  out.standardised = objective.standardise;
  out.weights_are = o.weights_are;
  out.confidence = o.confidence;
  out.means = s.mean;
  out.deviations = s.deviation;
  out.degrees_of_freedom = degrees_of_freedom(objective, s, o);
  for (std::size_t i = 0; i < s.singular_values.size(); ++i)
    out.singular.push_back({s.singular_values[i], s.shrinkage[i]});
  name_aliases(s, o, out);

  const double freedom = out.degrees_of_freedom;
  const double width = student_quantile(o.confidence, freedom);
  for (Index t = 0; t < s.targets; ++t) {
    TargetFit fit;
    fit.target = o.targets[t];
    fit.rss = residual.squares[t];
    fit.mse = fit.rss / s.weight;
    fit.log_likelihood = log_likelihood(fit.rss, s, residual, o);
    double mean = objective.intercept ? s.b[t] : 0; // of the target
    for (Index j = 0; objective.intercept && j < s.cols; ++j) mean += s.w[j + t * s.cols] * s.mean[j];
    sums_of_squares(fit, {residual.squares[t], residual.squares_low[t]}, total_squares(s, t, mean), counted_rows(s, o),
                    o.selected, out);
    fit.intercept = {.feature = "intercept", .value = s.b[t], .standardised = s.b[t]};
    judge(fit.intercept, objective.intercept ? s.inverse_intercept : kNaN, fit.sigma, freedom, width);
    fit.coefficients.reserve(static_cast<std::size_t>(s.cols));
    for (Index j = 0; j < s.cols; ++j) {
      const double w = s.w[j + t * s.cols];
      fit.coefficients.push_back({o.features[j], w, w * s.deviation[j], kNaN, kNaN, kNaN, kNaN, kNaN});
      if (!s.inverse_diagonal.empty()) judge(fit.coefficients.back(), s.inverse_diagonal[j], fit.sigma, freedom, width);
      fit.intercept.standardised += w * s.mean[j];
    }
    if (std::isnan(fit.r2)) withhold_tests(fit);
    out.targets.push_back(std::move(fit));
  }
  return out;
}

} // namespace recta
