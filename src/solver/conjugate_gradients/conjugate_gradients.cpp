#include "solver/conjugate_gradients/conjugate_gradients.hpp"

#include "loss/row_loss.hpp"
#include "solver/sums_answer.hpp"
#include "stats/loss_products/loss_products.hpp"
#include "stats/pass.hpp"
#include "stats/residual/residual.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

using Numbers = std::vector<double>;

constexpr Index kSteps = 2000, kBegun = 8; // steps in all of one target, and times that it begins
constexpr double kShare = 0.1;             // of the tolerance: the proof's own rounding has the rest

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}
void add(Numbers& to, double factor, const Numbers& other) {
  for (std::size_t j = 0; j < to.size(); ++j) to[j] += factor * other[j];
}

class ConjugateGradients {
public:
  ConjugateGradients(const LeastSquaresProblem& problem, const ColumnSums& sums, RowSource& rows, Pool& pool,
                     const Watch& watch, LeastSquaresSolution& solution)
      : objective_(problem.objective), sums_(sums), rows_(rows), pool_(pool), watch_(watch), solution_(solution),
        loss_(loss::row_loss("squared", 0)), weight_(sums.weight.hi), w_(at(sums.targets), Numbers(at(sums.cols))) {
    const RowUnits units = penalty_units(objective_, sums); // length^2 = u_j in the units of the data
    mean_.assign(units.centre.begin(), units.centre.begin() + sums.cols);
    for (Index j = 0; j < sums.cols; ++j) {
      const double square = (objective_.centred() ? sums.spread(j) : sums.squares[at(j)]).hi / weight_;
      penalty_.push_back(objective_.lambda2 * units.length[at(j)] * units.length[at(j)]); // 0: constant, stays at zero
      diagonal_.push_back(square + penalty_.back());
    }
    double null = 0; // the objective at w = 0
    for (Index z = sums.cols; z < sums.size(); ++z)
      null += (objective_.intercept ? sums.spread(z) : sums.squares[at(z)]).hi / (2 * weight_);
    goal_ = kShare * problem.tolerance * null / static_cast<double>(sums.targets);
  }

  // False: the watch asked to stop.
  Result<bool> run() {
    const auto done = iterate();
    if (!done && done.error().code == ErrorCode::interrupted) return false;
    if (!done) return std::unexpected(done.error());
    return true;
  }
  const std::vector<Numbers>& weights() const { return w_; }

private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  Result<void> iterate() {
    for (Index begun = 0; begun < kBegun; ++begun) {
      auto gradients = negative_gradients();
      if (!gradients) return std::unexpected(gradients.error());
      bool all = true;
      for (std::size_t t = 0; t < w_.size(); ++t) {
        if (gap((*gradients)[t]) <= goal_) continue;
        all = false;
        if (auto done = descend(w_[t], std::move((*gradients)[t])); !done) return done;
      }
      if (all) {
        solution_.stop = "the duality gap is below the tolerance";
        return {};
      }
    }
    solution_.stop = "rounding allows no smaller gap";
    return {};
  }

  double gap(const Numbers& g) const {
    double sum = 0;
    for (std::size_t j = 0; j < g.size(); ++j)
      if (penalty_[j] > 0) sum += g[j] * g[j] / (2 * penalty_[j]);
    return sum;
  }

  // -grad F of every target, from residuals that are computed afresh.
  Result<std::vector<Numbers>> negative_gradients() {
    auto predictor = std::make_shared<Predictor>();
    predictor->cols = sums_.cols, predictor->targets = sums_.targets;
    if (objective_.centred()) predictor->centre = mean_;
    for (Index t = 0; t < sums_.targets; ++t) {
      const Numbers& w = w_[at(t)];
      predictor->w.insert(predictor->w.end(), w.begin(), w.end());
      predictor->b.push_back((objective_.intercept ? sums_.mean(sums_.cols + t).hi : 0) - dot(mean_, w));
    }
    const auto found =
        fresh_pass(rows_, Residual(std::move(predictor)), pool_, watch_, {"iterating", solution_.passes});
    if (!found) return std::unexpected(found.error());
    ++solution_.passes;
    std::vector<Numbers> out(w_.size(), Numbers(mean_.size()));
    for (std::size_t t = 0; t < out.size(); ++t)
      for (std::size_t j = 0; j < mean_.size(); ++j)
        if (penalty_[j] > 0) out[t][j] = found->gradient[t * mean_.size() + j] / weight_ - penalty_[j] * w_[t][j];
    return out;
  }

  // H v: about the means, with the penalty.
  Result<Numbers> product(const Numbers& v) {
    auto point = std::make_shared<LossProductsPoint>();
    point->loss = loss_;
    point->w.assign(v.size(), 0.0); // where the squares are taken makes no difference
    point->along = v;
    point->along_b = -dot(mean_, v);
    auto sums = fresh_pass(rows_, LossProducts(std::move(point)), pool_, watch_, {"iterating", solution_.passes});
    if (!sums) return std::unexpected(sums.error());
    ++solution_.passes;
    Numbers out(v.size());
    for (std::size_t j = 0; j < out.size(); ++j)
      if (penalty_[j] > 0) out[j] = (sums->sums[j] - mean_[j] * sums->total) / weight_ + penalty_[j] * v[j];
    return out;
  }

  Numbers eased(const Numbers& rest) const {
    Numbers out(rest.size());
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = diagonal_[j] > 0 ? rest[j] / diagonal_[j] : 0;
    return out;
  }

  // Moves w until the gap of the recurrence is below the goal; `rest` is the residual of H w = X'S y.
  Result<void> descend(Numbers& w, Numbers rest) {
    Numbers way = eased(rest);
    double rz = dot(rest, way);
    for (Index step = 0; step < kSteps && rz > 0; ++step) {
      const auto image = product(way);
      if (!image) return std::unexpected(image.error());
      const double curvature = dot(way, *image);
      if (!(curvature > 0)) return {};
      note_condition(curvature, way);
      add(w, rz / curvature, way);
      add(rest, -rz / curvature, *image);
      if (gap(rest) <= goal_ / 4) return {};
      Numbers next = eased(rest);
      const double after = dot(rest, next);
      add(next, after / rz, way);
      way = std::move(next);
      rz = after;
    }
    return {};
  }

  // Quotients of H in the units of its diagonal lie between its least and its largest eigenvalue there.
  void note_condition(double curvature, const Numbers& way) {
    double own = 0;
    for (std::size_t j = 0; j < way.size(); ++j) own += diagonal_[j] * way[j] * way[j];
    least_ = std::min(least_, curvature / own), largest_ = std::max(largest_, curvature / own);
    solution_.condition = std::sqrt(largest_ / least_);
  }

  const LeastSquaresObjective& objective_;
  const ColumnSums& sums_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  LeastSquaresSolution& solution_;
  std::shared_ptr<const loss::RowLoss> loss_;
  double weight_, goal_ = 0, least_ = INFINITY, largest_ = 0;
  std::vector<Numbers> w_; // one vector per target
  Numbers mean_, penalty_, diagonal_;
};

} // namespace

Result<LeastSquaresSolution> solve_conjugate_gradients(const LeastSquaresProblem& problem, RowSource& rows, Pool& pool,
                                                       const Watch& watch) {
  LeastSquaresSolution solution;
  const auto sums = first_look(rows, problem, pool, watch, solution);
  if (!sums) return std::unexpected(sums.error());
  ConjugateGradients method(problem, *sums, rows, pool, watch, solution);
  const auto done = method.run();
  if (!done) return std::unexpected(done.error());
  solution.interrupted = !*done;
  if (solution.interrupted) solution.stop = "interrupted";
  solution.condition_is_estimate = true;
  write_down(problem, *sums, method.weights(), solution);
  solution.rank = std::min(sums->rows - (problem.objective.intercept ? 1 : 0),
                           sums->cols - static_cast<Index>(solution.constant.size()));
  solution.notes.push_back("an iteration does not determine the rank; " + std::to_string(solution.rank) +
                           " is its upper bound");
  return solution;
}

} // namespace recta
