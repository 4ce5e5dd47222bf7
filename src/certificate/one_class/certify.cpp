#include "certificate/one_class/certify.hpp"

#include "certificate/kernel/definite.hpp"
#include "certificate/kernel/stated_kernel.hpp"
#include "certificate/svm/nu.hpp"
#include "certificate/verdict.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::one_class {
namespace {

Certificate certificate_of(const svm::Proof& proof, const Claimed& claimed, bool definite) {
  constexpr double kStationary = 1e-3; // as the search is asked for
  const double strength = claimed.offset / proof.weight;
  Certificate out;
  out.objective = strength * proof.primal, out.null_objective = strength * proof.null;
  out.tolerance = claimed.tolerance, out.passes = 3;
  out.stop = claimed.stop;
  if (definite) {
    const double gap = strength * proof.gap;
    out.claim = DualityGap{out.objective, out.objective - gap, gap, false};
    out.slack = strength * proof.slack;
    out.verdict = verdict_of({.distance = gap,
                              .slack = out.slack,
                              .limit = claimed.tolerance * out.null_objective,
                              .forgiven = out.slack,
                              .ended_early = claimed.ended_early});
  } else {
    out.claim = Stationary{proof.violation};
    out.verdict = verdict_of(
        {.distance = proof.violation, .limit = kStationary, .is_bound = false, .ended_early = claimed.ended_early});
    out.conditions.emplace_back(
        "the kernel is not known to be positive semidefinite: the dual need not be concave, and this is a stationary "
        "point");
  }
  if (!proof.same_rows) contradict(out, "its support vectors are not the rows it says");
  return out;
}

} // namespace

Result<Certificate> certify(const Claimed& claimed, RowSource& source, std::span<const double> weight, Pool& pool,
                            const Watch& watch) {
  constexpr double kKept = 1e-6; // |w|^2 is that of scores which the search kept up to date, step by step
  svm::Claimed machine{.terms = {},
                       .intercept = false,
                       .cost = 1 / claimed.offset,
                       .rows = {claimed.rows.begin(), claimed.rows.end()},
                       .beta = {claimed.beta.begin(), claimed.beta.end()}};
  machine.kernel = &claimed.kernel, machine.points = &claimed.points;
  std::vector<double> levels{claimed.offset}, intercepts;
  if (claimed.lowest < claimed.highest) levels.insert(levels.end(), {claimed.lowest, claimed.highest});
  for (const double level : levels) intercepts.push_back(1 - level / claimed.offset);
  const std::vector<double> ones(weight.size(), 1.0);
  const auto proofs = svm::certify(machine, intercepts, {source, ones, weight}, pool, watch);
  if (!proofs) return std::unexpected(proofs.error());
  const auto definite = is_definite(claimed.kernel, source, pool);
  if (!definite) return std::unexpected(definite.error());
  const svm::Proof& certified = proofs->front();
  const svm::Proof proof = svm::proof_for_margin(certified, claimed.nu, machine.cost);
  Certificate out = certificate_of(proof, claimed, *definite);
  Differences differences;
  if (!std::isnan(claimed.squared))
    differences.compare("|w|^2 is", claimed.squared, proof.squared, kKept * std::max(proof.squared, proof.primal));
  if (claimed.lowest > claimed.offset || claimed.highest < claimed.offset)
    differences.add(
        fmt::format("the level {} is not between {} and {}", claimed.offset, claimed.lowest, claimed.highest));
  for (std::size_t k = 1; k < levels.size(); ++k) {
    const svm::Proof& other = (*proofs)[k];
    const double more = other.primal - certified.primal + claimed.nu * proof.weight / claimed.offset * intercepts[k];
    if (more > claimed.tolerance * certified.null + other.slack + certified.slack)
      differences.add(fmt::format("the level {} is not as good as {}", levels[k], claimed.offset));
  }
  differences.refute(out);
  out.conditions.push_back(fmt::format("nu = {:.10g}: a share of {:.6g} of the rows is outside, and {:.6g} are support "
                                       "vectors",
                                       claimed.nu, proof.beyond / proof.weight, proof.support / proof.weight));
  return out;
}

void compare(const Stated& stated, Certificate& certificate) {
  Differences differences;
  compare_kernels(stated.kernel, stated.kernel_asked, differences);
  differences.compare("the objective", stated.objective, certificate.objective,
                      kStatedSums * std::abs(certificate.objective));
  differences.refute(certificate);
}

} // namespace recta::one_class
