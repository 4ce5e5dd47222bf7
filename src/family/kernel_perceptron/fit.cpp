#include "family/kernel_perceptron/fit.hpp"

#include "base/listening.hpp"
#include "certificate/kernel_perceptron/certify.hpp"
#include "family/kernel_perceptron/body.hpp"
#include "held/kernel_params.hpp"
#include "held/kernel_task.hpp"
#include "params/params.hpp"
#include "solver/kernel_perceptron/learn.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_perceptron {
namespace {

// Draft: without the figures of its parts, which the proof finds.
using Draft = recta::Draft<PerceptronBody>;

struct Posed : KernelTask {
  std::vector<KernelData::Side> sides;
};

// `passes`: at most, beside what the parameters allow.
Solution run_of(const Posed& task, const KernelData::Side& side, const Params& params, double passes, bool intercept,
                Pool& pool) {
  const kernel::Points points = task.data.points(side.present, *task.kernel);
  const double steps = number(params, "steps");
  Problem problem{*task.kernel,
                  points,
                  {},
                  {},
                  intercept,
                  static_cast<Index>(std::min(number(params, "passes"), passes)),
                  std::isnan(steps) ? 0 : static_cast<Index>(steps),
                  static_cast<std::uint64_t>(number(params, "cache") * 1e6)};
  for (const Index i : side.present)
    problem.target.push_back(side.target[at(i)]), problem.weight.push_back(side.weight[at(i)]);
  return learn(problem, pool);
}

// Coefficients of all parts over the rows that have one in some part.
void add_parts(const Posed& task, const std::vector<Solution>& solutions, Learned& learned) {
  std::vector<Index> place(task.data.target.size(), -1);
  for (std::size_t p = 0; p < solutions.size(); ++p)
    for (std::size_t k = 0; k < solutions[p].beta.size(); ++k)
      if (solutions[p].beta[k] != 0) place[at(task.sides[p].present[k])] = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    if (place[i] == 0) {
      place[i] = std::ssize(learned.vectors.rows);
      learned.vectors.rows.push_back(static_cast<Index>(i));
    }
  learned.vectors.take(task.data);
  for (std::size_t p = 0; p < solutions.size(); ++p) {
    Part part{.mistakes = solutions[p].mistakes, .presented = solutions[p].presented};
    for (std::size_t k = 0; k < solutions[p].beta.size(); ++k)
      if (const double beta = solutions[p].beta[k]; beta != 0) {
        part.support.push_back(place[at(task.sides[p].present[k])]);
        part.beta.push_back(beta);
        part.b += learned.intercept ? beta : 0;
      }
    learned.parts.push_back(std::move(part));
  }
}

Claimed claimed_by(const Work& work, const Draft& draft, const Posed& task, const kernel::Points& all) {
  const Learned& learned = draft.body->learned();
  Claimed out{draft.body->kernel(),     all,       learned.intercept, {}, work.schema().classes.labels,
              work.options().tolerance, draft.stop};
  for (std::size_t p = 0; p < learned.parts.size(); ++p) {
    const Part& part = learned.parts[p];
    std::vector<Index> rows;
    for (const Index k : part.support) rows.push_back(learned.vectors.rows[at(k)]);
    out.parts.push_back({draft.body->points_of(part), std::move(rows), part.beta, part.b, part.mistakes, part.presented,
                         task.sides[p].target, task.sides[p].weight});
  }
  return out;
}

// The passes that a run took which was stopped: it ended with one of them.
double passes_of(const Part& part, const KernelData::Side& side) {
  double each = 0;
  for (const Index i : side.present) each += times_presented(side.weight[at(i)]);
  return std::ceil(part.presented / each);
}

Learned run_again(Work& work, const Posed& task, const Draft& draft) {
  const Learned& learned = draft.body->learned();
  std::vector<Solution> solutions;
  for (std::size_t p = 0; p < task.sides.size(); ++p) {
    const double passes = draft.stop.by_the_caller() ? passes_of(learned.parts[p], task.sides[p]) : kInfinity;
    solutions.push_back(run_of(task, task.sides[p], work.request.params, passes, learned.intercept, work.pool));
  }
  Learned out{.kernel = learned.kernel, .vectors = {}, .classes = learned.classes, .intercept = learned.intercept};
  add_parts(task, solutions, out);
  return out;
}

Runs runs_of(const Learned& learned) {
  Runs out{learned.vectors.rows, {}};
  for (const Part& part : learned.parts)
    out.parts.push_back({part.support, part.beta, part.b, part.mistakes, part.presented});
  return out;
}

struct Judgement : Judged {
  double right = 0; // weight of the rows whose class is predicted
};

class PerceptronSteps final : public Steps<Posed, Draft, Judgement> {
  Result<void> admit(Work& work) const override {
    const Schema& schema = work.schema();
    if (schema.classes.count() >= 2) return {};
    return fail(ErrorCode::bad_data, fmt::format("{}, target {}", work.rows.name, schema.targets.at(0)),
                "all rows are of one class, and a perceptron tells classes apart", "give rows of two classes or more");
  }

  Result<Posed> pose(Work& work) const override {
    auto task = KernelTask::make(work.request.params, work.schema(), work.rows);
    if (!task) return std::unexpected(task.error());
    Posed out{*std::move(task), {}};
    out.sides = out.data.sides(true);
    return out;
  }

  Result<Draft> solve(Work& work, const Posed& task) const override {
    const bool intercept = work.options().intercept;
    std::vector<Solution> solutions;
    {
      const Watch watch = work.watch();
      const Listening listening(watch, "learning");
      for (const auto& side : task.sides)
        solutions.push_back(run_of(task, side, work.request.params, kInfinity, intercept, work.pool));
    }
    Learned learned{.kernel = task.settings, .vectors = {}, .classes = task.data.classes, .intercept = intercept};
    add_parts(task, solutions, learned);
    const bool clean = std::ranges::all_of(solutions, &Solution::clean);
    const bool stopped = std::ranges::any_of(solutions, &Solution::interrupted);
    FitSummary summary;
    summary.solver = "perceptron";
    summary.reason = fmt::format("{} passes over the rows in their order{}", solutions[0].passes,
                                 solutions.size() > 1 ? "; one for every class, against the rest" : "");
    summary.weights_are = work.options().weights_are;
    return Draft{std::make_shared<PerceptronBody>(std::move(learned), std::move(summary)),
                 stopped ? work.clock.stop_reason()
                 : clean ? Stop(Stop::clean_pass)
                         : Stop("as many passes or steps as were asked for"),
                 stopped};
  }

  Result<Draft> stated(Work& work, const Posed&) const override { return stated_search<PerceptronBody>(work); }

  // A run that was stopped is an answer with its proof.
  Result<Judgement> prove(Work& work, const Posed& task, const Draft& draft) const override {
    const kernel::Points all = task.data.points(task.present, *task.kernel);
    const Watch watch = !work.verifies() && draft.ended_early ? Watch{} : work.watch();
    auto judged = certify(claimed_by(work, draft, task, all), *task.data.held, work.pool, watch);
    if (!judged) return std::unexpected(judged.error());
    const auto right = right_weight(*draft.body, task.data, work.pool);
    if (!right) return std::unexpected(right.error());
    return Judgement{*std::move(judged), *right};
  }

  Result<void> describe(Work& work, const Posed& task, const Draft& draft, Judgement& judged) const override {
    Learned learned = draft.body->learned();
    work.model.objective =
        fmt::format("y_i f(x_i) > 0 for every row,  f(x) = {}", score_text(task.settings, learned.intercept));
    FitSummary summary = task.data.figures(draft.body->summary());
    summary.classes = judged.counts;
    summary.classes.accuracy = judged.right / summary.weight_sum;
    work.figures = summary;
    if (work.verifies()) return {};
    for (std::size_t p = 0; p < learned.parts.size(); ++p) {
      const PartFigures& figures = judged.parts[p];
      Part& part = learned.parts[p];
      part.norm = figures.norm, part.least = figures.least, part.bound = figures.bound;
    }
    work.model.body = std::make_shared<PerceptronBody>(std::move(learned), std::move(summary));
    return {};
  }

  Result<void> compare(Work& work, const Posed& task, const Draft& draft, Judgement& judged) const override {
    const Learned &learned = draft.body->learned(), again = run_again(work, task, draft);
    Stated stated{learned.kernel, task.settings, {}, runs_of(learned), runs_of(again)};
    for (const Part& part : learned.parts) stated.parts.push_back({part.norm, part.least, part.bound});
    recta::kernel_perceptron::compare(stated, judged);
    return {};
  }
};

} // namespace

const Procedure& procedure() {
  static const PerceptronSteps steps;
  return steps;
}

} // namespace recta::kernel_perceptron
