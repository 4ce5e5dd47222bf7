#include "solver/svm/working_set.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::svm {
namespace {

constexpr Index kLaneCount = 8; // minima run side by side, so that comparisons need not wait for each other
// Of two equal rows the curvature is zero, or less by rounding: the step is then as long as it may be. As a share of
// what both rows have by themselves, so that the kernel may come in any unit.
constexpr double kLeastCurve = 5e-13;
constexpr double kSmallest = std::numeric_limits<double>::min(); // two rows of zeros

double least_curve(double own, double other) {
  return kLeastCurve * (std::abs(own) + std::abs(other)) + kSmallest;
}

} // namespace

void WorkingSet::open(Index i) {
  const double b = beta[at(i)];
  above_[at(i)] = b < high[at(i)] ? (b >= 0 ? tube : -tube) : kInfinity;
  below_[at(i)] = b > low[at(i)] ? (b > 0 ? tube : -tube) : -kInfinity;
}

Index WorkingSet::least_up(Range rows, double& up) const {
  double best[kLaneCount];
  std::fill(best, best + kLaneCount, kInfinity);
  Index t = rows.begin;
  for (; t + kLaneCount <= rows.end; t += kLaneCount)
    for (Index l = 0; l < kLaneCount; ++l) {
      const double one = slope[at(t + l)] + above_[at(t + l)];
      best[l] = one < best[l] ? one : best[l];
    }
  for (; t < rows.end; ++t) best[0] = std::min(best[0], slope[at(t)] + above_[at(t)]);
  up = *std::min_element(best, best + kLaneCount);
  for (Index i = rows.begin; i < rows.end; ++i)
    if (slope[at(i)] + above_[at(i)] == up && up < kInfinity) return i;
  return -1;
}

double WorkingSet::largest_down(Range rows) const {
  double best[kLaneCount];
  std::fill(best, best + kLaneCount, -kInfinity);
  Index t = rows.begin;
  for (; t + kLaneCount <= rows.end; t += kLaneCount)
    for (Index l = 0; l < kLaneCount; ++l) {
      const double one = slope[at(t + l)] + below_[at(t + l)];
      best[l] = one > best[l] ? one : best[l];
    }
  for (; t < rows.end; ++t) best[0] = std::max(best[0], slope[at(t)] + below_[at(t)]);
  return *std::max_element(best, best + kLaneCount);
}

double WorkingSet::violation(Range rows) const {
  double up = 0;
  const Index grows = least_up(rows, up);
  const double down = largest_down(rows);
  if (!intercept) return std::max({0.0, grows < 0 ? 0.0 : -up, down});
  return grows < 0 ? 0 : std::max(0.0, down - up);
}

double WorkingSet::violation() const {
  double out = 0;
  for (const Range rows : groups_) out = std::max(out, violation(rows));
  return out;
}

// The pair of a group: the row that gains most by growing, and the partner that lowers -D most. Returns by how much.
double WorkingSet::best_partner(Range rows, Pair& pair) {
  double up = 0;
  pair.grows = least_up(rows, up);
  if (pair.grows < 0) return 0;
  const double* const row = kernel.data() + pair.grows * size;
  const double own = own_[at(pair.grows)];
  double best[kLaneCount] = {};
  const auto look = [&](Index t, double& most) {
    const double gain = slope[at(t)] + below_[at(t)] - up, bend = own + own_[at(t)] - 2 * row[t];
    const double least = least_curve(own, own_[at(t)]), curve = bend > least ? bend : least;
    const double lowers = gain > 0 ? gain * gain / curve : 0;
    lowers_[at(t)] = lowers;
    most = lowers > most ? lowers : most;
  };
  Index t = rows.begin;
  for (; t + kLaneCount <= rows.end; t += kLaneCount)
    for (Index l = 0; l < kLaneCount; ++l) look(t + l, best[l]);
  for (; t < rows.end; ++t) look(t, best[0]);
  const double most = *std::max_element(best, best + kLaneCount);
  if (!(most > 0)) return 0;
  pair.shrinks = rows.begin;
  while (lowers_[at(pair.shrinks)] != most) ++pair.shrinks;
  pair.gain = slope[at(pair.shrinks)] + below_[at(pair.shrinks)] - up;
  return most;
}

// The best pair of every group, and the best of these.
WorkingSet::Pair WorkingSet::select() {
  Pair out;
  double best = 0;
  for (const Range rows : groups_) {
    Pair own;
    const double lowers = best_partner(rows, own);
    if (lowers > best || out.grows < 0) best = lowers, out = own;
  }
  return out;
}

// Without an intercept.
WorkingSet::Pair WorkingSet::select_one() const {
  Pair out;
  double best = 0;
  for (Index t = 0; t < size; ++t) {
    const double grow = -(slope[at(t)] + above_[at(t)]), shrink = slope[at(t)] + below_[at(t)];
    const double gain = std::max(grow, shrink);
    if (!(gain > 0)) continue;
    const double lowers = gain * gain / std::max(own_[at(t)], least_curve(own_[at(t)], 0));
    if (lowers <= best) continue;
    best = lowers;
    out = grow > shrink ? Pair{t, -1, gain} : Pair{-1, t, gain};
  }
  return out;
}

// How far row i can go.
double WorkingSet::limit(Index i, bool grows) const {
  const double b = beta[at(i)];
  if (grows) return tube > 0 && b < 0 ? -b : high[at(i)] - b;
  return tube > 0 && b > 0 ? b : b - low[at(i)];
}

void WorkingSet::shift(Index i, double by, bool grows) {
  double& b = beta[at(i)];
  const double room = limit(i, grows);
  const bool to_zero = tube > 0 && (grows ? b < 0 : b > 0);
  const double moved = grows ? by : -by;
  b = by < room ? b + moved : to_zero ? 0 : grows ? high[at(i)] : low[at(i)]; // the end itself, not next to it
  const double* const row = kernel.data() + i * size;
  for (Index t = 0; t < size; ++t) slope[at(t)] += moved * row[t];
  slope[at(i)] += moved * ridge[at(i)];
  open(i);
}

void WorkingSet::move(const Pair& pair) {
  const Index i = pair.grows, j = pair.shrinks;
  const double a = i < 0 ? 0 : own_[at(i)], b = j < 0 ? 0 : own_[at(j)];
  const double curve = i < 0 || j < 0 ? a + b : a + b - 2 * kernel[at(i * size + j)];
  double step = pair.gain / std::max(curve, least_curve(a, b));
  if (i >= 0) step = std::min(step, limit(i, true));
  if (j >= 0) step = std::min(step, limit(j, false));
  if (i >= 0) shift(i, step, true);
  if (j >= 0) shift(j, step, false);
}

void WorkingSet::begin() {
  above_.resize(at(size)), below_.resize(at(size)), own_.resize(at(size)), lowers_.resize(at(size));
  for (Index i = 0; i < size; ++i) open(i), own_[at(i)] = kernel[at(i * size + i)] + ridge[at(i)];
  groups_.clear();
  for (const Index end : group_ends) groups_.push_back({groups_.empty() ? 0 : groups_.back().end, end});
  if (groups_.empty()) groups_.push_back({0, size});
}

Index WorkingSet::solve(double tolerance, Index most_steps) {
  begin();
  for (Index steps = 0; steps < most_steps; ++steps) {
    if (steps % 8 == 0 && violation() <= tolerance) return steps;
    const Pair pair = intercept ? select() : select_one();
    if (pair.gain <= 0 || (intercept && pair.shrinks < 0)) return steps;
    move(pair);
  }
  return most_steps;
}

} // namespace recta::svm
