#include "solver/coordinate_descent/residual_set.hpp"

#include "design/csc/csc_columns.hpp"
#include "solver/coordinate_descent/sparse_features.hpp"

namespace recta::descent {

void ResidualSet::add(std::span<const Index> columns) {
  for (const Index j : columns) {
    const double unit = features_.unit[j];
    ids_.push_back(j);
    each_in_column(features_.matrix(), j, [&](Index i, double value) {
      row_.push_back(i);
      value_.push_back(value / unit);
      weighted_.push_back(value / unit * features_.share()[i]);
    });
    start_.push_back(static_cast<Index>(row_.size()));
    mean_.push_back(features_.mean[j] / unit);
    square_.push_back(features_.norm[j] * features_.norm[j]);
  }
}

double ResidualSet::product(Index i) const {
  double sum = 0;
  for (Index k = start_[i]; k < start_[i + 1]; ++k) sum += weighted_[k] * residual_[row_[k]];
  return sum + mean_[i] * (shift_ - total_);
}

void ResidualSet::move(Index i, double by) {
  t_[i] += by;
  for (Index k = start_[i]; k < start_[i + 1]; ++k) residual_[row_[k]] -= by * value_[k];
  shift_ += by * mean_[i];
}

// Returns the number of coordinates whose sign changed; `worst` is the worst violation before its step.
Index ResidualSet::sweep(bool support_only, double& worst) {
  Index changed = 0;
  ++passes_;
  worst = 0;
  for (Index i = 0; i < size(); ++i) {
    if (support_only && t_[i] == 0) continue;
    const double q = product(i), before = t_[i];
    const double violation = terms_[i].violation(before, q);
    worst = std::max(worst, violation);
    if (violation == 0) continue;
    const double next = terms_[i].prox(q + square_[i] * before, square_[i]);
    move(i, next - before);
    t_[i] = next; // exactly: zero is zero
    changed += before == 0 || next == 0 || (before < 0) != (next < 0) || !terms_[i].inside(before);
  }
  return changed;
}

// True: the goal is reached. Ends when sweeps no longer halve the worst violation: conjugate gradients are better then.
bool ResidualSet::sweep_support(double goal, Index& sweeps, const AskToStop& stop) {
  constexpr Index kLeast = 3;
  double before = std::numeric_limits<double>::infinity(), worst = before;
  for (Index i = 0; !stop() && !laborious(); ++i, before = worst) {
    sweep(true, worst);
    ++sweeps;
    if (worst <= goal) return true;
    if (i >= kLeast && worst > 0.5 * before) return false;
  }
  return false;
}

std::vector<double> ResidualSet::multiply(std::span<const Index> support, const std::vector<double>& d) {
  passes_ += 2;
  std::vector<double> image(residual_.size()), out(support.size());
  double shift = 0;
  for (std::size_t a = 0; a < support.size(); ++a) {
    const Index i = support[a];
    for (Index k = start_[i]; k < start_[i + 1]; ++k) image[row_[k]] += d[a] * value_[k];
    shift -= d[a] * mean_[i];
  }
  // The image is centred if the columns are: its total, with the shift, is zero.
  for (std::size_t a = 0; a < support.size(); ++a) {
    const Index i = support[a];
    double sum = mean_[i] * shift;
    for (Index k = start_[i]; k < start_[i + 1]; ++k) sum += weighted_[k] * image[row_[k]];
    out[a] = sum + terms_[i].l2 * d[a];
  }
  return out;
}

// Conjugate gradients, preconditioned by the diagonal, until no condition is violated by more than `goal`.
std::vector<double> ResidualSet::solve_support(std::span<const Index> support, const std::vector<double>& rhs,
                                               double goal) {
  const std::size_t s = support.size();
  std::vector<double> x(s), r(rhs), z(s), p(s);
  const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto precondition = [&] {
    for (std::size_t a = 0; a < s; ++a) z[a] = r[a] / (square_[support[a]] + terms_[support[a]].l2);
  };
  precondition();
  p = z;
  double rz = dot(r, z);
  const double enough = 1e-26 * rz;
  const auto done = [&] {
    return rz <= enough || std::ranges::all_of(r, [&](double v) { return std::abs(v) <= goal; });
  };
  for (std::size_t step = 0; step < 200 && !done() && !laborious(); ++step) {
    const std::vector<double> image = multiply(support, p);
    const double curvature = dot(p, image);
    if (!(curvature > 0)) break;
    const double length = rz / curvature;
    for (std::size_t a = 0; a < s; ++a) x[a] += length * p[a], r[a] -= length * image[a];
    precondition();
    const double next = dot(r, z);
    for (std::size_t a = 0; a < s; ++a) p[a] = z[a] + next / rz * p[a];
    rz = next;
  }
  return x;
}

bool ResidualSet::newton_step(double goal, bool& full) {
  std::vector<Index> support;
  std::vector<Term> terms;
  std::vector<double> t, down;
  double slope = 0, curvature = 0;
  for (Index i = 0; i < size(); ++i) {
    if (t_[i] == 0 || !terms_[i].inside(t_[i])) continue;
    support.push_back(i);
    terms.push_back(terms_[i]);
    t.push_back(t_[i]);
    down.push_back(product(i) - terms_[i].l2 * t_[i]);
  }
  if (support.empty()) return false;
  std::vector<double> rhs(down);
  for (std::size_t a = 0; a < t.size(); ++a) rhs[a] -= std::copysign(terms[a].l1, t[a]);
  const std::vector<double> d = solve_support(support, rhs, goal), image = multiply(support, d);
  for (std::size_t a = 0; a < d.size(); ++a) {
    slope -= d[a] * down[a];
    curvature += d[a] * image[a];
  }
  const Step step = best_step(terms, t, d, slope, curvature);
  full = step.full;
  if (step.length == 0) return false;
  for (std::size_t a = 0; a < d.size(); ++a) {
    const double next = static_cast<Index>(a) == step.stopped_at
                            ? step.landing
                            : std::clamp(t[a] + step.length * d[a], terms[a].low, terms[a].high);
    move(support[a], next - t[a]);
    t_[support[a]] = next;
  }
  return true;
}

Index ResidualSet::solve(std::span<const Term> terms, double goal, Point& point, const AskToStop& stop) {
  residual_ = features_.residual();
  shift_ = total_ = 0;
  for (std::size_t i = 0; i < residual_.size(); ++i) total_ += features_.share()[i] * residual_[i];
  t_.clear();
  terms_.assign(terms.begin(), terms.end());
  for (const Index j : ids_) t_.push_back(point.t[j]);
  constexpr Index kRounds = 200;
  Index sweeps = 0;
  polished_ = false;
  passes_ = 0;
  for (Index round = 0; round < kRounds && !stop() && !laborious(); ++round) {
    double worst = 0;
    const Index changed = sweep(false, worst);
    ++sweeps;
    if (polished_ && changed == 0) break;
    polished_ = false;
    if (worst <= goal) break;
    if (sweep_support(goal, sweeps, stop)) continue;
    bool full = false;
    polished_ = !newton_step(0.1 * goal, full) || full;
  }
  polished_ = polished_ && goal == 0; // otherwise conjugate gradients ended at the goal
  for (Index i = 0; i < size(); ++i) point.t[ids_[i]] = t_[i];
  return sweeps;
}

} // namespace recta::descent
