#include "solver/softmax/proximal.hpp"

#include "base/blas.hpp"
#include "solver/no_higher.hpp"
#include "solver/softmax/metric.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace recta {
namespace {

constexpr Index kProximalSteps = 300;
constexpr Index kHardProximal = 12;   // conjugate gradient steps after which the metric is renewed
constexpr Index kWholeHard = 3;       // the same if it is the Hessian itself
constexpr Index kFirstProximal = 200; // weights in the first working set; later ones have twice the non-zero weights
constexpr double kShorter = 0.3;
constexpr Index kStalled = 20; // steps in which the gap was not halved and the objective did not visibly fall

class SparseSoftmax {
public:
  SparseSoftmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : problem_(problem), looks_(problem, rows, pool, watch), here_(looks_.zero()),
        times_(static_cast<double>(problem.classes) / static_cast<double>(problem.classes - 1)) {
    here_.c = problem.start;
    if (!problem.weights.empty()) here_.w = problem.weights;
    for (Index j = 0; j < looks_.cols(); ++j) terms_.push_back(softmax_term(problem, j));
  }

  Result<SoftmaxSolution> run() {
    const blas::SerialBlas serial;
    auto done = steps();
    if (!done && (done.error().code != ErrorCode::interrupted || !begun_)) return std::unexpected(done.error());
    solution_.interrupted = !done;
    solution_.passes = looks_.passes();
    solution_.b = looks_.intercepts(here_);
    solution_.w = here_.w;
    return std::move(solution_);
  }

private:
  Result<void> steps() {
    if (auto first = look(here_); !first)
      return std::unexpected(first.error());
    else
      take(here_, *std::move(first));
    begun_ = true;
    find_lambda1_max();
    double least = INFINITY, lowest = INFINITY;
    Index stalled = 0;
    const double scale = std::max(problem_.null_objective, 1e-300), reached = problem_.tolerance * scale / 4;
    // At the usual tolerance the coefficients should have digits as well as F, and squares leave them an error of the
    // root of the gap.
    const double goal = problem_.tolerance > 1e-10 ? reached : (problem_.lambda2 > 0 ? 1e-9 : 1e-4) * reached;
    for (; solution_.steps < kProximalSteps; ++solution_.steps) {
      const double gap = sparse_softmax_gap(problem_, here_, look_);
      if (gap <= goal) return {};
      const bool fell = lowest - look_.value > problem_.tolerance * scale;
      stalled = gap < 0.5 * least || fell ? 0 : stalled + 1;
      lowest = std::min(lowest, look_.value);
      if (gap <= least) least = gap, best_ = here_;
      if (stalled > (least <= reached ? 1 : kStalled)) return gave_up(least <= reached, "the gap falls no further");
      const auto by_metric = step_by_metric();
      if (!by_metric) return std::unexpected(by_metric.error());
      const auto by_newton = step_by_newton();
      if (!by_newton) return std::unexpected(by_newton.error());
      if (!*by_metric && !*by_newton) return gave_up(least <= reached, "no step lowers the objective any further");
    }
    return gave_up(least <= reached, "300 steps were not enough");
  }
  Result<void> gave_up(bool reached, const char* why) {
    here_ = best_; // the last steps were only rounding
    if (!reached) solution_.gave_up = true, solution_.stop = why;
    return {};
  }

  double absolute(const ClassVector& at) const {
    double sum = 0;
    for (Index s = 0; s < std::ssize(at.w); ++s) sum += term(s).l1 * std::abs(at.w[s]);
    return sum;
  }
  const descent::Term& term(Index s) const { return terms_[s % looks_.cols()]; }

  // Computes the value of the whole objective.
  Result<SoftmaxLooks::Look> look(const ClassVector& at) {
    auto out = looks_.at(at);
    if (out) out->value += absolute(at);
    return out;
  }
  void take(ClassVector at, SoftmaxLooks::Look new_look) {
    here_ = std::move(at);
    look_ = std::move(new_look);
  }

  void find_lambda1_max() {
    for (Index s = 0; s < std::ssize(here_.w); ++s)
      if (term(s).l1 > 0)
        solution_.lambda1_max =
            std::max(solution_.lambda1_max, std::abs(look_.gradient.w[s]) * problem_.lambda1 / term(s).l1);
  }

  // The weights that the Hessian should cover: those that are not zero, and those that may not stay zero, worst first.
  // Nothing: there are too many.
  std::vector<std::vector<Index>> working_set() const {
    const Index p = looks_.cols();
    std::vector<std::pair<double, Index>> order;
    for (Index s = 0; s < std::ssize(here_.w); ++s) {
      const double over = std::abs(look_.gradient.w[s]) - term(s).l1;
      if (here_.w[s] != 0)
        order.emplace_back(-INFINITY, s);
      else if (over > 0)
        order.emplace_back(-over / term(s).l1, s);
    }
    std::ranges::sort(order);
    const auto used = std::ranges::count(order, -INFINITY, &std::pair<double, Index>::first);
    const bool more = std::ssize(order) > used; // and they would not fit
    if (used > problem_.whole || (more && 10 * used > 9 * problem_.whole)) return {};
    const Index most = std::min(problem_.whole, std::max(kFirstProximal, 2 * used));
    if (std::ssize(order) > most) order.resize(static_cast<std::size_t>(most));
    if (order.empty()) return {};
    std::vector<std::vector<Index>> columns(static_cast<std::size_t>(looks_.classes()));
    for (const auto& [urgency, s] : order) columns[s / p].push_back(s % p);
    for (auto& class_columns : columns) std::ranges::sort(class_columns);
    return columns;
  }

  bool covered(const std::vector<std::vector<Index>>& columns) const { // by the present metric
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (columns_.empty() || !std::ranges::includes(columns_[k], columns[k])) return false;
    return true;
  }
  Result<void> renew_metric() {
    auto columns = working_set();
    const bool whole = !columns.empty();
    const bool easy = last_passes_ > 0 && last_passes_ <= (whole ? kWholeHard : kHardProximal);
    const bool fits = whole ? covered(columns) : columns_.empty();
    if (metric_ && solution_.steps >= 3 && easy && fits) return {};
    auto renewed = whole ? whole_metric(here_, columns, looks_) : metric_at(here_, looks_);
    if (!renewed) return std::unexpected(renewed.error());
    metric_ = *std::move(renewed);
    columns_ = std::move(columns);
    return {};
  }

  Result<bool> step_by_metric() {
    if (auto done = renew_metric(); !done) return std::unexpected(done.error());
    const ClassVector to = metric_->least(here_, look_.gradient, times_);
    ClassVector way = to;
    way.add(-1, here_);
    const double fall = -dot(look_.gradient, way) + absolute(here_) - absolute(to);
    if (!(fall > 0)) return false;
    const auto moved = descend(fall, [&](double t) {
      if (t == 1) return to;
      ClassVector some = here_;
      some.add(t, way);
      return some;
    });
    if (!moved) return std::unexpected(moved.error());
    times_ = *moved == 1 ? std::max(1.0, times_ / 1.5) : times_ * 2;
    return *moved > 0;
  }

  // A Newton step over the non-zero weights. A weight that would change its sign becomes zero.
  Result<bool> step_by_newton() {
    const Index p = looks_.cols();
    std::vector<std::vector<Index>> support(static_cast<std::size_t>(looks_.classes()));
    ClassVector slope = looks_.zero();
    slope.c = look_.gradient.c;
    for (Index s = 0; s < std::ssize(here_.w); ++s) {
      if (here_.w[s] == 0) continue;
      support[s / p].push_back(s % p);
      slope.w[s] = look_.gradient.w[s] + std::copysign(term(s).l1, here_.w[s]);
    }
    metric_->keep_to(support);
    const auto conjugated = conjugate_step(here_, slope, look_.value, *metric_, looks_);
    if (!conjugated) return std::unexpected(conjugated.error());
    const double fall = -dot(slope, conjugated->step);
    last_passes_ = fall > 0 ? conjugated->passes : 0;
    if (!(fall > 0)) return false;
    double first = 1; // where a weight becomes zero
    for (std::size_t s = 0; s < here_.w.size(); ++s)
      if (here_.w[s] * (here_.w[s] + first * conjugated->step.w[s]) < 0) first = -here_.w[s] / conjugated->step.w[s];
    const auto way = [&](double t) {
      ClassVector to = here_;
      to.add(t, conjugated->step);
      for (std::size_t s = 0; s < to.w.size(); ++s)
        if (to.w[s] * here_.w[s] < 0 || (t == first && -here_.w[s] == t * conjugated->step.w[s])) to.w[s] = 0;
      return to;
    };
    // If the penalty is nearly zero, signs may also change at no cost: otherwise one weight near zero would hold up all
    // others.
    const auto over = [&](double t) {
      ClassVector to = here_;
      to.add(t, conjugated->step);
      return to;
    };
    if (first < kShorter) {
      const auto whole = goes(way(1), fall);
      if (!whole || *whole) return whole;
      const auto across = goes(over(1), fall);
      if (!across || *across) return across;
    }
    const auto moved = descend(fall, way, first < 1 ? first : kShorter, first < kShorter ? first : 1);
    if (!moved) return std::unexpected(moved.error());
    if (*moved < 1) last_passes_ = 0;
    return *moved > 0;
  }

  // The weights of a column may be shifted alike without changing the loss, and are shifted to where their penalty is
  // least: among the non-zero weights no flat direction is left in which Newton's method would get lost.
  void shift_columns(ClassVector& at) const {
    const Index p = looks_.cols(), classes = looks_.classes();
    std::vector<double> weights(static_cast<std::size_t>(classes));
    for (const Index j : looks_.used()) {
      for (Index k = 0; k < classes; ++k) weights[k] = at.w[k * p + j];
      const double shift = best_shift(weights, terms_[j]);
      for (Index k = 0; shift != 0 && k < classes; ++k) at.w[k * p + j] += shift;
    }
  }
  // argmin_a sum_k h(w_k + a). The slope rises with a, by jumps where a weight becomes zero.
  static double best_shift(std::vector<double> w, const descent::Term& h) {
    std::ranges::sort(w, std::greater<>());
    const auto count = std::ssize(w);
    double sum = 0;
    for (const double x : w) sum += x;
    const auto between = [&](Index above) { // the minimiser if this many weights are above zero
      return h.l2 > 0 ? (h.l1 * static_cast<double>(count - 2 * above) / h.l2 - sum) / static_cast<double>(count) : 0;
    };
    for (Index above = 0; above < count; ++above) {
      const double a = -w[above], curved = h.l2 * (sum + static_cast<double>(count) * a);
      const double before = h.l1 * static_cast<double>(2 * above - count) + curved, after = before + 2 * h.l1;
      if (before > 0) return between(above);
      if (after < 0) continue;
      if (after > 0 || h.l2 > 0) return a;
      // Flat as far as the next weight: takes the end with the smaller weights.
      const double next = -w[above + 1], n = static_cast<double>(count);
      return next * (2 * sum + n * next) < a * (2 * sum + n * a) ? next : a;
    }
    return between(count);
  }

  // Whether the objective at that point falls by enough of what was promised; if so, it goes there.
  Result<bool> goes(ClassVector to, double fall) {
    const bool blind = fall <= 1e-12 * std::abs(look_.value);
    shift_columns(to);
    auto trial = look(to);
    if (!trial) return std::unexpected(trial.error());
    if (!(trial->value <= look_.value - 1e-4 * fall || (blind && no_higher(trial->value, look_.value)))) return false;
    take(std::move(to), *std::move(trial));
    return true;
  }
  // Goes to the first point along the path that is low enough, and returns how far that was; 0: nowhere. It tries
  // `from` of the path first, then, if that was all of it, `second`.
  template <class Way>
  Result<double> descend(double fall, const Way& way, double second = kShorter, double from = 1) {
    for (double t = from; t > 1e-8; t = t == 1 ? second : t * kShorter) {
      const auto gone = goes(way(t), t * fall);
      if (!gone) return std::unexpected(gone.error());
      if (*gone) return t;
    }
    return 0;
  }

  const SoftmaxProblem& problem_;
  SoftmaxLooks looks_;
  ClassVector here_, best_;          // best: the point of least gap
  double times_;                     // factor of the metric above which a step within it is sure to gain
  std::vector<descent::Term> terms_; // by column
  SoftmaxLooks::Look look_;
  std::unique_ptr<SoftmaxMetric> metric_;
  std::vector<std::vector<Index>> columns_; // columns that the metric covers, if it is the whole one
  bool begun_ = false;
  Index last_passes_ = 0; // of the last Newton step; 0: it was not what the metric predicted
  SoftmaxSolution solution_;
};

} // namespace

descent::Term softmax_term(const SoftmaxProblem& problem, Index j) {
  return {problem.lambda1 * std::sqrt(problem.unit[j]), problem.lambda2 * problem.unit[j]};
}

double sparse_softmax_gap(const SoftmaxProblem& problem, const ClassVector& at, const SoftmaxLooks::Look& look_at) {
  const Index p = std::ssize(problem.unit);
  const auto product = [&](const descent::Term& term, Index s) { return term.l2 * at.w[s] - look_at.gradient.w[s]; };
  double kappa = 1, gap = 0;
  for (Index s = 0; s < std::ssize(at.w); ++s) {
    const descent::Term term = softmax_term(problem, s % p);
    if (term.l1 > 0 && term.l2 == 0) kappa = std::min(kappa, term.l1 / std::abs(product(term, s)));
  }
  for (Index s = 0; s < std::ssize(at.w); ++s) {
    const descent::Term term = softmax_term(problem, s % p);
    gap += term.slack(at.w[s], kappa * product(term, s) * (1 - 4e-16));
  }
  const bool digits = problem.lambda2 > 0 && problem.tolerance <= 1e-10; // the gap should be far below the tolerance
  for (const double slope : look_at.gradient.c) gap += digits ? 1e4 * slope * slope : std::abs(slope);
  return gap + (1 - kappa) * look_at.loss;
}

Result<SoftmaxSolution> solve_sparse_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool,
                                             const Watch& watch) {
  return SparseSoftmax(problem, rows, pool, watch).run();
}

} // namespace recta
