#include "certificate/svm/join.hpp"

#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::svm {

void compare_part(const StatedPart& stated, std::span<const double> beta, Differences& differences) {
  if (!stated.intercept && (stated.b != 0 || stated.b_low != 0 || stated.b_high != 0))
    differences.add(fmt::format("it is said to have no intercept, and has {}", stated.b));
  if (std::ranges::find(beta, 0.0) != beta.end())
    differences.add("a row without a multiplier is listed as a support vector");
}

void compare_vectors(Index vectors, std::span<const std::span<const Index>> supports, Differences& differences) {
  std::vector<bool> named(at(vectors));
  for (const auto& part : supports)
    for (const Index k : part) named[at(k)] = true;
  if (std::ranges::find(named, false) != named.end())
    differences.add("a row of no machine is listed as a support vector");
}

std::string machines_text(std::size_t parts, bool against_rest) {
  return fmt::format("{} machines, {}; figures are their sums", parts,
                     against_rest ? "each class against the rest" : "all classes against all");
}

Joined::Joined(double tolerance, Ended ended)
    : tolerance_(tolerance), ended_(std::move(ended)), worst_(verdict_of(exact_proof())) {}

void Joined::add(const Proof& proof, double strength) {
  objective_ += strength * proof.primal, null_ += strength * proof.null;
  gap_ += strength * proof.gap, slack_ += strength * proof.slack;
  judge(proof);
}

double Joined::add_beside(const Proof& proof, double strength) {
  judge(proof);
  return strength * proof.gap;
}

void Joined::judge(const Proof& proof) {
  const double both = proof.gap + proof.slack;
  const bool finite = std::isfinite(both + proof.null); // beyond the doubles nothing is known
  // A bound beyond the cost of no weights at all tells nothing, whatever part of it is rounding.
  const Verdict verdict = verdict_of({.distance = finite ? proof.gap : kNaN,
                                      .slack = proof.slack,
                                      .limit = tolerance_ * proof.null,
                                      .forgiven = both < proof.null ? proof.slack : 0,
                                      .ended_early = ended_.early || ended_.gave_up});
  if (verdict > worst_) worst_ = verdict;
  violation_ = std::max(violation_, proof.violation);
  same_rows_ = same_rows_ && proof.same_rows;
}

Certificate Joined::certificate(bool definite) const {
  constexpr double kStationary = 1e-3; // as the search is asked for
  Certificate out;
  out.objective = objective_, out.null_objective = null_;
  out.tolerance = tolerance_;
  out.stop = ended_.why;
  if (!definite) {
    out.claim = Stationary{violation_};
    out.verdict = verdict_of({.distance = violation_,
                              .limit = kStationary,
                              .is_bound = false,
                              .ended_early = ended_.early || ended_.gave_up});
    out.conditions.emplace_back(
        "the kernel is not known to be positive semidefinite: the dual need not be concave, and this is a stationary "
        "point");
  } else {
    out.claim = DualityGap{objective_, objective_ - gap_, gap_, false};
    out.slack = slack_;
    out.verdict = worst_;
    if (worst_ == Verdict::proved && ended_.gave_up && !ended_.early) out.stop = Stop::tolerance_reached;
    if (worst_ == Verdict::within_tolerance)
      out.conditions.emplace_back("the rounding of the check can cost as much as the tolerance");
  }
  differences.refute(out);
  if (!same_rows_) contradict(out, "its support vectors are not the rows it says");
  return out;
}

} // namespace recta::svm
