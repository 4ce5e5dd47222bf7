#include "certificate/least_squares/certify.hpp"

#include "base/blas.hpp"
#include "base/listening.hpp"
#include "certificate/coefficients.hpp"
#include "certificate/least_squares/exact_span.hpp"
#include "certificate/least_squares/left_out.hpp"
#include "certificate/least_squares/without_gram.hpp"
#include "certificate/verdict.hpp"
#include "objective/least_squares/optimality.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::string names(const std::vector<DroppedColumn>& dropped, const Claimed& claimed) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t s = 0; s < dropped.size(); ++s) {
    if (s == kMost) return text + ", ...";
    const Index j = dropped[s].column;
    text += (s == 0 ? ": " : ", ") + (claimed.feature ? claimed.feature(j) : "column " + std::to_string(j + 1));
  }
  return text;
}

std::string over_independent(Verdict verdict, const Optimality& optimality, Index cols, const LeftOut& left_out,
                             const Claimed& claimed) {
  const Index rank = optimality.rank;
  const bool one = rank == 1, short_of_it = verdict == Verdict::refuted || verdict == Verdict::stopped_early;
  std::string text = (short_of_it ? "the optimum is that over " : "optimal over ") + std::to_string(rank) +
                     (one ? " independent column of " : " independent columns of ") + std::to_string(cols) +
                     "; the others are combinations of " + (one ? "it" : "them");
  if (left_out.exact) return text + ", exactly, in every row" + listed(left_out, claimed.feature);
  return text + " to rounding" + names(optimality.dropped, claimed);
}

// Within the floor, the cost of rounding w and b to doubles, the answer may be the best rounded; but that is no proof
// of the tolerance asked for, and no excuse for an answer that zero weights beat. `null_objective`: that of zero
// weights and the best intercept, itself rounded to a double.
Proof proof_of(const Optimality& optimality, double limit, double floor, double null_objective, const Claimed& claimed,
               bool provable) {
  return {.distance = optimality.suboptimality,
          .slack = optimality.slack,
          .limit = limit,
          .forgiven = optimality.objective <= null_objective ? floor : 0,
          .is_bound = provable,
          .ended_early = claimed.stopped_early};
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

struct Measured {
  Optimality optimality;
  bool by_gap = false;
};

Measured measured(const Claimed& claimed, const Quadratic& quadratic, const Residual& residual, bool merged,
                  double limit, Pool& pool) {
  const auto gap = [&] { return measure_gap(quadratic, claimed.w, claimed.b, residual, merged); };
  const bool possible = provable_by_gap(quadratic);
  if (possible && quadratic.cols() > kFactorCols) return {gap(), true};
  Measured out{measure(quadratic, claimed.w, claimed.b, residual, merged, pool), false};
  if (out.optimality.dropped.empty() || !possible) return out;
  // A penalty too small to tell columns apart; the gap knows all of them.
  Optimality other = gap();
  if (other.suboptimality + other.slack <= limit) return {std::move(other), true};
  return out;
}

// Columns that are constant, or zero where there is nothing to be constant about.
std::vector<Index> constants(const Quadratic& quadratic) {
  std::vector<Index> out;
  for (Index j = 0; j < quadratic.cols(); ++j)
    if (quadratic.constant(j)) out.push_back(j);
  return out;
}

// Columns that are neither constant nor dropped.
std::vector<Index> columns_in_use(const Quadratic& quadratic, const std::vector<DroppedColumn>& dropped) {
  std::vector<Index> out;
  for (Index j = 0; j < quadratic.cols(); ++j)
    if (!quadratic.constant(j) && std::ranges::find(dropped, j, &DroppedColumn::column) == dropped.end())
      out.push_back(j);
  return out;
}

// The caller who has stopped a large fit does not wait for a factor: the distance of the gradient from zero takes none.
Certificate without_factor(const Claimed& claimed, const Quadratic& quadratic, const Residual& residual) {
  DoubleDouble squares = 0.0, penalty = 0.0, gradients = 0.0, trace = 0.0;
  for (Index j = 0; j < quadratic.cols(); ++j) trace += quadratic.product(j, j);
  for (Index t = 0; t < quadratic.targets(); ++t) {
    squares += DoubleDouble(residual.squares[t], residual.squares_low[t]);
    const std::vector<DoubleDouble> w(claimed.w.begin(), claimed.w.end());
    for (const DoubleDouble& g : gradient_of(quadratic, w, residual, t)) gradients += g * g;
    for (Index j = 0; j < quadratic.cols(); ++j) {
      const double x = claimed.w[j + t * quadratic.cols()];
      penalty += quadratic.penalty(j) * x * x;
    }
  }
  Certificate certificate;
  const double scale = std::sqrt(trace.hi) * std::sqrt(squares.hi);
  const double backward = scale > 0 ? std::sqrt(gradients.hi) / scale : 0;
  certificate.claim = KktResidual{backward};
  certificate.objective = ((squares + penalty) / quadratic.weight()).hi / 2;
  certificate.null_objective = quadratic.null_objective();
  certificate.verdict =
      verdict_of({.distance = backward, .limit = claimed.tolerance, .is_bound = false, .ended_early = true});
  certificate.conditions.emplace_back(kNotFresh);
  return certificate;
}

// The optimum of a ridge is one point, and F may be nearer to it than the coefficients are: if that shows, in a
// thousandth of the target's variation and beyond rounding, the sentence says so. `floor`: the effect of rounding on F.
void add_coefficient_error(const Claimed& claimed, double floor, Certificate& certificate) {
  const auto* exact = std::get_if<ExactOptimum>(&certificate.claim);
  const bool good = certificate.verdict == Verdict::proved || certificate.verdict == Verdict::within_tolerance;
  if (exact == nullptr || !good || !claimed.objective.penalised()) return;
  const double visible = 1e-3 * std::sqrt(2 * certificate.null_objective) + 8 * std::sqrt(2 * floor);
  if (!(exact->coefficient_error > visible)) return;
  certificate.conditions.push_back(
      fmt::format("a coefficient is {:.2g} from that of the optimum, in units of the target per deviation of its "
                  "column: the penalty is too weak to decide it",
                  exact->coefficient_error));
}

// Columns were left out that hold a rounding of their own. It is in the data and may lower F, by a large coefficient:
// how far the optimum over all columns is remains unknown.
void leave_open(const Optimality& optimality, bool dependent, const Claimed& claimed, Certificate& certificate) {
  certificate.claim = KktResidual{optimality.backward_error};
  certificate.slack = 0;
  certificate.verdict = verdict_of({.is_open = true});
  if (!claimed.stopped_early) certificate.stop = dependent ? Stop::combinations_left_out : Stop::constants_left_out;
}

// Products in double may say less than the rows: the check then gathers its own in double-double, if that is a matter
// of seconds.
bool short_of_digits(const Certificate& certificate, const Gram& gram) {
  const auto* exact = std::get_if<ExactOptimum>(&certificate.claim);
  const double limit = certificate.tolerance * certificate.null_objective, d = static_cast<double>(gram.size());
  return exact != nullptr && certificate.verdict == Verdict::within_tolerance && exact->suboptimality <= limit &&
         exact->suboptimality + certificate.slack > limit && gram.precision == Precision::standard &&
         gram.cols <= 300 && static_cast<double>(gram.rows) * d * d <= 2e9;
}

Claim claim_of(const Optimality& optimality, bool by_gap, bool merged) {
  if (by_gap)
    return DualityGap{optimality.objective, optimality.objective - optimality.suboptimality, optimality.suboptimality,
                      false};
  return ExactOptimum{optimality.suboptimality, optimality.coefficient_error, optimality.backward_error, merged};
}

Result<Certificate> with_gram(const Claimed& claimed, const Gram& gram, const Residual& residual, RowSource* rows,
                              Pool& pool, const Watch& watch) {
  const Quadratic quadratic(claimed.objective, gram);
  const bool merged = rows == nullptr;
  const double limit = claimed.tolerance * quadratic.null_objective();
  if (merged && claimed.stopped_early && gram.cols > kFactorCols && !provable_by_gap(quadratic))
    return without_factor(claimed, quadratic, residual);
  auto [optimality, by_gap] = measured(claimed, quadratic, residual, merged, limit, pool);
  Certificate certificate;
  certificate.tolerance = claimed.tolerance;
  certificate.claim = claim_of(optimality, by_gap && !merged, merged);
  certificate.objective = optimality.objective;
  certificate.null_objective = quadratic.null_objective();
  // Columns that are constant or combinations of others only to rounding could still lower F, but never below zero. A
  // penalty tells even equal columns apart.
  const std::vector<Index> same = constants(quadratic);
  const bool dependent = !optimality.dropped.empty(), penalised = claimed.objective.penalised();
  LeftOut left_out{.exact = !dependent && same.empty()};
  if (!left_out.exact && !merged && !(optimality.whole <= limit) && !(dependent && penalised)) {
    auto combinations = look_at_left_out(guesses_at(same, optimality.dropped, quadratic.sizes(false).spread),
                                         claimed.objective.centred(), quadratic.rows(), {*rows, pool, watch},
                                         {"certifying", claimed.passes + 1});
    if (!combinations) return std::unexpected(combinations.error());
    left_out = *std::move(combinations);
    certificate.passes = left_out.looked ? 1 : 0; // besides the one that finish() counts
    if (!left_out.exact && !penalised) {
      const auto looked =
          look_at_span(columns_in_use(quadratic, optimality.dropped), claimed.objective.centred(), quadratic.rows(),
                       {*rows, pool, watch}, {"certifying", claimed.passes + 1 + certificate.passes});
      if (!looked) return std::unexpected(looked.error());
      certificate.passes += looked->passes;
      left_out.exact = looked->all;
    }
  }
  if (!left_out.exact && optimality.whole <= limit)
    optimality.slack = std::max(optimality.slack, optimality.whole - optimality.suboptimality);
  certificate.slack = optimality.slack;
  const bool provable = !merged && (left_out.exact || optimality.whole <= limit);
  const double floor = quadratic.rounding_floor(claimed.w),
               constant_floor = quadratic.rounding_floor(std::vector<double>(claimed.w.size()));
  certificate.verdict =
      verdict_of(proof_of(optimality, limit, floor, certificate.null_objective + constant_floor, claimed, provable));
  if (certificate.verdict == Verdict::within_tolerance && optimality.suboptimality > limit)
    certificate.conditions.push_back("rounding the answer to doubles can cost as much");
  if (certificate.verdict == Verdict::within_tolerance && provable && optimality.suboptimality <= limit)
    certificate.conditions.push_back(
        "the rounding of the check cannot be bounded: columns too alike, or weights too small");
  if (dependent)
    certificate.conditions.push_back(over_independent(certificate.verdict, optimality, gram.cols, left_out, claimed));
  if (certificate.verdict == Verdict::within_tolerance && !merged && !left_out.exact && !dependent && !same.empty())
    certificate.conditions.push_back(std::to_string(same.size()) + (same.size() == 1 ? " column is" : " columns are") +
                                     " constant to rounding and left out");
  add_coefficient_error(claimed, floor, certificate);
  if (certificate.verdict != Verdict::refuted && !merged && !provable && !short_of_digits(certificate, gram))
    leave_open(optimality, dependent, claimed, certificate);
  return certificate;
}

void finish(Certificate& certificate, const Claimed& claimed, bool fresh_pass) {
  certificate.tolerance = claimed.tolerance;
  if (certificate.stop.text().empty()) certificate.stop = claimed.stop;
  certificate.passes += claimed.passes + (fresh_pass ? 1 : 0);
  certificate.conditions.insert(certificate.conditions.begin(), claimed.conditions.begin(), claimed.conditions.end());
}

Result<Checked> check(const Claimed& claimed, const Gram* gram, RowSource* rows, Pool& pool, const Watch& watch) {
  const Index cols = gram ? gram->cols : rows->cols(), targets = gram ? gram->targets : rows->targets();
  if (auto good = check_coefficients(claimed.w, claimed.b, cols, targets); !good) return std::unexpected(good.error());
  const blas::SerialBlas serial;
  if (gram == nullptr) {
    auto checked = certify_without_gram(claimed, *rows, pool, watch);
    if (checked) finish(checked->certificate, claimed, true);
    return checked;
  }
  const auto predictor = predictor_of(claimed, *gram);
  Checked checked;
  if (rows == nullptr) {
    checked.residual = residual_from(Quadratic(claimed.objective, *gram), predictor);
  } else {
    auto residual = fresh_pass(*rows, Residual(predictor), pool, watch, {"certifying", claimed.passes});
    if (!residual) return std::unexpected(residual.error());
    checked.residual = *std::move(residual);
  }
  auto certificate = with_gram(claimed, *gram, checked.residual, rows, pool, watch);
  if (!certificate) return std::unexpected(certificate.error());
  checked.certificate = *std::move(certificate);
  finish(checked.certificate, claimed, rows != nullptr);
  if (rows == nullptr || !short_of_digits(checked.certificate, *gram)) return checked;
  const Gram empty(gram->cols, gram->targets, Precision::extended);
  const auto careful = fresh_pass(*rows, empty, pool, watch, {"certifying", claimed.passes + 1});
  if (!careful) return std::unexpected(careful.error());
  Claimed again = claimed;
  again.passes = checked.certificate.passes + 1;
  return certify(again, &*careful, rows, pool, watch);
}

} // namespace

Result<Checked> certify(const Claimed& claimed, const Gram* gram, RowSource* rows, Pool& pool, const Watch& watch) {
  const Listening listening(watch, "certifying", claimed.passes);
  try {
    return check(claimed, gram, rows, pool, watch);
  } catch (const Interrupted&) {
    return fail(ErrorCode::interrupted, "certifying", "stopped before the check was done");
  }
}

} // namespace recta
