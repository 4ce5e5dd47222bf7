// choose_decision(): how classes are decided for an aim or for costs, from rows that the model has not seen.
#include "base/numbers.hpp"
#include "data/checked_table.hpp"
#include "dispatch/calibrated.hpp"
#include "dispatch/training_rows.hpp"
#include "evaluate/decision/choose.hpp"

#include <recta/decide.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

Result<void> check_not_trained_on(const Model& model, const Dataset& data) {
  if (model.has_label_set())
    return fail(ErrorCode::usage, model.word, "its rows have sets of labels, and a rule of decision is one of classes",
                "every label has a threshold of its own: fit with --label-threshold held-out:0.25, or give them");
  if (!model.classifies())
    return fail(ErrorCode::usage, model.word, "it predicts numbers, and there are no classes to decide",
                "fit a classifier");
  const bool calibrated = is_calibrated(model);
  const Model& inner = calibrated ? model.body->parts()[0] : model;
  const auto here = fingerprint_of(inner, data, {});
  if (!here) return std::unexpected(here.error());
  const bool trained = is_trained_on(inner, data, *here, {});
  std::optional<std::string> signs = trained ? std::nullopt : signs_of_training(inner, data, *here, {});
  if (!signs && calibrated && *here != model.fingerprint && is_proved_by(model, data, *here, {}))
    signs = "these rows prove the calibration, as those that it was learned from do in any order";
  if (signs)
    return fail(ErrorCode::bad_data, data.source, *signs + "; they would flatter every threshold",
                "give other rows, or fit with --holdout: the rows set aside are then found in the file");
  if (!trained && (!calibrated || *here != model.fingerprint)) return {};
  return fail(ErrorCode::bad_data, data.source,
              fmt::format("the model was {} these rows, which would flatter every threshold",
                          trained ? "trained on" : "calibrated by"),
              "give other rows, or fit with --holdout: the rows set aside are then found in the file");
}

Result<decision::TwoClassScores> two_class_scores(const Model& model, const Dataset& data, int threads) {
  auto judged = judge(model, data, threads);
  if (!judged) return std::unexpected(judged.error());
  JudgedRows& rows = judged->at(0);
  decision::TwoClassScores out{.weights = rows.weights};
  const auto width = rows.score.size() / at(rows.rows);
  for (std::size_t i = 0; i < at(rows.rows); ++i) {
    const double* const z = rows.score.data() + i * width;
    out.score.push_back(width == 1 ? z[0] : z[rows.positive] - z[1 - rows.positive]);
    out.positive.push_back(rows.truth[i] == rows.positive);
  }
  return out;
}

// The mean cost of the classes that decide() takes by these costs.
Result<Decision> expected_costs(const Model& model, const Dataset& data, const Costs& costs, int threads) {
  if (!model.has_probabilities())
    return fail(ErrorCode::usage, model.word, "it has no probabilities to weigh costs of more than two classes by",
                "calibrate it first (recta calibrate)");
  const auto judged = judge(model, data, threads);
  if (!judged) return std::unexpected(judged.error());
  const JudgedRows& rows = judged->at(0);
  const std::size_t classes = rows.labels.size();
  double sum = 0, right = 0, weights = 0;
  for (std::size_t i = 0; i < rows.truth.size(); ++i) {
    const std::int32_t predicted =
        cheapest_class({rows.probability.data() + i * classes, classes}, costs.each, model.schema.classes.factor);
    const double weight = rows.weights.empty() ? 1 : rows.weights[i];
    sum += weight * costs.each[at(rows.truth[i]) * classes + at(predicted)];
    right += rows.truth[i] == predicted ? weight : 0;
    weights += weight;
  }
  Decision out{.aim = "costs", .costs = costs.each, .rows = rows.rows};
  out.value = sum / weights, out.accuracy = right / weights;
  return out;
}

} // namespace

Result<Decision> choose_decision(const Model& model, const Dataset& data, const std::string& aim, int threads) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Decision> {
    if (auto good = check_not_trained_on(model, data); !good) return std::unexpected(good.error());
    if (model.schema.classes.count() > 2)
      return fail(ErrorCode::usage, aim,
                  fmt::format("there are {} classes, and a threshold divides two", model.schema.classes.count()),
                  "fit one class against the rest (--positive LABEL), or decide by costs");
    const auto rows = two_class_scores(model, data, threads);
    if (!rows) return std::unexpected(rows.error());
    return decision::best_threshold(*rows, aim);
  });
}

Result<Decision> choose_decision(const Model& model, const Dataset& data, const Costs& costs, int threads) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Decision> {
    if (auto good = check_not_trained_on(model, data); !good) return std::unexpected(good.error());
    const Index classes = model.schema.classes.count(), positive = model.schema.classes.positive;
    if (std::ssize(costs.each) != classes * classes)
      return fail(ErrorCode::usage, "costs",
                  fmt::format("there are {} of them, and {} classes", costs.each.size(), classes),
                  "give a row per true class and a column per predicted class");
    if (classes > 2) return expected_costs(model, data, costs, threads);
    const auto rows = two_class_scores(model, data, threads);
    if (!rows) return std::unexpected(rows.error());
    const auto cost = [&](Index truth, Index predicted) { return costs.each[at(truth * 2 + predicted)]; };
    const Index other = 1 - positive;
    auto out = decision::cheapest_threshold(
        *rows, {cost(other, other), cost(other, positive), cost(positive, other), cost(positive, positive)});
    if (out) out->costs = costs.each;
    return out;
  });
}

} // namespace recta
