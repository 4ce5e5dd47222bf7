#include "solver/coordinate_descent/gram_set.hpp"

#include "base/blas.hpp"

namespace recta::descent {
namespace {

// One step of coordinate descent. Returns whether the sign changed or a bound was left.
bool descend(const Term& term, double curvature, double q, double& t, double& move) {
  const double next = term.prox(q + curvature * t, curvature), before = t;
  move = next - before;
  t = next;
  return move != 0 && (before == 0 || next == 0 || (before < 0) != (next < 0) || !term.inside(before));
}

} // namespace

void GramSet::add(std::span<const Index> columns) {
  const Index from = size();
  ids_.insert(ids_.end(), columns.begin(), columns.end());
  if (size() > stride_) {
    const Index stride = std::max(size() + size() / 2, Index{64});
    Room larger;
    double* to = larger.numbers(stride * stride);
    for (Index j = 0; j < from; ++j) std::copy_n(column(j), from, to + j * stride);
    room_ = std::move(larger);
    gram_ = to;
    stride_ = stride;
  }
  products_(ids_, from, gram_, stride_);
}

Index GramSet::sweep() {
  Index changed = 0;
  for (Index i = 0; i < size(); ++i) {
    if (t_[i] == 0 && std::abs(q_[i]) <= terms_[i].l1) continue;
    double move = 0;
    changed += descend(terms_[i], column(i)[i], q_[i], t_[i], move);
    if (move != 0) blas::axpy(size(), -move, column(i), q_.data());
  }
  return changed;
}

void GramSet::settle(const std::vector<double>& before) {
  for (Index i = 0; i < size(); ++i)
    if (t_[i] != before[i]) blas::axpy(size(), before[i] - t_[i], column(i), q_.data());
}

Index GramSet::sweep_support(Index most, const AskToStop& stop) {
  std::vector<Index> support;
  for (Index i = 0; i < size(); ++i)
    if (t_[i] != 0) support.push_back(i);
  const auto s = static_cast<Index>(support.size());
  std::vector<double> g(static_cast<std::size_t>(s * s)), q(support.size());
  for (Index b = 0; b < s; ++b) {
    const double* from = column(support[b]);
    for (Index a = 0; a < s; ++a) g[b * s + a] = from[support[a]];
    q[b] = q_[support[b]];
  }
  const std::vector<double> before = t_;
  Index sweeps = 0;
  for (Index changed = s; sweeps < most && changed > 0 && !stop(); ++sweeps) {
    changed = 0;
    for (Index a = 0; a < s; ++a) {
      const Term& term = terms_[support[a]];
      double& t = t_[support[a]];
      if (t == 0 && std::abs(q[a]) <= term.l1) continue;
      double move = 0;
      changed += descend(term, g[a * s + a], q[a], t, move);
      if (move != 0) blas::axpy(s, -move, g.data() + a * s, q.data());
    }
  }
  settle(before);
  return sweeps;
}

// Within the support, the products with the direction are known from the system that it solves.
bool GramSet::newton_step(bool& full) {
  std::vector<Index> support;
  for (Index i = 0; i < size(); ++i)
    if (t_[i] != 0 && terms_[i].inside(t_[i])) support.push_back(i);
  if (support.empty()) return false;
  std::vector<double> l2(t_.size()), down(t_.size()), direction(t_.size());
  for (const Index i : support) {
    l2[i] = terms_[i].l2;
    down[i] = q_[i] - l2[i] * t_[i] - std::copysign(terms_[i].l1, t_[i]);
  }
  if (!factor_.update(support, gram_, stride_, l2)) return false;
  factor_.solve(down, direction);
  double slope = 0, curvature = 0;
  for (const Index i : support) {
    slope -= direction[i] * (q_[i] - l2[i] * t_[i]);
    curvature += direction[i] * down[i];
  }
  const Step step = best_step(terms_, t_, direction, slope, curvature);
  full = step.full;
  if (step.length == 0) return false;
  for (const Index i : support) {
    t_[i] = std::clamp(t_[i] + step.length * direction[i], terms_[i].low, terms_[i].high);
    q_[i] -= step.length * (down[i] - l2[i] * direction[i]);
  }
  if (step.stopped_at >= 0) t_[step.stopped_at] = step.landing;
  return true;
}

bool GramSet::polish(const AskToStop& stop) {
  const std::vector<double> t = t_, q = q_;
  bool full = false;
  for (Index left = size(); left > 0 && !full && !stop(); --left) {
    if (!newton_step(full)) full = true;
  }
  q_ = q;
  settle(t);
  return full;
}

double GramSet::violation() const {
  double most = 0;
  for (Index i = 0; i < size(); ++i) most = std::max(most, terms_[i].violation(t_[i], q_[i]));
  return most;
}

Index GramSet::solve(std::span<const Term> terms, double goal, Point& point, const AskToStop& stop) {
  t_.clear(), q_.clear();
  terms_.assign(terms.begin(), terms.end());
  for (const Index j : ids_) {
    t_.push_back(point.t[j]);
    q_.push_back(point.g[j]);
  }
  constexpr Index kSupportSweeps = 30, kRounds = 200;
  Index sweeps = 0;
  polished_ = false;
  for (Index round = 0; round < kRounds && !stop(); ++round) {
    const Index changed = sweep();
    if (polished_ && changed == 0) break;
    sweeps += 1 + sweep_support(kSupportSweeps, stop);
    polished_ = false;
    if (goal > 0 && violation() <= goal) break; // good enough to look for further columns
    polished_ = polish(stop);
    if (violation() <= goal) break;
  }
  for (Index i = 0; i < size(); ++i) point.t[ids_[i]] = t_[i];
  return sweeps;
}

} // namespace recta::descent
