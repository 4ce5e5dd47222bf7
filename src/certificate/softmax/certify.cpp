#include "certificate/softmax/certify.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "base/sums.hpp"
#include "certificate/loss/penalty_bound.hpp"
#include "certificate/pass.hpp"
#include "certificate/softmax/simplex_sums.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Step {
  std::vector<double> t;
  double least = 0; // eigenvalue of M across the classes, a lower bound; 0: none was found
};

// M has the constant vector as its null space; a constant matrix beside it makes it whole.
Step step_of(const SimplexSums& seen) {
  const Index k = seen.classes;
  std::vector<double> whole(static_cast<std::size_t>(k * k)), rhs;
  for (Index c = 0; c < k; ++c) rhs.push_back(seen.sum[c] / seen.weight);
  for (std::size_t s = 0; s < whole.size(); ++s) whole[s] = seen.m[s] / seen.weight + 1 / static_cast<double>(k);
  const blas::SerialBlas serial;
  const Cholesky<double> factor(whole, k, 1e-14);
  Step step{factor.solve(rhs)};
  const double off = 64 * static_cast<double>(k * k) * 0x1p-52;
  double guess = 0.5 / std::max(1.0, factor.condition_estimate());
  for (int tries = 0; tries < 4 && factor.rank() == k; ++tries, guess /= 16) {
    std::vector<double> trial = whole;
    for (Index c = 0; c < k; ++c) trial[c + c * k] -= guess + off;
    if (blas::potrf(k, {trial.data(), k}) != 0) continue;
    step.least = guess;
    break;
  }
  return step;
}

struct SimplexBound {
  Bound bound = {kInfinity, 0};
  bool exact = false;
};

SimplexBound bound_of(const SoftmaxClaimed& claimed, const SimplexSums& seen, double least, double mean_loss) {
  SimplexBound out;
  const double w = seen.weight;
  double rest = 0; // |sum s d|
  for (std::size_t k = 0; k < seen.sum.size(); ++k)
    rest += std::pow(std::abs(DoubleDouble(seen.sum[k], seen.sum_low[k]).hi) / w + 2 * SimplexSums::kRounding, 2);
  const double further = claimed.intercept ? (least > 0 ? std::sqrt(rest) / least : kInfinity) : 0;
  // What the probabilities meant are off from those of the scores, relative to them.
  const double off = (seen.farthest + static_cast<double>(seen.classes) + 64) * 0x1p-52, e = seen.most + 2 * further;
  if (!(e < 0.5)) return out;
  const double gap = seen.divergences / w;
  out.bound = {gap, 64 * 0x1p-52 * gap + 4 * further * e + 2 * (e + off) * off};
  out.exact = claimed.lambda1 > 0 || claimed.lambda2 > 0;
  std::vector<PenaltyTerm> terms;
  for (std::size_t s = 0; s < seen.product.size(); ++s) {
    const double u = claimed.unit[s % static_cast<std::size_t>(seen.cols)];
    if (u == 0) continue;
    const double l1 = claimed.lambda1 * std::sqrt(u), l2 = claimed.lambda2 * u, own = claimed.w[s];
    const DoubleDouble g = DoubleDouble(seen.product[s], seen.low[s]) / w;
    if (!out.exact) {
      out.bound.gap += std::abs(g.hi * own);
      continue;
    }
    const DoubleDouble due = two_prod(l2, own) + (own > 0 ? l1 : own < 0 ? -l1 : 0);
    // The further step changes p'_k by 2 |t| P_k (1 - P_k) at most, and that is no more than 4 |t| |d_k|.
    const double margin =
        (SimplexSums::kRounding + 4 * further) * seen.absolute[s] / w + 2 * 0x1p-53 * std::abs((g - due).hi);
    terms.push_back({own, l1, l2, (g - due).hi, margin});
  }
  if (out.exact) add_penalties(terms, mean_loss, out.bound);
  out.bound.slack += 64 * 0x1p-53 * out.bound.gap;
  return out;
}

Certificate written(const SoftmaxClaimed& claimed, double objective, SimplexBound found, Index passes) {
  Certificate c;
  c.objective = objective;
  c.null_objective = claimed.null_objective;
  c.tolerance = claimed.tolerance;
  c.stop = claimed.stop;
  c.passes = claimed.passes + passes;
  c.conditions = claimed.conditions;
  if (!(found.bound.gap + found.bound.slack < objective))
    found = {{objective, 64 * 0x1p-53 * objective}, true}; // p' = Y
  const double limit = claimed.tolerance * claimed.null_objective;
  const bool holds = found.bound.gap + found.bound.slack <= limit;
  c.slack = found.bound.slack;
  c.claim = DualityGap{objective, objective - found.bound.gap, found.bound.gap, false};
  if (holds)
    c.verdict = found.exact ? Verdict::proved : Verdict::within_tolerance;
  else if (found.bound.gap <= limit) // and roundings could hide more
    c.verdict = Verdict::within_tolerance;
  else
    c.verdict = claimed.stopped_early || claimed.gave_up ? Verdict::stopped_early : Verdict::refuted;
  if (holds && !found.exact) c.conditions.push_back("its dual point meets the constraints to rounding only");
  return c;
}

} // namespace

Result<SoftmaxChecked> certify(const SoftmaxClaimed& claimed, const Gram*, RowSource* rows, Pool& pool,
                               const Watch& watch) {
  const auto finite = [](const std::vector<double>& x) {
    return std::ranges::all_of(x, [](double y) { return std::isfinite(y); });
  };
  if (!finite(claimed.w) || !finite(claimed.b))
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  auto target = std::make_shared<SimplexTarget>(SimplexTarget{claimed.classes, claimed.w, claimed.b});
  const auto first =
      fresh_pass(*rows, SimplexSums(target), pool, watch, {.stage = "certifying", .pass = claimed.passes});
  if (!first) return std::unexpected(first.error());
  CompensatedSum penalty;
  for (std::size_t s = 0; s < claimed.w.size(); ++s) {
    const double u = claimed.unit[s % claimed.unit.size()], w = claimed.w[s];
    penalty.add(claimed.lambda1 * std::sqrt(u) * std::abs(w));
    penalty.add(claimed.lambda2 / 2 * u * w * w);
  }
  SoftmaxChecked checked;
  checked.mean_loss = (DoubleDouble(first->loss, first->loss_low) / first->weight).hi;
  checked.right = first->right;
  checked.rows = first->rows;
  Step step = step_of(*first);
  auto moved = std::make_shared<SimplexTarget>(*target);
  moved->t = claimed.intercept ? step.t : std::vector<double>(static_cast<std::size_t>(claimed.classes), 0.0);
  const auto second =
      fresh_pass(*rows, SimplexSums(moved), pool, watch, {.stage = "certifying", .pass = claimed.passes + 1});
  if (!second) return std::unexpected(second.error());
  checked.certificate = written(claimed, checked.mean_loss + penalty.value(),
                                bound_of(claimed, *second, step.least, checked.mean_loss), 2);
  return checked;
}

} // namespace recta
