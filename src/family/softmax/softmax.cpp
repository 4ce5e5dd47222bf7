#include "family/softmax/softmax.hpp"

#include "base/numbers.hpp"
#include "certificate/loss/no_maximum.hpp"
#include "family/loss/descent.hpp"
#include "family/loss/request.hpp"
#include "family/loss/separation.hpp"
#include "family/loss/usual_penalty.hpp"
#include "family/softmax/separation.hpp"
#include "family/softmax/task.hpp"
#include "feature/schema.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "summary/descent.hpp"
#include "summary/plain_fit.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr const Gram* kReadsRows = nullptr; // its proof reads the rows
constexpr double kUsual = 1e-10;            // tolerance at which coefficients are to have digits, too

Result<SoftmaxSolution> solved(const Request& request, const SoftmaxTask& task, const Gram* gram,
                               const TaskRows& task_rows) {
  const Rows& rows = task_rows.rows;
  if (descends(request.params)) {
    const auto descent = descend_loss(request, task_rows, task.objective, gram, 0);
    if (!descent) return std::unexpected(descent.error());
    SoftmaxSolution out;
    const Index p = rows.source.cols();
    for (Index k = 0; k < task.classes; ++k) {
      const double* const class_weights = descent->point.w.data() + k * (p + 1);
      out.b.push_back(class_weights[0]);
      out.w.insert(out.w.end(), class_weights + 1, class_weights + p + 1);
    }
    out.steps = descent->steps;
    out.passes = descent->passes;
    out.stop = descent->stop;
    out.gave_up = true;
    out.interrupted = descent->interrupted;
    return out;
  }
  SoftmaxProblem problem = problem_of(task, rows, request.options->tolerance);
  problem.gram = gram;
  return solve_softmax(problem, rows.source, task_rows.pool, task_rows.watch());
}

// Above the usual tolerance the solver stops at its own estimate of the gap. The proof decides.
bool may_come_nearer(const SoftmaxSolution& solution, double tolerance, const Certificate& certificate) {
  return tolerance > kUsual && !solution.interrupted && !solution.gave_up && certificate.verdict != Verdict::proved;
}

// From there on to the usual tolerance.
Result<SoftmaxSolution> nearer(Work& work, const SoftmaxTask& task, const SoftmaxSolution& solution) {
  SoftmaxProblem problem = problem_of(task, work.rows, kUsual);
  problem.weights = solution.w;
  problem.start = solution.b;
  const std::size_t p = task.mean.size();
  for (std::size_t s = 0; s < solution.w.size() && task.objective.intercept; ++s)
    problem.start[s / p] += task.mean[s % p] * solution.w[s];
  auto out = solve_softmax(problem, work.rows.source, work.pool, work.watch());
  if (!out) return out;
  out->steps += solution.steps;
  out->passes += solution.passes;
  if (task.objective.lambda1 > 0) out->lambda1_max = solution.lambda1_max; // known if all weights were zero
  if (out->interrupted) out->stop = work.clock.stop_reason();
  return out;
}

LinearSummary summary_of(const SoftmaxTask& task, const SoftmaxSolution& solution, const SoftmaxChecked& checked,
                         const FitOptions& options, const Schema& schema) {
  LinearSummary out;
  out.rows = checked.rows;
  out.weight_sum = task.facts.weight();
  out.degrees_of_freedom = out.condition = kNaN;
  out.lambda1 = task.objective.lambda1;
  out.lambda2 = task.objective.lambda2;
  out.intercept = task.objective.intercept;
  out.standardised = task.objective.standardise;
  out.weights_are = options.weights_are;
  out.confidence = options.confidence;
  add_columns(task.facts.sums, out);
  const std::vector<std::string> names = feature::feature_names(schema);
  const auto p = static_cast<Index>(names.size());
  for (Index j = 0; j < p; ++j) out.rank += task.unit[j] > 0 ? 1 : 0;
  for (Index k = 0; k < task.classes; ++k)
    out.targets.push_back(
        plain_fit(schema.classes.labels[k], names, std::span(solution.w).subspan(k * p, p), solution.b[k], out));
  if (out.lambda1 > 0)
    for (TargetFit& fit : out.targets) fit.lambda1 = out.lambda1, fit.lambda1_max = solution.lambda1_max;
  out.classes.accuracy = checked.right / out.weight_sum;
  out.classes.log_likelihood = -out.weight_sum * checked.mean_loss;
  out.classes.null_log_likelihood = -out.weight_sum * task.facts.null_objective;
  return out;
}

// Which of the solvers' ways is taken, and why.
void name_solver(const Request& request, const SoftmaxTask& task, const Rows& rows, const SoftmaxSolution& solution,
                 LinearSummary& out) {
  const std::string_view plural = solution.steps == 1 ? "" : "s";
  if (descends(request.params)) {
    out.solver = word(request.params, "solver");
    out.reason = fmt::format("as asked; {} step{}", solution.steps, plural);
    return;
  }
  const bool wide = softmax_is_wide(rows, task.objective.lambda1 + task.objective.lambda2 > 0);
  out.solver = wide ? "newton-cg" : "newton";
  out.reason = fmt::format("{}: {} step{} of Newton's method, each by conjugate gradients{}",
                           wide ? "too many columns for p x p sums a class" : "the loss is curved", solution.steps,
                           plural, task.objective.lambda1 > 0 ? " over the weights that are not zero" : "");
}

// The least strength without any coefficient. The solver finds it on its way, which ends at once beyond it.
Result<double> strength_of_zero(Work& work, SoftmaxTask task) {
  const double stored = work.stated->linear()->targets.at(0).lambda1_max;
  if (!(task.objective.lambda1 > 0) || std::isnan(stored)) return kNaN;
  task.objective.lambda1 = std::max(task.objective.lambda1, stored) * 2;
  const auto zero = solve_softmax(problem_of(task, work.rows, 1e-3), work.rows.source, work.pool, work.watch());
  if (!zero) return std::unexpected(zero.error());
  return zero->lambda1_max;
}

class SoftmaxSteps final : public Steps<SoftmaxTask, SoftmaxSolution, SoftmaxChecked> {
  Result<void> admit(Work& work) const override {
    if (!work.verifies()) take_usual_penalty(work.request, work.rows.source.cols(), work.rows.source.rows());
    if (auto good = check_softmax(work.schema(), work.rows, loss_is_penalised(work.request.params)); !good) return good;
    const auto objective = objective_of(work, 1);
    return objective ? Result<void>() : std::unexpected(objective.error());
  }

  Result<FirstPass> read(Work& work) const override {
    if (work.verifies()) return first_pass(work, {});
    const bool wide = softmax_is_wide(work.rows, loss_is_penalised(work.request.params));
    const auto objective = objective_of(work, 1);
    if (!objective) return std::unexpected(objective.error());
    return wide || objective->lambda1 > 0 ? first_pass_with_sums(work) : first_pass(work, Precision::standard);
  }

  // With the shares of the classes that the schema was learned with.
  Result<SoftmaxTask> pose(Work& work) const override {
    if (!work.verifies()) take_usual_penalty(work.request, work.rows.source.cols(), count_of(work));
    const auto objective = objective_of(work, work.seen.fingerprint.weight);
    if (!objective) return std::unexpected(objective.error());
    RowSource& source = work.rows.source;
    auto facts = work.seen.sums ? loss_facts(source, *work.seen.sums, work.pool, work.watch())
                                : loss_facts(source, work.pool, work.watch(), places_of(work.schema(), work.rows.name));
    if (!facts) return std::unexpected(facts.error());
    return softmax_task(*objective, *std::move(facts), work.schema().classes.weight);
  }

  Result<SoftmaxSolution> solve(Work& work, const SoftmaxTask& task) const override {
    auto solution = solved(work.request, task, work.seen.gram.get(), work.task_rows());
    if (solution && solution->interrupted) solution->stop = work.clock.stop_reason();
    return solution;
  }

  Result<SoftmaxSolution> stated(Work& work, const SoftmaxTask& task) const override {
    SoftmaxSolution solution;
    solution.stop = work.stated->certificate.stop;
    solution.gave_up = work.stated->certificate.verdict == Verdict::stopped_early;
    for (const TargetFit& fit : work.stated->linear()->targets) {
      solution.b.push_back(fit.intercept.value);
      for (const Coefficient& c : fit.coefficients) solution.w.push_back(c.value);
    }
    const auto most = strength_of_zero(work, task);
    if (!most) return std::unexpected(most.error());
    solution.lambda1_max = *most;
    return solution;
  }

  Result<SoftmaxChecked> prove(Work& work, const SoftmaxTask& task, const SoftmaxSolution& solution) const override {
    return certified(claimed_by(task, solution, work.options().tolerance, work.schema()), kReadsRows, work.rows,
                     work.pool, work.clock);
  }

  Result<std::optional<SoftmaxSolution>> another(Work& work, const SoftmaxTask& task, const SoftmaxSolution& best,
                                                 const SoftmaxChecked& checked, int tried) const override {
    if (tried > 0 || descends(work.request.params) ||
        !may_come_nearer(best, work.options().tolerance, checked.certificate))
      return std::optional<SoftmaxSolution>();
    auto other = nearer(work, task, best);
    if (other) return std::optional(*std::move(other));
    if (other.error().code == ErrorCode::interrupted) return std::optional<SoftmaxSolution>();
    return std::unexpected(other.error());
  }

  Result<void> describe(Work& work, const SoftmaxTask& task, const SoftmaxSolution& solution,
                        SoftmaxChecked& checked) const override {
    work.model.objective = loss_objective_text(task.objective, false);
    LinearSummary& linear = own_linear(work.model);
    linear = summary_of(task, solution, checked, work.options(), work.schema());
    if (work.verifies()) return hold_to_stated(work);
    name_solver(work.request, task, work.rows, solution, linear);
    return say_how_it_ended(work, task, solution);
  }

  static Result<LossObjective> objective_of(const Work& work, double weight) {
    const FitOptions& options = work.options();
    return loss_objective(work.model.word, work.request.params, weight, options.intercept, options.standardise);
  }

  static Index count_of(const Work& work) {
    const FirstPass& seen = work.seen;
    return seen.sums ? seen.sums->rows : seen.gram ? seen.gram->rows : seen.fingerprint.rows;
  }

  static Result<void> hold_to_stated(Work& work) {
    const auto* unbounded = std::get_if<NoFiniteMaximum>(&work.stated->certificate.claim);
    if (!unbounded) return {};
    Certificate& certificate = work.model.certificate;
    return hold_to(
        *unbounded,
        look_for_class_separation(unbounded->direction, work.options().intercept, work.task_rows(), certificate),
        certificate);
  }

  static Result<void> say_how_it_ended(Work& work, const SoftmaxTask& task, const SoftmaxSolution& solution) {
    Certificate& certificate = work.model.certificate;
    const bool descended = descends(work.request.params);
    if (!descended)
      short_of_proof(certificate);
    else if (certificate.objective > std::log(static_cast<double>(task.classes))) // at zero
      certificate.conditions.emplace_back(kAboveNothing);
    if (has_usual_penalty(work.request))
      certificate.conditions.push_back(
          usual_penalty_note(work.seen.fingerprint.weight, work.rows.source.cols(), count_of(work)));
    const bool free = task.objective.lambda1 == 0 && task.objective.lambda2 == 0;
    if (descended || !free || solution.interrupted || !runs_away(solution.far, certificate)) return {};
    return look_for_class_separation({}, work.options().intercept, work.task_rows(), certificate);
  }
};

} // namespace

const Procedure& softmax_procedure() {
  static const SoftmaxSteps steps;
  return steps;
}

} // namespace recta
