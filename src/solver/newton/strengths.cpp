#include "solver/newton/strengths.hpp"

#include "solver/newton/row_sample.hpp"
#include "solver/together/together.hpp"
#include "stats/curvature/curvature.hpp"
#include "stats/many_points/logistic_points.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

using together::Numbers; // the weights, and the constant about the means of the columns if there is one

class LogisticLoss final : public together::MeanLoss {
public:
  LogisticLoss(const NewtonProblem& problem, RowSource& rows, Index distance, Pool& pool, const Watch& watch)
      : problem_(problem), facts_(*problem.facts), rows_(rows), pool_(pool), watch_(watch), p_(rows.cols()),
        distance_(distance), constant_(problem.objective.intercept) {
    for (Index j = 0; j < p_; ++j) {
      mean_.push_back(constant_ ? facts_.sums.mean(j).hi : 0);
      unused_.push_back(facts_.sums.constant(j, constant_));
    }
  }

  Result<Index> take_sample() override {
    auto sample = RowSample::take(rows_, distance_, facts_.weight());
    if (!sample) return std::unexpected(sample.error());
    sample_.emplace(*std::move(sample));
    ++passes_;
    return *sample_->rows().rows();
  }

  // The penalty, and which columns take part.
  std::vector<double> name() const {
    std::vector<double> out{problem_.objective.lambda1, problem_.objective.lambda2, constant_ ? 1.0 : 0.0};
    out.insert(out.end(), unused_.begin(), unused_.end());
    return out;
  }

  Index passes() const { return passes_; }

  double intercept_at(const Numbers& at) const {
    double b = constant_ ? at.back() : 0;
    for (Index j = 0; constant_ && j < p_; ++j) b -= mean_[j] * at[j];
    return b;
  }

  Result<together::Curved> curved(const Numbers& at) override {
    auto point = std::make_shared<CurvaturePoint>();
    point->loss = problem_.objective.at();
    point->w.assign(at.begin(), at.begin() + p_);
    point->b = intercept_at(at);
    const auto sums = fresh_pass(sample_->rows(), Curvature(point), pool_, watch_, {"Newton's method", passes_});
    if (!sums) return std::unexpected(sums.error());
    together::Curved out{{sums->loss / sums->weight, gradient_of(sums->gradient.data(), sums->slope, sums->weight)},
                         {}};
    add_hessian(*sums, out.hessian);
    return out;
  }

  Result<std::vector<together::Look>> look(const std::vector<const Numbers*>& at) override {
    auto points = std::make_shared<LogisticPoints>();
    for (const Numbers* one : at) {
      points->w.insert(points->w.end(), one->begin(), one->begin() + p_);
      points->b.push_back(intercept_at(*one));
    }
    const auto sums = fresh_pass(rows_, LogisticSums(points), pool_, watch_, {"Newton's method", passes_});
    if (!sums) return std::unexpected(sums.error());
    ++passes_;
    std::vector<together::Look> out;
    for (std::size_t k = 0; k < at.size(); ++k)
      out.push_back({sums->loss[k] / sums->weight,
                     gradient_of(sums->gradient.data() + static_cast<Index>(k) * p_, sums->slope[k], sums->weight)});
    return out;
  }

private:
  Numbers gradient_of(const double* gradient, double slope, double weight) const {
    Numbers out;
    for (Index j = 0; j < p_; ++j) out.push_back(unused_[j] ? 0 : (gradient[j] - mean_[j] * slope) / weight);
    if (constant_) out.push_back(slope / weight);
    return out;
  }

  // About the means of the columns, not those of the rows weighted by their curvature.
  void add_hessian(const Curvature& sums, Numbers& h) const {
    const Gram& gram = sums.gram;
    const Index size = p_ + (constant_ ? 1 : 0);
    h.assign(static_cast<std::size_t>(size * size), 0.0);
    for (Index j = 0; j < p_ && !(gram.weight > 0); ++j) h[j + j * size] = 1;
    if (!(gram.weight > 0)) return;
    Numbers off;
    for (Index j = 0; j < p_; ++j) off.push_back(gram.mean[j] - mean_[j]);
    for (Index c = 0; c < p_; ++c) {
      if (unused_[c]) {
        h[c + c * size] = 1;
        continue;
      }
      for (Index r = 0; r <= c; ++r)
        if (!unused_[r])
          h[r + c * size] = (gram.scatter[c + r * gram.size()] + gram.weight * off[r] * off[c]) / sums.weight;
      // The sample may entirely lack a column that few rows have.
      const DoubleDouble all = constant_ ? facts_.sums.spread(c) : facts_.sums.squares[c];
      h[c + c * size] = std::max(h[c + c * size], 0.5 * gram.weight / sums.weight * all.hi / facts_.weight());
      if (constant_) h[c + p_ * size] = gram.weight * off[c] / sums.weight;
    }
    if (constant_) h[p_ + p_ * size] = gram.weight / sums.weight;
  }

  const NewtonProblem& problem_;
  const LossFacts& facts_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  Index p_, distance_, passes_ = 0; // distance_: between rows of the sample
  bool constant_;
  Numbers mean_; // zero without a constant
  std::vector<char> unused_;
  std::optional<RowSample> sample_;
};

} // namespace

Result<std::vector<NewtonSolution>> solve_strengths(const NewtonProblem& problem, const std::vector<double>& strengths,
                                                    RowSource& rows, Pool& pool, const Watch& watch) {
  std::vector<NewtonSolution> out;
  const LossFacts& facts = *problem.facts;
  const Index p = rows.cols(), distance = rows.rows() ? together::sample_distance(*rows.rows(), p + 1) : 0;
  if (distance == 0) return out;
  for (Index j = 0; j < p; ++j)
    if (problem.objective.intercept && !facts.sums.constant(j, true) &&
        !together::keeps_digits(facts.sums.mean(j).hi, facts.sums.deviation(j)))
      return out;
  LogisticLoss loss(problem, rows, distance, pool, watch);
  const LossObjective& objective = problem.objective;
  together::Task task{
      strengths, {}, {}, {}, 1e-4 * problem.tolerance * facts.null_objective, pool, together::kept_of(loss.name())};
  for (Index j = 0; j < p; ++j) {
    const double unit = facts.unit(objective, j);
    task.unit.push_back(objective.lambda2 * unit * unit);
    if (objective.lambda1 > 0) task.absolute.push_back(objective.lambda1 * unit);
  }
  task.start.resize(static_cast<std::size_t>(p));
  if (objective.intercept) {
    task.unit.push_back(0);
    if (objective.lambda1 > 0) task.absolute.push_back(0);
    task.start.push_back(facts.null_intercept);
  }
  auto answers = together::solve(loss, task);
  if (!answers) return std::unexpected(answers.error());
  for (std::size_t k = 0; k < answers->size(); ++k) {
    const Numbers& at = (*answers)[k].at;
    NewtonSolution& one = out.emplace_back();
    one.w.assign(at.begin(), at.begin() + p);
    one.b = loss.intercept_at(at);
    one.gave_up = !(*answers)[k].near;
    one.passes = k == 0 ? loss.passes() : 0;
  }
  return out;
}

} // namespace recta
