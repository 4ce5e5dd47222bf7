#include "certificate/loss/firth.hpp"

#include "certificate/loss/dual_sums.hpp"
#include "certificate/verdict.hpp"
#include "stats/leverage/firth_sums.hpp"
#include "stats/pass.hpp"
#include "stats/shifted_rows.hpp"

#include <cmath>

namespace recta {

namespace {

// The effect on the gradient of rounding the coefficients alone, in standard errors: scores are off by as much as the
// terms of a score near the means are.
double floor_of(const LossClaimed& claimed, const FisherInformation& information) {
  double size = std::abs(claimed.b);
  for (std::size_t j = 0; j < claimed.w.size(); ++j)
    size += std::abs(claimed.w[j] * claimed.facts->sums.mean(static_cast<Index>(j)).hi);
  return 0x1p-53 * size * std::sqrt(information.weight);
}

} // namespace

Result<LossChecked> certify_firth(const LossClaimed& claimed, RowSource& source, Pool& pool, const Watch& watch) {
  const std::vector<double> shift = claimed.facts->shifts(claimed.objective);
  ShiftedRows shifted(source, shift);
  RowSource& rows = shift.empty() ? source : shifted;
  const DoubleDouble b = constant_about(shift, claimed.w, claimed.b, 1);
  auto at = std::make_shared<DualPoint>();
  at->loss = claimed.objective.at();
  at->w = claimed.w;
  at->b = b.hi;
  at->b_low = b.lo;
  at->gather = true;
  at->gaps = false;
  const auto sums = fresh_pass(rows, DualSums(at), pool, watch, {"certifying", claimed.passes});
  if (!sums) return std::unexpected(sums.error());
  const bool intercept = claimed.objective.intercept;
  std::vector<char> constant;
  for (Index j = 0; j < sums->cols; ++j) constant.push_back(claimed.facts->sums.constant(j, intercept));
  const auto information = std::make_shared<FisherInformation>(sums->gram, intercept, constant, pool);
  const auto point = std::make_shared<FirthPoint>(FirthPoint{claimed.w, b.hi, information});
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
  Gram gram = sums->gram;
  for (std::size_t j = 0; j < shift.size(); ++j) gram.mean[j] += shift[j];
  out.curvature = std::make_shared<const Gram>(std::move(gram));
  Certificate& c = out.certificate;
  c.claim = Stationary{std::sqrt(square)};
  c.objective = out.mean_loss - information->log_det() / (2 * claimed.facts->weight());
  c.null_objective = claimed.facts->null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + 2;
  c.conditions = claimed.conditions;
  c.conditions.emplace_back("the gradient is in standard errors, of the step that it still asks for");
  c.verdict = verdict_of({.distance = std::sqrt(square),
                          .limit = claimed.tolerance,
                          .forgiven = floor_of(claimed, *information),
                          .is_bound = false,
                          .ended_early = claimed.stopped_early || claimed.gave_up});
  if (c.verdict == Verdict::within_tolerance && std::sqrt(square) > claimed.tolerance)
    c.conditions.emplace_back("doubles come no nearer: rounding the answer alone costs as much");
  return out;
}

} // namespace recta
