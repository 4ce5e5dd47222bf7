#include "solver/svm/grouped.hpp"

#include "base/factor/cholesky.hpp"
#include "base/listening.hpp"
#include "solver/svm/grouped_rows.hpp"
#include "solver/svm/interior_point.hpp"
#include "solver/svm/kernel_columns.hpp"
#include "solver/svm/smo_steps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::svm {
namespace {

constexpr Index kMostRounds = 20000;
constexpr Index kMostFree = 3000, kFewFree = 500;
constexpr Index kPatience = 200;                    // steps for each term before another method is tried
constexpr double kColumns = 500, kFewColumns = 300; // of a kernel matrix, for that method

class GroupedSmo : GroupedRows {
public:
  GroupedSmo(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
             const GroupedSettings& settings, Pool& pool)
      : GroupedRows(problem, kernel, points, settings.cache, pool), settings_(settings),
        patience_(kPatience * problem.terms()) {}

  GroupedSolution run() {
    try {
      begin(settings_.start);
      const double unit = slope_unit();
      double wanted = 1e-3 * unit, last_gap = kInfinity;
      while (true) {
        const bool reached = rounds(wanted);
        measure();
        // The exact end is worth its price even if the gap is small enough: the same rows in another form, repeated
        // instead of weighted, then have the same answer to rounding.
        const bool many = free_count() > kFewFree;
        if (within() && many) break;
        // A step of the exact end costs a factor of the free terms, and one is made for every term that leaves or joins
        // them: of many terms it waits until hardly any will.
        if (many && reached && wanted > 1e-7 * unit) {
          wanted /= 10;
          continue;
        }
        if (finish(within() ? 1e-13 * unit : wanted * 1e-3) || within()) break;
        if (out_.steps >= settings_.steps) {
          out_.gave_up = true;
          break;
        }
        if (out_.steps >= patience_) {
          patience_ *= 2;
          if (by_interior_point(unit)) break;
          continue;
        }
        if (!reached || wanted < 1e-13 * unit) {
          const bool no_nearer = !(out_.gap < last_gap) || wanted < 1e-13 * unit;
          if (no_nearer && by_interior_point(unit)) break;
          out_.gave_up = no_nearer;
          if (out_.gave_up) break;
        }
        last_gap = out_.gap;
        wanted /= 10;
      }
    } catch (const Interrupted&) {
      out_.interrupted = true;
      measure();
    }
    return std::move(out_);
  }

private:
  bool within() const { return out_.gap <= settings_.tolerance(out_.levels); }

  bool rounds(double wanted) {
    std::vector<Index> set;
    Index without_gain = 0;
    double least = kInfinity;
    for (Index round = 0; round < kMostRounds; ++round) {
      keep_going();
      const std::vector<Ends> all = ends();
      const double off = violation(all);
      if (off <= wanted) return true;
      if (out_.steps >= std::min(settings_.steps, patience_)) return false;
      without_gain = off < 0.999 * least ? 0 : without_gain + 1;
      least = std::min(least, off);
      if (without_gain > 40) return false; // rounding stands in the way
      choose(set, all);
      solve_among(set, wanted, off);
      ++out_.rounds;
    }
    return false;
  }

  // The terms that violate most, from both sides.
  void choose(std::vector<Index>& set, const std::vector<Ends>& all) const {
    renew(set, problem_.terms(), [&](Index v, Violations& grow, Violations& shrink) {
      const Ends& ends = ends_of(v, all);
      const double s = slope(v);
      if (may_grow(v) && s < ends.largest_down) grow.emplace_back(s - ends.largest_down, v);
      if (may_shrink(v) && s > ends.least_up) shrink.emplace_back(ends.least_up - s, v);
    });
  }

  void solve_among(std::vector<Index> set, double wanted, double off) {
    std::ranges::sort(set, {}, [&](Index v) { return std::pair(problem_.group[at(v)], v); });
    const std::vector<const double*> k = kernel_rows(set);
    WorkingSet local;
    local.size = std::ssize(set);
    local.ridge.assign(set.size(), 0.0);
    for (std::size_t a = 0; a < set.size(); ++a) {
      const Index v = set[a];
      local.beta.push_back(out_.beta[at(v)]);
      local.slope.push_back(slope(v));
      local.low.push_back(problem_.low(v));
      local.high.push_back(problem_.high(v));
      if (a + 1 == set.size() || problem_.group[at(set[a + 1])] != problem_.group[at(v)])
        local.group_ends.push_back(static_cast<Index>(a) + 1);
    }
    take_kernel<double>(k, rows_of(set), local, pool_);
    const bool all = local.size == problem_.terms();
    const double tolerance = all ? wanted / 2 : std::max(wanted / 2, 0.1 * off);
    add_to_scores(k, solve_set(local, set, tolerance, out_.beta, out_.steps));
  }

  // Small shares of a nearly separable set are machines of a large C, on which pairs of terms come no nearer; smooth
  // kernels then have few columns, and an interior point method on them takes a few dozen steps (smo.cpp has the same
  // for the others). Whether the gap is within the tolerance.
  bool by_interior_point(double unit) {
    if (out_.interior_steps > 0 || !has_room_inside(problem_)) return false;
    const double n = static_cast<double>(rows_.columns()), room = static_cast<double>(settings_.cache) / (16 * n);
    const double most = std::max(kFewColumns, std::sqrt(kColumns * static_cast<double>(out_.steps) / n));
    const auto columns =
        kernel_columns(rows_, static_cast<Index>(std::min(most, room)), problem_.groups.size() > 1, pool_);
    if (!columns) return false;
    const auto goal = [&](const std::vector<double>& levels) { return 0.01 * settings_.tolerance(levels); };
    const InteriorPoint point = solve_by_interior_point(problem_, *columns, {.gap = goal}, pool_);
    out_.interior_steps = point.steps;
    for (const std::vector<double>& beta : {point.inner, point.beta}) {
      const GroupedSolution before = out_;
      set_coefficients(beta);
      measure();
      if (!(out_.gap < before.gap)) out_ = before;
    }
    return finish(1e-13 * unit) || within();
  }
  // The exact end; whether the gap is within the tolerance then.
  bool finish(double wanted) {
    const GroupedSolution before = out_;
    free_.clear();
    for (Index v = 0; v < problem_.terms(); ++v)
      if (is_free(v)) free_.push_back(v);
    for (Index round = 0, stuck = 0; round < 30 && stuck < 6; ++round) {
      if (free_.empty() || std::ssize(free_) > kMostFree) break;
      const double length = step_on_free_set();
      stuck = length < 1e-12 ? stuck + 1 : 0;
      if (length < 1) continue;
      if (violation(ends()) <= wanted) break;
      invite(1 + std::ssize(free_) / 20);
    }
    measure();
    out_.exact_end = within();
    if (!(out_.gap <= before.gap)) {
      out_ = before;
      return false;
    }
    return out_.exact_end;
  }

  double step_on_free_set() {
    const std::vector<double> change = direction();
    double length = 1;
    const auto end = [&](std::size_t k) { return change[k] > 0 ? problem_.high(free_[k]) : problem_.low(free_[k]); };
    for (std::size_t k = 0; k < free_.size(); ++k)
      if (change[k] != 0) length = std::min(length, std::max(0.0, (end(k) - out_.beta[at(free_[k])]) / change[k]));
    std::vector<double> moved(change);
    std::vector<Index> kept;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      double& beta = out_.beta[at(free_[k])];
      const double was = beta, to = was + length * change[k], scale = problem_.cost[at(free_[k])];
      const bool ended = change[k] != 0 && std::abs(to - end(k)) <= 1e-14 * scale;
      beta = ended ? end(k) : to;
      moved[k] = beta - was;
      if (!ended) kept.push_back(free_[k]);
    }
    add_terms(free_, moved);
    free_ = std::move(kept);
    return length;
  }

  // K d + sum_g nu_g e_g = -slope, and the sums of the groups made good to rounding.
  std::vector<double> direction() {
    const auto k = std::ssize(free_);
    const std::size_t groups = problem_.groups.size();
    std::vector<double> gram = gram_of(free_), right(at(k));
    std::vector<std::vector<double>> member(groups, std::vector<double>(at(k)));
    for (Index s = 0; s < k; ++s) {
      right[at(s)] = -slope(free_[at(s)]);
      member[at(problem_.group[at(free_[at(s)])])][at(s)] = 1;
    }
    const auto size = static_cast<double>(k);
    announce("solving for the free coefficients", size * size * size / 3);
    const Cholesky<double> factor(std::move(gram), k, 1e-13);
    std::vector<double> change = factor.solve(right);
    std::vector<std::vector<double>> along;
    for (const auto& one : member) along.push_back(factor.solve(one));
    const auto sum = [&](const std::vector<double>& x, std::size_t g) {
      return std::inner_product(x.begin(), x.end(), member[g].begin(), 0.0);
    };
    // At most two groups: the system of the nu_g is solved by elimination.
    std::vector<double> owed(groups), nu(groups);
    for (std::size_t g = 0; g < groups; ++g)
      owed[g] = sum(change, g) - missing(problem_, static_cast<Index>(g), out_.beta);
    if (groups == 1) {
      const double own = sum(along[0], 0);
      nu[0] = own > 0 ? owed[0] / own : 0;
    } else {
      const double a = sum(along[0], 0), b = sum(along[1], 0), d = sum(along[1], 1), determinant = a * d - b * b;
      if (determinant > 0)
        nu[0] = (owed[0] * d - owed[1] * b) / determinant, nu[1] = (owed[1] * a - owed[0] * b) / determinant;
      else
        nu[0] = a > 0 ? owed[0] / a : 0, nu[1] = a <= 0 && d > 0 ? owed[1] / d : 0;
    }
    for (std::size_t g = 0; g < groups; ++g)
      for (Index s = 0; s < k; ++s) change[at(s)] -= nu[g] * along[g][at(s)];
    return change;
  }

  void invite(Index most) {
    const std::vector<Ends> all = ends();
    std::vector<bool> in(at(problem_.terms()));
    for (const Index v : free_) in[at(v)] = true;
    std::vector<std::pair<double, Index>> candidates;
    for (Index v = 0; v < problem_.terms(); ++v) {
      if (in[at(v)]) continue;
      const double middle = (ends_of(v, all).least_up + ends_of(v, all).largest_down) / 2, s = slope(v);
      const double off = std::max(may_grow(v) ? middle - s : 0, may_shrink(v) ? s - middle : 0);
      if (off > 0) candidates.emplace_back(-off, v);
    }
    const auto some = std::min<std::ptrdiff_t>(2 * most, std::ssize(candidates));
    std::ranges::partial_sort(candidates, candidates.begin() + some);
    for (std::ptrdiff_t k = 0; k < some; ++k) free_.push_back(candidates[static_cast<std::size_t>(k)].second);
    std::ranges::sort(free_);
  }

  const GroupedSettings& settings_;
  Index patience_; // steps
  std::vector<Index> free_;
};

} // namespace

GroupedSolution solve_grouped(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                              const GroupedSettings& settings, Pool& pool) {
  return GroupedSmo(problem, kernel, points, settings, pool).run();
}

} // namespace recta::svm
