#include "solver/together/together.hpp"

#include "base/blas.hpp"
#include "base/kept_work.hpp"
#include "solver/no_higher.hpp"
#include "solver/together/parabola.hpp"

#include <algorithm>
#include <cmath>
#include <map>

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
constexpr std::size_t kPairs = 12;   // of the steps before, those of other rows too
constexpr std::size_t kProblems = 8; // of a search that are kept
constexpr double kExact = 1e-2;      // of the goal, for the minimum of a parabola
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

struct Step {
  Numbers to;
  double fall = 0; // as the slopes promise it
};

// One strength on its way.
struct Traveller {
  double strength = 0;
  Metric metric;
  Numbers here, slope, to, trial;
  double value = INFINITY, fall = INFINITY, t = 1; // t: the share of the way to `to` that is tried
  std::vector<Pair> pairs;
  Index stalled = 0;
  bool done = false, near = false;
};

class Together {
public:
  Together(MeanLoss& loss, const Task& task) : loss_(loss), task_(task), size_(std::ssize(task.unit)) {}

  Result<std::vector<Answer>> run() {
    const blas::SerialBlas serial;
    if (!continue_from_kept()) {
      const auto settled = settle_anchors();
      if (!settled) return std::unexpected(settled.error());
      if (!*settled || !set_out()) return std::vector<Answer>{};
    }
    for (Index step = 0; step < kSteps && !all_done(); ++step)
      if (auto done = take_step(); !done) return std::unexpected(done.error());
    std::vector<Answer> out;
    for (const Traveller& one : travellers_) out.push_back({one.here, one.near});
    if (task_.kept) keep();
    return out;
  }

private:
  // With the penalty.
  double value_at(const Numbers& at, double value, double strength) const {
    for (std::size_t u = 0; u < at.size(); ++u) value += strength / 2 * task_.unit[u] * at[u] * at[u];
    return value + absolutes_at(at, strength);
  }
  double absolutes_at(const Numbers& at, double strength) const {
    double sum = 0;
    for (std::size_t u = 0; u < task_.absolute.size(); ++u) sum += task_.absolute[u] * std::abs(at[u]);
    return strength * sum;
  }
  // Of loss and squares.
  Numbers slope_at(const Numbers& at, const Numbers& gradient, double strength) const {
    Numbers out = gradient;
    for (std::size_t u = 0; u < out.size(); ++u) out[u] += strength * task_.unit[u] * at[u];
    return out;
  }
  Metric metric_of(Numbers hessian, double strength) const {
    Metric out;
    for (Index u = 0; u < size_; ++u) hessian[u + u * size_] += strength * task_.unit[u];
    if (task_.absolute.empty()) {
      const double tolerance = 10 * std::max(static_cast<double>(size_), 8.0) * 0x1p-53;
      out.factor = Cholesky<double>(std::move(hessian), size_, tolerance, &task_.pool);
      out.usable = out.factor.rank() == size_;
      return out;
    }
    out.usable = true;
    for (Index c = 0; c < size_; ++c) {
      for (Index r = 0; r < c; ++r) hessian[c + r * size_] = hessian[r + c * size_];
      out.usable = out.usable && hessian[c + c * size_] > 0;
    }
    out.matrix = std::move(hessian);
    return out;
  }

  Step step_from(const Numbers& here, const Numbers& slope, const Metric& metric, double strength) const {
    Step out;
    if (task_.absolute.empty()) {
      const Numbers way = metric.factor.solve(slope);
      out.to = here;
      add(out.to, -1, way);
      out.fall = dot(slope, way);
      return out;
    }
    out.to = minimum_of({metric.matrix, here, slope, task_.absolute, strength}, kExact * task_.goal);
    out.fall = fall_to(out.to, here, slope, strength);
    return out;
  }
  double fall_to(const Numbers& to, const Numbers& here, const Numbers& slope, double strength) const {
    double fall = absolutes_at(here, strength) - absolutes_at(to, strength);
    for (std::size_t u = 0; u < to.size(); ++u) fall -= slope[u] * (to[u] - here[u]);
    return fall;
  }
  // A share of the way; all of it keeps the zeros of `to`.
  static Numbers between(const Numbers& here, const Numbers& to, double t) {
    Numbers out = to;
    for (std::size_t u = 0; t < 1 && u < out.size(); ++u) out[u] = here[u] + t * (to[u] - here[u]);
    return out;
  }

  // False: the sample does not serve.
  Result<bool> settle_anchors() {
    const auto sample = loss_.take_sample();
    if (!sample) return std::unexpected(sample.error());
    sample_rows_ = *sample;
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
    const double noise = 0.1 * static_cast<double>(size_) / static_cast<double>(sample_rows_);
    auto curved = anchors_.empty() ? loss_.curved(at) : Result<Curved>(anchors_.back().curved);
    if (!curved) return std::unexpected(curved.error());
    double t = 1;
    for (Index step = 0; step < kAnchorSteps; ++step) {
      const Numbers slope = slope_at(at, curved->first.gradient, strength);
      const Metric metric = metric_of(curved->hessian, strength);
      if (!metric.usable) return false;
      const Step next = step_from(at, slope, metric, strength);
      if (next.fall <= noise) {
        anchors_.push_back({strength, at, *std::move(curved)});
        return true;
      }
      Numbers trial = between(at, next.to, t);
      auto there = loss_.curved(trial);
      if (!there) return std::unexpected(there.error());
      const double before = value_at(at, curved->first.value, strength);
      const bool fell = value_at(trial, there->first.value, strength) <= before - kSufficient * t * next.fall;
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
      one.metric = metric_of(std::move(hessian), strength);
      if (!one.metric.usable) return false;
      const Anchor& near = share < 0.5 ? high : low;
      const Numbers slope = slope_at(near.at, near.curved.first.gradient, strength);
      one.trial = step_from(near.at, slope, one.metric, strength).to;
      travellers_.push_back(std::move(one));
    }
    anchors_.clear();
    return true;
  }

  bool continue_from_kept() {
    if (!task_.kept || task_.kept->strengths != task_.strengths) return false;
    for (std::size_t k = 0; k < task_.strengths.size(); ++k) {
      Kept::End& end = task_.kept->ends[k];
      if (std::ssize(end.at) != size_) return travellers_.clear(), false;
      Traveller& one = travellers_.emplace_back();
      one.strength = task_.strengths[k];
      one.trial = end.at;
      one.metric = std::move(end.metric);
      one.pairs = std::move(end.pairs);
    }
    *task_.kept = {};
    return true;
  }

  // A way that did not end well is no beginning for others.
  void keep() {
    *task_.kept = {};
    if (!std::ranges::all_of(travellers_, &Traveller::near)) return;
    task_.kept->strengths = task_.strengths;
    for (Traveller& one : travellers_)
      task_.kept->ends.push_back({std::move(one.here), std::move(one.metric), std::move(one.pairs)});
  }

  bool all_done() const { return std::ranges::all_of(travellers_, &Traveller::done); }

  Result<void> take_step() {
    std::vector<const Numbers*> trials;
    for (const Traveller& one : travellers_)
      if (!one.done) trials.push_back(&one.trial);
    auto looks = loss_.look(trials);
    if (!looks) return std::unexpected(looks.error());
    std::vector<Traveller*> under_way;
    for (Traveller& one : travellers_)
      if (!one.done) under_way.push_back(&one);
    task_.pool.run(std::ssize(under_way), [&](Index k, int) { arrive(*under_way[k], (*looks)[k]); });
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
      one.trial = between(one.here, one.to, one.t);
      return;
    }
    Numbers slope = slope_at(one.trial, look.gradient, one.strength);
    if (!first) remember(one, slope);
    one.here = one.trial;
    one.value = value;
    one.slope = std::move(slope);
    aim(one);
  }

  // The next step; the last one is not looked at.
  void aim(Traveller& one) const {
    Step next =
        task_.absolute.empty() ? quasi_newton_step(one) : step_from(one.here, one.slope, one.metric, one.strength);
    if (next.fall > 0.5 * one.fall) ++one.stalled;
    one.fall = next.fall;
    one.t = 1;
    one.near = next.fall <= task_.goal;
    one.done = one.near || !(next.fall > 0) || one.stalled >= kStalls;
    if (one.near && next.fall > 0) one.here = next.to;
    one.to = std::move(next.to);
    one.trial = one.to;
  }

  static Step quasi_newton_step(const Traveller& one) {
    Numbers q = one.slope, shares(one.pairs.size());
    for (std::size_t k = one.pairs.size(); k-- > 0;) {
      shares[k] = dot(one.pairs[k].way, q) / one.pairs[k].product;
      add(q, -shares[k], one.pairs[k].change);
    }
    q = one.metric.factor.solve(q);
    for (std::size_t k = 0; k < one.pairs.size(); ++k)
      add(q, shares[k] - dot(one.pairs[k].change, q) / one.pairs[k].product, one.pairs[k].way);
    Step out{one.here, dot(one.slope, q)};
    add(out.to, -1, q);
    return out;
  }

  void remember(Traveller& one, const Numbers& slope) const {
    Numbers way = one.trial, change = slope;
    add(way, -1, one.here);
    add(change, -1, one.slope);
    const double product = dot(way, change);
    if (!(product > 0)) return;
    if (task_.absolute.empty()) {
      if (one.pairs.size() == kPairs) one.pairs.erase(one.pairs.begin());
      one.pairs.push_back({std::move(way), std::move(change), product});
      return;
    }
    correct(one.metric.matrix, way, change, product);
  }

  // H + y y' / <y, s> - H s s' H / <s, H s>.
  void correct(Numbers& h, const Numbers& way, const Numbers& change, double product) const {
    Numbers curved(way.size());
    blas::symv(1, {h.data(), size_}, way.data(), 0, curved.data());
    const double before = dot(way, curved);
    for (Index c = 0; c < size_; ++c) {
      blas::axpy(size_, change[c] / product, change.data(), h.data() + c * size_);
      blas::axpy(size_, -curved[c] / before, curved.data(), h.data() + c * size_);
    }
  }

  MeanLoss& loss_;
  const Task& task_;
  Index size_, sample_rows_ = 0;
  std::vector<Anchor> anchors_;
  std::vector<Traveller> travellers_;
};

struct KeptProblems {
  std::map<std::vector<double>, Kept> of;
};

} // namespace

Kept* kept_of(const std::vector<double>& problem) {
  auto* const kept = KeptWork::find<KeptProblems>(KeptWork::Of::search);
  if (!kept || (kept->of.size() == kProblems && !kept->of.contains(problem))) return nullptr;
  return &kept->of[problem];
}

Result<std::vector<Answer>> solve(MeanLoss& loss, const Task& task) {
  return Together(loss, task).run();
}

Index sample_distance(Index rows, Index unknowns) {
  if (unknowns > kUnknowns || rows < kLeast * kEach * unknowns) return 0;
  return std::max(kLeast, rows / (kEnough * unknowns));
}

} // namespace recta::together
