// The training curve of a perceptron or of a delta rule.
#include "classes/against_rest.hpp"
#include "family/threshold_unit/learn.hpp"
#include "family/threshold_unit/request.hpp"
#include "family/threshold_unit/taught_rows.hpp"
#include "family/threshold_unit/threshold_unit.hpp"
#include "feature/classes.hpp"
#include "feature/schema.hpp"
#include "stats/pass.hpp"

namespace recta {

Result<TrainingCurve> curve_of(const Request& request, const Schema& schema, const Rows& rows, Index every,
                               const Clock& clock) {
  if (every < 0) return fail(ErrorCode::usage, "trace", "every must be at least 1", "1 records every step");
  if (auto good = check_unit(request, schema, rows); !good) return std::unexpected(good.error());
  Pool pool(request.options->threads);
  const auto taught = TaughtRows::make(schema, rows, request.options->standardise, pool, clock.watch());
  if (!taught) return std::unexpected(taught.error());
  const TwoClasses* const two = &(*taught)->for_learner();
  const auto recorded = every > 0 ? Result<Recorded>({every, false}) : evenly_recorded(request, *two, pool, clock);
  if (!recorded) return std::unexpected(recorded.error());
  auto learned = learn(request, *two, *recorded, pool, clock);
  if (!learned) return std::unexpected(learned.error());
  TrainingCurve out;
  for (const TraceStep& step : learned->trace) {
    const auto score = score_of(*two, {step.weights, step.intercept}, pool);
    if (!score) return std::unexpected(score.error());
    out.correct.push_back(score->right_rows);
    out.rows = score->rows;
  }
  for (const CurvePoint& point : learned->curve) out.row.push_back(point.row);
  out.row.resize(out.correct.size());
  const auto last = score_of(*two, learned->point, pool);
  if (!last) return std::unexpected(last.error());
  out.trace =
      Trace{.word = request.info->word,
            .solver = learned->solver,
            .objective = unit_objective(request.info->word, request.options->intercept, request.options->standardise),
            .target = schema.targets.at(0),
            .label = feature::label_against_rest(schema.classes),
            .features = feature::feature_names(schema),
            .intercept = request.options->intercept,
            .standardised = request.options->standardise,
            .rate = learned->rate,
            .safe_rate = learned->safe_rate,
            .stop = learned->stop.text(),
            .diverged = learned->diverged,
            .steps = std::move(learned->trace),
            .weights = learned->point.w,
            .answer_intercept = learned->point.b,
            .cost = last->criterion};
  if (request.info->word == "delta" && !out.trace.steps.empty()) {
    auto at = std::make_shared<LossPoint>();
    *at = {delta_loss().of_rows, learned->point.w, learned->point.b, 0};
    const auto sums = fresh_pass(*two->rows, LossGradient(at), pool, {}, {"certifying", 0});
    if (!sums) return std::unexpected(sums.error());
    out.trace.cost = sums->loss / sums->weight;
  }
  return out;
}

Result<std::vector<TrainingCurve>> curves_of(const Request& request, const Schema& schema, const Rows& rows,
                                             Index every, const Clock& clock) {
  if (auto good = check_unit(request, schema, rows); !good)
    return std::unexpected(good.error()); // before rows are held
  return answers_of_classes(schema, rows, [&](const Schema& two, const Rows& two_rows) {
    return curve_of(request, two, two_rows, every, clock);
  });
}

} // namespace recta
