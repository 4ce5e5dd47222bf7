#include "family/loss/loss.hpp"

#include "certificate/loss/certify.hpp"
#include "family/descent.hpp"
#include "family/figures.hpp"
#include "family/loss/descent.hpp"
#include "family/loss/request.hpp"
#include "family/loss/separation.hpp"
#include "family/loss/solve.hpp"
#include "family/loss/summary.hpp"
#include "family/loss/wide.hpp"
#include "family/params.hpp"
#include "feature/schema.hpp"
#include "loss/loss.hpp"
#include "solver/interior_point/interior_point.hpp"
#include "solver/least_squares.hpp"
#include "solver/newton/firth.hpp"
#include "solver/newton/newton.hpp"
#include "solver/newton/proximal.hpp"

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
                fmt::format("{} reads the rows several times, and these can be read once", word),
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

// If Newton's method does not get there, the scale may be zero. The better of the two answers is kept.
Result<void> try_scale_zero(const LossObjective& objective, const LossFacts& facts, double tolerance,
                            const Schema& schema, const Rows& rows, Pool& pool, const Clock& clock,
                            LossSolution& solution, LossChecked& checked) {
  auto zero = solve_at_scale_zero(objective, facts, tolerance, rows, pool, clock);
  if (!zero && zero.error().code == ErrorCode::interrupted) return {};
  if (!zero) return std::unexpected(zero.error());
  zero->passes += solution.passes;
  auto zero_checked = certified(claimed_by(objective, facts, *zero, tolerance, schema), kNoGram, rows, pool, clock);
  if (!zero_checked) return std::unexpected(zero_checked.error());
  const Certificate &before = checked.certificate, &after = zero_checked->certificate;
  if (after.verdict != Verdict::proved && !(after.objective < before.objective)) return {};
  solution = *std::move(zero);
  checked = *std::move(zero_checked);
  return {};
}

// If there is no proof, an answer by a rough curvature is where the exact steps begin.
Result<void> finish_exactly(const LossObjective& objective, const LossFacts& facts, double tolerance,
                            const Schema& schema, const Rows& rows, Pool& pool, const Clock& clock,
                            LossSolution& solution, LossChecked& checked) {
  std::vector<double> start = solution.w;
  start.push_back(solution.b);
  auto exact = solve_loss(objective, facts, tolerance, rows, places_of(schema, rows.name), pool, clock, start);
  if (!exact && exact.error().code == ErrorCode::interrupted) return {};
  if (!exact) return std::unexpected(exact.error());
  exact->passes += solution.passes;
  auto exact_checked = certified(claimed_by(objective, facts, *exact, tolerance, schema), kNoGram, rows, pool, clock);
  if (!exact_checked) return std::unexpected(exact_checked.error());
  solution = *std::move(exact);
  checked = *std::move(exact_checked);
  return {};
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

Result<Model> fit_loss(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  const FitOptions& options = *request.options;
  const std::string& word = request.info->word;
  if (auto good = check_shape(word, request.params, rows); !good) return std::unexpected(good.error());
  if (auto good = check_classes(word, schema, rows); !good) return std::unexpected(good.error());
  if (const auto objective = loss_objective(word, request.params, 1, options.intercept, options.standardise);
      !objective)
    return std::unexpected(objective.error()); // before a long pass
  Pool pool(options.threads);
  const auto pass = first_pass_with_sums(rows, schema, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  const auto objective =
      loss_objective(word, request.params, pass->fingerprint.weight, options.intercept, options.standardise);
  if (!objective) return std::unexpected(objective.error());
  const auto facts = facts_of(*objective, schema, *pass, rows, pool, clock.watch());
  if (!facts) return std::unexpected(facts.error());
  auto solution = descends(request.params) ? descend_as_asked(request, schema, *objective, rows, pool, clock)
                                           : solve_loss(*objective, *facts, options.tolerance, rows,
                                                        places_of(schema, rows.name), pool, clock);
  if (!solution) return std::unexpected(solution.error());
  auto checked =
      certified(claimed_by(*objective, *facts, *solution, options.tolerance, schema), kNoGram, rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (objective->fitted_scale && !solution->interrupted && checked->certificate.verdict != Verdict::proved)
    if (auto done =
            try_scale_zero(*objective, *facts, options.tolerance, schema, rows, pool, clock, *solution, *checked);
        !done)
      return std::unexpected(done.error());
  if (solution->approximate && checked->certificate.verdict != Verdict::proved)
    if (auto done =
            finish_exactly(*objective, *facts, options.tolerance, schema, rows, pool, clock, *solution, *checked);
        !done)
      return std::unexpected(done.error());
  const double at_nothing = loss::on_labels(word) ? loss_of_a_score_of_zero(*objective) : facts->null_objective;
  if (descends(request.params) && checked->certificate.objective > at_nothing)
    checked->certificate.conditions.emplace_back(kAboveNothing);
  if (!descends(request.params)) short_of_proof(checked->certificate);
  const bool suspected = runs_for_ever(*objective, *solution) && solution->gave_up &&
                         checked->certificate.verdict == Verdict::stopped_early;
  if (auto done = look_for_separation({solution->runaway, false, options.intercept, suspected}, schema, rows, pool,
                                      clock, checked->certificate);
      !done)
    return std::unexpected(done.error());

  Model model = begin_model(request, pass->fingerprint.fingerprint());
  model.schema = std::move(schema);
  model.objective = loss_objective_text(*objective, !model.schema.offset.empty());
  model.certificate = checked->certificate;
  model.linear() = summary_of(*objective, *facts, *solution, *checked, options, model.schema, pool);
  if (auto done = add_finite_errors(*objective, options.tolerance, model.schema, rows, pool, clock, model.certificate,
                                    model.linear());
      !done)
    return std::unexpected(done.error());
  return model;
}

namespace {

// The least strength without any coefficient. A solver finds it on its way, which ends at once beyond it.
Result<void> add_strength_of_zero(const Model& model, LossObjective objective, const LossFacts& facts, const Rows& rows,
                                  Pool& pool, const Clock& clock, LossSolution& solution) {
  const double stored = model.linear().targets.at(0).lambda1_max;
  if (!(objective.lambda1 > 0) || std::isnan(stored)) return {};
  objective.lambda1 = std::max(objective.lambda1, stored) * 2;
  const auto zero = solve_loss(objective, facts, 1e-3, rows, places_of(model.schema, rows.name), pool, clock);
  if (!zero) return std::unexpected(zero.error());
  solution.lambda1_max = zero->lambda1_max;
  return {};
}

} // namespace

Result<Certificate> verify_loss(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (auto good = check_shape(model.word, model.params, rows); !good) return std::unexpected(good.error());
  const LinearSummary& linear = model.linear();
  const auto pass = recognise(model, rows, {}, pool, clock);
  if (!pass) return std::unexpected(pass.error());
  auto objective =
      loss_objective(model.word, model.params, pass->fingerprint.weight, linear.intercept, linear.standardised);
  if (!objective) return std::unexpected(objective.error());
  const auto facts = facts_of(*objective, model.schema, *pass, rows, pool, clock.watch());
  if (!facts) return std::unexpected(facts.error());
  LossSolution solution{.stop = model.certificate.stop};
  const TargetFit& target = linear.targets.at(0);
  for (const Coefficient& coefficient : target.coefficients) solution.w.push_back(coefficient.value);
  solution.b = target.intercept.value;
  if (objective->fitted_scale) solution.scale = target.scale;
  solution.gave_up = model.certificate.verdict == Verdict::stopped_early;
  solution.without_gram = was_wide(model);
  const auto* unbounded = std::get_if<NoFiniteMaximum>(&model.certificate.claim);
  if (unbounded) solution.runaway = unbounded->direction;
  auto checked = certified(claimed_by(*objective, *facts, solution, model.certificate.tolerance, model.schema), kNoGram,
                           rows, pool, clock);
  if (!checked) return std::unexpected(checked.error());
  if (unbounded)
    if (auto done = hold_to(*unbounded,
                            look_for_separation({unbounded->direction, true, linear.intercept}, model.schema, rows,
                                                pool, clock, checked->certificate),
                            checked->certificate);
        !done)
      return std::unexpected(done.error());
  if (auto done = add_strength_of_zero(model, *objective, *facts, rows, pool, clock, solution); !done)
    return std::unexpected(done.error());
  LinearSummary again = summary_of(*objective, *facts, solution, *checked, options_of(model), model.schema, pool);
  if (auto done = add_finite_errors(*objective, model.certificate.tolerance, model.schema, rows, pool, clock,
                                    checked->certificate, again);
      !done)
    return std::unexpected(done.error());
  compare_figures(model, again, checked->certificate);
  return checked->certificate;
}

} // namespace recta
