#include "certificate/loss/verdict.hpp"

#include <algorithm>

namespace recta {

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
  const bool partly = (found.dependent > 0 && !found.left_out.exact) || found.nearly_constant;
  const double gap = holds ? found.gap : std::min(found.gap, found.near);
  c.slack = holds || gap == found.gap ? found.slack : 0;
  c.claim = DualityGap{found.objective, found.objective - gap, gap, false};
  if (holds)
    c.verdict = partly && !found.trivial ? Verdict::within_tolerance : Verdict::proved;
  else if (gap <= limit + found.floor)
    c.verdict = Verdict::within_tolerance;
  else
    c.verdict = claimed.stopped_early || claimed.gave_up ? Verdict::stopped_early : Verdict::refuted;
  if (found.nearly_constant) c.conditions.push_back("some columns are constant to rounding and left out");
  if (c.verdict == Verdict::within_tolerance && !partly)
    c.conditions.push_back(gap > limit ? "rounding the answer to doubles can cost as much"
                                       : "its dual point meets the constraints to rounding only");
  if (found.dependent > 0)
    c.conditions.push_back(are_combinations(found.dependent) +
                           (found.left_out.exact
                                ? ", exactly and in every row" + listed(found.left_out, claimed.feature)
                                : " where the loss is curved, to rounding"));
  return c;
}

} // namespace recta
