#include "solver/proximal/proximal.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "solver/svm/weighted_system.hpp"

#include <algorithm>
#include <cmath>

namespace recta::penalised {
namespace {

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) {
  CompensatedSum sum;
  for (std::size_t j = 0; j < a.size(); ++j) sum.add_product(a[j], b[j]);
  return sum.value();
}

// A point and what is known of it: scores without the intercept, the best intercept, the mean loss there.
struct Point {
  Numbers w, z;
  double b = 0, loss = 0;
};

class Proximal {
public:
  Proximal(const ProximalProblem& problem, const ProximalSettings& settings, Pool& pool)
      : problem_(problem), settings_(settings), pool_(pool), no_off_(at(problem.rows.cols())) {
    at_.w.assign(at(problem.rows.cols()), 0);
    problem.penalty.shrink(at_.w, 1); // where the penalty is finite
    problem.rows.scores(at_.w, at_.z, pool);
    see(at_, true);
    ahead_ = at_;
  }

  ProximalSolution run() {
    ProximalSolution out;
    try {
      out.gap = gap();
      if (problem_.rows.cols() <= kFewColumns) by_parabolas(out);
      if (out.gap > settings_.tolerance) by_steps(out);
    } catch (const Interrupted&) {
      out.interrupted = true;
    }
    out.w = at_.w, out.b = at_.b;
    return out;
  }

private:
  static constexpr Index kLookEvery = 10, kFewColumns = 1000, kMostParabolas = 50, kPatience = 5000;

  void by_steps(ProximalSolution& out) {
    ahead_ = at_;
    bend_ = largest_bend();
    double best = out.gap;
    Index since = 0; // steps since the gap became smaller: rounding ends it
    while (out.gap > settings_.tolerance && out.steps < settings_.steps && since < kPatience) {
      keep_going();
      if (!step()) return;
      ++out.steps, ++since;
      if (since % kLookEvery != 0) continue;
      out.gap = gap();
      if (out.gap < 0.99 * best) best = out.gap, since = 0;
    }
  }

  void by_parabolas(ProximalSolution& out) {
    while (out.gap > settings_.tolerance && out.parabolas < kMostParabolas) {
      const double before = out.gap;
      ++out.parabolas;
      Numbers target = at_.w;
      out.steps += minimise_parabola(target);
      if (!move_towards(target)) return;
      out.gap = gap();
      if (out.gap > 0.9 * before && out.parabolas > kMostParabolas / 2) return;
    }
  }

  // The parabola of the loss at the point, the intercept being the best one: H = X'T X - (X'T 1)(X'T 1)' / 1'T 1.
  Numbers parabola() {
    Numbers curvature;
    mean_loss(problem_.targets, scores_, &slope_, &curvature);
    problem_.targets.loss.mix_majorant({std::ssize(scores_), problem_.targets.y.data(), scores_.data(), nullptr}, 0.1,
                                       curvature.data());
    for (std::size_t i = 0; i < curvature.size(); ++i) curvature[i] *= problem_.targets.share[i];
    const Index p = problem_.rows.cols(), size = p + (problem_.intercept ? 1 : 0);
    const Numbers sums = svm::weighted_products(problem_.rows, problem_.intercept, curvature, pool_);
    const auto sum = [&](Index j, Index k) {
      return j == k ? sums[at(j * size + j)] : sums[at(j * size + k)] + sums[at(k * size + j)];
    };
    Numbers out(at(p * p));
    for (Index j = 0; j < p; ++j)
      for (Index k = 0; k < p; ++k)
        out[at(j * p + k)] = sum(j, k) - (size > p && sum(p, p) > 0 ? sum(j, p) * sum(k, p) / sum(p, p) : 0);
    return out;
  }

  // Takes w to the least point of the parabola and the penalty, until steps are a millionth of the first.
  Index minimise_parabola(Numbers& w) {
    const Numbers h = parabola(), g = gradient(), start = w;
    const std::size_t p = w.size();
    const auto pull = [&](const Numbers& from, Numbers& out) { // g + H (from - start)
      out = g;
      for (std::size_t k = 0; k < p; ++k) {
        const double moved = from[k] - start[k];
        for (std::size_t j = 0; j < p; ++j) out[j] += h[k * p + j] * moved;
      }
    };
    double bend = 0;
    for (std::size_t j = 0; j < p; ++j) bend = std::max(bend, h[j * p + j]);
    bend = std::max(bend, largest_eigenvalue(h)) * 1.01;
    if (!(bend > 0)) return 0;
    Numbers ahead = w, next, slope;
    double momentum = 1, first = -1;
    constexpr Index kMost = 50000;
    for (Index step = 1; step <= kMost; ++step) {
      pull(ahead, slope);
      next = ahead;
      for (std::size_t j = 0; j < p; ++j) next[j] -= slope[j] / bend;
      problem_.penalty.shrink(next, 1 / bend);
      double back = 0, far = 0;
      for (std::size_t j = 0; j < p; ++j) {
        back += (ahead[j] - next[j]) * (next[j] - w[j]);
        far = std::max(far, std::abs(ahead[j] - next[j]));
      }
      const double before = back > 0 ? 1 : momentum;
      momentum = (1 + std::sqrt(1 + 4 * before * before)) / 2;
      const double share = back > 0 ? 0 : (before - 1) / momentum;
      for (std::size_t j = 0; j < p; ++j) ahead[j] = next[j] + share * (next[j] - w[j]);
      std::swap(w, next);
      if (first < 0) first = far;
      if (far <= 1e-6 * first) return step;
      if (step % 1000 == 0) keep_going();
    }
    return kMost;
  }

  static double largest_eigenvalue(const Numbers& h) {
    const auto p = static_cast<std::size_t>(std::sqrt(static_cast<double>(h.size())) + 0.5);
    Numbers x(p, 1), y(p);
    double eigenvalue = 0;
    for (int k = 0; k < 100; ++k) {
      const double length = std::sqrt(dot(x, x));
      if (!(length > 0)) return eigenvalue;
      std::ranges::fill(y, 0);
      for (std::size_t j = 0; j < p; ++j)
        for (std::size_t i = 0; i < p; ++i) y[i] += h[j * p + i] * (x[j] / length);
      eigenvalue = std::sqrt(dot(y, y));
      std::swap(x, y);
    }
    return eigenvalue;
  }

  // Moves as far as the objective falls; returns false if it does not.
  bool move_towards(const Numbers& target) {
    const Numbers g = gradient();
    const double here = at_.loss + problem_.penalty.value(at_.w);
    double slope = problem_.penalty.value(target) - problem_.penalty.value(at_.w);
    for (std::size_t j = 0; j < g.size(); ++j) slope += g[j] * (target[j] - at_.w[j]);
    for (double length = 1; length > 1e-6; length /= 2) {
      Point next{at_.w, {}, at_.b};
      for (std::size_t j = 0; j < next.w.size(); ++j)
        next.w[j] = length == 1 ? target[j] : next.w[j] + length * (target[j] - next.w[j]);
      problem_.rows.scores(next.w, next.z, pool_);
      see(next, false);
      const double there = next.loss + problem_.penalty.value(next.w);
      if (!(there <= here + 1e-4 * length * slope + 0x1p-48 * std::abs(here))) continue;
      at_ = std::move(next);
      see(at_, true);
      return true;
    }
    see(at_, true);
    return false;
  }

  // Intercept and loss of a point whose scores are there; of the point ahead, slopes too.
  void see(Point& point, bool slopes) {
    if (problem_.intercept) point.b = best_intercept(problem_.targets, point.z, point.b);
    scores_ = point.z;
    for (double& score : scores_) score += point.b;
    point.loss = mean_loss(problem_.targets, scores_, slopes ? &slope_ : nullptr);
  }

  // The largest eigenvalue of sum_i s_i c_i x_i x_i' by the power method, c_i the curvature here; steps are shortened
  // where it is larger elsewhere.
  double largest_bend() {
    Numbers curvature, direction(no_off_.size(), 1), f;
    mean_loss(problem_.targets, scores_, &slope_, &curvature);
    double eigenvalue = 1;
    for (int k = 0; k < 20; ++k) {
      const double length = std::sqrt(dot(direction, direction));
      if (!(length > 0)) return 1;
      for (double& entry : direction) entry /= length;
      problem_.rows.scores(direction, f, pool_);
      for (std::size_t i = 0; i < f.size(); ++i) f[i] *= problem_.targets.share[i] * curvature[i];
      direction = problem_.rows.combination(f, pool_);
      eigenvalue = std::sqrt(dot(direction, direction));
    }
    return eigenvalue > 0 ? eigenvalue : 1;
  }

  Numbers gradient() {
    Numbers pull(slope_.size());
    for (std::size_t i = 0; i < pull.size(); ++i) pull[i] = problem_.targets.share[i] * slope_[i];
    return problem_.rows.combination(pull, pool_);
  }

  // Returns false if no step is so short that the objective falls and so long that w changes.
  bool step() {
    see(ahead_, true);
    const Numbers g = gradient();
    Point next;
    for (;; bend_ *= 2) {
      next.w = ahead_.w;
      for (std::size_t j = 0; j < next.w.size(); ++j) next.w[j] -= g[j] / bend_;
      problem_.penalty.shrink(next.w, 1 / bend_);
      if (next.w == ahead_.w) return start_again();
      problem_.rows.scores(next.w, next.z, pool_);
      next.b = ahead_.b;
      see(next, false);
      if (falls_enough(next, g)) break;
    }
    move_to(std::move(next));
    bend_ *= 0.98; // it may be smaller here
    return true;
  }

  // From the point itself, if the one ahead of it leads no further.
  bool start_again() {
    if (ahead_.w == at_.w) return false;
    ahead_ = at_;
    momentum_ = 1;
    see(ahead_, true);
    bend_ = largest_bend();
    return true;
  }

  // Below the parabola through the point ahead, as far as the loss can be told apart.
  bool falls_enough(const Point& next, const Numbers& g) const {
    double along = 0, squared = 0;
    for (std::size_t j = 0; j < g.size(); ++j) {
      const double d = next.w[j] - ahead_.w[j];
      along += g[j] * d, squared += d * d;
    }
    const double noise = 0x1p-46 * (std::abs(ahead_.loss) + std::abs(along));
    return next.loss <= ahead_.loss + along + bend_ / 2 * squared + noise;
  }

  void move_to(Point next) {
    double back = 0;
    for (std::size_t j = 0; j < next.w.size(); ++j) back += (ahead_.w[j] - next.w[j]) * (next.w[j] - at_.w[j]);
    const double before = back > 0 ? 1 : momentum_;
    momentum_ = (1 + std::sqrt(1 + 4 * before * before)) / 2;
    const double share = back > 0 ? 0 : (before - 1) / momentum_;
    ahead_ = next;
    for (std::size_t j = 0; j < next.w.size(); ++j) ahead_.w[j] += share * (next.w[j] - at_.w[j]);
    for (std::size_t i = 0; i < next.z.size(); ++i) ahead_.z[i] += share * (next.z[i] - at_.z[i]);
    at_ = std::move(next);
  }

  // The gap by the slopes at the point, made smaller until the conjugate of the penalty is finite.
  double gap() {
    problem_.rows.scores(at_.w, at_.z, pool_);
    see(at_, true);
    Numbers u = gradient(), d = slope_;
    for (double& entry : u) entry = -entry;
    const double size = problem_.penalty.reach(u, no_off_);
    for (double& entry : u) entry *= size * (1 - 0x1p-50);
    for (std::size_t i = 0; i < d.size(); ++i)
      d[i] = problem_.targets.loss.nearest(problem_.targets.y[i], -size * slope_[i]);
    Numbers none(d.size()), each(d.size()), worst(d.size());
    problem_.targets.loss.gaps(
        {std::ssize(d), problem_.targets.y.data(), scores_.data(), problem_.targets.share.data(), none.data()},
        d.data(), none.data(), each.data(), worst.data());
    CompensatedSum sum;
    for (std::size_t i = 0; i < d.size(); ++i) sum.add_product(problem_.targets.share[i], each[i]);
    sum.add(problem_.penalty.value(at_.w)), sum.add(problem_.penalty.conjugate(u, no_off_)), sum.add(-dot(u, at_.w));
    return sum.value();
  }

  const ProximalProblem& problem_;
  const ProximalSettings& settings_;
  Pool& pool_;
  Point at_, ahead_;
  Numbers scores_, slope_; // of the point that was seen last
  const Numbers no_off_;
  double bend_ = 1, momentum_ = 1;
};

} // namespace

ProximalSolution solve_proximal(const ProximalProblem& problem, const ProximalSettings& settings, Pool& pool) {
  return Proximal(problem, settings, pool).run();
}

} // namespace recta::penalised
