#include "certificate/loss/verdict.hpp"

#include <algorithm>

namespace recta {
namespace {

Verdict short_of(const LossClaimed& claimed) {
  return claimed.stopped_early || claimed.gave_up ? Verdict::stopped_early : Verdict::refuted;
}

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

void add_conditions(const LossClaimed& claimed, const LossOutcome& found, bool partly, bool rounded, Certificate& c) {
  if (found.nearly_constant) c.conditions.push_back("some columns are constant to rounding and left out");
  if (c.verdict == Verdict::within_tolerance && !partly)
    c.conditions.push_back(rounded ? "rounding the answer to doubles can cost as much"
                                   : "its dual point meets the constraints to rounding only");
  if (found.dependent.empty() || (found.trivial && !found.left_out.exact)) return; // d = 0 has no part in them
  const std::string which = are_combinations(std::ssize(found.dependent));
  if (found.left_out.exact)
    c.conditions.push_back(which + ", exactly and in every row" + listed(found.left_out, claimed.feature));
  else
    c.conditions.push_back(
        which +
        (found.in_all_rows ? " to rounding and left out of the proof: " : " where the loss is curved, to rounding: ") +
        names(found.dependent, claimed));
}

} // namespace

Certificate verdict_of(const LossClaimed& claimed, const LossFacts& facts, const LossOutcome& found, Index passes) {
  Certificate c;
  c.objective = found.objective;
  c.null_objective = facts.null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + passes;
  c.conditions = claimed.conditions;
  const double limit = claimed.tolerance * facts.null_objective;
  const bool holds = found.gap + found.slack <= limit;
  const bool partly = (!found.dependent.empty() && !found.left_out.exact) || found.nearly_constant;
  const double gap = holds ? found.gap : std::min(found.gap, found.near);
  c.slack = holds || gap == found.gap ? found.slack : 0;
  c.claim = DualityGap{found.objective, found.objective - gap, gap, false};
  const bool bound = gap == found.gap && (!partly || found.trivial); // over all columns
  if (holds && bound)
    c.verdict = Verdict::proved;
  else
    c.verdict = holds || gap <= limit + found.floor ? Verdict::within_tolerance : short_of(claimed);
  if (!bound && found.residual) {
    c.claim = KktResidual{*found.residual};
    c.slack = 0;
    if (!(*found.residual <= claimed.tolerance)) c.verdict = short_of(claimed);
  }
  add_conditions(claimed, found, partly, gap > limit, c);
  return c;
}

} // namespace recta
