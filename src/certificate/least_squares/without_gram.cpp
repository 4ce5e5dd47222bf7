#include "certificate/least_squares/without_gram.hpp"

#include "base/numbers.hpp"
#include "certificate/verdict.hpp"
#include "objective/least_squares/rounding.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta {
namespace {

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

RowSizes sizes_of(const ColumnSums& sums, const LeastSquaresObjective& objective) {
  RowSizes out{.cols = sums.cols,
               .rows = sums.rows,
               .weight = sums.weight.hi,
               .square = {},
               .spread = {},
               .sums = Precision::extended,
               .gradient = Precision::standard,
               .merged = false,
               .rounded_deviations = objective.penalised() && objective.standardise};
  for (Index z = 0; z < sums.size(); ++z) {
    out.square.push_back(std::sqrt(sums.squares[z].hi / sums.weight.hi));
    out.spread.push_back(objective.centred() ? sums.deviation(z) : out.square.back());
  }
  return out;
}

// Sums over targets and columns; see certify.hpp for the formulas and rounding.hpp for what slack is made of.
struct Parts {
  double objective = 0, objective_error = 0, intercept = 0, gap = 0, slack = 0;
  double gradient_squares = 0, residual_squares = 0;
  bool every_column_penalised = true, zero = true;
  bool varying = false; // a column that counts as constant was seen to vary
};

class Adder {
public:
  Adder(const Claimed& claimed, const ColumnSums& sums, const Residual& residual)
      : claimed_(claimed), sums_(sums), r_(residual), rounding_(sizes_of(sums, claimed.objective)),
        // Spreads are differences of sums about zero, and tau is a double.
        unsure_(16 * kUnit + rounding_.penalty() + rounding_.products() * rounding_.ratio()), weight_(sums.weight.hi) {}

  Parts add() {
    for (Index t = 0; t < sums_.targets; ++t) target(t);
    parts_.objective_error += parts_.objective * (0x1p-20 + std::min(1.0, unsure_));
    return parts_;
  }

private:
  void target(Index t) {
    const double* w = claimed_.w.data() + t * sums_.cols;
    const DoubleDouble sum(r_.sum[t], r_.sum_low[t]);
    const Rounding::Target rounded = rounding_.target(w, claimed_.b[t], r_, t);
    parts_.objective += r_.squares[t] / weight_ / 2;
    parts_.objective_error += rounded.objective;
    parts_.zero = parts_.zero && rounded.zero;
    parts_.residual_squares += r_.squares[t];
    intercept(w, claimed_.b[t], std::abs((sum / sums_.weight).hi), rounded.mean_residual);
    for (Index j = 0; j < sums_.cols; ++j) column(j, t, sum, rounded);
  }
  // Free: 1/2 (mean r)^2. Tied, to zero or to where the fit passes through the means: what its distance from there
  // does.
  void intercept(const double* w, double b, double mean, double error) {
    if (claimed_.objective.intercept) {
      parts_.intercept += mean * mean / 2;
      parts_.slack += error * (mean + error / 2);
      return;
    }
    DoubleDouble due = 0.0;
    double blur = 0;
    for (Index j = 0; claimed_.objective.centred() && j < sums_.cols; ++j) {
      due -= sums_.mean(j) * w[j];
      blur += std::abs(w[j]) *
              (rounding_.mean(j) + 16 * static_cast<double>(sums_.cols) * kUnit * kUnit * std::abs(sums_.mean(j).hi));
    }
    const double off = std::abs((due - b).hi);
    const bool rounded = off <= 2 * kUnit * std::abs(b);
    (rounded ? parts_.slack : parts_.intercept) += off * (off / 2 + mean + error);
    parts_.slack += blur * (off + blur / 2 + mean + error);
  }
  void column(Index j, Index t, DoubleDouble sum, const Rounding::Target& rounded) {
    const LeastSquaresObjective& o = claimed_.objective;
    const Index at = j + t * sums_.cols;
    const bool constant = sums_.constant(j, o.centred());
    const double unit = o.standardise ? sums_.spread(j).hi / weight_ : 1;
    const double tau = weight_ * o.lambda2 * o.factor(j) * unit, w = claimed_.w[at];
    DoubleDouble g = -(DoubleDouble(tau) * w);
    if (!constant) g += DoubleDouble(r_.gradient[at], r_.gradient_low[at]);
    if (!constant && o.centred()) g -= (sums_.mean(j) - r_.predictor->centre[j]) * sum;
    const double size = std::abs(g.hi);
    const double unsure = unsure_ + 0x1p-1070 / tau; // near the smallest numbers a double has few digits
    const double error = rounding_.gradient(rounded, r_, t, j, tau * w) + (tau > 0 ? unsure * std::abs(tau * w) : 0);
    parts_.varying = parts_.varying || (constant && r_.gradient_abs[at] != 0);
    parts_.objective += tau * w * w / weight_ / 2;
    parts_.gradient_squares += g.hi * g.hi;
    if (tau > 0) {
      parts_.gap += size * size / (2 * weight_ * tau);
      parts_.slack += (error * (2 * size + error) + unsure * size * size) / (1 - unsure) / (2 * weight_ * tau);
      if (!(unsure < 0.5)) parts_.slack = std::numeric_limits<double>::infinity();
    } else if (!constant) {
      parts_.every_column_penalised = false;
    }
  }

  const Claimed& claimed_;
  const ColumnSums& sums_;
  const Residual& r_;
  Rounding rounding_;
  double unsure_, weight_;
  Parts parts_;
};

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
  const double limit = claimed.tolerance * null;

  Certificate out;
  out.objective = parts.objective;
  out.null_objective = null;
  // The floor is what rounding the answer to doubles can cost.
  Proof proof{.limit = limit, .forgiven = floor, .ended_early = claimed.stopped_early};
  const double whole = parts.objective + parts.objective_error;
  const bool varying = parts.varying && !(whole <= limit);
  if (!varying && claimed.objective.penalised() && parts.every_column_penalised) {
    proof.distance = parts.gap + parts.intercept;
    out.claim = DualityGap{parts.objective, parts.objective - proof.distance, proof.distance, false};
    proof.slack = parts.slack + (parts.zero ? 0 : last_bits(proof.distance + parts.slack));
    // F - D may be any number where nothing bounds the rounding; F - F* is never above F.
    if (!parts.zero && (parts.varying || !(proof.distance + proof.slack <= whole)))
      proof.slack = std::max(0.0, whole - proof.distance) + last_bits(whole);
  } else if (!varying && !claimed.objective.penalised() && parts.objective <= limit + floor) {
    // A sum of squares cannot be negative.
    proof.distance = parts.objective;
    out.claim = ExactOptimum{parts.objective, 0, backward, false};
    proof.slack = parts.zero ? 0 : parts.objective_error + last_bits(whole);
    out.conditions.push_back("the rows are fitted exactly");
  } else {
    out.claim = KktResidual{backward};
    proof.distance = backward, proof.limit = claimed.tolerance, proof.forgiven = 0;
    proof.is_bound = false;
    proof.is_open = varying && backward <= claimed.tolerance;
    if (varying && !claimed.stopped_early) out.stop = Stop::constants_left_out;
  }
  out.slack = proof.slack;
  out.verdict = verdict_of(proof);
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
