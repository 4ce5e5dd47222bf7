#include "base/blas.hpp"
#include "solver/line_search.hpp"
#include "solver/no_higher.hpp"
#include "solver/softmax/column_sets.hpp"
#include "solver/softmax/conjugate.hpp"
#include "solver/softmax/metric.hpp"
#include "solver/softmax/proximal.hpp"
#include "stats/shifted_rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr Index kSteps = 100;
constexpr double kTail = 0.5; // of the previous fall: if classes are nearly separable, falls shrink by 1 / e
constexpr Index kHard = 12;   // conjugate gradient steps after which the metric is renewed

class SoftmaxNewton {
public:
  SoftmaxNewton(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : problem_(problem), looks_(problem, rows, pool, watch), here_(looks_.zero()), whole_(whole_pays(looks_)) {
    here_.c = problem.start;
    if (!problem.weights.empty()) {
      here_.w = problem.weights;
      keep_centred(here_, looks_);
    }
    if (problem.gram && !whole_.pays) metric_ = shared_metric(looks_);
  }

  Result<SoftmaxSolution> run() {
    const blas::SerialBlas serial;
    auto look = looks_.at(here_);
    if (!look) return std::unexpected(look.error());
    look_ = *std::move(look);
    double before = INFINITY;
    Index stalled = 0;
    const double scale = std::max(problem_.null_objective, 1e-300);
    for (; solution_.steps < kSteps; ++solution_.steps) {
      if (enough(scale)) return ended(false);
      const auto step = direction();
      if (!step && step.error().code == ErrorCode::interrupted) return ended(true);
      if (!step) return std::unexpected(step.error());
      const double fall = -dot(look_.gradient, *step);
      const bool near = fall <= 1e-3 * problem_.tolerance * scale;
      stalled = fall > (problem_.lambda2 > 0 ? kTail : 0.25) * before ? stalled + 1 : 0;
      if (!(fall > 1e-24 * scale) || (near && stalled > (problem_.lambda2 > 0 ? 1 : 0))) return finish(*step, fall);
      if (problem_.loose() && problem_.lambda2 == 0 && fall <= 0.1 * problem_.tolerance * scale && !goes_far(*step)) {
        here_.add(1, *step); // the fall is twice F - F*, and a Newton step leaves the square of it
        return ended(false);
      }
      before = fall;
      const auto moved = descend(*step, fall);
      if (!moved && moved.error().code == ErrorCode::interrupted) return ended(true);
      if (!moved) return std::unexpected(moved.error());
      if (!*moved) return finish(*step, fall);
    }
    solution_.gave_up = true;
    solution_.stop = "100 steps were not enough";
    return ended(false);
  }

private:
  // With a tolerance above the usual one the answer is as good as asked for, and no better: the gap will be made of the
  // gradient. Otherwise steps go on while they gain, for digits of the coefficients.
  bool enough(double scale) const {
    return problem_.loose() && problem_.lambda2 > 0 &&
           gap_of_squares(look_.gradient, looks_) <= 0.1 * problem_.tolerance * scale;
  }

  Result<ClassVector> direction() {
    const bool can = whole_.pays || blocks_fit(looks_) || !problem_.gram, first = solution_.steps == 0;
    const Index hard = whole_.pays ? whole_.passes : kHard;
    const bool renewed = !metric_ || (!first && can && (!fresh_ || last_passes_ > hard));
    if (renewed)
      if (auto done = renew_metric(); !done) return std::unexpected(done.error());
    auto step = conjugate();
    if (!step || renewed || first || !can || last_passes_ > 0) return step;
    // Not a single step succeeded: the metric belongs to a point where the loss was far more curved.
    if (auto done = renew_metric(); !done) return std::unexpected(done.error());
    return conjugate();
  }
  Result<void> renew_metric() {
    auto renewed =
        whole_.pays
            ? whole_metric(here_, std::vector(static_cast<std::size_t>(looks_.classes()), looks_.used()), looks_)
            : metric_at(here_, looks_);
    if (!renewed) return std::unexpected(renewed.error());
    metric_ = *std::move(renewed);
    fresh_ = true;
    return {};
  }
  Result<ClassVector> conjugate() {
    auto conjugated = conjugate_step(here_, look_.gradient, look_.value, *metric_, looks_);
    if (!conjugated) return std::unexpected(conjugated.error());
    last_passes_ = conjugated->passes;
    return std::move(conjugated->step);
  }

  Result<bool> descend(const ClassVector& step, double fall) {
    constexpr double kShortest = 1e-8;
    for (LineSearch line(look_.value, fall, kShortest); line.goes_on(); line.halve()) {
      ClassVector to = here_;
      to.add(line.length(), step);
      auto trial = looks_.at(to);
      if (!trial) return std::unexpected(trial.error());
      if (!line.takes_no_higher(trial->value)) continue;
      here_ = std::move(to);
      look_ = *std::move(trial);
      return true;
    }
    return false;
  }

  // Whether the step goes as far as for a likelihood without a finite maximum.
  bool goes_far(const ClassVector& step) const {
    double away = 0;
    for (Index s = 0; s < std::ssize(step.w); ++s)
      away = std::max(away, std::abs(step.w[s]) * problem_.sd[s % looks_.cols()]);
    return problem_.lambda2 == 0 && away > 1e-2;
  }
  // The last step is too short for the objective to tell whether it falls. Where the loss is flat to rounding such a
  // step may yet go far astray: it is taken if the objective does not rise.
  Result<SoftmaxSolution> finish(const ClassVector& step, double fall) {
    solution_.far = goes_far(step);
    if (solution_.far) solution_.gave_up = true, solution_.stop = "the way down has no end";
    if (!solution_.far && fall > 1e-28 * look_.value && fall <= 1e-12 * look_.value) {
      ClassVector to = here_;
      to.add(1, step);
      const auto trial = looks_.at(to);
      if (!trial && trial.error().code != ErrorCode::interrupted) return std::unexpected(trial.error());
      if (trial && no_higher(trial->value, look_.value)) here_ = std::move(to);
    }
    return ended(false);
  }
  SoftmaxSolution ended(bool interrupted) {
    solution_.interrupted = interrupted;
    solution_.passes = looks_.passes();
    solution_.b = looks_.intercepts(here_);
    solution_.w = here_.w;
    return std::move(solution_);
  }

  const SoftmaxProblem& problem_;
  SoftmaxLooks looks_;
  ClassVector here_;
  SoftmaxLooks::Look look_;
  WholeCost whole_;
  std::unique_ptr<SoftmaxMetric> metric_;
  bool fresh_ = false;    // the metric belongs to a point, not to the start
  Index last_passes_ = 0; // of the last direction
  SoftmaxSolution solution_;
};

Result<SoftmaxSolution> solved(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  return problem.lambda1 > 0 ? solve_sparse_softmax(problem, rows, pool, watch)
                             : SoftmaxNewton(problem, rows, pool, watch).run();
}

} // namespace

Result<SoftmaxSolution> solve_softmax(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  if (problem.wide && problem.lambda1 > 0) return solve_wide_sparse_softmax(problem, rows, pool, watch);
  if (problem.wide && conjugate_softmax_fits(problem, rows)) return solve_conjugate_softmax(problem, rows, pool, watch);
  const std::vector<double> shift = shifts_of(problem.mean, problem.sd);
  if (problem.wide || !problem.intercept || shift.empty()) return solved(problem, rows, pool, watch);
  SoftmaxProblem about = problem;
  for (std::size_t j = 0; j < shift.size(); ++j) about.mean[j] -= shift[j];
  ShiftedRows shifted(rows, shift);
  auto solution = solved(about, shifted, pool, watch);
  for (std::size_t k = 0; solution && k < solution->b.size(); ++k)
    solution->b[k] = constant_about(shift, std::span(solution->w).subspan(k * shift.size()), solution->b[k], -1).hi;
  return solution;
}

} // namespace recta
