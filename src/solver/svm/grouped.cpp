#include "solver/svm/grouped.hpp"

#include "base/factor/cholesky.hpp"
#include "base/listening.hpp"
#include "solver/svm/interior_point.hpp"
#include "solver/svm/kernel_columns.hpp"
#include "solver/svm/working_set.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::svm {
namespace {

constexpr Index kSetTerms = 512;
constexpr Index kScoreChunk = 4096;
constexpr Index kMostRounds = 20000;
constexpr Index kMostFree = 3000, kFewFree = 500;
constexpr Index kPatience = 200;                    // steps for each term before another method is tried
constexpr double kColumns = 500, kFewColumns = 300; // of a kernel matrix, for that method

struct Ends { // of the slopes of a group
  double least_up = kInfinity, largest_down = -kInfinity;
  double apart() const { return std::max(0.0, largest_down - least_up); }
};

// What the coefficients of a group lack of its mass, by rounding.
double missing(const GroupedProblem& problem, Index g, const std::vector<double>& beta) {
  double sum = 0;
  for (Index v = 0; v < problem.terms(); ++v)
    if (problem.group[at(v)] == g) sum += beta[at(v)];
  return problem.groups[at(g)].sigma * problem.groups[at(g)].mass - sum;
}

class GroupedSmo {
public:
  GroupedSmo(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
             const GroupedSettings& settings, Pool& pool)
      : problem_(problem), settings_(settings), pool_(pool),
        rows_(kernel, points, settings.cache, std::min(kSetTerms, points.count()), pool),
        patience_(kPatience * problem.terms()) {
    out_.beta.resize(at(problem.terms()));
    out_.f.resize(at(points.count()));
  }

  GroupedSolution run() {
    try {
      begin();
      const double unit = slope_unit();
      double wanted = 1e-3 * unit, last_gap = kInfinity;
      while (true) {
        const bool reached = rounds(wanted);
        judge();
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
      judge();
    }
    return std::move(out_);
  }

private:
  double slope(Index v) const { return out_.f[at(problem_.row[at(v)])] - problem_.target[at(v)]; }
  bool may_grow(Index v) const { return out_.beta[at(v)] < problem_.high(v); }
  bool may_shrink(Index v) const { return out_.beta[at(v)] > problem_.low(v); }

  void judge() {
    out_.levels = best_level_of_groups(problem_, out_.f);
    out_.gap = grouped_gap(problem_, out_.beta, out_.f, out_.levels);
  }

  bool within() const { return out_.gap <= settings_.tolerance(out_.levels); }

  void begin() {
    if (settings_.start.empty()) return fill_in_order();
    out_.beta = settings_.start;
    meet_masses(problem_, out_.beta);
    add_all_terms();
  }
  // Terms are filled until the mass of their group is reached.
  void fill_in_order() {
    std::vector<double> left;
    for (const auto& group : problem_.groups) left.push_back(group.mass);
    std::vector<Index> used;
    std::vector<double> change;
    for (Index v = 0; v < problem_.terms(); ++v) {
      double& rest = left[at(problem_.group[at(v)])];
      const double a = std::min(rest, problem_.cost[at(v)]);
      if (!(a > 0)) continue;
      rest -= a;
      out_.beta[at(v)] = problem_.sigma(v) * a;
      used.push_back(v), change.push_back(out_.beta[at(v)]);
    }
    add_terms(used, change);
  }

  Index free_count() const {
    Index out = 0;
    for (Index v = 0; v < problem_.terms(); ++v) out += may_grow(v) && may_shrink(v) ? 1 : 0;
    return out;
  }

  // What slopes are measured in: the spread of the slopes at the beginning.
  double slope_unit() const {
    double low = kInfinity, high = -kInfinity;
    for (Index v = 0; v < problem_.terms(); ++v) low = std::min(low, slope(v)), high = std::max(high, slope(v));
    return high > low ? high - low : 1;
  }

  std::vector<Ends> ends() const {
    std::vector<Ends> out(problem_.groups.size());
    for (Index v = 0; v < problem_.terms(); ++v) {
      Ends& own = out[at(problem_.group[at(v)])];
      const double s = slope(v);
      if (may_grow(v)) own.least_up = std::min(own.least_up, s);
      if (may_shrink(v)) own.largest_down = std::max(own.largest_down, s);
    }
    return out;
  }
  static double violation(const std::vector<Ends>& all) {
    double out = 0;
    for (const Ends& one : all) out = std::max(out, one.apart());
    return out;
  }

  void add_terms(std::span<const Index> terms, std::span<const double> change) {
    const Index together = std::min(kSetTerms, rows_.columns());
    for (Index from = 0; from < std::ssize(terms); from += together) {
      const Index some = std::min<Index>(together, std::ssize(terms) - from);
      add_to_scores(kernel_rows(terms.subspan(at(from), at(some))), change.subspan(at(from), at(some)));
    }
  }

  void add_all_terms() {
    std::ranges::fill(out_.f, 0.0);
    std::vector<Index> all(out_.beta.size());
    std::iota(all.begin(), all.end(), Index{0});
    add_terms(all, out_.beta);
  }

  // The kernel rows of terms; two terms may be of the same row.
  std::vector<const double*> kernel_rows(std::span<const Index> terms) {
    std::vector<Index> wanted;
    for (const Index v : terms) wanted.push_back(problem_.row[at(v)]);
    std::ranges::sort(wanted);
    const auto repeated = std::ranges::unique(wanted);
    wanted.erase(repeated.begin(), repeated.end());
    const auto& rows = rows_.rows(wanted);
    std::vector<const double*> out;
    for (const Index v : terms)
      out.push_back(
          rows[static_cast<std::size_t>(std::ranges::lower_bound(wanted, problem_.row[at(v)]) - wanted.begin())]);
    return out;
  }

  void add_to_scores(const std::vector<const double*>& rows, std::span<const double> change) {
    const Index n = std::ssize(out_.f);
    pool_.run((n + kScoreChunk - 1) / kScoreChunk, [&](Index task, int) {
      const Index first = task * kScoreChunk, last = std::min(n, first + kScoreChunk);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (change[k] == 0) continue;
        for (Index i = first; i < last; ++i) out_.f[at(i)] += change[k] * rows[k][i];
      }
    });
  }

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

  // The newest half of the set stays, and the terms that violate most join it, from both sides.
  void choose(std::vector<Index>& set, const std::vector<Ends>& all) const {
    const Index size = std::min(kSetTerms, problem_.terms());
    if (size == problem_.terms()) {
      set.resize(at(size));
      std::iota(set.begin(), set.end(), Index{0});
      return;
    }
    if (std::ssize(set) > size / 2) set.erase(set.begin(), set.end() - size / 2);
    std::vector<bool> taken(at(problem_.terms()));
    for (const Index v : set) taken[at(v)] = true;
    std::vector<std::pair<double, Index>> grow, shrink;
    for (Index v = 0; v < problem_.terms(); ++v) {
      if (taken[at(v)]) continue;
      const Ends& own = all[at(problem_.group[at(v)])];
      const double s = slope(v);
      if (may_grow(v) && s < own.largest_down) grow.emplace_back(s - own.largest_down, v);
      if (may_shrink(v) && s > own.least_up) shrink.emplace_back(own.least_up - s, v);
    }
    const Index side = (size - std::ssize(set)) / 2;
    for (auto* from : {&grow, &shrink}) {
      const auto some = std::min<std::ptrdiff_t>(side, std::ssize(*from));
      std::ranges::nth_element(*from, from->begin() + some);
      std::sort(from->begin(), from->begin() + some); // in a fixed order
      for (std::ptrdiff_t k = 0; k < some; ++k)
        if (const Index v = (*from)[static_cast<std::size_t>(k)].second; !taken[at(v)])
          set.push_back(v), taken[at(v)] = true;
    }
  }

  void solve_among(std::vector<Index> set, double wanted, double off) {
    std::ranges::sort(set, {}, [&](Index v) { return std::pair(problem_.group[at(v)], v); });
    const std::vector<const double*> k = kernel_rows(set);
    WorkingSet local;
    local.size = std::ssize(set);
    local.ridge.assign(set.size(), 0.0);
    local.kernel.resize(set.size() * set.size());
    for (std::size_t a = 0; a < set.size(); ++a) {
      const Index v = set[a];
      local.beta.push_back(out_.beta[at(v)]);
      local.slope.push_back(slope(v));
      local.low.push_back(problem_.low(v));
      local.high.push_back(problem_.high(v));
      if (a + 1 == set.size() || problem_.group[at(set[a + 1])] != problem_.group[at(v)])
        local.group_ends.push_back(static_cast<Index>(a) + 1);
      for (std::size_t b = 0; b < set.size(); ++b) local.kernel[a * set.size() + b] = k[a][problem_.row[at(set[b])]];
    }
    const bool all = local.size == problem_.terms();
    out_.steps += local.solve(all ? wanted / 2 : std::max(wanted / 2, 0.1 * off), 40 * local.size + 1000);
    std::vector<double> change(set.size());
    for (std::size_t a = 0; a < set.size(); ++a) {
      change[a] = local.beta[a] - out_.beta[at(set[a])];
      out_.beta[at(set[a])] = local.beta[a];
    }
    add_to_scores(k, change);
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
      out_.beta = beta;
      meet_masses(problem_, out_.beta);
      add_all_terms();
      judge();
      if (!(out_.gap < before.gap)) out_ = before;
    }
    return finish(1e-13 * unit) || within();
  }
  // The exact end; whether the gap is within the tolerance then.
  bool finish(double wanted) {
    const GroupedSolution before = out_;
    free_.clear();
    for (Index v = 0; v < problem_.terms(); ++v)
      if (may_grow(v) && may_shrink(v)) free_.push_back(v);
    for (Index round = 0, stuck = 0; round < 30 && stuck < 6; ++round) {
      if (free_.empty() || std::ssize(free_) > kMostFree) break;
      const double length = step_on_free_set();
      stuck = length < 1e-12 ? stuck + 1 : 0;
      if (length < 1) continue;
      if (violation(ends()) <= wanted) break;
      invite(1 + std::ssize(free_) / 20);
    }
    judge();
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
    std::vector<double> gram(at(k * k)), right(at(k));
    fill_gram(gram.data());
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

  void fill_gram(double* gram) {
    const Index together = std::min(kSetTerms, rows_.columns()), k = std::ssize(free_);
    for (Index from = 0; from < k; from += together) {
      const Index some = std::min<Index>(together, k - from);
      const auto rows = kernel_rows(std::span(free_).subspan(at(from), at(some)));
      for (Index a = 0; a < some; ++a)
        for (Index b = 0; b < k; ++b) gram[(from + a) * k + b] = rows[at(a)][problem_.row[at(free_[at(b)])]];
    }
  }

  void invite(Index most) {
    const std::vector<Ends> all = ends();
    std::vector<bool> in(at(problem_.terms()));
    for (const Index v : free_) in[at(v)] = true;
    std::vector<std::pair<double, Index>> candidates;
    for (Index v = 0; v < problem_.terms(); ++v) {
      if (in[at(v)]) continue;
      const Ends& own = all[at(problem_.group[at(v)])];
      const double middle = (own.least_up + own.largest_down) / 2, s = slope(v);
      const double off = std::max(may_grow(v) ? middle - s : 0, may_shrink(v) ? s - middle : 0);
      if (off > 0) candidates.emplace_back(-off, v);
    }
    const auto some = std::min<std::ptrdiff_t>(2 * most, std::ssize(candidates));
    std::ranges::partial_sort(candidates, candidates.begin() + some);
    for (std::ptrdiff_t k = 0; k < some; ++k) free_.push_back(candidates[static_cast<std::size_t>(k)].second);
    std::ranges::sort(free_);
  }

  const GroupedProblem& problem_;
  const GroupedSettings& settings_;
  Pool& pool_;
  KernelRows<double> rows_;
  Index patience_; // steps
  GroupedSolution out_;
  std::vector<Index> free_;
};

} // namespace

bool has_room_inside(const GroupedProblem& problem) {
  std::vector<double> costs(problem.groups.size());
  for (Index v = 0; v < problem.terms(); ++v) costs[at(problem.group[at(v)])] += problem.cost[at(v)];
  for (std::size_t g = 0; g < costs.size(); ++g)
    if (!(problem.groups[g].mass < (1 - 1e-9) * costs[g])) return false;
  return true;
}

void meet_masses(const GroupedProblem& problem, std::vector<double>& beta) {
  for (Index g = 0; g < std::ssize(problem.groups); ++g) {
    const double owed = missing(problem, g, beta);
    const auto room = [&](Index v) {
      const double low = beta[at(v)] - problem.low(v), high = problem.high(v) - beta[at(v)];
      return problem.group[at(v)] == g && low > 0 && high > 0 ? (owed > 0 ? high : low) : 0;
    };
    double all = 0;
    for (Index v = 0; v < problem.terms(); ++v) all += room(v);
    for (Index v = 0; v < problem.terms() && all > std::abs(owed); ++v) beta[at(v)] += owed * (room(v) / all);
  }
}

GroupedSolution solve_grouped(const GroupedProblem& problem, const kernel::Kernel& kernel, const kernel::Points& points,
                              const GroupedSettings& settings, Pool& pool) {
  return GroupedSmo(problem, kernel, points, settings, pool).run();
}

} // namespace recta::svm
