#include "dispatch/softmax.hpp"

#include "certificate/loss/facts.hpp"
#include "certificate/softmax/certify.hpp"
#include "dispatch/descent.hpp"
#include "dispatch/loss_descent.hpp"
#include "dispatch/loss_order.hpp"
#include "dispatch/params.hpp"
#include "dispatch/plain_fit.hpp"
#include "dispatch/softmax_separation.hpp"
#include "feature/schema.hpp"
#include "solver/least_squares.hpp"
#include "solver/softmax/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr const Gram* kNoGram = nullptr; // its proof reads the rows
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNear = 1e-3; // a tolerance within which a dual point is always found

// p x p sums a class are worth their cost while they take less than the passes over the rows that they save.
constexpr Index kSparseCols = 500, kWideCols = 2000;

bool is_wide(const Rows& rows, bool penalised) {
  const Index p = rows.source.cols();
  if (p > kGramCols || !penalised) return p > kGramCols;
  return (rows.sparse && p > kSparseCols) || (p > kWideCols && rows.source.rows().value_or(p) < p);
}

Result<void> check_shape(const Schema& schema, const Rows& rows, bool penalised) {
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name, "softmax reads the rows several times, and these can be read once",
                "save the data to a file first");
  if (!schema.offset.empty())
    return fail(ErrorCode::usage, "softmax", "an offset would be the same for all classes, and change nothing",
                "leave it out");
  if (is_wide(rows, penalised) && !penalised)
    return fail(ErrorCode::usage, rows.name,
                fmt::format("{} columns are too many for the p x p sums that softmax works on without a penalty",
                            rows.source.cols()),
                fmt::format("give lambda above 0, or choose {} columns or fewer", kGramCols));
  return {};
}

struct Task {
  Index classes = 0;
  bool wide = false;
  LossObjective objective = {};
  LossFacts facts = {};
  std::vector<double> unit = {}, start = {};
};

// Of the best constant probabilities: the shares of the classes, and none without an intercept.
Result<Task> task_of(const LossObjective& objective, const Schema& schema, const FirstPass& seen, const Rows& rows,
                     Pool& pool, const Watch& watch) {
  auto facts = seen.sums ? loss_facts(rows.source, *seen.sums, pool, watch)
                         : loss_facts(rows.source, pool, watch, places_of(schema, rows.name));
  if (!facts) return std::unexpected(facts.error());
  Task task{schema.classes.count(), is_wide(rows, objective.lambda1 + objective.lambda2 > 0), objective,
            *std::move(facts)};
  for (Index j = 0; j < rows.source.cols(); ++j) {
    const double unit = task.facts.unit(objective, j);
    task.unit.push_back(task.facts.sums.constant(j, objective.intercept) ? 0 : unit * unit);
  }
  const auto k = static_cast<double>(task.classes);
  double total = 0, mean = 0;
  for (const double weight : schema.classes.weight) total += weight, mean += std::log(weight) / k;
  task.facts.null_objective = objective.intercept ? 0 : std::log(k);
  for (const double weight : schema.classes.weight) {
    task.start.push_back(objective.intercept ? std::log(weight) - mean : 0);
    if (objective.intercept) task.facts.null_objective += weight / total * std::log(total / weight);
  }
  return task;
}

Result<SoftmaxSolution> solved(const Order& order, const Task& task, const Schema& schema, const Gram* gram,
                               const Rows& rows, Pool& pool, const Clock& clock) {
  if (descends(order.params)) {
    const auto found = descend_loss(order, schema, rows, task.objective, gram, 0, pool, clock);
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
  SoftmaxProblem problem{.classes = task.classes,
                         .rows = task.facts.sums.rows,
                         .lambda1 = task.objective.lambda1,
                         .lambda2 = task.objective.lambda2,
                         .unit = task.unit,
                         .intercept = task.objective.intercept,
                         .start = task.start,
                         .null_objective = task.facts.null_objective,
                         .tolerance = std::min(order.options->tolerance, kNear),
                         .wide = task.wide,
                         .sparse = rows.sparse,
                         .gram = gram};
  for (Index j = 0; j < rows.source.cols(); ++j) {
    problem.mean.push_back(task.facts.sums.mean(j).hi);
    problem.sd.push_back(task.facts.sums.deviation(j));
  }
  return solve_softmax(problem, rows.source, pool, clock.watch());
}

SoftmaxClaimed claimed_by(const Task& task, const SoftmaxSolution& found, double tolerance) {
  std::vector<double> centre;
  for (Index j = 0; j < task.facts.sums.cols; ++j) centre.push_back(task.facts.sums.mean(j).hi);
  return {.classes = task.classes,
          .w = found.w,
          .b = found.b,
          .lambda1 = task.objective.lambda1,
          .lambda2 = task.objective.lambda2,
          .unit = task.unit,
          .centre = std::move(centre),
          .intercept = task.objective.intercept,
          .null_objective = task.facts.null_objective,
          .tolerance = tolerance,
          .stop = found.stop,
          .stopped_early = found.interrupted,
          .gave_up = found.gave_up,
          .passes = task.facts.passes + found.passes + 1};
}

// Weights that grew without an end, a loss that is all but gone, or no answer: there may be no finite maximum.
bool runs_away(const LossObjective& objective, const SoftmaxSolution& found, const Certificate& certificate) {
  constexpr double kGone = 1e-6;
  return objective.lambda1 == 0 && objective.lambda2 == 0 && !found.interrupted &&
         (found.far || certificate.objective <= kGone * certificate.null_objective ||
          certificate.verdict == Verdict::refuted || certificate.verdict == Verdict::stopped_early);
}

LinearSummary summary_of(const Task& task, const SoftmaxSolution& found, const SoftmaxChecked& checked,
                         const FitOptions& options, const Schema& schema) {
  LinearSummary out;
  out.rows = checked.rows;
  out.weight_sum = task.facts.weight();
  out.degrees_of_freedom = out.condition = kNone;
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

// Which of the solvers' ways, and why.
void name_solver(const Order& order, const Task& task, const SoftmaxSolution& found, LinearSummary& out) {
  const std::string_view plural = found.steps == 1 ? "" : "s";
  if (descends(order.params)) {
    out.solver = word(order.params, "solver");
    out.reason = fmt::format("as asked; {} step{}", found.steps, plural);
    return;
  }
  out.solver = task.wide ? "newton-cg" : "newton";
  out.reason = fmt::format("{}: {} step{} of Newton's method, each by conjugate gradients{}",
                           task.wide ? "too many columns for p x p sums a class" : "the loss is curved", found.steps,
                           plural, task.objective.lambda1 > 0 ? " over the weights that are not zero" : "");
}

} // namespace

Result<Model> fit_softmax(const Order& order, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *order.options;
  const bool penalised = loss_is_penalised(order.params);
  if (auto good = check_shape(schema, rows, penalised); !good) return std::unexpected(good.error());
  if (!options.positive.empty())
    return fail(ErrorCode::usage, "positive", "softmax has one score a class, and treats all alike", "leave it out");
  const auto asked = loss_order(order.info->word, order.params, 1, options.intercept, options.standardise);
  if (!asked) return std::unexpected(asked.error()); // before a long pass
  Pool pool(options.threads);
  const bool without_gram = asked->lambda1 > 0 || is_wide(rows, penalised);
  const auto seen = without_gram ? first_pass_with_sums(rows, schema, pool, clock.watch())
                                 : first_pass(rows, schema, Precision::standard, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  const auto objective =
      loss_order(order.info->word, order.params, seen->fingerprint.weight, options.intercept, options.standardise);
  if (!objective) return std::unexpected(objective.error());
  const auto task = task_of(*objective, schema, *seen, rows, pool, clock.watch());
  if (!task) return std::unexpected(task.error());
  auto found = solved(order, *task, schema, seen->gram.get(), rows, pool, clock);
  if (!found) return std::unexpected(found.error());
  if (found->interrupted) found->stop = clock.stop_reason();
  auto checked = certified(claimed_by(*task, *found, options.tolerance), kNoGram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (descends(order.params) &&
      checked->certificate.objective > std::log(static_cast<double>(task->classes))) // at zero
    checked->certificate.conditions.emplace_back(kAboveNothing);
  if (!descends(order.params) && runs_away(*objective, *found, checked->certificate))
    if (auto done = look_for_class_separation({}, options.intercept, schema, rows, pool, clock, checked->certificate);
        !done)
      return std::unexpected(done.error());

  Model model;
  model.word = order.info->word;
  model.params = copied(order.params);
  model.schema = std::move(schema);
  model.objective = loss_objective_text(*objective, false);
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = checked->certificate;
  model.certificate.conditions.insert(model.certificate.conditions.begin(), order.notes.begin(), order.notes.end());
  model.linear = summary_of(*task, *found, *checked, options, model.schema);
  name_solver(order, *task, *found, model.linear);
  return model;
}

Result<Certificate> verify_softmax(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (auto good = check_shape(model.schema, rows, loss_is_penalised(model.params)); !good)
    return std::unexpected(good.error());
  const auto seen = recognise(model, rows, {}, pool, clock);
  if (!seen) return std::unexpected(seen.error());
  const auto objective =
      loss_order(model.word, model.params, seen->fingerprint.weight, model.linear.intercept, model.linear.standardised);
  if (!objective) return std::unexpected(objective.error());
  const auto task = task_of(*objective, model.schema, *seen, rows, pool, clock.watch());
  if (!task) return std::unexpected(task.error());
  SoftmaxSolution found;
  found.stop = model.certificate.stop;
  found.gave_up = model.certificate.verdict == Verdict::stopped_early;
  for (const TargetFit& fit : model.linear.targets) {
    found.b.push_back(fit.intercept.value);
    for (const Coefficient& c : fit.coefficients) found.w.push_back(c.value);
  }
  auto checked = certified(claimed_by(*task, found, model.certificate.tolerance), kNoGram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  const auto* unbounded = std::get_if<NoFiniteMaximum>(&model.certificate.claim);
  if (!unbounded) return checked->certificate;
  if (auto done = look_for_class_separation(unbounded->direction, model.linear.intercept, model.schema, rows, pool,
                                            clock, checked->certificate);
      !done)
    return std::unexpected(done.error());
  if (!std::holds_alternative<NoFiniteMaximum>(checked->certificate.claim)) {
    checked->certificate.claim = *unbounded;
    checked->certificate.verdict = Verdict::refuted;
  }
  return checked->certificate;
}

} // namespace recta
