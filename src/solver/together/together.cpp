#include "solver/together/together.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "solver/no_higher.hpp"

#include <algorithm>
#include <cmath>

namespace recta::together {
namespace {

constexpr Index kEach = 8;           // least rows of a sample per unknown
constexpr Index kEnough = 80;        // rows per unknown that are enough
constexpr Index kLeast = 4;          // a sample of more than one row in this many saves too little
constexpr Index kUnknowns = 1000;    // Hessians of more are too many numbers
constexpr double kApart = 10;        // ratio of neighbouring anchors, at most unless strengths lie farther apart
constexpr Index kAnchorSteps = 12;   // of Newton's method over the sample
constexpr Index kSteps = 40;         // over all rows
constexpr Index kStalls = 4;         // steps that did not halve the fall
constexpr double kShortest = 1e-3;   // share of a step
constexpr double kSufficient = 1e-4; // of a fall: Armijo's condition

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t u = 0; u < a.size(); ++u) sum += a[u] * b[u];
  return sum;
}

void add(Numbers& to, double t, const Numbers& other) {
  for (std::size_t u = 0; u < to.size(); ++u) to[u] += t * other[u];
}

struct Anchor {
  double strength;
  Numbers at;
  Curved curved;
};

struct Pair { // a step, and how it changed the gradient
  Numbers way, change;
  double product;
};

// One strength on its way.
struct Traveller {
  double strength = 0;
  Cholesky<double> factor;
  Numbers here, gradient, trial, way;
  double value = INFINITY, fall = INFINITY, t = 1; // t: the share of the way that is tried
  std::vector<Pair> pairs;
  Index stalled = 0;
  bool done = false, near = false;
};

class Together {
public:
  Together(MeanLoss& loss, const Task& task) : loss_(loss), task_(task), size_(std::ssize(task.unit)) {}

  Result<std::vector<Answer>> run() {
    const blas::SerialBlas serial;
    const auto settled = settle_anchors();
    if (!settled) return std::unexpected(settled.error());
    if (!*settled || !set_out()) return std::vector<Answer>{};
    for (Index step = 0; step < kSteps && !all_done(); ++step)
      if (auto done = take_step(); !done) return std::unexpected(done.error());
    std::vector<Answer> out;
    for (Traveller& one : travellers_) out.push_back({std::move(one.here), one.near});
    return out;
  }

private:
  // With the penalty.
  double value_at(const Numbers& at, double value, double strength) const {
    for (std::size_t u = 0; u < at.size(); ++u) value += strength / 2 * task_.unit[u] * at[u] * at[u];
    return value;
  }
  Numbers slope_at(const Numbers& at, const Numbers& gradient, double strength) const {
    Numbers out = gradient;
    for (std::size_t u = 0; u < out.size(); ++u) out[u] += strength * task_.unit[u] * at[u];
    return out;
  }
  Cholesky<double> factored(Numbers hessian, double strength) const {
    for (Index u = 0; u < size_; ++u) hessian[u + u * size_] += strength * task_.unit[u];
    return {std::move(hessian), size_, 10 * std::max(static_cast<double>(size_), 8.0) * 0x1p-53, &task_.pool};
  }
  bool usable(const Cholesky<double>& factor) const { return factor.rank() == size_; }

  // False: the sample does not serve.
  Result<bool> settle_anchors() {
    Numbers at = task_.start;
    for (std::size_t k = 0; k < task_.strengths.size(); ++k) {
      const bool last = k + 1 == task_.strengths.size();
      if (k > 0 && !last && task_.strengths[k + 1] * kApart > anchors_.back().strength) continue;
      const auto settled = settle_anchor(task_.strengths[k], at);
      if (!settled || !*settled) return settled;
    }
    return true;
  }

  // The optimum of the sample is only as near to that of all rows as chance makes it, and is not found more exactly.
  Result<bool> settle_anchor(double strength, Numbers& at) {
    const double noise = 0.1 * static_cast<double>(size_) / static_cast<double>(loss_.sample_rows());
    auto curved = anchors_.empty() ? loss_.curved(at) : Result<Curved>(anchors_.back().curved);
    if (!curved) return std::unexpected(curved.error());
    double t = 1;
    for (Index step = 0; step < kAnchorSteps; ++step) {
      const Numbers slope = slope_at(at, curved->first.gradient, strength);
      const Cholesky<double> factor = factored(curved->hessian, strength);
      if (!usable(factor)) return false;
      const Numbers way = factor.solve(slope);
      const double fall = dot(slope, way);
      if (fall <= noise) {
        anchors_.push_back({strength, at, *std::move(curved)});
        return true;
      }
      Numbers trial = at;
      add(trial, -t, way);
      auto there = loss_.curved(trial);
      if (!there) return std::unexpected(there.error());
      const double before = value_at(at, curved->first.value, strength);
      const bool fell = value_at(trial, there->first.value, strength) <= before - kSufficient * t * fall;
      t = fell ? std::min(1.0, 2 * t) : t / 4;
      if (!fell) continue;
      at = std::move(trial);
      curved = std::move(there);
    }
    return false;
  }

  // Hessians and beginnings of all strengths.
  bool set_out() {
    std::size_t after = 0; // the first anchor of a strength that is no larger
    for (const double strength : task_.strengths) {
      while (anchors_[after].strength > strength) ++after;
      const Anchor& low = anchors_[after];
      const Anchor& high = anchors_[after > 0 ? after - 1 : 0];
      const double span = std::log(high.strength / low.strength);
      const double share = span > 0 ? std::log(high.strength / strength) / span : 1; // of the lower one
      Numbers hessian(low.curved.hessian.size());
      add(hessian, 1 - share, high.curved.hessian);
      add(hessian, share, low.curved.hessian);
      Traveller one;
      one.strength = strength;
      one.factor = factored(std::move(hessian), strength);
      if (!usable(one.factor)) return false;
      const Anchor& near = share < 0.5 ? high : low;
      one.trial = near.at;
      add(one.trial, -1, one.factor.solve(slope_at(near.at, near.curved.first.gradient, strength)));
      travellers_.push_back(std::move(one));
    }
    anchors_.clear();
    return true;
  }

  bool all_done() const { return std::ranges::all_of(travellers_, &Traveller::done); }

  Result<void> take_step() {
    std::vector<const Numbers*> trials;
    for (const Traveller& one : travellers_)
      if (!one.done) trials.push_back(&one.trial);
    auto looks = loss_.look(trials);
    if (!looks) return std::unexpected(looks.error());
    auto look = looks->begin();
    for (Traveller& one : travellers_)
      if (!one.done) arrive(one, *look++);
    return {};
  }

  // A step that does not lower the objective is shortened.
  void arrive(Traveller& one, const Look& look) const {
    const double value = value_at(one.trial, look.value, one.strength);
    const bool first = one.here.empty(), blind = one.fall <= 1e-10 * std::abs(one.value);
    const bool fell =
        first || value <= one.value - kSufficient * one.t * one.fall || (blind && no_higher(value, one.value));
    if (!fell) {
      one.t /= 4;
      one.done = one.t < kShortest;
      one.trial = one.here;
      return add(one.trial, one.t, one.way);
    }
    Numbers gradient = slope_at(one.trial, look.gradient, one.strength);
    if (!first) remember(one, gradient);
    one.here = one.trial;
    one.value = value;
    one.gradient = std::move(gradient);
    aim(one);
  }

  // The next step; the last one is not looked at.
  void aim(Traveller& one) const {
    one.way = direction(one);
    const double fall = -dot(one.gradient, one.way);
    if (fall > 0.5 * one.fall) ++one.stalled;
    one.fall = fall;
    one.t = 1;
    if (fall <= task_.goal) {
      if (fall > 0) add(one.here, 1, one.way);
      one.near = one.done = true;
      return;
    }
    one.done = !(fall > 0) || one.stalled >= kStalls;
    one.trial = one.here;
    add(one.trial, 1, one.way);
  }

  static Numbers direction(const Traveller& one) {
    Numbers q = one.gradient, shares(one.pairs.size());
    for (std::size_t k = one.pairs.size(); k-- > 0;) {
      shares[k] = dot(one.pairs[k].way, q) / one.pairs[k].product;
      add(q, -shares[k], one.pairs[k].change);
    }
    q = one.factor.solve(q);
    for (std::size_t k = 0; k < one.pairs.size(); ++k)
      add(q, shares[k] - dot(one.pairs[k].change, q) / one.pairs[k].product, one.pairs[k].way);
    for (double& each : q) each = -each;
    return q;
  }

  static void remember(Traveller& one, const Numbers& gradient) {
    for (double& each : one.way) each *= one.t;
    Numbers change = gradient;
    add(change, -1, one.gradient);
    const double product = dot(one.way, change);
    if (product > 0) one.pairs.push_back({std::move(one.way), std::move(change), product});
  }

  MeanLoss& loss_;
  const Task& task_;
  Index size_;
  std::vector<Anchor> anchors_;
  std::vector<Traveller> travellers_;
};

} // namespace

Result<std::vector<Answer>> solve(MeanLoss& loss, const Task& task) {
  return Together(loss, task).run();
}

Index sample_distance(Index rows, Index unknowns) {
  if (unknowns > kUnknowns || rows < kLeast * kEach * unknowns) return 0;
  return std::max(kLeast, rows / (kEnough * unknowns));
}

} // namespace recta::together
