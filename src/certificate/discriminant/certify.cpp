// The moments of the classes beside those that the rows give.
#include "base/numbers.hpp"
#include "certificate/discriminant/checking.hpp"
#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::discriminant {

void Findings::look(double deviation, double rounding) {
  if (std::isnan(deviation)) deviation = kInfinity;
  residual = std::max(residual, deviation);
  largest_rounding_ = std::max(largest_rounding_, rounding);
  beyond_ = beyond_ || !(deviation <= tolerance + rounding);
}

Checking::Checking(const Rescatter& again, Index block_rows, double tolerance)
    : again_(again), claim_(again.claim()), p_(claim_.columns), numbers_(at(p_ * p_)), sums_(again.sums()),
      expected_(covariances(claim_.shape, sums_, claim_.prior)), least_(least_variances(claim_.mean, p_)),
      counting_(static_cast<double>(block_rows + 64) * kUnit), findings_(tolerance) {
  if (std::ranges::any_of(claim_.added, [](double added) { return added != 0; })) plain_ = expected_.matrices;
  widen(sums_, claim_.added, expected_.matrices);
}

Findings Checking::run() {
  weights();
  means();
  deviations();
  shares();
  matrices();
  if (claim_.shape.quadratic)
    quadratic();
  else
    linear();
  return findings_;
}

// Standard deviations; of a column that does not vary, the size of its means, or 1.
std::vector<double> Checking::scales(const double* s) const {
  std::vector<double> out;
  for (Index j = 0; j < p_; ++j) {
    const double variance = s[j * p_ + j], least = least_[at(j)];
    out.push_back(variance > least ? std::sqrt(variance) : least > 0 ? std::sqrt(least) / (16 * kUnit) : 1);
  }
  return out;
}

std::vector<double> Checking::mean_roundings(std::size_t k, const std::vector<double>& scale) const {
  std::vector<double> out;
  for (std::size_t j = 0; j < at(p_); ++j) out.push_back(4 * kUnit * std::abs(mean(k)[j]) / scale[j]);
  return out;
}
std::vector<double> Checking::mean_roundings(const std::vector<double>& scale) const {
  std::vector<double> out(at(p_));
  for (std::size_t k = 0; k < claim_.weight.size(); ++k) {
    const std::vector<double> of_class = mean_roundings(k, scale);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = std::max(out[j], of_class[j]);
  }
  return out;
}

void Checking::weights() {
  for (std::size_t k = 0; k < claim_.weight.size(); ++k)
    if (!(std::abs(claim_.weight[k] - sums_.weight[k]) <= counting_ * sums_.weight[k]))
      findings_.wrong.push_back(fmt::format("class {}: the model has weight {}, the rows give {}",
                                            claim_.classes.labels[k], claim_.weight[k], sums_.weight[k]));
}

void Checking::means() {
  const std::vector<double> first = again_.first();
  for (std::size_t k = 0; k < claim_.weight.size(); ++k) {
    const std::vector<double> scale = scales(matrix(k)), rounding = mean_roundings(k, scale);
    for (std::size_t j = 0; j < at(p_); ++j)
      findings_.look(std::abs(first[k * at(p_) + j]) / sums_.weight[k] / scale[j], rounding[j]);
  }
}

// Squares about a mean that is off by e are larger by e^2, and products by the product of the errors of two columns.
// The deviation of a column that does not vary is stated as 1.
void Checking::deviations() {
  for (std::size_t i = 0; i < claim_.deviation.size(); ++i) {
    const std::size_t k = i / at(p_), j = i % at(p_);
    const double variance = sums_.covariance[k * numbers_ + j * at(p_) + j], stored = claim_.deviation[i];
    if (variance <= 2 * least_[j] && stored == 1) continue;
    const double off = 4 * kUnit * mean(k)[j];
    findings_.look(std::abs(stored * stored - variance) / variance, off * off / variance);
  }
}

void Checking::shares() {
  for (std::size_t k = 0; k < claim_.share.size(); ++k) findings_.look(std::abs(claim_.share[k] - expected_.shares[k]));
}

void Checking::matrices() {
  for (std::size_t k = 0; k * numbers_ < claim_.covariance.size(); ++k) {
    const double *expected = matrix(k), *stored = claim_.covariance.data() + k * numbers_;
    const std::vector<double> scale = scales(expected),
                              off = claim_.shape.quadratic ? mean_roundings(k, scale) : mean_roundings(scale);
    for (std::size_t j = 0; j < at(p_); ++j)
      for (std::size_t i = 0; i < at(p_); ++i)
        findings_.look(std::abs(stored[j * at(p_) + i] - expected[j * at(p_) + i]) / scale[i] / scale[j],
                       off[i] * off[j]);
  }
}

std::vector<double> Checking::centre() const {
  std::vector<double> out(at(p_));
  for (std::size_t k = 0; k < claim_.prior.size(); ++k)
    for (std::size_t j = 0; j < out.size(); ++j) out[j] += claim_.prior[k] * (mean(k)[j] - claim_.mean[j]);
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += claim_.mean[j];
  return out;
}

Certificate certify(const Rescatter& again, Index block_rows, double tolerance) {
  Checking checking(again, block_rows, tolerance);
  const Findings findings = checking.run();
  const GaussianClaim& claim = again.claim();
  Certificate out;
  out.claim = KktResidual{findings.residual};
  const std::vector<Index> left_out = again.left_out();
  out.verdict = verdict_of({.distance = findings.residual,
                            .limit = tolerance,
                            .forgiven = findings.slack(),
                            .is_bound = left_out.empty(),
                            .contradicted = !findings.near()});
  out.objective = checking.objective();
  out.null_objective = checking.null_objective();
  out.tolerance = tolerance;
  out.slack = findings.slack();
  out.stop = "solved in closed form";
  out.conditions = findings.wrong;
  if (findings.wrong.empty() && claim.rank < claim.columns)
    out.conditions.push_back(
        claim.shape.quadratic
            ? fmt::format("the likelihood is that of the {} of {} columns that count", claim.rank, claim.columns)
            : fmt::format(
                  "the likelihood is that of {} directions, the rank of {} columns, in units of their deviations",
                  claim.rank, claim.columns));
  for (const Index j : left_out)
    out.conditions.push_back(
        fmt::format("column {} varies inside the classes, but by no more than rounding at its size, "
                    "and is taken to be constant there: subtract a number near its mean",
                    claim.names.empty() ? std::to_string(j + 1) : claim.names[at(j)]));
  return out;
}

} // namespace recta::discriminant
