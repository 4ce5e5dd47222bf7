// The proof of an answer that another program gave.
#include "base/numbers.hpp"

#include <recta/foreign.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// No point is below the optimum: an objective beneath the bound, by more than the tolerance, says that one of the two
// is wrong.
bool contradicts(const ForeignProof& proof) {
  return proof.objective < proof.optimum_lower - proof.tolerance * std::abs(proof.null_objective);
}

} // namespace

double ForeignProof::gap() const {
  return std::max(0.0, objective - optimum_lower);
}

double ForeignProof::relative_gap() const {
  return optimum_upper != 0 ? gap() / std::abs(optimum_upper) : gap() > 0 ? 1 : 0;
}

bool ForeignProof::proved() const {
  return !contradicts(*this) && gap() <= tolerance * std::abs(null_objective);
}

std::string ForeignProof::sentence() const {
  if (!std::isfinite(optimum_lower)) {
    std::string text =
        fmt::format("Not proved: {}: nothing is known of the optimum, so that the objective {:.10g} may be "
                    "any distance above it",
                    name, objective);
    for (const std::string& condition : conditions) text += "; " + condition;
    return text + ".";
  }
  if (contradicts(*this))
    return fmt::format("Not proved: {}: the objective {:.10g} is below {:.10g}, which no answer can be: one of the two "
                       "was not computed to its digits, and nothing is claimed.",
                       name, objective, optimum_lower);
  std::string text =
      fmt::format("{}: {}: the objective {:.10g} is at most {:.3g} above the optimum, which is proved to lie "
                  "between {:.10g} and {:.10g}; {:.3g} of it (tolerance {:.3g})",
                  proved() ? "Proved" : "Not proved", name, objective, gap(), optimum_lower, optimum_upper,
                  relative_gap(), tolerance * std::abs(null_objective));
  if (!optimum_proved) text += "; Recta's own answer is not within its tolerance of the optimum";
  for (const std::string& condition : conditions) text += "; " + condition;
  return text + ".";
}

ForeignProof foreign_proof(const std::string& name, double objective, const Certificate& ours, double scale,
                           double tolerance) {
  double gap = kInfinity;
  if (const auto* duality = std::get_if<DualityGap>(&ours.claim)) gap = duality->gap;
  if (const auto* exact = std::get_if<ExactOptimum>(&ours.claim)) gap = exact->suboptimality;
  return {.name = name,
          .objective = objective,
          .optimum_lower = scale * (ours.objective - gap - ours.slack),
          .optimum_upper = scale * ours.objective,
          .null_objective = scale * ours.null_objective,
          .tolerance = tolerance,
          .optimum_proved = ours.verdict == Verdict::proved};
}

} // namespace recta
