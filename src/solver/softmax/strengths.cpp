#include "solver/softmax/strengths.hpp"

#include "solver/newton/row_sample.hpp"
#include "solver/together/together.hpp"
#include "stats/many_points/softmax_points.hpp"
#include "stats/pass.hpp"
#include "stats/softmax/class_hessian.hpp"

#include <algorithm>

namespace recta {
namespace {

using together::Numbers; // by class: its weights of the columns in use, then its constant about their means

class SoftmaxLoss final : public together::MeanLoss {
public:
  SoftmaxLoss(const SoftmaxProblem& problem, RowSource& rows, Pool& pool, const Watch& watch)
      : problem_(problem), rows_(rows), pool_(pool), watch_(watch), p_(rows.cols()), mean_(problem.mean) {
    if (!problem.intercept) mean_.assign(mean_.size(), 0.0);
    for (Index j = 0; j < p_; ++j)
      if (problem.unit[j] > 0) used_.push_back(j);
    each_ = std::ssize(used_) + (problem.intercept ? 1 : 0);
    distance_ = rows.rows() ? together::sample_distance(*rows.rows(), unknowns()) : 0;
  }

  Index distance() const { return distance_; }
  // How many classes and constants, and which columns take part.
  std::vector<double> name() const {
    std::vector<double> out{static_cast<double>(problem_.classes), problem_.intercept ? 1.0 : 0.0};
    out.insert(out.end(), used_.begin(), used_.end());
    return out;
  }

  Index unknowns() const { return problem_.classes * each_; }
  const std::vector<Index>& used() const { return used_; }
  Index passes() const { return passes_; }

  Result<Index> take_sample() override {
    auto sample = RowSample::take(rows_, distance_, 1);
    if (!sample) return std::unexpected(sample.error());
    sample_.emplace(*std::move(sample));
    ++passes_;
    return *sample_->rows().rows();
  }

  // Weights by class and constants of the columns as they are, at the ends of w and b.
  void append(const Numbers& at, std::vector<double>& w, std::vector<double>& b) const {
    for (Index k = 0; k < problem_.classes; ++k) {
      const double* const own = at.data() + k * each_;
      w.resize(w.size() + static_cast<std::size_t>(p_));
      double constant = problem_.intercept ? own[each_ - 1] : 0;
      for (std::size_t s = 0; s < used_.size(); ++s) {
        *(w.end() - p_ + used_[s]) = own[s];
        constant -= mean_[used_[s]] * own[s];
      }
      b.push_back(constant);
    }
  }

  Result<together::Curved> curved(const Numbers& at) override {
    auto where = std::make_shared<HessianPoint>();
    where->at.classes = problem_.classes;
    append(at, where->at.w, where->at.b);
    where->columns.assign(static_cast<std::size_t>(problem_.classes), used_);
    where->constants = problem_.intercept;
    if (problem_.intercept) where->mean = mean_;
    const auto hessian = fresh_pass(sample_->rows(), ClassHessian(where), pool_, watch_, {"Newton's method", passes_});
    if (!hessian) return std::unexpected(hessian.error());
    auto looks = look_over(sample_->rows(), {&at});
    if (!looks) return std::unexpected(looks.error());
    together::Curved out{std::move(looks->front()), Numbers(hessian->lower.size())};
    const Index size = unknowns();
    for (Index c = 0; c < size; ++c)
      for (Index r = 0; r <= c; ++r) out.hessian[r + c * size] = hessian->lower[c + r * size] / hessian->weight;
    fill_flat_way(out.hessian);
    return out;
  }

  Result<std::vector<together::Look>> look(const std::vector<const Numbers*>& at) override {
    ++passes_;
    return look_over(rows_, at);
  }

private:
  Result<std::vector<together::Look>> look_over(RowSource& rows, const std::vector<const Numbers*>& at) {
    auto points = std::make_shared<SoftmaxPoints>();
    points->classes = problem_.classes;
    for (const Numbers* one : at) append(*one, points->w, points->b);
    const auto sums = fresh_pass(rows, SoftmaxPointSums(points), pool_, watch_, {"Newton's method", passes_});
    if (!sums) return std::unexpected(sums.error());
    std::vector<together::Look> out;
    for (Index q = 0; q < std::ssize(at); ++q) {
      together::Look& look = out.emplace_back(sums->loss[q] / sums->weight);
      for (Index s = q * problem_.classes; s < (q + 1) * problem_.classes; ++s) {
        for (const Index j : used_)
          look.gradient.push_back((sums->gradient[s * p_ + j] - mean_[j] * sums->slope[s]) / sums->weight);
        if (problem_.intercept) look.gradient.push_back(sums->slope[s] / sums->weight);
      }
    }
    return out;
  }

  // The loss does not see what all classes add to their constants: without curvature there, the factor would be
  // rounding. Gradients have no such part, and neither have steps.
  void fill_flat_way(Numbers& h) const {
    if (!problem_.intercept) return;
    const Index size = unknowns();
    double mean = 0;
    for (Index u = each_ - 1; u < size; u += each_) mean += h[u + u * size] / static_cast<double>(problem_.classes);
    for (Index c = each_ - 1; c < size; c += each_)
      for (Index r = each_ - 1; r <= c; r += each_) h[r + c * size] += mean;
  }

  const SoftmaxProblem& problem_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  Index p_, each_ = 0, distance_ = 0, passes_ = 0; // each_: unknowns per class; distance_: between rows of the sample
  std::vector<double> mean_;                       // zero without constants
  std::vector<Index> used_;                        // columns that are not constant
  std::optional<RowSample> sample_;
};

} // namespace

Result<std::vector<SoftmaxSolution>> solve_strengths(const SoftmaxProblem& problem,
                                                     const std::vector<double>& strengths, RowSource& rows, Pool& pool,
                                                     const Watch& watch) {
  std::vector<SoftmaxSolution> out;
  SoftmaxLoss loss(problem, rows, pool, watch);
  if (loss.distance() == 0 || problem.wide || problem.sparse) return out;
  for (const Index j : loss.used())
    if (problem.intercept && !together::keeps_digits(problem.mean[j], problem.sd[j])) return out;
  together::Task task{
      strengths, {}, {}, {}, 1e-4 * problem.tolerance * problem.null_objective, pool, together::kept_of(loss.name())};
  for (Index k = 0; k < problem.classes; ++k) {
    for (const Index j : loss.used()) task.unit.push_back(problem.unit[j]);
    task.start.resize(task.unit.size());
    if (!problem.intercept) continue;
    task.unit.push_back(0);
    task.start.push_back(problem.start[k]);
  }
  auto answers = together::solve(loss, task);
  if (!answers) return std::unexpected(answers.error());
  for (const together::Answer& answer : *answers) {
    SoftmaxSolution& one = out.emplace_back();
    loss.append(answer.at, one.w, one.b);
    one.gave_up = !answer.near;
    one.passes = out.size() == 1 ? loss.passes() : 0;
  }
  return out;
}

} // namespace recta
