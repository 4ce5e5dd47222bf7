#include "solver/svm/linear_point.hpp"

#include "solver/svm/linear_gap.hpp"

namespace recta::svm {

LinearPoint::LinearPoint(const Problem& problem, const LinearRows& rows, const LinearSettings& settings, Pool& pool,
                         std::vector<HeavyColumn> heavy)
    : problem_(problem), rows_(rows), settings_(settings), pool_(pool), heavy_(std::move(heavy)) {
  state_.beta = settings.start;
  state_.beta.resize(at(problem.rows()));
  out_.w.assign(at(rows.cols()), 0);
  measure();
}

void LinearPoint::measure() {
  const bool nothing =
      heavy_.empty() && std::ranges::all_of(state_.beta, [](double beta) { return beta == 0; }); // at the beginning
  out_.w = nothing ? std::vector<double>(at(rows_.cols())) : rows_.combination(state_.beta, pool_);
  for (const HeavyColumn& one : heavy_) out_.w[at(one.column)] = one.weight;
  nothing ? state_.f.assign(at(problem_.rows()), 0.0) : rows_.scores(out_.w, state_.f, pool_);
  out_.intercepts = best_intercepts(problem_, state_.f);
  out_.gap = gap_of(problem_, state_.beta, state_.f, out_.intercept()) +
             cost_of_balance(problem_, rows_, state_.beta, state_.f, out_.intercept(), 0) + cost_of_heavy();
}

// 1/2 (w_j - sum_i beta_i x_ij)^2 of the heavy columns, in their units and beyond what rounding of the coefficients
// does: the proof means them plus a change below their last digit.
double LinearPoint::cost_of_heavy() const {
  double out = 0;
  for (const HeavyColumn& one : heavy_) {
    const HeavySum sum = sum_of(one, state_.beta);
    const double lack = std::max(0.0, std::abs(one.penalty() * one.weight - sum.sum) - sum.rounding) * one.unit;
    out += lack * lack / 2;
  }
  return out;
}

void LinearPoint::leave_weights_out() {
  if (done()) return;
  double square = 0;
  for (const double w : out_.w) square += w * w;
  for (const HeavyColumn& one : heavy_) square -= (1 - one.penalty()) * one.weight * one.weight;
  if (loss_of(problem_, state_.f, out_.intercept()) + square / 2 <= null_cost(problem_)) return;
  state_.beta.assign(state_.beta.size(), 0);
  for (HeavyColumn& one : heavy_) one.weight = 0;
  measure();
}

void LinearPoint::try_weights(const std::vector<double>& w, const std::vector<double>& beta) {
  std::vector<double> f;
  rows_.scores(w, f, pool_);
  const Intercepts intercepts = best_intercepts(problem_, f);
  const double of_rows = gap_of(problem_, beta, f, intercepts.middle());
  double square = 0;
  for (const double lacking : rows_.lacking(w, beta, pool_)) square += lacking * lacking;
  const double gap = of_rows + cost_of_balance(problem_, rows_, beta, f, intercepts.middle(), square);
  // Whether w lacks no more than the rounding of the coefficients may do.
  constexpr double kRounding = 1e-12; // the proof moves coefficients by a little more than that
  const bool rounding = of_rows <= settings_.tolerance && std::sqrt(square) <= kRounding * reach_of(rows_, beta);
  if (fallback_ && fallback_->rounding && !rounding) return;
  if (!fallback_ || (rounding && !fallback_->rounding) || gap < fallback_->gap)
    fallback_ = Fallback{w, intercepts, gap, rounding, {beta, std::move(f)}};
}

void LinearPoint::take_fallback() {
  if (done() || !fallback_ || !(fallback_->rounding || fallback_->gap < out_.gap)) return;
  out_.w = fallback_->w, out_.intercepts = fallback_->intercepts, out_.gap = fallback_->gap;
  state_ = fallback_->state;
}

bool LinearPoint::take_sums(NewtonPoint& point) {
  constexpr double kRounding = 0x1p-45; // of sums over many rows
  double square = 0;
  for (std::size_t j = 0; j < point.w.size(); ++j) square += std::pow(point.w[j] - point.pull[j], 2);
  square = std::pow(std::sqrt(square) + kRounding * reach_of(rows_, point.beta), 2);
  std::vector<double> f = std::move(point.z);
  for (double& one : f) one -= point.b;
  const double gap =
      gap_of(problem_, point.beta, f, point.b) + cost_of_balance(problem_, rows_, point.beta, f, point.b, square);
  if (!(gap <= settings_.tolerance)) return false;
  out_.w = std::move(point.w), out_.intercepts = {point.b, point.b}, out_.gap = gap;
  state_ = {std::move(point.beta), std::move(f)};
  return true;
}

Index LinearPoint::free_count() const {
  Index out = 0;
  for (Index i = 0; i < problem_.rows(); ++i) {
    const double beta = state_.beta[at(i)];
    out += beta != 0 && beta > problem_.low(i) && beta < problem_.high(i) ? 1 : 0;
  }
  return out;
}

void LinearPoint::shift_intercept() {
  const double by = rows_.at_centre(out_.w);
  out_.intercepts.low -= by, out_.intercepts.high -= by;
  for (double& one : state_.f) one += by;
}

} // namespace recta::svm
