// The gap and the slack of one dual point, and the search for one if many rows are at kinks.
#include "base/numbers.hpp"
#include "certificate/loss/kink_judge.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

void add_step(KinkPoint& at, const DualStep& step, double t) {
  for (std::size_t j = 0; j < at.q.size(); ++j) at.q[j] += t * step.q[j];
  at.q_b += t * step.q_b;
}

} // namespace

double KinkJudge::target(const KinkLeft& rest, std::size_t j, double near) const {
  return dual_->target(j, (rest.columns[j] / facts_.weight()).hi, near);
}

// |D e| over what must be met exactly.
double KinkJudge::length(const KinkLeft& rest, double near) const {
  double square =
      std::pow(geometry_->unit_intercept() * (std::abs(rest.intercept.hi) + 2 * KinkSums::kRounding * rest.sum_abs), 2);
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    if (!exact(j)) continue;
    const DoubleDouble due = two_prod(facts_.weight(), target(rest, j, near));
    const double lacks = std::abs((rest.columns[j] - due).hi) + 4 * kUnit * kUnit * std::abs(due.hi);
    square += std::pow(geometry_->unit()[j] * (lacks + rest.error[j]), 2);
  }
  return (1 + 1e-9) * std::sqrt(square);
}

// The share by which d is made smaller. `move`: the most that a row can be moved by, so that everything is met exactly.
double KinkJudge::shrinking(const KinkLeft& rest, const std::vector<double>& margin, double move) const {
  const double w = facts_.weight();
  double eta = move / std::min(-low_, high_) * (1 + 1e-9) + 4 * kUnit;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    if (!(terms_[j].a > 0) || terms_[j].t > 0) continue;
    const double g = exact(j) ? terms_[j].a : std::abs(rest.columns[j].hi) / w;
    if (g > 0) eta = std::max(eta, (g + margin[j] - terms_[j].a) / g * (1 + 1e-9) + 4 * kUnit);
  }
  if (claimed_.objective.fitted_scale) { // the root of the mean of squares, moved, is at most 1
    const double root = std::sqrt(rest.squares.hi / w) * (1 + 8 * kUnit);
    if (root + move > 1) eta = std::max(eta, (root + move - 1) / root * (1 + 1e-9) + 4 * kUnit);
  }
  return eta;
}

// The largest share of what a column's products sum up to that is left of its condition.
double KinkJudge::residual(const KinkLeft& rest, double near) const {
  double most = 0;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double due = facts_.weight() * target(rest, j, near), size = rest.size[j] + std::abs(due);
    if (!terms_[j].left_out && size > 0) most = std::max(most, std::abs((rest.columns[j] - due).hi) / size);
  }
  return most;
}

void KinkJudge::add_penalties(const KinkLeft& rest, const std::vector<double>& margin, double eta, double near,
                              CompensatedSum& gap, CompensatedSum& slack) const {
  const double w = facts_.weight();
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    if (terms_[j].left_out || (terms_[j].a == 0 && terms_[j].t == 0)) continue;
    const DoubleDouble g = (exact(j) ? DoubleDouble(target(rest, j, near)) : rest.columns[j] / w) * (1 - eta);
    const double here = conjugate_gap(terms_[j], claimed_.w[j], g).hi;
    const double worst = std::max(conjugate_gap(terms_[j], claimed_.w[j], g + margin[j]).hi,
                                  conjugate_gap(terms_[j], claimed_.w[j], g - margin[j]).hi);
    gap.add(here);
    slack.add(std::max(0.0, worst - here));
  }
}

void KinkJudge::consider(const KinkSums& sums, const std::vector<double>& d, double near) {
  if (d.size() != sums.near.size()) return;
  const KinkLeft rest = dual_->left(sums, d);
  outcome_.residual = std::min(outcome_.residual, residual(rest, near));
  const double w = facts_.weight(), least = geometry_->least_eigenvalue(), lacks = length(rest, near);
  const double move = least > 0 ? longest_ * lacks / least : 0;
  std::vector<double> margin;
  for (std::size_t j = 0; j < terms_.size(); ++j) {
    const double moved = least > 0 ? std::sqrt(geometry_->square(static_cast<Index>(j)) / least) * lacks : 0;
    margin.push_back((exact(j) ? 0 : (rest.error[j] + moved) / w) + terms_[j].rounding);
  }
  const double eta = shrinking(rest, margin, move);
  if (!(eta < 1)) return;
  CompensatedSum gap, slack;
  gap.add(sums.near_gap / w);
  slack.add(1e-12 * sums.near_gap / w + 4 * kUnit * (high_ - low_) * sums.point->near + (1 + eta) * blur());
  for (std::size_t k = 0; k < d.size(); ++k) {
    const NearRow& row = sums.near[k];
    gap.add(row.weight / w * std::max(0.0, std::max(row.high * row.off, row.low * row.off) - d[k] * row.off));
  }
  gap.add(eta * mean_loss_);
  slack.add(move * (sums.distance / w + shift_));
  add_penalties(rest, margin, eta, near, gap, slack);
  slack.add(64 * kUnit * gap.value());
  const double total = gap.value(), loose = slack.value();
  if (!std::isfinite(total + loose)) return;
  if (least > 0 && total + loose < outcome_.gap + outcome_.slack) {
    outcome_.gap = total, outcome_.slack = loose;
    outcome_.trivial = false;
  }
  if (!(least > 0)) outcome_.near = std::min(outcome_.near, total);
}

// d of all rows near a kink is <q, x - m> + q_b, cut off at the slopes: the d of least squares that meets the
// constraints is of this form. Newton's steps in q, halved if they lead away.
Result<void> KinkJudge::spread(double near) {
  const Index p = rows_.cols();
  KinkPoint at = *fresh_point(near);
  at.spread = at.gather = true;
  at.q.assign(static_cast<std::size_t>(p), 0.0);
  at.centre = geometry_->centre();
  LossObjective plain = claimed_.objective;
  plain.lambda1 = plain.lambda2 = 0;
  DualStep last;
  double before = std::numeric_limits<double>::infinity(), t = 1;
  for (int tries = 0; tries < 40 && !holds(); ++tries) {
    auto sums = pass(std::make_shared<const KinkPoint>(at), watch_);
    if (!sums) return std::unexpected(sums.error());
    consider(*sums, {}, near);
    const KinkLeft rest = dual_->left(*sums, {});
    const double now = length(rest, near);
    if (now < before) {
      before = now, t = 1;
      const Geometry with_room(plain, facts_, sums->gram, claimed_.w, pool_, view_.basis);
      if (!with_room.any()) return {};
      last = step_of(with_room, rest, near);
    } else {
      if (t < 1e-2) return {};
      add_step(at, last, t); // back by half of it
      t /= 2;
      add_step(at, last, -t);
      continue;
    }
    add_step(at, last, -1);
  }
  return {};
}

// About the centre of all rows; `with_room` has that of the rows with room.
DualStep KinkJudge::step_of(const Geometry& with_room, const KinkLeft& rest, double near) const {
  Shortfall e;
  e.intercept = rest.intercept.hi;
  const auto apart = [&](std::size_t j) {
    return with_room.centre().empty() ? 0 : with_room.centre()[j] - geometry_->centre()[j];
  };
  for (std::size_t j = 0; j < terms_.size(); ++j)
    e.columns.push_back(
        (rest.columns[j] - two_prod(facts_.weight(), target(rest, j, near)) - rest.intercept * apart(j)).hi);
  DualStep step = with_room.step(e);
  for (std::size_t j = 0; j < step.q.size(); ++j) step.q_b -= step.q[j] * apart(j);
  return step;
}

} // namespace recta
