#include "dispatch/perceptron.hpp"

#include "certificate/pass.hpp"
#include "dispatch/descent.hpp"
#include "dispatch/params.hpp"
#include "dispatch/plain_fit.hpp"
#include "dispatch/taught_rows.hpp"
#include "dispatch/unit_claim.hpp"
#include "dispatch/unit_columns.hpp"
#include "dispatch/unit_order.hpp"
#include "feature/schema.hpp"
#include "solver/gradient_descent/descend.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace recta {
namespace {

const double kNone = std::numeric_limits<double>::quiet_NaN();

std::string number_text(double x) {
  return fmt::format("{:.6g}", x);
}

Result<void> check_asked(const Order& order, const Schema& schema, const Rows& rows) {
  const std::string& word = order.info->word;
  if (!schema.offset.empty()) return fail(ErrorCode::usage, word, "a hyperplane has no offsets", "leave out offset");
  if (order.options->standardise && !order.options->intercept)
    return fail(ErrorCode::usage, word, "standardised columns are about their means, which asks for an intercept",
                "leave out standardise or no-intercept");
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name, "it reads the rows several times, and this can be read once",
                "save it to a file first");
  return {};
}

// Every how many changes are put on record, 0: none; the end is that of a fit, or where none is given an early one.
struct Recorded {
  Index every = 0;
  bool as_fitted = true;
};

Result<Learned> learn_hyperplane(const Order& order, const TwoClasses& two, Index record, Pool& pool,
                                 const Clock& clock) {
  auto problem = perceptron_order(order);
  if (!problem) return std::unexpected(problem.error());
  problem->record = record;
  problem->threads = pool.threads();
  const Index p = two.rows->cols(), given = std::ssize(problem->settings.given);
  if (problem->settings.start == StartKind::given && given != p && given != p + (problem->intercept ? 1 : 0))
    return fail(ErrorCode::usage, "start", fmt::format("it has {} numbers, the model {} weights", given, p),
                "give one number a weight, then the intercept or nothing");
  auto outcome = learn_perceptron(*problem, *two.rows, two.sign, clock.watch());
  if (!outcome) return std::unexpected(outcome.error());
  Learned out{.point = std::move(outcome->point), .solver = word(order.params, "variant")};
  const std::string schedule = word(order.params, "schedule");
  out.reason = fmt::format("{}, {} rate {}",
                           problem->first_mistake                          ? "the lowest wrong row is next"
                           : problem->settings.order == RowOrder::cyclic   ? "rows in their order"
                           : problem->settings.order == RowOrder::shuffled ? "rows shuffled each pass"
                                                                           : "rows drawn at random",
                           schedule, number_text(problem->settings.rate));
  std::string said = fmt::format("{} in {} presented",
                                 outcome->mistakes == 1 ? "1 mistake" : fmt::format("{} mistakes", outcome->mistakes),
                                 outcome->presented == 1 ? "1 row" : fmt::format("{} rows", outcome->presented));
  out.counts.mistakes = static_cast<double>(outcome->mistakes);
  out.counts.presented = static_cast<double>(outcome->presented);
  out.stop = outcome->interrupted ? clock.stop_reason() : outcome->stop;
  out.interrupted = outcome->interrupted;
  out.steps = outcome->mistakes;
  out.diverged = outcome->diverged;
  out.clean = outcome->clean;
  out.passes = (outcome->presented + *two.rows->rows() - 1) / std::max<Index>(*two.rows->rows(), 1);
  out.trace = std::move(outcome->trace);
  out.curve = std::move(outcome->curve);
  out.rate = problem->settings.rate;
  if (outcome->clean && bounded(*problem) && affordable(two)) {
    const auto bound = mistake_bound(two, problem->intercept, pool, clock.watch());
    if (!bound) return std::unexpected(bound.error());
    if (bound->mistakes > 0) {
      out.counts.radius = bound->radius;
      out.counts.norm = bound->norm;
      out.counts.mistake_bound = bound->mistakes;
      said += fmt::format(", of at most {} = (R B)^2 mistakes with R = {} and B = {}{}", bound->mistakes,
                          number_text(bound->radius), number_text(bound->norm),
                          order.options->standardise ? " of the standardised rows" : "");
    }
  }
  out.conditions.push_back(std::move(said));
  if (problem->variant == PerceptronVariant::averaged)
    out.conditions.emplace_back("the answer is the mean of all points, which may err where the last one does not");
  return out;
}

Result<Learned> learn_delta(const Order& order, const TwoClasses& two, const Recorded& recorded, Pool& pool,
                            const Clock& clock) {
  const Index record = recorded.every;
  const auto settings = descent_settings(order, true, record > 0 && !recorded.as_fitted);
  if (!settings) return std::unexpected(settings.error());
  DescentProblem problem{
      .loss = delta_loss(), .intercept = order.options->intercept, .settings = *settings, .record = record};
  const Index p = two.rows->cols(), given = std::ssize(settings->given);
  if (settings->start == StartKind::given && given != p && given != p + (problem.intercept ? 1 : 0))
    return fail(ErrorCode::usage, "start", fmt::format("it has {} numbers, the model {} weights", given, p),
                "give one number a weight, then the intercept or nothing");
  Learned out{.solver = word(order.params, "solver")};
  const Watch watch = clock.watch();
  auto curvature = measure_curvature(*two.rows, nullptr, {}, problem.intercept, pool, watch, out.passes);
  if (!curvature) return std::unexpected(curvature.error());
  problem.curvature = *curvature;
  auto outcome = descend(problem, *two.rows, two.rows.get(), pool, watch);
  if (!outcome) return std::unexpected(outcome.error());
  out.point = std::move(outcome->point);
  out.reason = fmt::format("{} steps", outcome->steps);
  out.stop = outcome->interrupted ? clock.stop_reason() : outcome->stop;
  out.interrupted = outcome->interrupted;
  out.diverged = outcome->diverged;
  out.passes += outcome->passes;
  out.steps = outcome->steps;
  out.trace = std::move(outcome->trace);
  out.rate = outcome->rate;
  out.safe_rate = outcome->safe_rate;
  return out;
}

LinearSummary summary_of(const Order& order, const Schema& schema, const Learned& found, const Score& score,
                         const ColumnSums* sums, const ColumnUnits& units) {
  LinearSummary out;
  out.solver = found.solver;
  out.reason = found.reason;
  out.rows = score.rows;
  out.weight_sum = score.weight;
  out.degrees_of_freedom = out.condition = kNone;
  out.intercept = order.options->intercept;
  out.standardised = order.options->standardise;
  out.weights_are = order.options->weights_are;
  out.confidence = order.options->confidence;
  if (sums) add_columns(*sums, out);
  if (!sums) out.means = units.mean, out.deviations = units.deviation;
  for (const double w : found.point.w) out.rank += w != 0 ? 1 : 0;
  out.targets.push_back(
      plain_fit(schema.targets.at(0), feature::feature_names(schema), found.point.w, found.point.b, out));
  out.classes = found.counts;
  out.classes.accuracy = score.right / score.weight;
  return out;
}

Result<Learned> learn(const Order& order, const TwoClasses& two, const Recorded& recorded, Pool& pool,
                      const Clock& clock) {
  return order.info->word == "delta" ? learn_delta(order, two, recorded, pool, clock)
                                     : learn_hyperplane(order, two, recorded.every, pool, clock);
}

// The steps of a fit, some hundreds of them: it is made once to count them.
Result<Recorded> evenly_recorded(const Order& order, const TwoClasses& two, Pool& pool, const Clock& clock) {
  constexpr Index kSteps = 400;
  const auto found = learn(order, two, {}, pool, clock);
  if (!found) return std::unexpected(found.error());
  return Recorded{1 + found->steps / kSteps, true};
}

// A hyperplane is judged among the rows as they are, the gradient of a delta rule in the units in which it descends.
Result<Certificate> judged(const std::string& word, Learned found, const Score& score, const TaughtRows& taught,
                           bool intercept, double tolerance, Pool& pool, const Clock& clock) {
  const bool delta = word == "delta";
  if (delta) found.point = taught.from_data(std::move(found.point));
  return judge_unit(word, found, score, delta ? taught.seen() : taught.rows(), intercept, tolerance, pool, clock);
}

} // namespace

Result<Model> fit_threshold_unit(const Order& order, Schema schema, const Rows& rows, const Clock& clock) {
  if (auto good = check_asked(order, schema, rows); !good) return std::unexpected(good.error());
  Pool pool(order.options->threads);
  const auto seen = rows.sparse ? first_pass(rows, schema, {}, pool, clock.watch())
                                : first_pass_with_sums(rows, schema, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  const auto taught = TaughtRows::make(schema, rows, order.options->standardise, pool, clock.watch());
  if (!taught) return std::unexpected(taught.error());
  auto found = learn(order, (*taught)->seen(), {}, pool, clock);
  if (!found) return std::unexpected(found.error());
  if (!found->point.finite() || found->diverged)
    return fail(ErrorCode::bad_data, rows.name, "the weights grow beyond all bounds",
                "choose a smaller rate, or standardise the columns");
  (*taught)->to_data(found->point);
  const TwoClasses* const two = &(*taught)->rows();
  const Score score = score_of(*two, found->point, pool);
  auto certificate = judged(order.info->word, *found, score, **taught, order.options->intercept,
                            order.options->tolerance, pool, clock);
  if (!certificate) return std::unexpected(certificate.error());
  Model model;
  model.word = order.info->word;
  model.params = order.params;
  model.objective = unit_objective(model.word, order.options->intercept, order.options->standardise);
  model.fingerprint = seen->fingerprint.fingerprint();
  model.certificate = *std::move(certificate);
  model.certificate.conditions.insert(model.certificate.conditions.begin(), order.notes.begin(), order.notes.end());
  model.linear =
      summary_of(order, schema, *found, score, seen->sums.get(), seen->sums ? ColumnUnits{} : column_units(*two, pool));
  model.schema = std::move(schema);
  return model;
}

Result<Certificate> verify_threshold_unit(const Model& model, const Rows& rows, const Clock& clock) {
  Pool pool;
  if (const auto seen = recognise(model, rows, {}, pool, clock); !seen) return std::unexpected(seen.error());
  const auto taught = TaughtRows::make(model.schema, rows, model.linear.standardised, pool, clock.watch());
  if (!taught) return std::unexpected(taught.error());
  const TargetFit& target = model.linear.targets.at(0);
  Learned found{.stop = model.certificate.stop};
  for (const Coefficient& coefficient : target.coefficients) found.point.w.push_back(coefficient.value);
  found.point.b = target.intercept.value;
  found.clean = found.stop == "a pass without a mistake";
  const Score score = score_of((*taught)->rows(), found.point, pool);
  return judged(model.word, std::move(found), score, **taught, model.linear.intercept, model.certificate.tolerance,
                pool, clock);
}

Result<TrainingCurve> curve_of(const Order& order, const Schema& schema, const Rows& rows, Index every,
                               const Clock& clock) {
  if (every < 0) return fail(ErrorCode::usage, "trace", "every must be at least 1", "1 records every step");
  if (auto good = check_asked(order, schema, rows); !good) return std::unexpected(good.error());
  Pool pool(order.options->threads);
  const auto taught = TaughtRows::make(schema, rows, order.options->standardise, pool, clock.watch());
  if (!taught) return std::unexpected(taught.error());
  const TwoClasses* const two = &(*taught)->seen();
  const auto recorded = every > 0 ? Result<Recorded>({every, false}) : evenly_recorded(order, *two, pool, clock);
  if (!recorded) return std::unexpected(recorded.error());
  auto found = learn(order, *two, *recorded, pool, clock);
  if (!found) return std::unexpected(found.error());
  TrainingCurve out;
  for (const TraceStep& step : found->trace) {
    const Score score = score_of(*two, {step.weights, step.intercept}, pool);
    out.correct.push_back(score.right_rows);
    out.rows = score.rows;
  }
  for (const CurvePoint& point : found->curve) out.row.push_back(point.row);
  out.row.resize(out.correct.size());
  const Score last = score_of(*two, found->point, pool);
  out.trace = Trace{.word = order.info->word,
                    .solver = found->solver,
                    .objective = unit_objective(order.info->word, order.options->intercept, order.options->standardise),
                    .target = schema.targets.at(0),
                    .features = feature::feature_names(schema),
                    .intercept = order.options->intercept,
                    .standardised = order.options->standardise,
                    .rate = found->rate,
                    .safe_rate = found->safe_rate,
                    .stop = found->stop,
                    .diverged = found->diverged,
                    .steps = std::move(found->trace),
                    .weights = found->point.w,
                    .answer_intercept = found->point.b,
                    .cost = last.criterion};
  if (order.info->word == "delta" && !out.trace.steps.empty()) {
    auto at = std::make_shared<LossPoint>();
    *at = {delta_loss().of_rows, found->point.w, found->point.b, 0};
    const auto sums = fresh_pass(*two->rows, LossGradient(at), pool, {}, {"certifying", 0});
    if (!sums) return std::unexpected(sums.error());
    out.trace.cost = sums->loss / sums->weight;
  }
  return out;
}

} // namespace recta
