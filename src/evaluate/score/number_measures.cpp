// Scores of predicted numbers.
#include "base/numbers.hpp"
#include "evaluate/score/measure.hpp"

#include <cmath>

namespace recta::score {
namespace {

const char* any_numbers(const JudgedRows&) {
  return nullptr;
}
const char* level_objection(double level) {
  return level >= 0 && level <= 1 ? nullptr : "the level of a quantile is from 0 to 1";
}

metric::Pairs pairs_of(const Given& given) {
  return {given.rows.y, given.rows.prediction, given.weights};
}

template <double (*of)(const metric::NumberErrors&)>
Result<double> from_errors(const Given& given) {
  return number_from(metric::number_errors(pairs_of(given), given.threads), of);
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
double r2(const metric::NumberErrors& errors) {
  return errors.spread == 0 ? kNaN : metric::explained(errors.mse, errors.spread);
}
double variance(const metric::NumberErrors& errors) {
  return errors.spread == 0 ? kNaN : metric::explained(errors.error_spread, errors.spread);
}

Result<double> median(const Given& given) {
  return metric::median_error(pairs_of(given), given.threads);
}
Result<double> pinball(const Given& given) {
  return metric::pinball(pairs_of(given), given.number, given.threads);
}
Result<double> d2_pinball(const Given& given) {
  return metric::d2_pinball(pairs_of(given), given.number, given.threads);
}
Result<double> d2_absolute(const Given& given) {
  return metric::d2_pinball(pairs_of(given), 0.5, given.threads);
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
      {"r2", "share of the variance explained", kNoNumber, true, any_numbers, from_errors<r2>},
      {"explained_variance", "the same without the mean error", kNoNumber, true, any_numbers, from_errors<variance>},
      {"d2_absolute", "share of the absolute error of the median explained", kNoNumber, true, any_numbers, d2_absolute},
      {"pinball_", "loss of the quantile of this level", 0.5, false, any_numbers, pinball, level_objection},
      {"d2_pinball_", "share of that of the best constant explained", 0.5, true, any_numbers, d2_pinball,
       level_objection},
  };
  return all;
}

} // namespace recta::score
