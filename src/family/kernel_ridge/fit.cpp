#include "family/kernel_ridge/fit.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "certificate/kernel_ridge/certify.hpp"
#include "certificate/stated/figures.hpp"
#include "family/kernel_ridge/body.hpp"
#include "family/kernel_ridge/task.hpp"
#include "params/params.hpp"

#include <fmt/format.h>

namespace recta::kernel_ridge {
namespace {

std::vector<double> left_out_errors(const MatrixTask& task, const Solution& solution) {
  std::vector<double> out;
  const Index n = std::ssize(task.present);
  for (Index from = 0; from < std::ssize(solution.left_out); from += n) {
    CompensatedSum sum;
    for (Index i = 0; i < n; ++i) {
      const double e = solution.left_out[at(from + i)];
      sum.add_product(task.data.weight[at(task.present[at(i)])] / task.weight * e, e);
    }
    out.push_back(sum.value());
  }
  return out;
}

Claimed claimed_by(const Work& work, const RidgeBody& body) {
  const Learned& learned = body.learned();
  return {.kernel = body.kernel(),
          .points = body.points(),
          .rows = learned.vectors.rows,
          .alpha = learned.alpha,
          .b = learned.b,
          .lambda = learned.lambda,
          .intercept = learned.intercept,
          .tolerance = work.options().tolerance,
          .left_out = work.verifies() && !learned.left_out.empty()};
}

FitSummary summary_of(const MatrixTask& task, bool factored, const FitOptions& options) {
  FitSummary out;
  out.solver = factored ? "cholesky" : "eigenvectors";
  out.reason = factored ? fmt::format("one factorisation of {0} x {0}", task.present.size())
                        : "the matrix has no Cholesky factor, by rounding or by its kernel";
  out.rows = std::ssize(task.present);
  out.weight_sum = task.weight;
  out.weights_are = options.weights_are;
  return out;
}

// The task with the strength of the penalty.
struct Posed {
  MatrixTask task;
  double lambda;
};

// Draft: without the figures that the proof finds.
using Draft = std::shared_ptr<const RidgeBody>;

class RidgeSteps final : public Steps<Posed, Draft, Judged> {
  Result<Posed> pose(Work& work) const override {
    auto task = MatrixTask::make(work.request.params, work.schema(), work.rows);
    if (!task) return std::unexpected(task.error());
    const std::string& word = work.request.info->word;
    const auto lambda = squares_strength(word, work.request.params, task->weight, 1 / task->weight);
    if (!lambda) return std::unexpected(lambda.error());
    if (!(*lambda > 0))
      return refuse(word + ", parameter lambda", "without a penalty the answer is not unique",
                    "give a number above zero");
    return Posed{*std::move(task), *lambda};
  }

  Result<Draft> solve(Work& work, const Posed& posed) const override {
    const auto& [task, lambda] = posed;
    const bool intercept = work.options().intercept;
    Solution solution;
    {
      const Watch watch = work.watch();
      const Listening listening(watch, "solving");
      solution =
          recta::kernel_ridge::solve(problem_of(task, lambda, intercept), flag(work.request.params, "loo"), work.pool);
    }
    Learned learned{.kernel = task.settings, .vectors = {}, .intercept = intercept, .lambda = lambda};
    learned.vectors.rows = task.present;
    learned.vectors.take(task.data);
    learned.left_out = left_out_errors(task, solution);
    learned.alpha = std::move(solution.alpha), learned.b = std::move(solution.b);
    return std::make_shared<RidgeBody>(std::move(learned), summary_of(task, solution.factored, work.options()));
  }

  Result<Draft> stated(Work& work, const Posed&) const override { return stated_body<RidgeBody>(work); }

  Result<Judged> prove(Work& work, const Posed& posed, const Draft& draft) const override {
    return certify(claimed_by(work, *draft), *posed.task.data.held, work.pool, work.watch());
  }

  Result<void> describe(Work& work, const Posed& posed, const Draft& draft, Judged& judged) const override {
    Learned learned = draft->learned();
    const Figures& figures = judged.figures;
    if (!work.verifies()) short_of_proof(work.model.certificate);
    work.model.objective = objective_text(posed.task.settings, learned.intercept, posed.lambda);
    FitSummary summary = draft->summary();
    summary.rows = figures.count, summary.weight_sum = figures.weight;
    work.figures = summary;
    if (work.verifies()) return {};
    learned.mse = figures.mse, learned.r2 = figures.r2, learned.squared = figures.squared;
    work.model.body = std::make_shared<RidgeBody>(std::move(learned), std::move(summary));
    return {};
  }

  Result<void> compare(Work& work, const Posed& posed, const Draft& draft, Judged& judged) const override {
    const Learned& learned = draft->learned();
    recta::kernel_ridge::compare({learned.kernel, posed.task.settings, learned.lambda, posed.lambda,
                                  work.stated->certificate.objective, learned.mse, learned.r2, learned.squared,
                                  learned.left_out},
                                 claimed_by(work, *draft), judged);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const RidgeSteps steps;
  return steps;
}

} // namespace recta::kernel_ridge
