#include "family/one_class/fit.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "certificate/one_class/certify.hpp"
#include "family/one_class/body.hpp"
#include "held/kernel_params.hpp"
#include "held/kernel_task.hpp"
#include "params/params.hpp"
#include "solver/svm/grouped.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::one_class {
namespace {

using Draft = recta::Draft<OneClassBody>;

struct Posed : KernelTask {
  double nu, weight; // weight: of all rows
};

Claimed claimed_by(const Work& work, const Posed& task, const Draft& draft) {
  const Learned& learned = draft.body->learned();
  return {draft.body->kernel(), draft.body->points(), learned.vectors.rows, learned.beta, learned.offset,
          learned.lowest,       learned.highest,      learned.squared,      task.nu,      work.options().tolerance,
          draft.stop,           draft.ended_early};
}

svm::GroupedProblem problem_of(const Posed& task) {
  svm::GroupedProblem out;
  out.groups = {{1, task.nu}};
  for (std::size_t k = 0; k < task.present.size(); ++k) {
    out.row.push_back(static_cast<Index>(k));
    out.group.push_back(0);
    out.target.push_back(0);
    out.cost.push_back(task.data.weight[at(task.present[k])] / task.weight);
  }
  return out;
}

// Divided by the level; the ends of the boxes are those of C, to the last bit.
Learned learned_of(const svm::GroupedSolution& solution, const svm::Levels& levels, double squared, const Posed& task) {
  Learned out{.kernel = task.settings,
              .vectors = {},
              .beta = {},
              .offset = solution.levels[0] * task.weight,
              .lowest = std::min(levels.low, solution.levels[0]) * task.weight,
              .highest = std::max(levels.high, solution.levels[0]) * task.weight,
              .squared = squared / (solution.levels[0] * solution.levels[0])};
  const double cost = 1 / out.offset;
  for (std::size_t k = 0; k < solution.beta.size(); ++k) {
    if (!(solution.beta[k] > 0)) continue;
    const double weight = task.data.weight[at(task.present[k])], end = cost * weight;
    out.vectors.rows.push_back(task.present[k]);
    out.beta.push_back(solution.beta[k] >= weight / task.weight ? end
                                                                : std::min(end, solution.beta[k] / solution.levels[0]));
  }
  out.vectors.features = task.data.held->cols(), out.vectors.sparse = task.data.sparse();
  out.vectors.take(task.data);
  return out;
}

FitSummary summary_of(const Posed& task, const svm::GroupedSolution& solution, const FitOptions& options) {
  FitSummary out = task.data.figures();
  out.solver = "working-sets";
  out.reason = fmt::format("a level that is found: {} steps over {} working sets{}", solution.steps, solution.rounds,
                           solution.exact_end ? ", then the free coefficients together" : "");
  out.weights_are = options.weights_are;
  return out;
}

class OneClassSteps final : public Steps<Posed, Draft, Certified> {
  Result<Posed> pose(Work& work) const override {
    auto task = KernelTask::make(work.request.params, work.schema(), work.rows);
    if (!task) return std::unexpected(task.error());
    const double weight = task->data.figures().weight_sum;
    return Posed{*std::move(task), number(work.request.params, "nu"), weight};
  }

  Result<Draft> solve(Work& work, const Posed& task) const override {
    const FitOptions& options = work.options();
    const kernel::Points points = task.data.points(task.present, *task.kernel);
    svm::GroupedSettings settings{.cache = static_cast<std::uint64_t>(number(work.request.params, "cache") * 1e6)};
    settings.tolerance = [&](const std::vector<double>& r) { return options.tolerance * std::max(0.0, r[0]) / 4; };
    const svm::GroupedProblem problem = problem_of(task);
    svm::GroupedSolution solution;
    {
      const Watch watch = work.watch();
      const Listening listening(watch, "solving");
      solution = svm::solve_grouped(problem, *task.kernel, points, settings, work.pool);
    }
    double squared = 0, largest = 0;
    for (std::size_t k = 0; k < solution.f.size(); ++k) {
      squared += solution.beta[k] * solution.f[k];
      largest = std::max(largest, std::abs(points.own_value(*task.kernel, static_cast<Index>(k))));
    }
    const bool at_zero = !(solution.levels[0] > 0) || squared <= 1e-12 * task.nu * task.nu * largest;
    if (at_zero && solution.interrupted)
      return fail(ErrorCode::interrupted, work.rows.name, "stopped before the origin was told from the rows");
    if (at_zero)
      return fail(ErrorCode::bad_data, work.rows.name,
                  fmt::format("with nu = {} and this kernel w = 0 is optimal: the origin lies among the rows", task.nu),
                  "give the kernel rbf, or a larger nu");
    Learned learned = learned_of(solution, svm::best_levels(problem, 0, solution.f), squared, task);
    return Draft{std::make_shared<OneClassBody>(std::move(learned), summary_of(task, solution, options)),
                 solution.interrupted ? work.clock.stop_reason()
                 : solution.gave_up   ? Stop("the search came no nearer")
                                      : Stop("the gap is within the tolerance"),
                 solution.interrupted || solution.gave_up};
  }

  Result<Draft> stated(Work& work, const Posed&) const override { return stated_search<OneClassBody>(work); }

  // A fit that was stopped is an answer with its proof.
  Result<Certified> prove(Work& work, const Posed& task, const Draft& draft) const override {
    auto certificate = certify(claimed_by(work, task, draft), *task.data.held, task.data.weight, work.pool,
                               work.verifies() ? work.watch() : Watch{});
    if (!certificate) return std::unexpected(certificate.error());
    return Certified{*std::move(certificate)};
  }

  Result<void> describe(Work& work, const Posed& task, const Draft& draft, Certified&) const override {
    work.model.objective =
        fmt::format("F(w) = 1/W sum_i s_i max(0, 1 - f(x_i)) + (lambda/2) |w|^2,  f(x) = {},  with the lambda of nu = "
                    "{:.10g}",
                    score_text(task.settings, false), task.nu);
    work.figures = task.data.figures(draft.body->summary());
    if (work.verifies()) return {};
    if (!draft.ended_early) short_of_proof(work.model.certificate);
    work.model.body = draft.body;
    return {};
  }

  Result<void> compare(Work& work, const Posed& task, const Draft& draft, Certified& judged) const override {
    recta::one_class::compare({draft.body->learned().kernel, task.settings, work.stated->certificate.objective},
                              judged.certificate);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const OneClassSteps steps;
  return steps;
}

} // namespace recta::one_class
