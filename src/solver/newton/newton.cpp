#include "solver/newton/newton.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "solver/line_search.hpp"
#include "solver/newton/about_means.hpp"
#include "solver/newton/approach.hpp"
#include "solver/newton/in_basis.hpp"
#include "solver/no_higher.hpp"
#include "stats/basis/basis.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace recta {
namespace {

constexpr Index kSteps = 200;
constexpr double kFloor = 1e-26;       // of the objective: below this a further step changes nothing visible
constexpr double kColumnsAlike = 1e10; // condition of the products: columns differ in fewer than five digits
constexpr double kEnough = 0.2;        // of a loose tolerance; a fall is twice the remainder

struct Point {
  std::vector<double> w;
  double b = 0, scale = 1;
};

struct Step {
  std::vector<double> w;
  double b = 0, scale = 0;
  double fall = 0; // -<gradient, step>: twice what the parabola at the point promises
  Index rank = 0;
};

class Newton {
public:
  Newton(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : objective_(problem.objective), facts_(*problem.facts), tolerance_(problem.tolerance), loose_(problem.loose()),
        rows_(rows), pool_(pool), watch_(watch), majorised_(objective_.at()->by_residual()),
        majorant_(majorised_ ? 1 : 0) {
    here_.w.assign(static_cast<std::size_t>(rows.cols()), 0.0);
    here_.b = facts_.null_intercept;
    if (!problem.start.empty()) {
      here_.w.assign(problem.start.begin(), problem.start.end() - 1);
      here_.b = problem.start.back();
    }
    here_.scale = facts_.null_scale;
    least_scale_ = 1e-12 * facts_.null_scale;
    for (Index j = 0; j < rows.cols(); ++j) {
      const double unit = facts_.unit(objective_, j);
      penalty_.push_back(facts_.weight() * objective_.lambda2 * unit * unit);
      unused_.push_back(facts_.sums.constant(j, objective_.intercept));
      spread_.push_back(facts_.sums.deviation(j));
    }
    looks_for_alike_ = !problem.basis && objective_.lambda2 == 0;
    for (std::size_t s = 0; problem.basis && s < problem.basis->columns.size(); ++s) {
      const Basis::Column& each = problem.basis->columns[s];
      unused_[each.column] |= each.left_out;
      spread_[each.column] = each.spread;
    }
  }

  Result<NewtonSolution> run() {
    if (auto done = look(here_); !done) return std::unexpected(done.error());
    value_ = trial_value_;
    at_ = std::move(trial_);
    for (; solution_.steps < kSteps; ++solution_.steps) {
      const Step step = direction();
      if (columns_alike_) return kept();
      const double scale = std::max(facts_.null_objective, 1e-300) * facts_.weight();
      const bool enough = loose_ && step.fall <= kEnough * tolerance_ * scale && !goes_far(step);
      const bool done =
          enough || step.fall <= kFloor * scale || (step.fall <= tolerance_ * 1e-3 * scale && stalls(step.fall));
      if (done && !(majorant_ > 0 && step.fall > kFloor * scale)) return finished(step);
      fall_ = step.fall;
      const auto moved = descend(step);
      if (!moved && moved.error().code == ErrorCode::interrupted) return interrupted();
      if (!moved) return std::unexpected(moved.error());
      if (!*moved) return finished(step);
    }
    solution_.gave_up = true;
    solution_.stop = "200 steps were not enough";
    return kept();
  }

  // Set, without an answer, if columns are so alike that the first step cannot be trusted: the products it rests on.
  const Gram* alike() const { return columns_alike_ ? &at_.gram : nullptr; }

private:
  bool stalls(double fall) const { return fall > 0.25 * fall_; }

  // With a penalty no direction is unbounded.
  bool goes_far(const Step& step) const {
    if (!objective_.at()->runs_away() || objective_.lambda2 > 0) return false;
    double far = std::abs(step.b);
    for (std::size_t j = 0; j < step.w.size(); ++j) far = std::max(far, std::abs(step.w[j]) * spread_[j]);
    return far > 1e-2;
  }

  Result<void> look(const Point& point) {
    auto at = std::make_shared<CurvaturePoint>();
    at->loss = objective_.at(point.scale);
    at->w = point.w;
    at->b = point.b;
    at->majorant = majorant_;
    at->scale = objective_.fitted_scale;
    auto sums = fresh_pass(rows_, Curvature(at), pool_, watch_, {"Newton's method", solution_.passes});
    if (!sums) return std::unexpected(sums.error());
    ++solution_.passes;
    trial_ = *std::move(sums);
    double sum = trial_.loss;
    for (std::size_t j = 0; j < point.w.size(); ++j) sum += penalty_[j] * point.w[j] * point.w[j] / 2;
    trial_value_ = sum / facts_.weight() + (objective_.fitted_scale ? point.scale / 2 : 0);
    return {};
  }

  double product(Index i, Index j) const {
    const Gram& gram = at_.gram;
    const double about = gram.scatter[std::max(i, j) + std::min(i, j) * gram.size()];
    return objective_.intercept ? about : about + gram.weight * gram.mean[i] * gram.mean[j];
  }

  // If the parabola in the scale has no minimum above zero - rows on the surface, or all beyond the bend - the scale
  // changes by factors, and the coefficients take a step of their own.
  Step direction() {
    Step step = direction(objective_.fitted_scale);
    if (!objective_.fitted_scale || (step.scale != 0 && step.scale > -0.9 * here_.scale)) return step;
    const double slope = (facts_.weight() - at_.squares) / 2;
    step = direction(false);
    if (slope < 0) step.scale = here_.scale;
    if (slope > 0 && here_.scale > least_scale_) step.scale = -15.0 / 16 * here_.scale;
    step.fall -= slope * step.scale;
    return step;
  }

  Step direction(bool scaled) {
    const Index p = rows_.cols();
    Step step{std::vector<double>(static_cast<std::size_t>(p))};
    const Gram& gram = at_.gram;
    if (!(gram.weight > 0)) return step;
    std::vector<Index> used;
    for (Index j = 0; j < p; ++j)
      if (!unused_[j]) used.push_back(j);
    const bool centred = objective_.intercept;
    const double slope = centred ? at_.slope : 0;
    const double scale_slope = scaled ? (facts_.weight() - at_.squares) / 2 : 0;
    std::vector<double> rhs;
    for (const Index j : used)
      rhs.push_back(-(at_.gradient[j] - (centred ? gram.mean[j] * slope : 0) + penalty_[j] * here_.w[j]));
    if (scaled) {
      used.push_back(p);
      rhs.push_back(-(scale_slope - (centred ? gram.mean[p] * slope : 0)));
    }
    const auto size = static_cast<Index>(used.size());
    std::vector<double> h(used.size() * used.size());
    for (Index c = 0; c < size; ++c) {
      for (Index r = 0; r <= c; ++r) h[r + c * size] = product(used[r], used[c]);
      if (used[c] < p) h[c + c * size] += penalty_[used[c]];
    }
    const blas::SerialBlas serial;
    const Cholesky<double> factor(std::move(h), size, 10 * std::max(static_cast<double>(size), 8.0) * 0x1p-53, &pool_);
    const std::vector<double> solved = factor.solve(rhs);
    step.rank = factor.rank();
    if (std::exchange(looks_for_alike_, false))
      columns_alike_ = step.rank < size || factor.condition_estimate() > kColumnsAlike;
    step.b = centred ? -slope / gram.weight : 0;
    step.fall = centred ? slope * slope / gram.weight : 0;
    for (Index s = 0; s < size; ++s) {
      step.fall += solved[s] * rhs[s];
      if (centred) step.b -= gram.mean[used[s]] * solved[s];
      (used[s] < p ? step.w[used[s]] : step.scale) = solved[s];
    }
    return step;
  }

  Point moved(const Step& step, double t) const {
    Point to = here_;
    for (std::size_t j = 0; j < to.w.size(); ++j) to.w[j] += t * step.w[j];
    to.b += t * step.b;
    to.scale = std::clamp(to.scale + t * step.scale, std::max(here_.scale / 16, least_scale_), 16 * here_.scale);
    return to;
  }

  // Whether the objective fell. Where the step is taken on trust the parabola is exact.
  Result<bool> descend(const Step& step) {
    const double expected = step.fall / facts_.weight(), used = majorant_;
    majorant_ = used > 1e-3 ? 0.1 * used : 0;
    for (LineSearch line(value_, expected); line.goes_on(); line.shorten(trial_value_)) {
      const Point to = moved(step, line.length());
      if (auto done = look(to); !done) return std::unexpected(done.error());
      if (line.takes_no_higher(trial_value_)) {
        here_ = to;
        value_ = trial_value_;
        at_ = std::move(trial_);
        // Rows that supported a column have left the curved part: their parabolas take over for a while.
        rank_ = std::max(rank_, step.rank);
        if (majorised_ && step.rank < rank_) majorant_ = std::max(majorant_, 1e-2);
        return true;
      }
      if (majorised_) majorant_ = std::min(1.0, std::max(10 * used, 1e-2));
    }
    return false;
  }

  NewtonSolution kept() {
    solution_.w = std::move(here_.w);
    solution_.b = here_.b;
    solution_.scale = here_.scale;
    return std::move(solution_);
  }
  NewtonSolution interrupted() {
    solution_.interrupted = true;
    return kept();
  }
  // The last step is known already and costs no pass: the answer is then as good as numbers can tell. A step that goes
  // far and gains nothing is not taken: the objective falls without end in that direction.
  NewtonSolution finished(const Step& step) {
    if (goes_far(step)) {
      solution_.runaway = step.w;
      solution_.runaway.push_back(step.b);
      return kept();
    }
    if (step.fall <= 1e-12 * std::abs(value_) * facts_.weight()) here_ = moved(step, 1);
    return kept();
  }

  const LossObjective& objective_;
  const LossFacts& facts_;
  double tolerance_;
  bool loose_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  std::vector<double> penalty_; // W lambda2 u_j
  std::vector<char> unused_;    // columns that are constant, or left out of the basis
  std::vector<double> spread_;  // of the columns
  bool looks_for_alike_ = false, columns_alike_ = false;
  Point here_;
  Curvature at_, trial_;
  bool majorised_;  // rows may have no curvature: of the curved losses, those of residuals such as Huber's
  double majorant_; // share
  double value_ = 0, trial_value_ = 0, fall_ = INFINITY, least_scale_ = 0;
  Index rank_ = 0;
  NewtonSolution solution_;
};

Result<NewtonSolution> exact_steps(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  AboutMeans about(problem, rows);
  Newton newton(about.problem(), about.rows(), pool, watch);
  auto solution = newton.run();
  if (solution && newton.alike()) {
    const auto again = [&](const NewtonProblem& in_basis, RowSource& based) {
      return Newton(in_basis, based, pool, watch).run();
    };
    solution = solve_in_basis(about.problem(), *newton.alike(), about.rows(), {again, {}}, pool, watch);
  }
  if (solution) about.put_back(*solution);
  return solution;
}

} // namespace

Result<NewtonSolution> solve_by_newton(const NewtonProblem& problem, RowSource& rows, Pool& pool, const Watch& watch) {
  if (!worth_approaching(problem, rows)) return exact_steps(problem, rows, pool, watch);
  const auto before = approach(problem, rows, pool, watch);
  if (!before) return std::unexpected(before.error());
  if (before->near || before->interrupted) return before->solution();
  NewtonProblem rest = problem;
  rest.start = before->start;
  auto solution = exact_steps(rest, rows, pool, watch);
  if (!solution) return solution;
  solution->steps += before->steps;
  solution->passes += before->passes;
  return solution;
}

} // namespace recta
