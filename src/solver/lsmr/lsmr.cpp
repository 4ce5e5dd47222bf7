#include "solver/lsmr/lsmr.hpp"

#include "solver/lsmr/bidiagonal_step.hpp"
#include "solver/lsmr/recurrence.hpp"
#include "solver/sums_answer.hpp"
#include "stats/pass.hpp"

#include <cmath>

namespace recta {
namespace {

constexpr double kRounding = 1e-15; // of ||A'r|| against ||A'y||

// Lengths that the columns are divided by, and the penalty rows in those units.
struct Scaling {
  RowUnits units;
  std::vector<double> penalty; // sqrt(tau_j) / d_j
};

double square_of(const LeastSquaresObjective& o, const ColumnSums& sums, Index j) {
  return (o.centred() ? sums.spread(j) : sums.squares[j]).hi;
}
double tau_of(const LeastSquaresObjective& o, const ColumnSums& sums, Index j) {
  const double unit = o.standardise ? sums.spread(j).hi / sums.weight.hi : 1;
  return sums.weight.hi * o.lambda2 * o.factor(j) * unit;
}

// Whether the rows leave something open that the penalty hardly decides: the error that ||A'r|| of kRounding allows is
// then visible in the coefficients.
bool keeps_own_units(const LeastSquaresObjective& o, const ColumnSums& sums) {
  if (sums.rows >= sums.cols) return false;
  for (Index j = 0; o.penalised() && j < sums.cols; ++j) {
    if (sums.constant(j, o.centred())) continue;
    const double tau = tau_of(o, sums, j);
    if (!(tau > 0) || tau > 1e-3 * square_of(o, sums, j)) return false;
  }
  return true;
}

Scaling scaling_of(const LeastSquaresProblem& problem, const ColumnSums& sums, bool own_units) {
  const LeastSquaresObjective& o = problem.objective;
  Scaling out{penalty_units(o, sums), std::vector<double>(sums.cols, 0.0)};
  for (Index j = 0; j < sums.cols; ++j) {
    const double tau = tau_of(o, sums, j);
    if (sums.constant(j, o.centred()))
      out.units.length[j] = 0;
    else if (!own_units)
      out.units.length[j] = std::sqrt(square_of(o, sums, j) + tau);
    if (out.units.length[j] > 0) out.penalty[j] = std::sqrt(tau) / out.units.length[j];
  }
  return out;
}

double norm(const std::vector<double>& x) {
  DoubleDouble sum = 0.0;
  for (const double v : x) sum += two_prod(v, v);
  return sqrt(sum).hi;
}

// The iteration for one target. u holds the rows (in `state`) and, below them, one number per penalty row.
class Iteration {
public:
  Iteration(const Scaling& scaling, const ColumnSums& sums, Index target, const RowReader& reader,
            LeastSquaresSolution& solution)
      : scaling_(scaling), reader_(reader), solution_(solution), state_(std::make_shared<StepState>()),
        below_(sums.cols, 0.0), v_(sums.cols, 0.0), x_(sums.cols, 0.0) {
    state_->centre = scaling.units.centre;
    state_->centre[sums.cols] = scaling.units.centre[sums.cols + target];
    state_->length = scaling.units.length;
    state_->v_over_length.assign(sums.cols, 0.0);
    state_->u.assign(sums.end_row, 0.0);
    state_->target = target;
    limit_ = 4 * std::min(sums.rows, sums.cols) + 100;
  }

  // False: the watch asked to stop.
  Result<bool> run(double goal) {
    state_->load_target = true;
    auto begun = pass();
    if (!begun || !*begun) return begun;
    state_->load_target = false;
    const double beta = length_, alpha = alpha_;
    if (!(alpha > 0)) return true; // the target is orthogonal to every column
    LsmrRecurrence scalars(alpha, beta);
    std::vector<double> h = v_, hbar(v_.size(), 0.0);
    const double first = scalars.gradient();
    for (Index step = 0; step < limit_; ++step) {
      auto moved = pass();
      if (!moved || !*moved) return moved;
      scalars.step(alpha_, length_);
      for (std::size_t j = 0; j < h.size(); ++j) {
        hbar[j] = h[j] - scalars.hbar_factor * hbar[j];
        x_[j] += scalars.x_factor * hbar[j];
        h[j] = v_[j] - scalars.h_factor * h[j];
      }
      solution_.condition = std::max(solution_.condition, scalars.condition());
      if (scalars.gradient() <= goal * first || !(alpha_ > 0)) return true;
    }
    met_limit_ = true;
    return true;
  }
  bool met_limit() const { return met_limit_; }
  std::vector<double> weights() const {
    std::vector<double> w = x_;
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = state_->length[j] > 0 ? w[j] / state_->length[j] : 0;
    return w;
  }

private:
  // u <- A v - alpha u and its length; then v <- A'u - length v and its length alpha; both become unit vectors. u in
  // the rows is not divided by its length: the next alpha carries the factor.
  Result<bool> pass() {
    const bool load = state_->load_target;
    state_->shift = 0;
    for (std::size_t j = 0; j < v_.size(); ++j) {
      state_->v_over_length[j] = state_->length[j] > 0 ? v_[j] / state_->length[j] : 0;
      state_->shift += state_->centre[j] * state_->v_over_length[j];
    }
    state_->alpha = load ? 0 : alpha_ / length_;
    const auto step = fresh_pass(reader_, BidiagonalStep(state_), {"iterating", solution_.passes});
    if (!step && step.error().code == ErrorCode::interrupted) return false;
    if (!step) return std::unexpected(step.error());
    ++solution_.passes;
    DoubleDouble squares = step->squares;
    for (std::size_t j = 0; j < below_.size(); ++j) {
      below_[j] = load ? 0 : scaling_.penalty[j] * v_[j] - state_->alpha * below_[j];
      squares += two_prod(below_[j], below_[j]);
    }
    length_ = sqrt(squares).hi;
    std::vector<double> next = step->transposed();
    for (std::size_t j = 0; j < next.size(); ++j) {
      next[j] += scaling_.penalty[j] * below_[j];
      next[j] = length_ > 0 ? next[j] / length_ - (load ? 0 : length_ * v_[j]) : 0;
    }
    alpha_ = norm(next);
    for (std::size_t j = 0; j < next.size(); ++j) v_[j] = alpha_ > 0 ? next[j] / alpha_ : 0;
    return true;
  }

  const Scaling& scaling_;
  const RowReader reader_;
  LeastSquaresSolution& solution_;
  std::shared_ptr<StepState> state_;
  std::vector<double> below_, v_, x_;
  double length_ = 1, alpha_ = 0;
  Index limit_ = 0;
  bool met_limit_ = false;
};

} // namespace

Result<LeastSquaresSolution> solve_lsmr(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                        const Watch& watch) {
  LeastSquaresSolution solution;
  const auto sums = first_look(rows, problem, pool, watch, solution);
  if (!sums) return std::unexpected(sums.error());
  // In their own units columns may differ too much for the iteration to end; a ridge has other units to fall back on.
  std::vector<Scaling> scalings;
  const bool own_units = keeps_own_units(problem.objective, *sums);
  if (own_units) scalings.push_back(scaling_of(problem, *sums, true));
  if (!own_units || problem.objective.penalised()) scalings.push_back(scaling_of(problem, *sums, false));
  std::vector<std::vector<double>> weights;
  solution.stop = "converged to rounding";
  for (Index t = 0; t < sums->targets; ++t) {
    bool met_limit = true;
    for (const Scaling& scaling : scalings) {
      if (!met_limit) break;
      Iteration iteration(scaling, *sums, t, {rows, pool, watch}, solution);
      if (!solution.interrupted) {
        const auto done = iteration.run(kRounding);
        if (!done) return std::unexpected(done.error());
        solution.interrupted = !*done;
      }
      met_limit = iteration.met_limit();
      weights.resize(static_cast<std::size_t>(t));
      weights.push_back(iteration.weights());
    }
    if (!met_limit) continue;
    solution.stop = "iteration limit";
    solution.notes.push_back("the iteration limit was reached before rounding was");
  }
  if (solution.interrupted) solution.stop = "interrupted";
  solution.condition_is_estimate = true;
  write_down(problem, *sums, weights, solution);
  solution.rank = std::min(sums->rows - (problem.objective.intercept ? 1 : 0),
                           sums->cols - static_cast<Index>(solution.constant.size()));
  solution.notes.push_back("an iteration does not determine the rank; " + std::to_string(solution.rank) +
                           " is its upper bound");
  if (!problem.objective.penalised())
    solution.inverse_diagonal.assign(sums->cols, std::numeric_limits<double>::quiet_NaN());
  return solution;
}

} // namespace recta
