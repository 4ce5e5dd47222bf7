#include "solver/svm/linear.hpp"

#include "base/factor/cholesky.hpp"
#include "base/listening.hpp"
#include "solver/svm/dual_descent.hpp"
#include "solver/svm/free_gradients.hpp"
#include "solver/svm/free_set.hpp"
#include "solver/svm/interior_point.hpp"
#include "solver/svm/linear_gap.hpp"
#include "solver/svm/linear_point.hpp"
#include "solver/svm/linear_work.hpp"
#include "solver/svm/newton.hpp"
#include "solver/svm/smo.hpp"

#include <fmt/format.h>
#include <numeric>
#include <optional>

namespace recta::svm {
namespace {

// L of X X' = L L': rows with the same products, in no more columns than there are rows.
LinearRows in_fewer_columns(const LinearRows& rows, Pool& pool) {
  constexpr double kRounding = 1e-13;
  const Index n = rows.rows();
  std::vector<Index> all(at(n));
  std::iota(all.begin(), all.end(), Index{0});
  std::vector<double> gram(at(n * n));
  rows.products(all, gram.data(), pool);
  const Cholesky<double> factor(std::move(gram), n, kRounding, &pool);
  const std::vector<double> written = factor.rows_in_double();
  LinearRows out(factor.rank(), false);
  out.reserve(n);
  for (Index i = 0; i < n; ++i) out.add_dense(written.data() + i * factor.rank());
  return out;
}

class Linear : LinearPoint {
public:
  // `heavy`: columns of rows that are in their units.
  Linear(const Problem& problem, const LinearRows& rows, const LinearSettings& settings, Pool& pool,
         std::vector<HeavyColumn> heavy = {})
      : LinearPoint(problem, rows, settings, pool, std::move(heavy)), wild_(is_wild()) {}

  // Whether a proof is at hand, or nothing but the rounding of coefficients, which it takes off, is in its way.
  bool settled() const { return !gave_up_ || only_rounding(); }
  // Whether the shape of the rows, whatever their numbers, is one for an interior point method.
  static bool narrow(const LinearRows& rows) {
    return rows.cols() <= (rows.sparse() ? kSparseSystem : kSystem) && rows.rows() >= 2 * rows.cols();
  }
  bool is_first_choice() const { return narrow(rows_) && !(wild_ && rows_.sparse()); }
  bool is_last_resort() const { return rows_.cols() <= kWildSystem; }

  LinearSolution run() {
    LinearSolution out;
    try {
      if (!heavy_.empty())
        by_descent(out);
      else if (wide_tube())
        by_pairs_or_interior_point(out);
      else if (descends_first())
        by_descent_or_interior_point(out);
      else if (interior())
        squared(problem_.terms.loss) ? by_newton(out) : by_interior_point(out);
      else if (rows_.sparse() || rows_.rows() > kKernelRows)
        by_descent(out);
      if (!done() && large_interior()) by_interior_point(out);
      if (!done() && heavy_.empty() && rows_.rows() <= kKernelRows && !only_rounding())
        by_working_sets(out, near() ? few_steps() : kAnySteps);
      take_fallback();
    } catch (const Interrupted&) {
      out_.interrupted = true;
      measure();
    }
    leave_weights_out();
    out_.gave_up = gave_up_ = !out_.interrupted && !(out_.gap <= settings_.tolerance);
    shift_intercept();
    for (const HeavyColumn& one : heavy_) out_.w[at(one.column)] /= one.unit;
    out_.state = std::move(state_);
    out.found = std::move(out_);
    return out;
  }

private:
  static constexpr Index kSystem = 1500;       // columns of a system that an interior point method solves
  static constexpr Index kSparseSystem = 2000; // the same for sparse rows, whose products are few
  static constexpr Index kWildSystem = 3000;   // the same if losses outweigh the penalty by far
  static constexpr Index kLargeSystem = 6000;  // the same for sparse rows on which descent comes no nearer
  static constexpr Index kPairs = 200;         // rows of a tube up to which steps over pairs take no time
  static constexpr double kNear = 1e4;         // tolerances
  static constexpr Index kFewSteps = 2000, kAnySteps = std::numeric_limits<Index>::max();
  static constexpr Index kFewFree = 500, kInTurn = 3000, kTogether = 6000; // free coefficients
  // Passes of descent in a row, at most: on all kinds of rows, on dense ones, before conjugate gradients set out, and
  // after them, so that the set of free coefficients settles again.
  static constexpr Index kPasses = 300, kDensePasses = 60, kFirstPasses = 30, kFewPasses = 4;
  static constexpr double kNearlyThere = 1e-7; // of the scale of slopes
  static constexpr Index kKernelRows = 20000;  // rows whose products are taken with one another

  bool interior() const {
    if (wild_) return rows_.cols() <= (rows_.sparse() ? kWildSystem : kSystem);
    return narrow(rows_) || tube();
  }
  // Descent over sparse rows often ends long before the first steps of an interior point method would.
  bool descends_first() const {
    return rows_.sparse() && heavy_.empty() && !wild_ && narrow(rows_) && problem_.terms.loss == Loss::hinge;
  }
  // Nearly all rows of a tube over about as many columns have coefficients inside their boxes, which pairs of them only
  // creep towards.
  bool tube() const {
    return problem_.terms.loss == Loss::tube && !wild_ && !rows_.sparse() && rows_.rows() > kPairs &&
           rows_.rows() < 2 * rows_.cols() && std::min(rows_.rows(), rows_.cols()) <= kSystem;
  }
  bool wide_tube() const { return tube() && rows_.rows() < rows_.cols(); }
  Index few_steps() const { return kFewSteps + 20 * rows_.rows(); }
  // Whether some losses weigh so much more than the penalty that no method over coefficients comes near the optimum: w
  // is a small difference of large terms, which only methods that keep w itself know.
  bool is_wild() const {
    constexpr double kWild = 1e10;
    double most = 0;
    for (Index i = 0; i < problem_.rows(); ++i) most = std::max(most, problem_.cost[at(i)] * rows_.square(i));
    return most > kWild;
  }
  bool large_interior() const {
    return heavy_.empty() && !interior() && !squared(problem_.terms.loss) && rows_.sparse() &&
           rows_.cols() <= kLargeSystem && rows_.rows() >= 2 * rows_.cols();
  }

  // An interior point method that came this near was probably stopped by the rounding of the coefficients: columns
  // whose squares are far larger than the penalty make w a small difference of large terms. Working sets then mend it
  // within a few steps, or not at all.
  bool near() const {
    return interior() && (wild_ || std::min(out_.gap, fallback_gap()) <= kNear * settings_.tolerance);
  }

  std::string shape() const {
    const bool tall = rows_.rows() >= 2 * rows_.cols();
    return fmt::format(fmt::runtime(tall     ? "many rows beside their {} columns"
                                    : !wild_ ? "a tube of few rows beside their {} columns"
                                             : "losses that outweigh the penalty on {} columns by far"),
                       rows_.cols());
  }

  void by_newton(LinearSolution& out) {
    NewtonPoint point = solve_by_newton(problem_, rows_, 0.01 * settings_.tolerance, pool_);
    out.method = "newton";
    out.reason = fmt::format("a squared loss and {}: {} steps of Newton's method", shape(), point.steps);
    out_.steps = point.steps;
    if (take_sums(point)) return;
    state_.beta = point.beta;
    measure();
    if (!done()) try_weights(point.w, point.beta);
    take_fallback(); // Newton's weights are exact
  }
  // Rows inside a tube over more columns are met exactly, and pairs may find that out in a few steps.
  void by_pairs_or_interior_point(LinearSolution& out) {
    by_working_sets(out, few_steps());
    if (!done()) by_interior_point(out);
  }

  void by_descent_or_interior_point(LinearSolution& out) {
    by_descent(out);
    if (!done()) by_interior_point(out);
  }

  void by_interior_point(LinearSolution& out) {
    std::optional<LinearRows> fewer;
    if (wide_tube()) fewer = in_fewer_columns(rows_, pool_);
    InteriorPoint inner =
        solve_by_interior_point(problem_, fewer ? *fewer : rows_, {.gap = 0.01 * settings_.tolerance}, pool_);
    if (fewer) inner.w = rows_.combination(inner.inner, pool_);
    out.method = "interior-point";
    out.reason +=
        fmt::format("{}{}: {} steps of an interior point method", out.reason.empty() ? "" : "; ", shape(), inner.steps);
    out_.steps += inner.steps;
    state_.beta = inner.beta;
    measure();
    if (!wild_ || free_count() <= kFewFree) finish_in_turn(tube()); // the weights of a tube will do as they are
    if (out_.exact_end) out.reason += ", then the free coefficients together";
    if (!done()) try_weights(inner.w, inner.beta);
    if (!done() && !(fallback_gap() <= 0.1 * settings_.tolerance)) try_weights(inner.w, inner.inner);
    if (rows_.rows() > kKernelRows || tube()) take_fallback();
    if (done() || only_rounding() || rows_.rows() <= kKernelRows || !interior()) return;
    LinearSolution rest;
    by_descent(rest);
    out.reason += "; " + rest.reason;
  }

  void by_descent(LinearSolution& out) {
    const double scale = slope_scale(problem_);
    Index passes = 0, gradients = 0, most = heavy_.empty() ? kFirstPasses : kDensePasses;
    const bool first = descends_first();
    const Index all = first ? std::clamp(passes_before_interior_point(rows_), kFirstPasses, kPasses)
                      : rows_.sparse() || heavy_.empty() ? kPasses
                                                         : kDensePasses;
    double nearest = kInfinity, last = kInfinity; // gaps: that conjugate gradients reached, and after the last passes
    bool tried = false;                           // the exact end
    for (double wanted = 1e-2 * scale; wanted > 1e-12 * scale && !done();) {
      DescentPoint point{state_.beta, out_.w, out_.intercept()};
      const Index made = descend(problem_, rows_, {wanted, most, settings_.seed, heavy_}, point);
      passes += made;
      state_.beta = std::move(point.beta);
      for (HeavyColumn& one : heavy_) one.weight = point.w[at(one.column)];
      measure();
      const double gap = out_.gap;
      const bool improved = follow_gradients(gradients);
      const double reached = std::min(gap, out_.gap);
      const bool goes_on = improved && reached < nearest / 2;
      tried = !goes_on && is_worth_a_factor(rows_, free_count(), passes + gradients) && !too_many_free();
      if (tried) finish_in_turn(wanted > kNearlyThere * scale);
      if (goes_on) {
        nearest = reached, most = kFewPasses;
      } else if (made == most && most < all) {
        most = all;
      } else {
        const bool slow = large_interior() && (gap > last / 2 || is_worth_an_interior_point(rows_, passes));
        if (made == most && (first || slow || wanted < 1e-6 * scale)) break;
        wanted /= 10, most = all, last = gap;
      }
    }
    if (!done() && !tried && !too_many_free()) finish_in_turn();
    out.method = "dual-descent";
    out.reason = fmt::format("{}: {} passes of dual coordinate descent{}",
                             rows_.sparse() ? "sparse rows" : "rows with many columns", passes,
                             out_.exact_end ? ", then the free coefficients together" : "");
    if (!heavy_.empty())
      out.reason += fmt::format("; columns of large numbers, in units of their own: {}", heavy_.size());
    if (gradients > 0) out.reason += fmt::format(", {} of conjugate gradients over the free coefficients", gradients);
    out_.steps += passes;
  }

  // Before an interior point method, the exact end is not worth its time if coefficients that are free depend on one
  // another.
  bool too_many_free() const { return descends_first() && free_count() > rows_.cols() + 1; }
  // Whether it came nearer: the gap may be wider for a moment where coefficients ended at an end of their box.
  bool follow_gradients(Index& steps) {
    if (done() || !heavy_.empty() || free_count() <= kFewFree) return false;
    const State before = state_;
    const double gap = out_.gap, b = out_.intercept(), best = merit_of(problem_, state_.beta, state_.f, b);
    const Index made = follow_free_gradients(problem_, rows_, {.gap = 0.2 * settings_.tolerance}, state_, pool_);
    steps += made;
    if (made == 0) return false;
    measure();
    if (out_.gap < gap || merit_of(problem_, state_.beta, state_.f, b) > best) return true;
    state_ = before;
    measure();
    return false;
  }
  void by_working_sets(LinearSolution& out, Index steps) {
    kernel::Points points(rows_.cols(), rows_.sparse());
    std::vector<double> x(at(rows_.cols()));
    for (Index i = 0; i < rows_.rows(); ++i) rows_.write_out(i, x.data()), points.add(x.data());
    const std::string before = out.reason.empty() ? "few rows" : out.reason + "; few rows";
    Solution found = solve_by_smo(
        problem_, *kernel::make_kernel({"linear"}), points,
        {.tolerance = settings_.tolerance / 4, .cache = settings_.cache, .start = settings_.start, .steps = steps},
        pool_);
    if (found.gap > out_.gap) return;
    state_.beta = std::move(found.state.beta);
    out_.steps = found.steps, out_.rounds = found.rounds, out_.exact_end = found.exact_end;
    out_.interrupted = found.interrupted;
    out.method = "working-sets";
    out.reason = fmt::format("{} beside their {} columns: {} steps over working sets{}", before, rows_.cols(),
                             found.steps, found.exact_end ? ", then the free coefficients together" : "");
    measure();
  }

  // A step of the exact end costs a factor of the free coefficients. If they are many, they move together, and one
  // after the other only if hardly any are left that will. More of them than columns depend on each other: this is not
  // yet the set, and its factor would be slow.
  void finish_in_turn(bool only_together = false) {
    const Index count = free_count();
    const bool many = count > kFewFree;
    if (many && !squared(problem_.terms.loss) && count > rows_.cols() + 1) return;
    if (many && !done()) finish(true);
    if (!many || !(done() || only_together)) finish(false);
  }

  void finish(bool at_once) {
    const State before = state_;
    const std::vector<HeavyColumn> heavy_before = heavy_;
    const double gap = out_.gap, scale = slope_scale(problem_);
    const FreeSetRows rows{pool_, [&](std::span<const Index> free, double* gram) { rows_.products(free, gram, pool_); },
                           [&](std::span<const Index> free, std::span<const double> change, State& state) {
                             std::vector<double> by(at(rows_.cols())), moved;
                             for (std::size_t k = 0; k < free.size(); ++k) {
                               state.beta[at(free[k])] += change[k];
                               rows_.add_to(free[k], change[k], by.data());
                             }
                             for (const HeavyColumn& one : heavy_) by[at(one.column)] = 0;
                             rows_.scores(by, moved, pool_);
                             for (std::size_t i = 0; i < moved.size(); ++i) state.f[i] += moved[i];
                           },
                           heavy_};
    const FreeSetLimits limits{
        .largest = at_once ? kTogether : kInTurn, .rounds = 60, .violation = 1e-13 * scale, .at_once = at_once};
    bool met = false;
    try {
      met = finish_on_free_set(problem_, rows, limits, state_);
    } catch (const Interrupted&) {
      state_ = before, heavy_ = heavy_before; // coefficients on the way are out of balance
      throw;
    }
    measure();
    out_.exact_end = done() && (met || !at_once);
    if (out_.gap <= gap && (met || !at_once)) return;
    state_ = before, heavy_ = heavy_before;
    measure();
  }

  bool wild_ = false, gave_up_ = false;
};

} // namespace

LinearSolution solve_linear(const Problem& problem, const LinearRows& rows, const LinearSettings& settings,
                            Pool& pool) {
  auto heavy = heavy_columns(problem, rows, pool);
  Linear as_they_are(problem, rows, settings, pool);
  if (heavy.empty()) return as_they_are.run();
  std::optional<LinearSolution> first;
  if (as_they_are.is_first_choice()) {
    first = as_they_are.run();
    if (as_they_are.settled()) return std::move(*first);
  }
  const LinearRows in_their_units = in_units(rows, heavy);
  Linear with_units(problem, in_their_units, settings, pool, std::move(heavy));
  LinearSolution second = with_units.run();
  if (with_units.settled() || !(first || as_they_are.is_last_resort())) return second;
  if (!first) first = as_they_are.run();
  return as_they_are.settled() || first->found.gap < second.found.gap ? std::move(*first) : std::move(second);
}

} // namespace recta::svm
