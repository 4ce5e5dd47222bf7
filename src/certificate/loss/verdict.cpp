#include "certificate/loss/verdict.hpp"

#include "certificate/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace recta {
namespace {

std::string names(const std::vector<Index>& columns, const LossClaimed& claimed) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t s = 0; s < columns.size(); ++s) {
    if (s == kMost) return text + ", ...";
    text += (s == 0 ? "" : ", ") +
            (claimed.feature ? claimed.feature(columns[s]) : "column " + std::to_string(columns[s] + 1));
  }
  return text;
}

void add_conditions(const LossClaimed& claimed, const LossOutcome& outcome, bool partly, bool rounded, Certificate& c) {
  if (!outcome.nearly_constant.empty())
    c.conditions.push_back("columns that are constant to rounding only were left out: " +
                           names(outcome.nearly_constant, claimed));
  if (c.verdict == Verdict::within_tolerance && !partly)
    c.conditions.push_back(rounded ? "rounding the answer to doubles can cost as much"
                                   : "its dual point meets the constraints to rounding only");
  if (outcome.dependent.empty() || (outcome.trivial && !outcome.left_out.exact)) return; // d = 0 has no part in them
  const std::string which = are_combinations(std::ssize(outcome.dependent));
  if (outcome.left_out.exact)
    c.conditions.push_back(which + ", exactly and in every row" + listed(outcome.left_out, claimed.feature));
  else
    c.conditions.push_back(which +
                           (outcome.in_all_rows ? " to rounding and left out of the proof: "
                                                : " where the loss is curved, to rounding: ") +
                           names(outcome.dependent, claimed));
}

// Columns that no bound and no residual covers. Next to nothing is left of them beside the others, so any answer meets
// their own condition; a large coefficient could lower the objective all the same.
Stop columns_left_out(const LossOutcome& outcome) {
  if (!outcome.nearly_constant.empty()) return Stop::constants_left_out;
  if (!outcome.dependent.empty() && !outcome.left_out.exact && outcome.in_all_rows) return Stop::combinations_left_out;
  return {};
}

} // namespace

double residual_of(const LossClaimed& claimed, std::span<const double> gradient, std::span<const double> size) {
  const LossFacts& facts = *claimed.facts;
  double most = 0;
  for (std::size_t j = 0; j < gradient.size(); ++j) {
    const double unit = facts.unit(claimed.objective, static_cast<Index>(j)), w = claimed.w[j];
    const double absolute = facts.weight() * claimed.objective.lambda1 * unit;
    const double square = facts.weight() * claimed.objective.lambda2 * unit * unit * w;
    const double due = square + (w > 0 ? absolute : w < 0 ? -absolute : 0), all = size[j] + std::abs(due);
    const double lacks = std::max(0.0, std::abs(gradient[j] - due) - (w == 0 ? absolute : 0));
    if (all > 0) most = std::max(most, lacks / all);
  }
  return most;
}

Certificate written(const LossClaimed& claimed, const LossFacts& facts, LossOutcome outcome, Index passes) {
  // With units that are off by a share e of their squares F(w) is off by e P(w) at most, and F* by e F*: losses are >=
  // 0.
  const double off = facts.unit_error(claimed.objective) * outcome.objective;
  outcome.slack += 2 * off, outcome.hidden += off;
  Certificate c;
  c.objective = outcome.objective;
  c.null_objective = facts.null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + passes;
  c.conditions = claimed.conditions;
  const double limit = claimed.tolerance * facts.null_objective;
  const bool holds = outcome.gap + outcome.slack <= limit;
  const bool partly = (!outcome.dependent.empty() && !outcome.left_out.exact) || !outcome.nearly_constant.empty();
  const double gap = holds ? outcome.gap : std::min(outcome.gap, outcome.near);
  c.slack = holds || gap == outcome.gap ? outcome.slack : 0;
  c.claim = DualityGap{outcome.objective, outcome.objective - gap, gap, false};
  const bool bound = gap == outcome.gap && (!partly || outcome.trivial); // over all columns
  Proof proof{.distance = gap,
              .slack = c.slack,
              .limit = limit,
              .forgiven = outcome.floor,
              .is_bound = bound,
              .ended_early = claimed.stopped_early || claimed.gave_up};
  if (!bound) {
    c.claim = KktResidual{outcome.residual};
    // No distance is stated, and of F the digits that are shown unless rounding reaches them.
    c.slack = outcome.hidden > 1e-12 * outcome.objective ? outcome.hidden : 0;
    const Stop left_out = columns_left_out(outcome);
    if (!(outcome.residual <= claimed.tolerance)) {
      proof.distance = kNaN;
    } else if (gap <= limit + outcome.floor && !left_out.text().empty()) {
      proof.is_open = true;
      if (!proof.ended_early) c.stop = left_out;
    }
  }
  c.verdict = verdict_of(proof);
  add_conditions(claimed, outcome, partly, gap > limit, c);
  return c;
}

} // namespace recta
