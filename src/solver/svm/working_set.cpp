#include "solver/svm/working_set.hpp"

#include "base/numbers.hpp"

#include <algorithm>

namespace recta::svm {
namespace {

constexpr Index kLaneCount = 8;       // minima run side by side, so that comparisons need not wait for each other
constexpr double kLeastCurve = 1e-12; // of two equal rows the curvature is zero: the step is then as long as it may be

} // namespace

void WorkingSet::open(Index i) {
  const double b = beta[at(i)];
  above_[at(i)] = b < high[at(i)] ? (b >= 0 ? tube : -tube) : kInfinity;
  below_[at(i)] = b > low[at(i)] ? (b > 0 ? tube : -tube) : -kInfinity;
}

Index WorkingSet::least_up(double& up) const {
  double best[kLaneCount];
  std::fill(best, best + kLaneCount, kInfinity);
  Index t = 0;
  for (; t + kLaneCount <= size; t += kLaneCount)
    for (Index l = 0; l < kLaneCount; ++l) {
      const double one = slope[at(t + l)] + above_[at(t + l)];
      best[l] = one < best[l] ? one : best[l];
    }
  for (; t < size; ++t) best[0] = std::min(best[0], slope[at(t)] + above_[at(t)]);
  up = *std::min_element(best, best + kLaneCount);
  for (Index i = 0; i < size; ++i)
    if (slope[at(i)] + above_[at(i)] == up && up < kInfinity) return i;
  return -1;
}

double WorkingSet::largest_down() const {
  double best[kLaneCount];
  std::fill(best, best + kLaneCount, -kInfinity);
  Index t = 0;
  for (; t + kLaneCount <= size; t += kLaneCount)
    for (Index l = 0; l < kLaneCount; ++l) {
      const double one = slope[at(t + l)] + below_[at(t + l)];
      best[l] = one > best[l] ? one : best[l];
    }
  for (; t < size; ++t) best[0] = std::max(best[0], slope[at(t)] + below_[at(t)]);
  return *std::max_element(best, best + kLaneCount);
}

double WorkingSet::violation_of_groups() const {
  double out = 0;
  for (Index g = 0; g <= std::ranges::max(group); ++g) {
    double up = kInfinity, down = -kInfinity;
    for (Index t = 0; t < size; ++t)
      if (group[at(t)] == g) {
        up = std::min(up, slope[at(t)] + above_[at(t)]);
        down = std::max(down, slope[at(t)] + below_[at(t)]);
      }
    out = std::max(out, down - up);
  }
  return out;
}

double WorkingSet::violation() const {
  if (!group.empty()) return violation_of_groups();
  double up = 0;
  const Index grows = least_up(up);
  const double down = largest_down();
  if (!intercept) return std::max({0.0, grows < 0 ? 0.0 : -up, down});
  return grows < 0 ? 0 : std::max(0.0, down - up);
}

WorkingSet::Pair WorkingSet::select() const {
  Pair out;
  double up = 0;
  out.grows = least_up(up);
  if (out.grows < 0) return out;
  const double* const row = kernel.data() + out.grows * size;
  const double own = row[out.grows] + ridge[at(out.grows)];
  double best = 0;
  for (Index t = 0; t < size; ++t) {
    const double gain = slope[at(t)] + below_[at(t)] - up;
    if (!(gain > 0)) continue;
    const double curve = std::max(own + kernel[at(t * size + t)] + ridge[at(t)] - 2 * row[t], kLeastCurve);
    if (const double lowers = gain * gain / curve; lowers > best) best = lowers, out.shrinks = t, out.gain = gain;
  }
  return out;
}

// The best pair of every group, and the best of these.
WorkingSet::Pair WorkingSet::select_in_groups() const {
  Pair out;
  double best = 0;
  for (Index g = 0; g <= std::ranges::max(group); ++g) {
    Index grows = -1;
    double up = kInfinity;
    for (Index t = 0; t < size; ++t)
      if (group[at(t)] == g && slope[at(t)] + above_[at(t)] < up) up = slope[at(t)] + above_[at(t)], grows = t;
    if (grows < 0) continue;
    const double* const row = kernel.data() + grows * size;
    for (Index t = 0; t < size; ++t) {
      const double gain = slope[at(t)] + below_[at(t)] - up;
      if (group[at(t)] != g || !(gain > 0)) continue;
      const double curve = std::max(row[grows] + kernel[at(t * size + t)] - 2 * row[t], kLeastCurve);
      if (const double lowers = gain * gain / curve; lowers > best) best = lowers, out = {grows, t, gain};
    }
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
    const double lowers = gain * gain / std::max(kernel[at(t * size + t)] + ridge[at(t)], kLeastCurve);
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
  const auto own = [&](Index t) { return kernel[at(t * size + t)] + ridge[at(t)]; };
  double curve = i < 0 ? own(j) : j < 0 ? own(i) : own(i) + own(j) - 2 * kernel[at(i * size + j)];
  double step = pair.gain / std::max(curve, kLeastCurve);
  if (i >= 0) step = std::min(step, limit(i, true));
  if (j >= 0) step = std::min(step, limit(j, false));
  if (i >= 0) shift(i, step, true);
  if (j >= 0) shift(j, step, false);
}

Index WorkingSet::solve(double tolerance, Index most_steps) {
  above_.resize(at(size)), below_.resize(at(size));
  for (Index i = 0; i < size; ++i) open(i);
  for (Index steps = 0; steps < most_steps; ++steps) {
    if (steps % 8 == 0 && violation() <= tolerance) return steps;
    const Pair pair = !group.empty() ? select_in_groups() : intercept ? select() : select_one();
    if (pair.gain <= 0 || (intercept && pair.shrinks < 0)) return steps;
    move(pair);
  }
  return most_steps;
}

} // namespace recta::svm
