// The points of a path of softmax regression, by Newton's method. If there is a penalty on absolute values, or if
// columns are many, they are solved as in a fit of their own (solver/softmax).
#include "family/loss/class_path.hpp"
#include "family/softmax/separation.hpp"
#include "family/softmax/softmax.hpp"
#include "family/softmax/task.hpp"
#include "solver/softmax/looks.hpp"
#include "solver/softmax/strengths.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

class SoftmaxPathFit final : public ClassPathFit {
public:
  SoftmaxPathFit(const PathTask& path, const Rows& rows, SoftmaxTask task)
      : path_(path), rows_(rows), task_(std::move(task)) {
    w_.resize(static_cast<std::size_t>(rows.source.cols() * task_.classes));
    b_ = task_.start;
    passes_ = 1 + task_.facts.passes;
  }

  Result<void> solve(const LossObjective& objective, double tolerance) override {
    task_.objective = objective;
    SoftmaxProblem problem = problem_of(task_, rows_, tolerance);
    ClassVector here = place();
    problem.weights = std::move(here.w);
    problem.start = std::move(here.c);
    auto solution = solve_softmax(problem, rows_.source, path_.pool, path_.clock.watch());
    if (!solution) return std::unexpected(solution.error());
    if (solution->interrupted)
      return fail(ErrorCode::interrupted, rows_.name, "stopped: " + path_.clock.stop_reason().text());
    passes_ += solution->passes;
    w_ = std::move(solution->w);
    b_ = std::move(solution->b);
    far_ = solution->far;
    return {};
  }

  Result<std::vector<ClassAnswer>> solve_together(const std::vector<LossObjective>& objectives,
                                                  double tolerance) override {
    std::vector<ClassAnswer> out;
    const std::vector<double> strengths = strengths_of(objectives);
    if (strengths.empty() || objectives[0].lambda1 > 0) return out;
    task_.objective = objectives[0];
    auto solutions =
        solve_strengths(problem_of(task_, rows_, tolerance), strengths, rows_.source, path_.pool, path_.clock.watch());
    if (!solutions) return std::unexpected(solutions.error());
    for (std::size_t k = 0; k < solutions->size(); ++k) {
      SoftmaxSolution& one = (*solutions)[k];
      passes_ += one.passes;
      w_ = std::move(one.w);
      b_ = std::move(one.b);
      if (one.gave_up)
        if (auto done = solve(objectives[k], tolerance); !done) return std::unexpected(done.error());
      out.push_back({w_, b_});
    }
    return out;
  }

  Result<ProvedPoint> prove(const LossObjective& objective, double tolerance) override {
    task_.objective = objective;
    SoftmaxClaimed claimed = claimed_by(task_, {.w = w_, .b = b_}, tolerance, path_.schema);
    claimed.gave_up = true;
    claimed.passes = 0;
    auto checked = certify(claimed, nullptr, &rows_.source, path_.pool, path_.clock.watch());
    if (!checked) return std::unexpected(checked.error());
    passes_ += checked->certificate.passes;
    if (objective.lambda1 == 0 && objective.lambda2 == 0 && runs_away(far_, checked->certificate)) {
      Certificate separation = checked->certificate;
      if (auto done = look_for_class_separation({}, objective.intercept, {path_.schema, rows_, path_.pool, path_.clock},
                                                separation);
          !done)
        return std::unexpected(done.error());
      add_separation(separation, checked->certificate);
    }
    return ProvedPoint{std::move(checked->certificate), checked->mean_loss, checked->rows};
  }

  Result<double> mean_loss(RowSource& others) override {
    const auto sums = look(others);
    if (!sums) return std::unexpected(sums.error());
    return sums->loss;
  }

  Result<std::vector<double>> null_slopes() override {
    const auto sums = look(rows_.source);
    if (!sums) return std::unexpected(sums.error());
    std::vector<double> slopes(static_cast<std::size_t>(rows_.source.cols()));
    for (std::size_t s = 0; s < w_.size(); ++s) {
      double& slope = slopes[s % slopes.size()];
      slope = std::max(slope, std::abs(sums->gradient.w[s]));
    }
    return slopes;
  }
  double most_curvature() const override { return 0.5; }
  const LossFacts& facts() const override { return task_.facts; }

private:
  // Here, with constants about the means.
  ClassVector place() const {
    ClassVector here;
    here.w = w_;
    here.c = b_;
    const std::size_t p = task_.mean.size();
    for (std::size_t s = 0; s < w_.size() && task_.objective.intercept; ++s) here.c[s / p] += task_.mean[s % p] * w_[s];
    return here;
  }

  Result<SoftmaxLooks::Look> look(RowSource& rows) {
    const SoftmaxProblem problem = problem_of(task_, rows_, 0);
    ++passes_;
    return SoftmaxLooks(problem, rows, path_.pool, path_.clock.watch()).at(place());
  }

  const PathTask& path_;
  Rows rows_;
  SoftmaxTask task_;
  bool far_ = false;
};

Result<std::unique_ptr<ClassPathFit>> softmax_path_fit(const PathTask& task, const Rows& rows,
                                                       const std::vector<double>& class_weight) {
  auto facts = loss_facts(rows.source, task.pool, task.clock.watch(), places_of(task.schema, rows.name));
  if (!facts) return std::unexpected(facts.error());
  return std::make_unique<SoftmaxPathFit>(task, rows, softmax_task(task.objective, *std::move(facts), class_weight));
}

Result<void> check_softmax_path(const Request&, const Schema& schema, const Rows& rows, const PathOptions& how) {
  return check_softmax(schema, rows, std::ranges::count(how.lambdas, 0.0) == 0);
}

constexpr ClassPathKind kSoftmaxPath{.score_per_class = true, .check = check_softmax_path, .fit = softmax_path_fit};

} // namespace

Result<Path> softmax_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                          const Clock& clock) {
  return class_path(kSoftmaxPath, request, schema, rows, how, clock);
}

} // namespace recta
