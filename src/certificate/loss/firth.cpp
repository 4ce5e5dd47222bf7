#include "certificate/loss/firth.hpp"

#include "certificate/loss/dual_sums.hpp"
#include "certificate/pass.hpp"
#include "stats/leverage/firth_sums.hpp"

#include <cmath>

namespace recta {

Result<LossChecked> certify_firth(const LossClaimed& claimed, RowSource& rows, Pool& pool, const Watch& watch) {
  auto at = std::make_shared<DualPoint>();
  at->loss = claimed.objective.at();
  at->w = claimed.w;
  at->b = claimed.b;
  at->gather = true;
  const auto sums = fresh_pass(rows, DualSums(at), pool, watch, {"certifying", claimed.passes});
  if (!sums) return std::unexpected(sums.error());
  const bool intercept = claimed.objective.intercept;
  std::vector<char> constant;
  for (Index j = 0; j < sums->cols; ++j) constant.push_back(claimed.facts->sums.constant(j, intercept));
  const auto information = std::make_shared<FisherInformation>(sums->gram, intercept, constant, pool);
  const auto point = std::make_shared<FirthPoint>(FirthPoint{claimed.w, claimed.b, information});
  const auto more = fresh_pass(rows, FirthSums(point), pool, watch, {"certifying", claimed.passes + 1});
  if (!more) return std::unexpected(more.error());

  const double slope = intercept ? more->slope + sums->sum.hi : 0; // d is minus the slope of the loss
  double square = intercept ? slope * slope / information->weight : 0;
  std::vector<double> score;
  for (std::size_t s = 0; s < information->used.size(); ++s) {
    const Index j = information->used[s];
    score.push_back(more->gradient[j] + sums->product(j).hi - information->mean[s] * slope);
  }
  for (const double x : information->factor.forward(score)) square += x * x;

  LossChecked out;
  out.mean_loss = (sums->value / sums->weight).hi;
  out.right = sums->right;
  out.rows = sums->rows;
  out.rank = information->factor.rank();
  out.curvature = std::make_shared<const Gram>(sums->gram);
  Certificate& c = out.certificate;
  c.claim = Stationary{std::sqrt(square)};
  c.objective = out.mean_loss - information->log_det() / (2 * claimed.facts->weight());
  c.null_objective = claimed.facts->null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + 2;
  c.conditions = claimed.conditions;
  c.conditions.emplace_back("the gradient is in standard errors, of the step that it still asks for");
  const bool there = std::sqrt(square) <= claimed.tolerance;
  c.verdict = there                                      ? Verdict::within_tolerance
              : claimed.stopped_early || claimed.gave_up ? Verdict::stopped_early
                                                         : Verdict::refuted;
  return out;
}

} // namespace recta
