// The points of a path of logistic regression, by Newton's method.
#include "certificate/loss/certify.hpp"
#include "family/loss/class_path.hpp"
#include "family/loss/separation.hpp"
#include "family/loss/wide.hpp"
#include "params/params.hpp"
#include "solver/gradient_descent/descent_loss.hpp"
#include "solver/least_squares.hpp"
#include "solver/newton/proximal.hpp"
#include "solver/newton/strengths.hpp"
#include "stats/pass.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

class LogisticPathFit final : public ClassPathFit {
public:
  LogisticPathFit(const PathTask& task, const Rows& rows, LossFacts facts)
      : task_(task), rows_(rows), facts_(std::move(facts)) {
    w_.resize(static_cast<std::size_t>(rows.source.cols()));
    b_ = {facts_.null_intercept};
    passes_ = 1 + facts_.passes;
  }

  Result<void> solve(const LossObjective& objective, double tolerance) override {
    NewtonProblem problem{objective, &facts_, tolerance};
    problem.start = w_;
    problem.start.push_back(b_[0]);
    Result<NewtonSolution> solution;
    if (objective.lambda1 > 0) {
      const auto solve =
          by_stored_products(objective, facts_, rows_) ? solve_by_stored_products : solve_by_proximal_newton;
      auto proximal = solve(problem, rows_.source, task_.pool, task_.clock.watch());
      if (!proximal) return std::unexpected(proximal.error());
      solution = std::move(proximal->newton);
    } else {
      solution = solve_by_newton(problem, rows_.source, task_.pool, task_.clock.watch());
    }
    if (!solution) return std::unexpected(solution.error());
    if (solution->interrupted)
      return fail(ErrorCode::interrupted, rows_.name, "stopped: " + task_.clock.stop_reason().text());
    passes_ += solution->passes;
    w_ = std::move(solution->w);
    b_ = {solution->b};
    runaway_ = std::move(solution->runaway);
    return {};
  }

  Result<std::vector<ClassAnswer>> solve_together(const std::vector<LossObjective>& objectives,
                                                  double tolerance) override {
    std::vector<ClassAnswer> out;
    const std::vector<double> strengths = strengths_of(objectives);
    if (strengths.empty() || rows_.sparse) return out;
    LossObjective unit = objectives[0];
    unit.lambda1 /= strengths[0];
    unit.lambda2 /= strengths[0];
    auto solutions =
        solve_strengths({unit, &facts_, tolerance}, strengths, rows_.source, task_.pool, task_.clock.watch());
    if (!solutions) return std::unexpected(solutions.error());
    for (std::size_t k = 0; k < solutions->size(); ++k) {
      NewtonSolution& one = (*solutions)[k];
      passes_ += one.passes;
      w_ = std::move(one.w);
      b_ = {one.b};
      if (one.gave_up)
        if (auto done = solve(objectives[k], tolerance); !done) return std::unexpected(done.error());
      out.push_back({w_, b_});
    }
    return out;
  }

  Result<ProvedPoint> prove(const LossObjective& objective, double tolerance) override {
    const LossClaimed claimed{.objective = objective,
                              .facts = &facts_,
                              .w = w_,
                              .b = b_[0],
                              .tolerance = tolerance,
                              .gave_up = true,
                              .without_gram = by_stored_products(objective, facts_, rows_),
                              .feature = places_of(task_.schema, {}).feature};
    auto checked = certify(claimed, nullptr, &rows_.source, task_.pool, task_.clock.watch());
    if (!checked) return std::unexpected(checked.error());
    ++passes_;
    if (objective.lambda1 == 0 && objective.lambda2 == 0) {
      Certificate separation = checked->certificate;
      const Runaway runaway{runaway_, false, objective.intercept, separation.verdict == Verdict::stopped_early};
      if (auto done = look_for_separation(runaway, {task_.schema, rows_, task_.pool, task_.clock}, separation); !done)
        return std::unexpected(done.error());
      add_separation(separation, checked->certificate);
    }
    return ProvedPoint{std::move(checked->certificate), checked->mean_loss, checked->rows};
  }

  Result<double> mean_loss(RowSource& others) override {
    const auto sums = sums_over(others);
    if (!sums) return std::unexpected(sums.error());
    return sums->loss / sums->weight;
  }

  Result<std::vector<double>> null_slopes() override {
    const auto sums = sums_over(rows_.source);
    if (!sums) return std::unexpected(sums.error());
    std::vector<double> slopes;
    for (std::size_t j = 0; j < w_.size(); ++j) slopes.push_back(std::abs(sums->gradient[j]) / sums->weight);
    return slopes;
  }
  double most_curvature() const override { return 0.25; }
  const LossFacts& facts() const override { return facts_; }

private:
  Result<LossGradient> sums_over(RowSource& rows) {
    auto point = std::make_shared<LossPoint>();
    *point = {descent_loss("logistic").value().of_rows, w_, b_[0], 0};
    ++passes_;
    return fresh_pass(rows, LossGradient(point), task_.pool, task_.clock.watch(), {"following the path", passes_});
  }

  const PathTask& task_;
  Rows rows_;
  LossFacts facts_;
  std::vector<double> runaway_;
};

Result<std::unique_ptr<ClassPathFit>> path_fit(const PathTask& task, const Rows& rows, const std::vector<double>&) {
  auto facts = loss_facts(rows.source, task.pool, task.clock.watch(), places_of(task.schema, rows.name));
  if (!facts) return std::unexpected(facts.error());
  if (auto done = add_null(task.objective, rows.source, task.pool, task.clock.watch(), *facts); !done)
    return std::unexpected(done.error());
  return std::make_unique<LogisticPathFit>(task, rows, *std::move(facts));
}

Result<void> check_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions&) {
  const auto refuse = [&](const std::string& what, const char* cure) {
    return fail(ErrorCode::usage, rows.name, what, cure);
  };
  if (const Index classes = schema.classes.count(); classes != 2)
    return refuse(fmt::format("there are {} classes, and logistic separates two", classes),
                  "the path of softmax is of any number; --positive LABEL sets one class against the rest");
  if (flag(request.params, "firth"))
    return refuse("Firth's correction is of the likelihood alone, and a path is of penalties", "leave out firth");
  if (rows.source.cols() > kGramCols)
    return refuse(fmt::format("{} columns are too many for the p x p sums of a path", rows.source.cols()),
                  "choose fewer columns, or the path of softmax, which forms none");
  return {};
}

constexpr ClassPathKind kLogisticPath{.score_per_class = false, .check = check_path, .fit = path_fit};

} // namespace

Result<Path> logistic_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                           const Clock& clock) {
  return class_path(kLogisticPath, request, schema, rows, how, clock);
}

} // namespace recta
