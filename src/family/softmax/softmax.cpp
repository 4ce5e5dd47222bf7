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

constexpr const Gram* kNoGram = nullptr; // its proof reads the rows
constexpr double kUsual = 1e-10;         // tolerance at which coefficients are to have digits, too

// The task with the shares of the classes that the schema was learned with.
Result<SoftmaxTask> task_of(const LossObjective& objective, const Schema& schema, const FirstPass& seen,
                            const Rows& rows, Pool& pool, const Watch& watch) {
  auto facts = seen.sums ? loss_facts(rows.source, *seen.sums, pool, watch)
                         : loss_facts(rows.source, pool, watch, places_of(schema, rows.name));
  if (!facts) return std::unexpected(facts.error());
  return softmax_task(objective, *std::move(facts), schema.classes.weight);
}

Result<SoftmaxSolution> solved(const Request& request, const SoftmaxTask& task, const Schema& schema, const Gram* gram,
                               const Rows& rows, Pool& pool, const Clock& clock) {
  if (descends(request.params)) {
    const auto found = descend_loss(request, schema, rows, task.objective, gram, 0, pool, clock);
    if (!found) return std::unexpected(found.error());
    SoftmaxSolution out;
    const Index p = rows.source.cols();
    for (Index k = 0; k < task.classes; ++k) {
      const double* const own = found->point.w.data() + k * (p + 1);
      out.b.push_back(own[0]);
      out.w.insert(out.w.end(), own + 1, own + p + 1);
    }
    out.steps = found->steps;
    out.passes = found->passes;
    out.stop = found->stop;
    out.gave_up = true;
    out.interrupted = found->interrupted;
    return out;
  }
  SoftmaxProblem problem = problem_of(task, rows, request.options->tolerance);
  problem.gram = gram;
  return solve_softmax(problem, rows.source, pool, clock.watch());
}

// Above the usual tolerance the solver stops at its own estimate of the gap. The proof decides.
bool may_come_nearer(const SoftmaxSolution& found, double tolerance, const Certificate& certificate) {
  return tolerance > kUsual && !found.interrupted && !found.gave_up && certificate.verdict != Verdict::proved;
}

// From there on to the usual tolerance.
Result<void> come_nearer(const SoftmaxTask& task, double tolerance, const Schema& schema, const Rows& rows, Pool& pool,
                         const Clock& clock, SoftmaxSolution& found, SoftmaxChecked& checked) {
  SoftmaxProblem problem = problem_of(task, rows, kUsual);
  problem.weights = found.w;
  problem.start = found.b;
  const std::size_t p = task.mean.size();
  for (std::size_t s = 0; s < found.w.size() && task.objective.intercept; ++s)
    problem.start[s / p] += task.mean[s % p] * found.w[s];
  auto nearer = solve_softmax(problem, rows.source, pool, clock.watch());
  if (!nearer && nearer.error().code == ErrorCode::interrupted) return {};
  if (!nearer) return std::unexpected(nearer.error());
  nearer->steps += found.steps;
  nearer->passes += found.passes;
  if (task.objective.lambda1 > 0) nearer->lambda1_max = found.lambda1_max; // known if all weights were zero
  if (nearer->interrupted) nearer->stop = clock.stop_reason();
  auto seen = certified(claimed_by(task, *nearer, tolerance, schema), kNoGram, rows, pool, clock);
  if (!seen) return std::unexpected(seen.error());
  found = *std::move(nearer);
  checked = *std::move(seen);
  return {};
}

LinearSummary summary_of(const SoftmaxTask& task, const SoftmaxSolution& found, const SoftmaxChecked& checked,
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
        plain_fit(schema.classes.labels[k], names, std::span(found.w).subspan(k * p, p), found.b[k], out));
  if (out.lambda1 > 0)
    for (TargetFit& fit : out.targets) fit.lambda1 = out.lambda1, fit.lambda1_max = found.lambda1_max;
  out.classes.accuracy = checked.right / out.weight_sum;
  out.classes.log_likelihood = -out.weight_sum * checked.mean_loss;
  out.classes.null_log_likelihood = -out.weight_sum * task.facts.null_objective;
  return out;
}

// Which of the solvers' ways is taken, and why.
void name_solver(const Request& request, const SoftmaxTask& task, const Rows& rows, const SoftmaxSolution& found,
                 LinearSummary& out) {
  const std::string_view plural = found.steps == 1 ? "" : "s";
  if (descends(request.params)) {
    out.solver = word(request.params, "solver");
    out.reason = fmt::format("as asked; {} step{}", found.steps, plural);
    return;
  }
  const bool wide = softmax_is_wide(rows, task.objective.lambda1 + task.objective.lambda2 > 0);
  out.solver = wide ? "newton-cg" : "newton";
  out.reason = fmt::format("{}: {} step{} of Newton's method, each by conjugate gradients{}",
                           wide ? "too many columns for p x p sums a class" : "the loss is curved", found.steps, plural,
                           task.objective.lambda1 > 0 ? " over the weights that are not zero" : "");
}

} // namespace

Result<Model> fit_softmax(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  const bool penalised = loss_is_penalised(request.params);
  if (auto good = check_softmax(schema, rows, penalised); !good) return std::unexpected(good.error());
  const auto asked = loss_objective(request.info->word, request.params, 1, options.intercept, options.standardise);
  if (!asked) return std::unexpected(asked.error()); // before a long pass
  Pool pool(options.threads);
  const bool without_gram = asked->lambda1 > 0 || softmax_is_wide(rows, penalised);
  const auto seen = without_gram ? first_pass_with_sums(rows, schema, pool, clock.watch())
                                 : first_pass(rows, schema, Precision::standard, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  const auto objective = loss_objective(request.info->word, request.params, seen->fingerprint.weight, options.intercept,
                                        options.standardise);
  if (!objective) return std::unexpected(objective.error());
  const auto task = task_of(*objective, schema, *seen, rows, pool, clock.watch());
  if (!task) return std::unexpected(task.error());
  auto found = solved(request, *task, schema, seen->gram.get(), rows, pool, clock);
  if (!found) return std::unexpected(found.error());
  if (found->interrupted) found->stop = clock.stop_reason();
  auto checked = certified(claimed_by(*task, *found, options.tolerance, schema), kNoGram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (!descends(request.params) && may_come_nearer(*found, options.tolerance, checked->certificate))
    if (auto done = come_nearer(*task, options.tolerance, schema, rows, pool, clock, *found, *checked); !done)
      return std::unexpected(done.error());
  if (descends(request.params) &&
      checked->certificate.objective > std::log(static_cast<double>(task->classes))) // at zero
    checked->certificate.conditions.emplace_back(kAboveNothing);
  if (!descends(request.params)) short_of_proof(checked->certificate);
  const bool free = objective->lambda1 == 0 && objective->lambda2 == 0;
  if (!descends(request.params) && free && !found->interrupted && runs_away(found->far, checked->certificate))
    if (auto done = look_for_class_separation({}, options.intercept, schema, rows, pool, clock, checked->certificate);
        !done)
      return std::unexpected(done.error());

  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.schema = std::move(schema);
  model.objective = loss_objective_text(*objective, false);
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = checked->certificate;
  model.certificate.conditions.insert(model.certificate.conditions.begin(), request.notes.begin(), request.notes.end());
  model.linear() = summary_of(*task, *found, *checked, options, model.schema);
  name_solver(request, *task, rows, *found, model.linear());
  return model;
}

namespace {

// The least strength without any coefficient. The solver finds it on its way, which ends at once beyond it.
Result<void> add_strength_of_zero(const Model& model, SoftmaxTask task, const Rows& rows, Pool& pool,
                                  const Clock& clock, SoftmaxSolution& found) {
  const double stored = model.linear().targets.at(0).lambda1_max;
  if (!(task.objective.lambda1 > 0) || std::isnan(stored)) return {};
  task.objective.lambda1 = std::max(task.objective.lambda1, stored) * 2;
  const auto zero = solve_softmax(problem_of(task, rows, 1e-3), rows.source, pool, clock.watch());
  if (!zero) return std::unexpected(zero.error());
  found.lambda1_max = zero->lambda1_max;
  return {};
}

} // namespace

Result<Certificate> verify_softmax(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (auto good = check_softmax(model.schema, rows, loss_is_penalised(model.params)); !good)
    return std::unexpected(good.error());
  const auto seen = recognise(model, rows, {}, pool, clock);
  if (!seen) return std::unexpected(seen.error());
  const auto objective = loss_objective(model.word, model.params, seen->fingerprint.weight, model.linear().intercept,
                                        model.linear().standardised);
  if (!objective) return std::unexpected(objective.error());
  const auto task = task_of(*objective, model.schema, *seen, rows, pool, clock.watch());
  if (!task) return std::unexpected(task.error());
  SoftmaxSolution found;
  found.stop = model.certificate.stop;
  found.gave_up = model.certificate.verdict == Verdict::stopped_early;
  for (const TargetFit& fit : model.linear().targets) {
    found.b.push_back(fit.intercept.value);
    for (const Coefficient& c : fit.coefficients) found.w.push_back(c.value);
  }
  auto checked =
      certified(claimed_by(*task, found, model.certificate.tolerance, model.schema), kNoGram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (const auto* unbounded = std::get_if<NoFiniteMaximum>(&model.certificate.claim))
    if (auto done = hold_to(*unbounded,
                            look_for_class_separation(unbounded->direction, model.linear().intercept, model.schema,
                                                      rows, pool, clock, checked->certificate),
                            checked->certificate);
        !done)
      return std::unexpected(done.error());
  if (auto done = add_strength_of_zero(model, *task, rows, pool, clock, found); !done)
    return std::unexpected(done.error());
  compare_figures(model, summary_of(*task, found, *checked, options_of(model), model.schema), checked->certificate);
  return checked->certificate;
}

} // namespace recta
