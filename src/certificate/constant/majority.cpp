#include "certificate/constant/majority.hpp"

#include "certificate/verdict.hpp"
#include "objective/constant/shares.hpp"

#include <numeric>

namespace recta {

Certificate certify_majority(const MajorityClaim& claim, const std::vector<double>& weight) {
  Certificate out;
  out.claim = Counted{};
  out.verdict = verdict_of({.distance = 0, .contradicted = claim.scores != scores_of_shares(claim.classes, weight)});
  out.objective = out.null_objective =
      -log_likelihood_of_shares(weight) / std::accumulate(weight.begin(), weight.end(), 0.0);
  out.tolerance = claim.tolerance;
  out.passes = 2;
  out.stop = "counted";
  return out;
}

} // namespace recta
