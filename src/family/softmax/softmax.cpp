#include "family/softmax/softmax.hpp"

#include "base/numbers.hpp"
#include "family/descent.hpp"
#include "family/figures.hpp"
#include "family/loss/descent.hpp"
#include "family/loss/request.hpp"
#include "family/loss/separation.hpp"
#include "family/params.hpp"
#include "family/plain_fit.hpp"
#include "family/softmax/separation.hpp"
#include "family/softmax/task.hpp"
#include "feature/schema.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr const Gram* kReadsRows = nullptr; // its proof reads the rows
constexpr double kUsual = 1e-10;            // tolerance at which coefficients are to have digits, too

// The task with the shares of the classes that the schema was learned with.
Result<SoftmaxTask> task_of(const LossObjective& objective, const Schema& schema, const FirstPass& pass,
                            const Rows& rows, Pool& pool, const Watch& watch) {
  auto facts = pass.sums ? loss_facts(rows.source, *pass.sums, pool, watch)
                         : loss_facts(rows.source, pool, watch, places_of(schema, rows.name));
  if (!facts) return std::unexpected(facts.error());
  return softmax_task(objective, *std::move(facts), schema.classes.weight);
}

Result<SoftmaxSolution> solved(const Request& request, const SoftmaxTask& task, const Schema& schema, const Gram* gram,
                               const Rows& rows, Pool& pool, const Clock& clock) {
  if (descends(request.params)) {
    const auto descent = descend_loss(request, schema, rows, task.objective, gram, 0, pool, clock);
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
  return solve_softmax(problem, rows.source, pool, clock.watch());
}

// Above the usual tolerance the solver stops at its own estimate of the gap. The proof decides.
bool may_come_nearer(const SoftmaxSolution& solution, double tolerance, const Certificate& certificate) {
  return tolerance > kUsual && !solution.interrupted && !solution.gave_up && certificate.verdict != Verdict::proved;
}

// From there on to the usual tolerance.
Result<void> come_nearer(const SoftmaxTask& task, double tolerance, const Schema& schema, const Rows& rows, Pool& pool,
                         const Clock& clock, SoftmaxSolution& solution, SoftmaxChecked& checked) {
  SoftmaxProblem problem = problem_of(task, rows, kUsual);
  problem.weights = solution.w;
  problem.start = solution.b;
  const std::size_t p = task.mean.size();
  for (std::size_t s = 0; s < solution.w.size() && task.objective.intercept; ++s)
    problem.start[s / p] += task.mean[s % p] * solution.w[s];
  auto nearer = solve_softmax(problem, rows.source, pool, clock.watch());
  if (!nearer && nearer.error().code == ErrorCode::interrupted) return {};
  if (!nearer) return std::unexpected(nearer.error());
  nearer->steps += solution.steps;
  nearer->passes += solution.passes;
  if (task.objective.lambda1 > 0) nearer->lambda1_max = solution.lambda1_max; // known if all weights were zero
  if (nearer->interrupted) nearer->stop = clock.stop_reason();
  auto nearer_checked = certified(claimed_by(task, *nearer, tolerance, schema), kReadsRows, rows, pool, clock);
  if (!nearer_checked) return std::unexpected(nearer_checked.error());
  solution = *std::move(nearer);
  checked = *std::move(nearer_checked);
  return {};
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

} // namespace

Result<Model> fit_softmax(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  const bool penalised = loss_is_penalised(request.params);
  if (auto good = check_softmax(schema, rows, penalised); !good) return std::unexpected(good.error());
  const auto unscaled = loss_objective(request.info->word, request.params, 1, options.intercept, options.standardise);
  if (!unscaled) return std::unexpected(unscaled.error()); // before a long pass
  Pool pool(options.threads);
  const bool without_gram = unscaled->lambda1 > 0 || softmax_is_wide(rows, penalised);
  const auto pass = without_gram ? first_pass_with_sums(rows, schema, pool, clock.watch())
                                 : first_pass(rows, schema, Precision::standard, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  const auto objective = loss_objective(request.info->word, request.params, pass->fingerprint.weight, options.intercept,
                                        options.standardise);
  if (!objective) return std::unexpected(objective.error());
  const auto task = task_of(*objective, schema, *pass, rows, pool, clock.watch());
  if (!task) return std::unexpected(task.error());
  auto solution = solved(request, *task, schema, pass->gram.get(), rows, pool, clock);
  if (!solution) return std::unexpected(solution.error());
  if (solution->interrupted) solution->stop = clock.stop_reason();
  auto checked = certified(claimed_by(*task, *solution, options.tolerance, schema), kReadsRows, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (!descends(request.params) && may_come_nearer(*solution, options.tolerance, checked->certificate))
    if (auto done = come_nearer(*task, options.tolerance, schema, rows, pool, clock, *solution, *checked); !done)
      return std::unexpected(done.error());
  if (descends(request.params) &&
      checked->certificate.objective > std::log(static_cast<double>(task->classes))) // at zero
    checked->certificate.conditions.emplace_back(kAboveNothing);
  if (!descends(request.params)) short_of_proof(checked->certificate);
  const bool free = objective->lambda1 == 0 && objective->lambda2 == 0;
  if (!descends(request.params) && free && !solution->interrupted && runs_away(solution->far, checked->certificate))
    if (auto done = look_for_class_separation({}, options.intercept, schema, rows, pool, clock, checked->certificate);
        !done)
      return std::unexpected(done.error());

  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.schema = std::move(schema);
  model.objective = loss_objective_text(*objective, false);
  model.certificate = checked->certificate;
  model.linear() = summary_of(*task, *solution, *checked, options, model.schema);
  name_solver(request, *task, rows, *solution, model.linear());
  return model;
}

namespace {

// The least strength without any coefficient. The solver finds it on its way, which ends at once beyond it.
Result<void> add_strength_of_zero(const Model& model, SoftmaxTask task, const Rows& rows, Pool& pool,
                                  const Clock& clock, SoftmaxSolution& solution) {
  const double stored = model.linear().targets.at(0).lambda1_max;
  if (!(task.objective.lambda1 > 0) || std::isnan(stored)) return {};
  task.objective.lambda1 = std::max(task.objective.lambda1, stored) * 2;
  const auto zero = solve_softmax(problem_of(task, rows, 1e-3), rows.source, pool, clock.watch());
  if (!zero) return std::unexpected(zero.error());
  solution.lambda1_max = zero->lambda1_max;
  return {};
}

} // namespace

Result<Certificate> verify_softmax(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (auto good = check_softmax(model.schema, rows, loss_is_penalised(model.params)); !good)
    return std::unexpected(good.error());
  const auto pass = recognise(model, rows, {}, pool, clock);
  if (!pass) return std::unexpected(pass.error());
  const auto objective = loss_objective(model.word, model.params, pass->fingerprint.weight, model.linear().intercept,
                                        model.linear().standardised);
  if (!objective) return std::unexpected(objective.error());
  const auto task = task_of(*objective, model.schema, *pass, rows, pool, clock.watch());
  if (!task) return std::unexpected(task.error());
  SoftmaxSolution solution;
  solution.stop = model.certificate.stop;
  solution.gave_up = model.certificate.verdict == Verdict::stopped_early;
  for (const TargetFit& fit : model.linear().targets) {
    solution.b.push_back(fit.intercept.value);
    for (const Coefficient& c : fit.coefficients) solution.w.push_back(c.value);
  }
  auto checked =
      certified(claimed_by(*task, solution, model.certificate.tolerance, model.schema), kReadsRows, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (const auto* unbounded = std::get_if<NoFiniteMaximum>(&model.certificate.claim))
    if (auto done = hold_to(*unbounded,
                            look_for_class_separation(unbounded->direction, model.linear().intercept, model.schema,
                                                      rows, pool, clock, checked->certificate),
                            checked->certificate);
        !done)
      return std::unexpected(done.error());
  if (auto done = add_strength_of_zero(model, *task, rows, pool, clock, solution); !done)
    return std::unexpected(done.error());
  compare_figures(model, summary_of(*task, solution, *checked, options_of(model), model.schema), checked->certificate);
  return checked->certificate;
}

} // namespace recta
