#include "certificate/least_squares/certify.hpp"

#include "base/blas.hpp"
#include "certificate/least_squares/optimality.hpp"
#include "certificate/least_squares/without_gram.hpp"
#include "certificate/pass.hpp"

#include <cmath>

namespace recta {
namespace {

std::string over_independent(Index rank, Index cols) {
  const bool one = rank == 1;
  return "optimal over " + std::to_string(rank) + (one ? " independent column of " : " independent columns of ") +
         std::to_string(cols) + "; the others are combinations of " + (one ? "it" : "them") + " to rounding";
}

// `limit` is what F - F* may be. Slack is what the check itself may have rounded away. Within the floor, what rounding
// w and b to doubles costs, no other answer could do better; but that is no proof of the tolerance asked for.
Verdict judge(const Optimality& found, double limit, double floor, const Claimed& claimed, bool provable) {
  // The limit is a rounded number as well.
  if ((found.suboptimality + found.slack) * (1 + 0x1p-20) <= limit)
    return provable ? Verdict::proved : Verdict::within_tolerance;
  if (found.suboptimality <= limit + floor) return Verdict::within_tolerance;
  return claimed.stopped_early ? Verdict::stopped_early : Verdict::refuted;
}

// Columns that the sums take for constant although the fresh pass saw a number that is not the mean.
Index nearly_constant(const Quadratic& quadratic, const Residual& residual) {
  Index count = 0;
  for (Index j = 0; j < quadratic.cols(); ++j)
    for (Index t = 0; quadratic.constant(j) && t < quadratic.targets(); ++t)
      if (residual.gradient_abs[j + t * quadratic.cols()] != 0) {
        ++count;
        break;
      }
  return count;
}

std::shared_ptr<const Predictor> predictor_of(const Claimed& claimed, const Gram& gram) {
  auto predictor = std::make_shared<Predictor>();
  predictor->cols = gram.cols;
  predictor->targets = gram.targets;
  predictor->w = claimed.w;
  predictor->b = claimed.b;
  predictor->precision = gram.precision;
  if (claimed.objective.centred()) predictor->centre.assign(gram.mean.begin(), gram.mean.begin() + gram.cols);
  return predictor;
}

// Above this many columns a factor costs more than a pass over the rows, and a ridge has a proof without one.
constexpr Index kFactorCols = 1000;

bool provable_by_gap(const Quadratic& quadratic) {
  if (!quadratic.objective().penalised() || !quadratic.objective().intercept) return false;
  for (Index j = 0; j < quadratic.cols(); ++j)
    if (!(quadratic.penalty(j).hi > 0)) return false;
  return true;
}

Certificate with_gram(const Claimed& claimed, const Gram& gram, const Residual& residual, bool merged, Pool& pool) {
  const Quadratic quadratic(claimed.objective, gram);
  bool by_gap = gram.cols > kFactorCols && provable_by_gap(quadratic);
  Optimality found;
  if (!by_gap) found = measure(quadratic, claimed.w, claimed.b, residual, merged, pool);
  if (by_gap) found = measure_gap(quadratic, claimed.w, claimed.b, residual, merged);
  const double limit = claimed.tolerance * quadratic.null_objective();
  if (!found.dropped.empty() &&
      provable_by_gap(quadratic)) { // a penalty too small to tell columns apart, and to drop them
    Optimality gap = measure_gap(quadratic, claimed.w, claimed.b, residual, merged);
    by_gap = gap.suboptimality + gap.slack <= limit;
    if (by_gap) found = std::move(gap);
  }
  Certificate certificate;
  if (by_gap && !merged)
    certificate.claim = DualityGap{found.objective, found.objective - found.suboptimality, found.suboptimality, false};
  else
    certificate.claim = ExactOptimum{found.suboptimality, found.coefficient_error, found.backward_error, merged};
  certificate.objective = found.objective;
  certificate.null_objective = quadratic.null_objective();
  const Index same = nearly_constant(quadratic, residual);
  // Columns that are constant or combinations of others only to rounding could still lower F, but never below zero.
  const bool dependent = !found.dropped.empty();
  const bool open = dependent || same > 0;
  if (open && found.whole <= limit) found.slack = std::max(found.slack, found.whole - found.suboptimality);
  certificate.slack = found.slack;
  const bool provable = !merged && (!open || found.whole <= limit);
  certificate.verdict = judge(found, limit, quadratic.rounding_floor(claimed.w), claimed, provable);
  if (certificate.verdict == Verdict::within_tolerance && found.suboptimality > limit)
    certificate.conditions.push_back("doubles come no nearer: rounding the answer alone costs as much");
  if (certificate.verdict == Verdict::within_tolerance && provable && found.suboptimality <= limit)
    certificate.conditions.push_back("the columns are too alike for the rounding of the check to be bounded");
  if (dependent) certificate.conditions.push_back(over_independent(found.rank, gram.cols));
  if (same > 0)
    certificate.conditions.push_back(std::to_string(same) + (same == 1 ? " column is" : " columns are") +
                                     " constant to rounding and left out");
  return certificate;
}

// Products in double may say less than the rows: the check then gathers its own in double-double.
bool short_of_digits(const Certificate& certificate, const Gram& gram) {
  const auto* exact = std::get_if<ExactOptimum>(&certificate.claim);
  const double limit = certificate.tolerance * certificate.null_objective;
  return exact != nullptr && certificate.verdict == Verdict::within_tolerance && exact->suboptimality <= limit &&
         exact->suboptimality + certificate.slack > limit && gram.precision == Precision::standard &&
         extended_is_affordable(gram.rows, gram.cols, gram.targets);
}

bool same_shape(const Claimed& claimed, Index cols, Index targets) {
  return static_cast<Index>(claimed.w.size()) == cols * targets && static_cast<Index>(claimed.b.size()) == targets;
}

std::unexpected<Error> other_shape(const Claimed& claimed, Index cols, Index targets) {
  return fail(ErrorCode::bad_data, "certificate",
              "the model has " + std::to_string(claimed.w.size()) + " coefficients and " +
                  std::to_string(claimed.b.size()) + " intercepts, the rows have " + std::to_string(cols) +
                  " features and " + std::to_string(targets) + " targets",
              "give the data the model was trained on");
}

bool finite(const Claimed& claimed) {
  for (const double x : claimed.w)
    if (!std::isfinite(x)) return false;
  for (const double x : claimed.b)
    if (!std::isfinite(x)) return false;
  return true;
}

void finish(Certificate& certificate, const Claimed& claimed, bool fresh_pass) {
  certificate.tolerance = claimed.tolerance;
  certificate.stop = claimed.stop;
  certificate.passes += claimed.passes + (fresh_pass ? 1 : 0);
  certificate.conditions.insert(certificate.conditions.begin(), claimed.conditions.begin(), claimed.conditions.end());
}

} // namespace

Result<Checked> certify(const Claimed& claimed, const Gram* gram, RowSource* rows, Pool& pool, const Watch& watch) {
  if (!finite(claimed))
    return fail(ErrorCode::refuted, "certificate", "a coefficient of the model is not a finite number",
                "the file was changed after the fit; fit again");
  const blas::SerialBlas serial;
  if (gram == nullptr) {
    if (!same_shape(claimed, rows->cols(), rows->targets())) return other_shape(claimed, rows->cols(), rows->targets());
    auto checked = certify_without_gram(claimed, *rows, pool, watch);
    if (checked) finish(checked->certificate, claimed, true);
    return checked;
  }
  if (!same_shape(claimed, gram->cols, gram->targets)) return other_shape(claimed, gram->cols, gram->targets);
  const auto predictor = predictor_of(claimed, *gram);
  Checked checked;
  if (rows == nullptr) {
    checked.residual = residual_from(Quadratic(claimed.objective, *gram), predictor);
  } else {
    auto residual = fresh_pass(*rows, Residual(predictor), pool, watch, {"certifying", claimed.passes});
    if (!residual) return std::unexpected(residual.error());
    checked.residual = *std::move(residual);
  }
  checked.certificate = with_gram(claimed, *gram, checked.residual, rows == nullptr, pool);
  finish(checked.certificate, claimed, rows != nullptr);
  if (rows == nullptr || !short_of_digits(checked.certificate, *gram)) return checked;
  const Gram empty(gram->cols, gram->targets, Precision::extended);
  const auto careful = fresh_pass(*rows, empty, pool, watch, {"certifying", claimed.passes + 1});
  if (!careful) return std::unexpected(careful.error());
  Claimed again = claimed;
  again.passes += 2;
  return certify(again, &*careful, rows, pool, watch);
}

} // namespace recta
