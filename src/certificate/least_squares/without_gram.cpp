#include "certificate/least_squares/without_gram.hpp"

#include "certificate/least_squares/column_sums.hpp"
#include "certificate/pass.hpp"

#include <cmath>

namespace recta {
namespace {

constexpr double kUnit = 0x1p-53;

std::shared_ptr<const Predictor> predictor_of(const Claimed& claimed, const ColumnSums& sums) {
  auto predictor = std::make_shared<Predictor>();
  predictor->cols = sums.cols;
  predictor->targets = sums.targets;
  predictor->w = claimed.w;
  predictor->b = claimed.b;
  if (claimed.objective.centred())
    for (Index j = 0; j < sums.cols; ++j) predictor->centre.push_back(sums.mean(j).hi);
  return predictor;
}

// Sums over targets and columns; see certify.hpp for the formulas.
struct Parts {
  double objective = 0, intercept = 0, gap = 0, slack = 0;
  double gradient_squares = 0, residual_squares = 0;
  bool every_column_penalised = true;
};

class Adder {
public:
  Adder(const Claimed& claimed, const ColumnSums& sums, const Residual& residual)
      : claimed_(claimed), sums_(sums), r_(residual), weight_(sums.weight.hi) {}

  Parts add() {
    for (Index t = 0; t < sums_.targets; ++t) target(t);
    return parts_;
  }

private:
  void target(Index t) {
    const DoubleDouble sum(r_.sum[t], r_.sum_low[t]);
    const double mean = (sum / sums_.weight).hi;
    parts_.objective += r_.squares[t] / weight_ / 2;
    parts_.residual_squares += r_.squares[t];
    if (claimed_.objective.intercept) parts_.intercept += mean * mean / 2;
    for (Index j = 0; j < sums_.cols; ++j) column(j, t, sum);
  }
  void column(Index j, Index t, DoubleDouble sum) {
    const LeastSquaresObjective& o = claimed_.objective;
    const Index at = j + t * sums_.cols;
    const bool constant = sums_.constant(j, o.centred());
    const double unit = o.standardise ? sums_.spread(j).hi / weight_ : 1;
    const double tau = weight_ * o.lambda2 * o.factor(j) * unit, w = claimed_.w[at];
    DoubleDouble g = -(DoubleDouble(tau) * w);
    if (!constant) g += DoubleDouble(r_.gradient[at], r_.gradient_low[at]);
    if (!constant && o.centred()) g -= (sums_.mean(j) - r_.predictor->centre[j]) * sum;
    const double error = Residual::kGradientRounding * kUnit * (r_.gradient_abs[at] + std::abs(tau * w));
    parts_.objective += tau * w * w / weight_ / 2;
    parts_.gradient_squares += g.hi * g.hi;
    if (tau > 0) {
      parts_.gap += g.hi * g.hi / (2 * weight_ * tau);
      parts_.slack += error * (2 * std::abs(g.hi) + error) / (2 * weight_ * tau);
    } else if (!constant) {
      parts_.every_column_penalised = false;
    }
  }

  const Claimed& claimed_;
  const ColumnSums& sums_;
  const Residual& r_;
  double weight_;
  Parts parts_;
};

Verdict judge(bool proved, bool within, const Claimed& claimed) {
  if (proved) return Verdict::proved;
  if (within) return Verdict::within_tolerance;
  return claimed.stopped_early ? Verdict::stopped_early : Verdict::refuted;
}

Certificate conclude(const Claimed& claimed, const ColumnSums& sums, const Parts& parts) {
  double null = 0, floor = 0, trace = 0;
  for (Index t = 0; t < sums.targets; ++t) {
    const Index z = sums.cols + t;
    null += (claimed.objective.intercept ? sums.spread(z) : sums.squares[z]).hi / sums.weight.hi / 2;
    floor += kUnit * kUnit * sums.squares[z].hi / sums.weight.hi / 2;
  }
  for (Index j = 0; j < sums.cols; ++j) trace += (claimed.objective.centred() ? sums.spread(j) : sums.squares[j]).hi;
  const double scale = std::sqrt(trace) * std::sqrt(parts.residual_squares);
  const double backward = scale > 0 ? std::sqrt(parts.gradient_squares) / scale : 0;
  const double limit = claimed.tolerance * null; // within the floor no other answer in doubles could do better

  Certificate out;
  out.objective = parts.objective;
  out.null_objective = null;
  if (claimed.objective.penalised() && parts.every_column_penalised) {
    const double gap = parts.gap + parts.intercept;
    out.claim = DualityGap{parts.objective, parts.objective - gap, gap, false};
    out.slack = parts.slack;
    out.verdict = judge(gap + out.slack <= limit, gap <= limit + floor, claimed);
  } else if (!claimed.objective.penalised() && parts.objective <= limit + floor) {
    // A sum of squares cannot be negative.
    out.claim = ExactOptimum{parts.objective, 0, backward, false};
    out.verdict = judge(parts.objective <= limit, true, claimed);
    out.conditions.push_back("the rows are fitted exactly");
  } else {
    out.claim = KktResidual{backward};
    out.verdict = judge(false, backward <= claimed.tolerance, claimed);
  }
  return out;
}

} // namespace

Result<Checked> certify_without_gram(const Claimed& claimed, RowSource& rows, Pool& pool, const Watch& watch) {
  const auto sums =
      fresh_pass(rows, ColumnSums(rows.cols(), rows.targets()), pool, watch, {"certifying", claimed.passes});
  if (!sums) return std::unexpected(sums.error());
  const Residual empty(predictor_of(claimed, *sums));
  auto residual = fresh_pass(rows, empty, pool, watch, {"certifying", claimed.passes + 1});
  if (!residual) return std::unexpected(residual.error());
  Checked checked;
  checked.certificate = conclude(claimed, *sums, Adder(claimed, *sums, *residual).add());
  checked.certificate.passes = 1; // besides the one that finish() counts
  checked.residual = *std::move(residual);
  return checked;
}

} // namespace recta
