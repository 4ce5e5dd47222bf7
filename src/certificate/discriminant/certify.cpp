// The moments of the classes beside those that the rows give.
#include "base/numbers.hpp"
#include "certificate/discriminant/checking.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::discriminant {

void Findings::look(double deviation) {
  shared_ = std::isnan(deviation) ? kInfinity : std::max(shared_, deviation);
  residual = std::max(residual, shared_);
}
void Findings::look(double deviation, double single_rounding) {
  if (std::isnan(deviation)) deviation = kInfinity;
  residual = std::max(residual, deviation);
  single_ = std::max(single_, single_rounding);
  beyond_ = beyond_ || !(deviation <= tolerance + single_rounding);
}
void Findings::allow(double deviation) {
  rounding_ = std::max(rounding_, deviation);
}
double Findings::slack() const {
  return std::max(rounding_, single_);
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

void Checking::weights() {
  for (std::size_t k = 0; k < claim_.weight.size(); ++k)
    if (!(std::abs(claim_.weight[k] - sums_.weight[k]) <= counting_ * sums_.weight[k]))
      findings_.wrong.push_back(fmt::format("class {}: the model has weight {}, the rows give {}",
                                            claim_.classes.labels[k], claim_.weight[k], sums_.weight[k]));
}

void Checking::means() {
  const std::vector<double> first = again_.first();
  for (std::size_t k = 0; k < claim_.weight.size(); ++k) {
    const std::vector<double> scale = scales(matrix(k));
    for (std::size_t j = 0; j < at(p_); ++j) {
      findings_.look(std::abs(first[k * at(p_) + j]) / sums_.weight[k] / scale[j]);
      findings_.allow(4 * kUnit * std::abs(mean(k)[j]) / scale[j]);
    }
  }
}

// The deviation of a column that does not vary is stated as 1.
void Checking::deviations() {
  for (std::size_t i = 0; i < claim_.deviation.size(); ++i) {
    const std::size_t k = i / at(p_), j = i % at(p_);
    const double variance = sums_.covariance[k * numbers_ + j * at(p_) + j], stored = claim_.deviation[i];
    if (variance <= 2 * least_[j] && stored == 1) continue;
    findings_.look(std::abs(stored * stored - variance) / variance);
  }
}

void Checking::shares() {
  for (std::size_t k = 0; k < claim_.share.size(); ++k) findings_.look(std::abs(claim_.share[k] - expected_.shares[k]));
}

void Checking::matrices() {
  for (std::size_t k = 0; k * numbers_ < claim_.covariance.size(); ++k) {
    const double *expected = matrix(k), *stored = claim_.covariance.data() + k * numbers_;
    const std::vector<double> scale = scales(expected);
    for (std::size_t j = 0; j < at(p_); ++j)
      for (std::size_t i = 0; i < at(p_); ++i)
        findings_.look(std::abs(stored[j * at(p_) + i] - expected[j * at(p_) + i]) / scale[i] / scale[j]);
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
  out.verdict = !findings.near()                 ? Verdict::refuted
                : findings.residual <= tolerance ? Verdict::proved
                                                 : Verdict::within_tolerance;
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
  return out;
}

} // namespace recta::discriminant
