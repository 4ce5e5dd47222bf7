#include "certificate/constant/certify.hpp"

#include "base/double_double.hpp"
#include "base/numbers.hpp"
#include "certificate/verdict.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// The sums of one target that judge its constant.
class TargetSums {
public:
  TargetSums(double b, double quantile) : b_(b), quantile_(quantile) {}

  void add(double y, double offset, double weight) {
    const DoubleDouble residual = two_sum(y, -offset) - b_;
    if (quantile_ == 0) {
      const DoubleDouble pull = residual * weight;
      pull_ += pull;
      pulls_ += std::abs(pull.hi);
      loss_ += pull * residual;
      return;
    }
    loss_ += residual * (weight * (residual.hi < 0 ? quantile_ - 1 : quantile_));
    (residual.hi < 0 ? below_ : residual.hi > 0 ? above_ : at_) += weight;
    least_ = std::min(least_, residual.hi);
    most_ = std::max(most_, residual.hi);
  }

  double objective(DoubleDouble weight) const {
    return std::max(0.0, (loss_ / (weight * (quantile_ == 0 ? 2.0 : 1.0))).hi);
  }
  // F(b) - F* as computed, and at most what rounding the sums of n rows hides. `whole`: all weights are whole numbers.
  std::pair<double, double> distance(DoubleDouble weight, Index n, bool whole) const {
    const double rounding = 8 * static_cast<double>(n) * kUnit * kUnit; // of n double-double sums, products included
    if (quantile_ == 0) {
      const double pull = std::abs((pull_ / weight).hi), hidden = rounding * pulls_ / weight.hi;
      const double above = pull * pull / 2;
      return {above, (pull + hidden / 2) * hidden + 4 * kUnit * above};
    }
    // Zero lies between the slopes on both sides if neither of these is above zero.
    const DoubleDouble share = weight * quantile_;
    const double outside = std::max({0.0, (below_ - share).hi, (share - below_ - at_).hi}) / weight.hi;
    const double range = most_ - least_;
    // Sums of whole numbers up to 2^53 are exact, and so is their product with a quantile of few digits.
    return {outside * range, outside == 0 && whole ? 0 : rounding * range};
  }

private:
  double b_, quantile_;
  DoubleDouble pull_{}, loss_{}, below_{}, at_{}, above_{};
  double pulls_ = 0, least_ = kInfinity, most_ = -kInfinity;
};

struct Sums {
  std::vector<TargetSums> targets;
  DoubleDouble weight{};
  Index rows = 0;
  bool whole = true;

  void add(const Batch& batch) {
    for (Index i = 0; i < batch.rows(); ++i) {
      const double s = batch.weight.empty() ? 1 : batch.weight[at(i)];
      if (!(s > 0)) continue;
      weight += s;
      whole = whole && s == std::trunc(s) && s <= 0x1p53;
      ++rows;
      const double offset = batch.offset.empty() ? 0 : batch.offset[at(i)];
      for (std::size_t t = 0; t < targets.size(); ++t)
        targets[t].add(element(batch.target, i, static_cast<Index>(t)), offset, s);
    }
  }
};

} // namespace

Result<ConstantProof> certify(const ConstantClaim& claim, RowSource& source, const Watch& watch) {
  Sums sums;
  for (const double b : claim.b) sums.targets.emplace_back(b, claim.quantile);
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    sums.add(batch);
    if (watch && !watch({.stage = "certifying", .fraction = -1}))
      return fail(ErrorCode::interrupted, "certifying", "stopped while the constant was being checked");
    return {};
  });
  if (!read) return std::unexpected(read.error());
  ConstantProof proof{.certificate = {}, .weight = sums.weight.hi, .rows = sums.rows};
  Certificate& out = proof.certificate;
  ExactOptimum optimum;
  for (const TargetSums& target : sums.targets) {
    const auto [above, hidden] = target.distance(sums.weight, sums.rows, sums.whole);
    optimum.suboptimality += above;
    out.slack += hidden;
    out.objective += target.objective(sums.weight);
  }
  out.claim = optimum;
  out.null_objective = out.objective;
  out.tolerance = claim.tolerance;
  out.passes = 1;
  out.verdict = verdict_of(
      {.distance = optimum.suboptimality, .slack = out.slack, .limit = claim.tolerance * out.null_objective});
  return proof;
}

} // namespace recta
