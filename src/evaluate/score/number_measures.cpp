// Scores of predicted numbers.
#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/score/measure.hpp"
#include "loss/loss.hpp"
#include "loss/row_loss.hpp"

#include <algorithm>
#include <cmath>

namespace recta::score {
namespace {

const char* any_numbers(const JudgedRows&) {
  return nullptr;
}
const char* level_objection(double level) {
  return level >= 0 && level <= 1 ? nullptr : "the level of a quantile is from 0 to 1";
}

metric::Pairs pairs_of(const MeasureInput& input) {
  return {input.rows.y, input.rows.prediction, input.weights};
}

template <double (*of)(const metric::NumberErrors&)>
Result<double> from_errors(const MeasureInput& input) {
  return number_from(metric::number_errors(pairs_of(input), input.threads), of);
}
double mse(const metric::NumberErrors& errors) {
  return errors.mse;
}
double rmse(const metric::NumberErrors& errors) {
  return std::sqrt(errors.mse);
}
double mae(const metric::NumberErrors& errors) {
  return errors.mae;
}
double mape(const metric::NumberErrors& errors) {
  return errors.mape;
}
double largest(const metric::NumberErrors& errors) {
  return errors.largest;
}
double r2_of(const metric::NumberErrors& errors) {
  return errors.spread == 0 ? kNaN : metric::explained(errors.mse, errors.spread);
}
// An offset is no merit of the model; where the mean is exp(z) there is no target less the offset.
Result<double> r2(const MeasureInput& input) {
  const JudgedRows& rows = input.rows;
  if (rows.offset.empty()) return from_errors<r2_of>(input);
  if (!rows.deviance.empty()) return kNaN;
  std::vector<double> y = rows.y, prediction = rows.prediction;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] -= rows.offset[i], prediction[i] -= rows.offset[i];
  return number_from(metric::number_errors({y, prediction, input.weights}, input.threads), r2_of);
}

const char* loss_objection(const JudgedRows& rows) {
  return rows.loss.empty() && !rows.y.empty() ? "the model's loss does not take all targets of these rows" : nullptr;
}
const char* deviance_objection(const JudgedRows& rows) {
  return rows.deviance.empty() ? "only poisson and gamma have a deviance" : nullptr;
}

double mean_of(const MeasureInput& input, auto&& value) {
  CompensatedSum sum, weights;
  for (std::size_t i = 0; i < input.rows.y.size(); ++i) {
    const double weight = input.weights.empty() ? 1 : input.weights[i];
    sum.add_product(weight, value(i));
    weights.add(weight);
  }
  return sum.value() / weights.value();
}

Result<double> own_loss(const MeasureInput& input) {
  return mean_of(input, [&](std::size_t i) { return input.rows.loss[i]; });
}

// Twice the mean of the loss: of the model, or of the mean of y in its place.
template <bool of_mean>
double deviance_of(const MeasureInput& input) {
  const JudgedRows& rows = input.rows;
  if (!std::ranges::all_of(rows.y, [&](double y) { return loss::takes(rows.deviance, y); })) return kNaN;
  const auto row_loss = loss::row_loss(rows.deviance, 0);
  const double mean = of_mean ? std::log(mean_of(input, [&](std::size_t i) { return rows.y[i]; })) : 0;
  return 2 * mean_of(input, [&](std::size_t i) {
           const double v = 1, y = rows.y[i], z = of_mean ? mean : std::log(rows.prediction[i]);
           return row_loss->total({1, &y, &z, &v});
         });
}
Result<double> deviance(const MeasureInput& input) {
  return deviance_of<false>(input);
}
Result<double> d2(const MeasureInput& input) {
  const double none = deviance_of<true>(input);
  return none > 0 ? metric::explained(deviance_of<false>(input), none) : kNaN;
}
double variance(const metric::NumberErrors& errors) {
  return errors.spread == 0 ? kNaN : metric::explained(errors.error_spread, errors.spread);
}

Result<double> median(const MeasureInput& input) {
  return metric::median_error(pairs_of(input), input.threads);
}
Result<double> pinball(const MeasureInput& input) {
  return metric::pinball(pairs_of(input), input.number, input.threads);
}
Result<double> d2_pinball(const MeasureInput& input) {
  return metric::d2_pinball(pairs_of(input), input.number, input.threads);
}
Result<double> d2_absolute(const MeasureInput& input) {
  return metric::d2_pinball(pairs_of(input), 0.5, input.threads);
}

} // namespace

const std::vector<Measure>& number_measures() {
  static const std::vector<Measure> all = {
      {"mse", "mean squared error", kNoNumber, false, any_numbers, from_errors<mse>},
      {"rmse", "its root", kNoNumber, false, any_numbers, from_errors<rmse>},
      {"mae", "mean absolute error", kNoNumber, false, any_numbers, from_errors<mae>},
      {"median_error", "median absolute error", kNoNumber, false, any_numbers, median},
      {"largest_error", "largest absolute error", kNoNumber, false, any_numbers, from_errors<largest>},
      {"mape", "mean of |error / truth|", kNoNumber, false, any_numbers, from_errors<mape>},
      {"r2", "share of the variance explained", kNoNumber, true, any_numbers, r2},
      {"explained_variance", "the same without the mean error", kNoNumber, true, any_numbers, from_errors<variance>},
      {"d2_absolute", "share of the absolute error of the median explained", kNoNumber, true, any_numbers, d2_absolute},
      {"pinball_", "loss of the quantile of this level", 0.5, false, any_numbers, pinball, level_objection},
      {"d2_pinball_", "share of that of the best constant explained", 0.5, true, any_numbers, d2_pinball,
       level_objection},
      {"loss", "mean of the model's own loss; squared if it has none", kNoNumber, false, loss_objection, own_loss},
      {"deviance", "mean deviance, of poisson and gamma", kNoNumber, false, deviance_objection, deviance},
      {"d2", "share of the deviance explained", kNoNumber, true, deviance_objection, d2},
  };
  return all;
}

} // namespace recta::score
