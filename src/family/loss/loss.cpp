#include "family/loss/loss.hpp"

#include "certificate/loss/certify.hpp"
#include "certificate/loss/no_maximum.hpp"
#include "family/loss/descent.hpp"
#include "family/loss/request.hpp"
#include "family/loss/separation.hpp"
#include "family/loss/solve.hpp"
#include "family/loss/summary.hpp"
#include "family/loss/usual_penalty.hpp"
#include "family/loss/wide.hpp"
#include "feature/schema.hpp"
#include "loss/loss.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "solver/interior_point/interior_point.hpp"
#include "solver/least_squares.hpp"
#include "solver/newton/firth.hpp"
#include "solver/newton/newton.hpp"
#include "solver/newton/proximal.hpp"
#include "summary/descent.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr const Gram* kNoGram = nullptr; // its proof reads the rows

Result<void> check_shape(const std::string& word, const Params& params, const Rows& rows) {
  if (rows.source.targets() != 1)
    return fail(ErrorCode::usage, word, fmt::format("it fits one target, and there are {}", rows.source.targets()),
                "fit them one after the other");
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name,
                fmt::format("{} reads the rows several times, and these can be read only once", word),
                "save the data to a file first");
  return check_width(word, params, rows);
}

Result<void> check_classes(const std::string& word, const Schema& schema, const Rows& rows) {
  if (!loss::on_labels(word) || schema.classes.count() == 2) return {};
  return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets[0]),
              fmt::format("there are {} classes, and {} separates two", schema.classes.count(), word),
              "fit softmax, combine models of two with --multiclass ova, or set one class against the rest with "
              "--positive LABEL");
}

// Targets that the loss has no value for, and targets without an answer.
Result<void> check_target(const LossObjective& objective, const TargetRange& range, const Schema& schema,
                          const Rows& rows) {
  const std::string& name = schema.targets.empty() ? rows.name : schema.targets[0];
  if (!loss::takes(objective.loss, range.least))
    return fail(ErrorCode::bad_data, fmt::format("{}, row {}, target {}", rows.name, range.least_row + 1, name),
                fmt::format("{} found", range.least), loss::loss_model(objective.loss)->takes);
  if (objective.at()->log_link() && range.largest == 0)
    return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, name),
                "every value is 0: the likelihood has no finite maximum",
                "the best mean is 0 itself, and needs no model");
  return {};
}

double loss_of_a_score_of_zero(const LossObjective& objective) {
  const double y = 1, z = 0, weight = 1;
  return objective.at()->total({1, &y, &z, &weight});
}

// A likelihood of two classes without a penalty, by a solver that was not stopped.
bool runs_for_ever(const LossObjective& objective, const LossSolution& solution) {
  return objective.log_odds() && objective.lambda1 == 0 && objective.lambda2 == 0 && !objective.firth &&
         !solution.interrupted && solution.solver == "newton";
}

LossClaimed claimed_by(const LossObjective& objective, const LossFacts& facts, const LossSolution& solution,
                       double tolerance, const Schema& schema) {
  return {.objective = objective,
          .facts = &facts,
          .w = solution.w,
          .b = solution.b,
          .scale = solution.scale,
          .tolerance = tolerance,
          .stop = solution.stop,
          .stopped_early = solution.interrupted,
          .gave_up = solution.gave_up,
          .passes = facts.passes + solution.passes + 1,
          .conditions = solution.conditions,
          .without_gram = solution.without_gram,
          .feature = places_of(schema, {}).feature};
}

// The facts known before there is an answer; the target is checked to be one that the loss takes.
Result<LossFacts> facts_of(const LossObjective& objective, const Schema& schema, const FirstPass& pass,
                           const Rows& rows, Pool& pool, const Watch& watch) {
  auto facts = pass.sums ? loss_facts(rows.source, *pass.sums, pool, watch)
                         : loss_facts(rows.source, pool, watch, places_of(schema, rows.name));
  if (!facts) return facts;
  if (auto good = check_target(objective, facts->range, schema, rows); !good) return std::unexpected(good.error());
  if (auto done = add_null(objective, rows.source, pool, watch, *facts); !done) return std::unexpected(done.error());
  return facts;
}

} // namespace

Result<void> check_loss_target(const LossObjective& objective, const Schema& schema, const Rows& rows, Pool& pool,
                               const Watch& watch) {
  const auto facts = loss_facts(rows.source, pool, watch, places_of(schema, rows.name));
  if (!facts) return std::unexpected(facts.error());
  return check_target(objective, facts->range, schema, rows);
}

namespace {

// Columns are too many to fit without a penalty. Under a small one the weights point along a plane that separates the
// classes, if there is one, and whether they do is then shown exactly.
Error with_separability(Error error, const Request& request, const Schema& schema, const Rows& rows,
                        const Clock& clock) {
  const loss::LossModel* const known = loss::loss_model(request.info->word);
  if (!known || !known->log_odds || loss_is_penalised(request.params) || rows.single_pass || !rows.source.rows())
    return error;
  constexpr double kSmall = 1e-4;
  Request gentle = copy_of(request);
  for (const char* name : {"lambda", "lambda1", "lambda2", "l1-share"}) gentle.params[name] = kNotGiven;
  gentle.params["tau"] = kSmall;
  const auto model = loss_procedure().fit(gentle, schema, rows, clock);
  if (!model) return model.error().code == ErrorCode::interrupted ? model.error() : error;
  std::vector<double> direction;
  for (const Coefficient& coefficient : model->linear()->targets.at(0).coefficients)
    direction.push_back(coefficient.value);
  direction.push_back(model->linear()->targets[0].intercept.value);
  Pool pool(request.options->threads);
  Certificate certificate;
  const auto looked = look_for_separation({direction, false, request.options->intercept, true},
                                          {schema, rows, pool, clock}, certificate);
  if (!looked) return looked.error();
  if (std::holds_alternative<NoFiniteMaximum>(certificate.claim))
    error.what += fmt::format("; {}, so that the likelihood has no finite maximum", certificate.conditions.at(0));
  return error;
}

// The least strength without any coefficient. A solver finds it on its way, which ends at once beyond it.
Result<double> strength_of_zero(Work& work, LossCase known) {
  const double stored = work.stated->linear()->targets.at(0).lambda1_max;
  if (!(known.objective.lambda1 > 0) || std::isnan(stored)) return kNaN;
  known.objective.lambda1 = std::max(known.objective.lambda1, stored) * 2;
  const auto zero = solve_loss(known.objective, known.facts, 1e-3, work.task_rows());
  if (!zero) return std::unexpected(zero.error());
  return zero->lambda1_max;
}

class LossSteps final : public Steps<LossCase, LossSolution, LossChecked> {
  Result<void> admit(Work& work) const override {
    const std::string& word = work.model.word;
    const Params& params = work.request.params;
    if (work.verifies()) return check_shape(word, params, work.rows);
    take_usual_penalty(work.request, work.rows.source.cols(), std::nullopt);
    if (auto good = check_classes(word, work.schema(), work.rows); !good) return good;
    if (auto good = check_shape(word, params, work.rows); !good)
      return std::unexpected(with_separability(good.error(), work.request, work.schema(), work.rows, work.clock));
    const auto objective = objective_of(work, 1);
    return objective ? Result<void>() : std::unexpected(objective.error());
  }

  Result<FirstPass> read(Work& work) const override {
    return work.verifies() ? first_pass(work, {}) : first_pass_with_sums(work);
  }

  Result<LossCase> pose(Work& work) const override {
    if (!work.verifies()) take_usual_penalty(work.request, work.rows.source.cols(), count_of(work));
    auto objective = objective_of(work, work.seen.fingerprint.weight);
    if (!objective) return std::unexpected(objective.error());
    auto facts = facts_of(*objective, work.schema(), work.seen, work.rows, work.pool, work.watch());
    if (!facts) return std::unexpected(facts.error());
    return LossCase{*std::move(objective), *std::move(facts)};
  }

  Result<LossSolution> solve(Work& work, const LossCase& known) const override {
    return descends(work.request.params)
               ? descend_as_asked(work.request, known.objective, work.task_rows())
               : solve_loss(known.objective, known.facts, work.options().tolerance, work.task_rows());
  }

  Result<LossSolution> stated(Work& work, const LossCase& known) const override {
    LossSolution solution{.stop = work.stated->certificate.stop};
    const TargetFit& target = work.stated->linear()->targets.at(0);
    for (const Coefficient& coefficient : target.coefficients) solution.w.push_back(coefficient.value);
    solution.b = target.intercept.value;
    if (known.objective.fitted_scale) solution.scale = target.scale;
    solution.gave_up = work.stated->certificate.verdict == Verdict::stopped_early;
    solution.without_gram = was_wide(*work.stated);
    if (const NoFiniteMaximum* unbounded = stated_to_be_unbounded(work)) solution.runaway = unbounded->direction;
    const auto most = strength_of_zero(work, known);
    if (!most) return std::unexpected(most.error());
    solution.lambda1_max = *most;
    return solution;
  }

  Result<LossChecked> prove(Work& work, const LossCase& known, const LossSolution& solution) const override {
    return certified(claimed_by(known.objective, known.facts, solution, work.options().tolerance, work.schema()),
                     kNoGram, work.rows, work.pool, work.clock);
  }

  // If Newton's method does not get there, the scale may be zero; and an answer by a rough curvature is where the exact
  // steps begin.
  Result<std::optional<LossSolution>> another(Work& work, const LossCase& known, const LossSolution& best,
                                              const LossChecked& checked, int tried) const override {
    const auto& [objective, facts] = known;
    const bool at_zero = objective.fitted_scale && !best.interrupted && tried == 0;
    const bool exactly = best.approximate && tried == (objective.fitted_scale ? 1 : 0);
    if (checked.certificate.verdict == Verdict::proved || !(at_zero || exactly)) return std::optional<LossSolution>();
    std::vector<double> start = best.w;
    start.push_back(best.b);
    const double tolerance = work.options().tolerance;
    auto other = at_zero ? solve_at_scale_zero(objective, facts, tolerance, work.task_rows())
                         : solve_loss(objective, facts, tolerance, work.task_rows(), start);
    if (!other && other.error().code == ErrorCode::interrupted) return std::optional<LossSolution>();
    if (!other) return std::unexpected(other.error());
    other->passes += best.passes;
    return std::optional(*std::move(other));
  }

  Result<void> describe(Work& work, const LossCase& known, const LossSolution& solution,
                        LossChecked& checked) const override {
    const auto& [objective, facts] = known;
    Certificate& certificate = work.model.certificate;
    if (!work.verifies()) say_how_it_ended(work, known, certificate);
    if (auto done = look_beyond(work, objective, solution, certificate); !done) return done;
    work.model.objective = loss_objective_text(objective, !work.schema().offset.empty());
    LinearSummary& linear = own_linear(work.model);
    linear = summary_of(known, solution, checked, work.options(), work.schema(), work.pool);
    return add_finite_errors(objective, work.options().tolerance, work.task_rows(), certificate, linear);
  }

  static Result<LossObjective> objective_of(const Work& work, double weight) {
    const FitOptions& options = work.options();
    return loss_objective(work.model.word, work.request.params, weight, options.intercept, options.standardise);
  }

  static Index count_of(const Work& work) { return work.seen.sums ? work.seen.sums->rows : work.seen.fingerprint.rows; }

  static const NoFiniteMaximum* stated_to_be_unbounded(const Work& work) {
    return work.verifies() ? std::get_if<NoFiniteMaximum>(&work.stated->certificate.claim) : nullptr;
  }

  static void say_how_it_ended(const Work& work, const LossCase& known, Certificate& certificate) {
    const double at_nothing =
        loss::on_labels(work.model.word) ? loss_of_a_score_of_zero(known.objective) : known.facts.null_objective;
    if (!descends(work.request.params))
      short_of_proof(certificate);
    else if (certificate.objective > at_nothing)
      certificate.conditions.emplace_back(kAboveNothing);
    if (has_usual_penalty(work.request))
      certificate.conditions.push_back(
          usual_penalty_note(work.seen.fingerprint.weight, work.rows.source.cols(), count_of(work)));
  }

  // Whether the likelihood rises for ever, if the solver or the model says so.
  static Result<void> look_beyond(Work& work, const LossObjective& objective, const LossSolution& solution,
                                  Certificate& certificate) {
    const bool intercept = work.options().intercept;
    const auto look = [&](bool as_it_is, bool suspected) {
      return look_for_separation({solution.runaway, as_it_is, intercept, suspected}, work.task_rows(), certificate);
    };
    if (const NoFiniteMaximum* unbounded = stated_to_be_unbounded(work))
      return hold_to(*unbounded, look(true, false), certificate);
    if (work.verifies()) return {};
    return look(false, runs_for_ever(objective, solution) && solution.gave_up &&
                           certificate.verdict == Verdict::stopped_early);
  }
};

} // namespace

const Procedure& loss_procedure() {
  static const LossSteps steps;
  return steps;
}

} // namespace recta
