#include "certificate/svm/nudge.hpp"

#include "base/blas.hpp"

#include <algorithm>
#include <cmath>

namespace recta::svm {
namespace {

// The constraints of some of the columns, as a system for u.
class Constraints {
public:
  Constraints(const ActiveColumns& active, std::span<const double> target) : active_(active), target_(target) {
    for (Index j = 0; j < active.count(); ++j)
      if (active.held.empty() ? target[at(j)] != 0 : active.held[at(j)]) columns_.push_back(j);
    const Index k = std::ssize(columns_), n = active.rows();
    mean_.resize(at(k)), unit_.resize(at(k)), direction_.resize(at(n * k));
    for (Index i = 0; i < n; ++i) mass_ += active.room(i);
    for (Index i = 0; active.balanced && i < n; ++i)
      for (Index c = 0; c < k; ++c) mean_[at(c)] += active.room(i) / mass_ * number(i, c);
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < k; ++c) {
        const double x = direction_[at(i * k + c)] = number(i, c) - mean_[at(c)];
        unit_[at(c)] += active.room(i) * x * x;
      }
    for (double& unit : unit_) unit = unit > 0 ? std::sqrt(unit) : 1;
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < k; ++c) direction_[at(i * k + c)] /= unit_[at(c)];
  }

  bool factor() { // false: nothing can move, or columns depend on one another
    const Index k = std::ssize(columns_);
    system_.assign(at(k * k), 0.0);
    std::vector<double> scaled(direction_);
    for (Index i = 0; i < active_.rows(); ++i)
      for (Index c = 0; c < k; ++c) scaled[at(i * k + c)] *= std::sqrt(active_.room(i));
    blas::syrk(1, {scaled.data(), k, active_.rows()}, 1, {system_.data(), k});
    for (Index c = 0; c < k; ++c) system_[at(c * k + c)] += 1e-13; // columns that depend on one another
    return k > 0 && mass_ > 0 && blas::potrf({system_.data(), k}) == 0;
  }

  // Adds to delta what takes the sums to their targets.
  void improve(Nudge& nudge) const {
    const Index k = std::ssize(columns_);
    const double shift = active_.balanced ? -nudge.sum.hi : 0;
    std::vector<double> u(at(k));
    for (Index c = 0; c < k; ++c) {
      const auto j = at(columns_[at(c)]);
      u[at(c)] = ((target_[j] - nudge.g[j]).hi - mean_[at(c)] * shift) / unit_[at(c)];
    }
    blas::potrs({system_.data(), k}, {u.data(), k, 1});
    const double level = active_.balanced ? shift / mass_ : 0;
    for (Index i = 0; i < active_.rows(); ++i) {
      double along = level;
      for (Index c = 0; c < k; ++c) along += u[at(c)] * direction_[at(i * k + c)];
      nudge.delta[at(i)] += active_.room(i) * along;
    }
  }

private:
  double number(Index i, Index c) const { return active_.x[at(i * active_.count() + columns_[at(c)])]; }

  const ActiveColumns& active_;
  std::span<const double> target_;
  std::vector<Index> columns_; // with a target
  double mass_ = 0;
  std::vector<double> mean_, unit_, direction_, system_; // direction: (x - m) / unit
};

// g and the sum, by runs of rows whose own sums are added: every addition is right to 3 u^2, and a number takes part in
// one for each row of its run and one for each run. With its product and the second number of a row, 2^-102 covers it.
void look(const ActiveColumns& active, Nudge& nudge) {
  constexpr Index kRun = 128; // rows
  const Index n = active.rows(), k = active.count();
  nudge.g.assign(at(k), {});
  nudge.sum = {};
  for (Index from = 0; from < n; from += kRun) {
    std::vector<DoubleDouble> g(at(k));
    DoubleDouble sum;
    for (Index i = from; i < std::min(n, from + kRun); ++i) {
      const double beta = active.beta[at(i)], delta = nudge.delta[at(i)];
      sum += two_sum(beta, delta);
      for (Index j = 0; j < k; ++j) {
        const double x = active.x[at(i * k + j)];
        g[at(j)] += two_prod(beta, x);
        if (delta != 0) g[at(j)] += two_prod(delta, x);
      }
    }
    nudge.sum += sum;
    for (Index j = 0; j < k; ++j) nudge.g[at(j)] += g[at(j)];
  }
  const Index roundings = kRun + n / kRun + 2; // within a run, and one per whole run
  nudge.rounding = static_cast<double>(roundings) * 0x1p-102;
}

// Columns that would be beyond their constraint get a target. False: there are none.
bool hold_more(const Nudge& nudge, std::vector<double>& target) {
  bool more = false;
  for (std::size_t j = 0; j < target.size(); ++j) {
    if (target[j] != 0 || std::abs(nudge.g[j].hi) - 1 <= 0x1p-46) continue;
    target[j] = std::copysign(1.0, nudge.g[j].hi);
    more = true;
  }
  return more;
}

} // namespace

std::optional<Nudge> nudge_to_constraints(const ActiveColumns& active, double most) {
  constexpr int kSystems = 5, kRounds = 3; // a round takes off most of the rounding that the one before left
  const blas::SerialBlas serial;
  if (active.count() == 0 || active.rows() == 0) return {};
  Nudge out{.delta = std::vector<double>(active.beta.size()), .g = {}, .sum = {}};
  look(active, out);
  std::vector<double> target = active.target;
  if (active.held.empty()) hold_more(out, target);
  for (int k = 0; k < kSystems; ++k) {
    Constraints constraints(active, target);
    if (!constraints.factor()) return {};
    for (int round = 0; round < kRounds; ++round) constraints.improve(out), look(active, out);
    if (!active.held.empty() || !hold_more(out, target)) break;
  }
  for (std::size_t i = 0; i < out.delta.size(); ++i)
    if (!(std::abs(out.delta[i]) <= most * active.room(static_cast<Index>(i)))) return {};
  return out;
}

} // namespace recta::svm
