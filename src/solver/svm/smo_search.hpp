// The rounds of solve_by_smo, over rows of the kernel matrix in doubles or in floats.
#pragma once

#include "base/listening.hpp"
#include "base/simd/kernels.hpp"
#include "solver/svm/smo_steps.hpp"

namespace recta::svm {

template <class Number>
class SmoSearch {
public:
  SmoSearch(const Problem& problem, KernelRows<Number>& rows, const SmoSettings& settings, Index patience, Pool& pool)
      : problem_(problem), settings_(settings), pool_(pool), slopes_(problem), rows_(rows),
        patience_(patience * problem.rows()) {
    state_.beta = settings.start;
    state_.beta.resize(at(problem.rows()));
    state_.f.resize(at(problem.rows()));
    add_start();
  }

  // From this state on.
  SmoSearch(const Problem& problem, KernelRows<Number>& rows, const SmoSettings& settings, Index patience, Pool& pool,
            State state)
      : problem_(problem), settings_(settings), pool_(pool), slopes_(problem), rows_(rows), patience_(patience),
        state_(std::move(state)) {}

protected:
  static constexpr Index kScoreChunk = 2048; // scores of one task, which stay in the fastest cache
  static constexpr Index kMostRounds = 20000;
  static constexpr double kNarrowMargin = 0.5; // of the violation, beyond the slopes that matter

  void measure() {
    out_.intercepts = best_intercepts(problem_, state_.f);
    out_.gap = gap_of(problem_, state_.beta, state_.f, out_.intercept());
  }
  Solution taken() {
    out_.state = std::move(state_);
    return std::move(out_);
  }

  // f of a start that is not zero.
  void add_start() {
    std::vector<Index> used;
    for (Index i = 0; i < problem_.rows(); ++i)
      if (state_.beta[at(i)] != 0) used.push_back(i);
    std::vector<double> change;
    for (const Index i : used) change.push_back(state_.beta[at(i)]);
    add_rows(used, change);
    if (used.empty() || dual() > 0) return;
    std::ranges::fill(state_.beta, 0.0); // zero is better
    std::ranges::fill(state_.f, 0.0);
  }
  double dual() const {
    double sum = 0;
    for (Index i = 0; i < problem_.rows(); ++i) {
      const double beta = state_.beta[at(i)];
      sum += beta * (problem_.target[at(i)] - (state_.f[at(i)] + problem_.ridge(i) * beta) / 2);
      sum -= slopes_.tube() * std::abs(beta);
    }
    return sum;
  }

  Index together() const { return std::min(kSmoRows, rows_.columns()); } // rows asked for at once
  void add_rows(std::span<const Index> rows, std::span<const double> change) {
    in_portions(rows, together(), [&](Index from, std::span<const Index> some) {
      add_to_scores(rows_.rows(some), change.subspan(at(from), some.size()));
    });
  }

  // f += sum_k change_k row_k, every score in the order of the rows.
  void add_to_scores(const std::vector<const Number*>& rows, std::span<const double> change) {
    std::vector<const Number*> moved;
    std::vector<double> by;
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (change[k] != 0) moved.push_back(rows[k]), by.push_back(change[k]);
    const Index n = problem_.rows();
    pool_.run((n + kScoreChunk - 1) / kScoreChunk, [&](Index task, int) {
      const Index first = task * kScoreChunk, count = std::min(n - first, kScoreChunk);
      std::vector<const Number*> from(moved);
      for (const Number*& row : from) row += first;
      const simd::Kernels& loops = simd::kernels();
      double* const to = state_.f.data() + first;
      if constexpr (sizeof(Number) < sizeof(double))
        loops.add_float_multiples(count, std::ssize(by), from.data(), by.data(), to);
      else
        loops.add_multiples(count, std::ssize(by), from.data(), by.data(), to);
    });
  }

  // Whether the violation came down to `wanted`, or the gap to `enough`.
  bool rounds(double wanted, double enough) {
    // The worst row is no better before every row had its turn.
    const Index stall = 200 + 8 * problem_.rows() / kSmoRows;
    std::vector<Index> set;
    Index without_gain = 0;
    double least = kInfinity, next_look = slope_scale(problem_) / 4;
    for (Index round = 0; round < kMostRounds; ++round) {
      keep_going();
      const Extremes e = extremes(problem_, state_);
      const double off = violation(problem_, e);
      if (off <= wanted) return true;
      if (off <= next_look) {
        next_look = off / 1.5;
        measure();
        if (out_.gap <= enough) return true;
      }
      if (narrow(e, wanted, enough)) {
        set.clear();
        continue;
      }
      if (out_.steps >= std::min(settings_.steps, patience_)) return false;
      without_gain = off < 0.999 * least ? 0 : without_gain + 1;
      least = std::min(least, off);
      if (without_gain > stall) return false;
      choose(set, e);
      solve_among(set, wanted, off);
      ++out_.rounds;
    }
    return false;
  }

  // A coefficient at the end of its box whose slope is beyond those of all that could move against it will likely stay
  // there: the others go on by themselves, over rows that are shorter, and more of which fit in the memory. The scores
  // of those that stayed are brought up to date afterwards. Whether that was done.
  bool narrow(const Extremes& e, double wanted, double enough) {
    if constexpr (sizeof(Number) == sizeof(double)) {
      return false;
    } else {
      if (out_.rounds < next_narrow_ || !rows_.can_narrow() || rows_.most() == problem_.rows()) return false;
      next_narrow_ = out_.rounds + 1 + problem_.rows() / (8 * kSmoRows);
      const std::vector<Index> moving = unsettled(e);
      if (2 * std::ssize(moving) > problem_.rows() || std::ssize(moving) < 2 * kSmoRows) return false;
      go_on_among(moving, wanted, enough);
      return true;
    }
  }

  std::vector<Index> unsettled(const Extremes& e) const {
    const double off = violation(problem_, e);
    const double bottom = (problem_.intercept ? e.least_up : 0) - kNarrowMargin * off,
                 top = (problem_.intercept ? e.largest_down : 0) + kNarrowMargin * off;
    std::vector<Index> out;
    for (Index i = 0; i < problem_.rows(); ++i) {
      const double beta = state_.beta[at(i)];
      if ((slopes_.may_grow(i, beta) && slopes_.up(i, state_) < top) ||
          (slopes_.may_shrink(i, beta) && slopes_.down(i, state_) > bottom))
        out.push_back(i);
    }
    return out;
  }

  void go_on_among(const std::vector<Index>& moving, double wanted, double enough) {
    Problem problem{problem_.terms, problem_.intercept, {}, {}};
    State state;
    for (const Index i : moving) {
      problem.target.push_back(problem_.target[at(i)]), problem.cost.push_back(problem_.cost[at(i)]);
      state.beta.push_back(state_.beta[at(i)]), state.f.push_back(state_.f[at(i)]);
    }
    KernelRows<Number> rows(rows_, moving, kSmoRows);
    SmoSearch inner(problem, rows, settings_, std::max<Index>(0, patience_ - out_.steps), pool_, std::move(state));
    try {
      inner.rounds(wanted, enough);
    } catch (const Interrupted&) {
      take_moved(moving, inner);
      throw;
    }
    take_moved(moving, inner);
  }

  void take_moved(const std::vector<Index>& moving, const SmoSearch& inner) {
    std::vector<Index> moved, others;
    std::vector<double> change;
    std::size_t next = 0;
    for (Index i = 0; i < problem_.rows(); ++i) {
      if (next == moving.size() || moving[next] != i) {
        others.push_back(i);
        continue;
      }
      if (const double by = inner.state_.beta[next] - state_.beta[at(i)]; by != 0)
        moved.push_back(i), change.push_back(by);
      state_.beta[at(i)] = inner.state_.beta[next], state_.f[at(i)] = inner.state_.f[next];
      ++next;
    }
    out_.steps += inner.out_.steps, out_.rounds += inner.out_.rounds, out_.narrowed += 1 + inner.out_.narrowed;
    rows_.add_to(others, moved, change, state_.f);
  }

  // The rows that violate most, from both sides.
  void choose(std::vector<Index>& set, const Extremes& e) {
    const double bottom = problem_.intercept ? e.least_up : 0, top = problem_.intercept ? e.largest_down : 0;
    renew(set, problem_.rows(), [&](Index i, Violations& grow, Violations& shrink) {
      const double beta = state_.beta[at(i)];
      if (slopes_.may_grow(i, beta))
        if (const double up = slopes_.up(i, state_); up < top) grow.emplace_back(up, i);
      if (slopes_.may_shrink(i, beta))
        if (const double down = slopes_.down(i, state_); down > bottom) shrink.emplace_back(-down, i);
    });
  }

  void solve_among(const std::vector<Index>& set, double wanted, double off) {
    const auto& k = rows_.rows(set);
    WorkingSet local;
    local.size = std::ssize(set);
    local.intercept = problem_.intercept;
    local.tube = slopes_.tube();
    for (const Index i : set) {
      local.beta.push_back(state_.beta[at(i)]);
      local.slope.push_back(slopes_.smooth(i, state_));
      local.low.push_back(problem_.low(i));
      local.high.push_back(problem_.high(i));
      local.ridge.push_back(problem_.ridge(i));
    }
    take_kernel<Number>(k, set, local, pool_);
    const bool all = local.size == problem_.rows();
    const double tolerance = all ? wanted / 2 : std::max(wanted / 2, 0.1 * off);
    const std::vector<double> change = solve_set(local, set, tolerance, state_.beta, out_.steps);
    add_to_scores(k, change);
  }

  const Problem& problem_;
  const SmoSettings& settings_;
  Pool& pool_;
  Slopes slopes_;
  KernelRows<Number>& rows_;
  Index patience_; // steps
  Index next_narrow_ = 0;
  State state_;
  Solution out_;
};

} // namespace recta::svm
