#include "select/criteria.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace recta {
namespace select {

Result<void> check_no_closed_form(const std::string& word, const PathOptions& how) {
  if (how.summed)
    return fail(ErrorCode::usage, word, "the strength of this path is beside the mean loss",
                "divide it by the sum of the weights");
  if (how.leave_one_out)
    return fail(ErrorCode::usage, word, "leaving one row out is exact and fast for ridge and kernel ridge only",
                "ask for folds");
  return {};
}

std::vector<double> lambda_grid(double largest, double ratio, Index count) {
  std::vector<double> grid;
  for (Index k = 0; k < count; ++k)
    grid.push_back(count == 1 ? largest
                              : largest * std::pow(ratio, static_cast<double>(k) / static_cast<double>(count - 1)));
  return grid;
}

void add_cross_validation(PathPoint& point, const std::vector<double>& fold_weight) {
  double total = 0, mean = 0, spread = 0;
  for (std::size_t k = 0; k < fold_weight.size(); ++k) {
    total += fold_weight[k];
    mean += fold_weight[k] * point.fold_error[k];
  }
  point.cv_error = mean / total;
  const auto folds = static_cast<double>(fold_weight.size());
  double largest = 0; // errors are squares already: theirs may be no doubles
  for (const double mse : point.fold_error) largest = std::max(largest, std::abs(mse - point.cv_error));
  const double unit = largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, std::ilogb(largest)) : 1;
  for (const double mse : point.fold_error) {
    const double off = (mse - point.cv_error) / unit;
    spread += off * off;
  }
  point.cv_standard_error =
      folds > 1 ? unit * std::sqrt(spread / (folds - 1) / folds) : std::numeric_limits<double>::quiet_NaN();
}

void forget_folds(PathPoint& point) {
  point.fold_error.clear();
  point.cv_error = point.cv_standard_error = std::numeric_limits<double>::quiet_NaN();
}

void add_criteria(PathPoint& point, Index rows, bool intercept, double sigma2) {
  const auto n = static_cast<double>(rows);
  const double d = point.degrees_of_freedom + (intercept ? 1 : 0);
  point.aic = n * std::log(point.mse) + 2 * d;
  point.bic = n * std::log(point.mse) + d * std::log(n);
  point.gcv = d < n ? point.mse / ((1 - d / n) * (1 - d / n)) : std::numeric_limits<double>::infinity();
  point.cp = n * point.mse / sigma2 + 2 * d - n;
}

} // namespace select

namespace {

struct Criterion {
  std::string word;
  double PathPoint::* value;
  std::string cure;
};

const std::vector<Criterion>& criteria() {
  static const std::string cv = "ask for a number of folds";
  static const std::vector<Criterion> all{{"cv", &PathPoint::cv_error, cv},
                                          {"1se", &PathPoint::cv_error, cv},
                                          {"loo", &PathPoint::loo_mse, "ask for it with ridge"},
                                          {"gcv", &PathPoint::gcv, ""},
                                          {"aic", &PathPoint::aic, ""},
                                          {"bic", &PathPoint::bic, ""},
                                          {"cp", &PathPoint::cp, "it needs more rows than features"}};
  return all;
}

} // namespace

const std::vector<std::string>& path_criteria() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> out;
    for (const Criterion& each : criteria()) out.push_back(each.word);
    return out;
  }();
  return words;
}

std::string PathStop::sentence() const {
  const std::string by = reason.reason() == Stop::time_limit ? "by the time limit" : "when it was interrupted";
  if (stage == Stage::folds) return fmt::format("stopped {} before all folds were fitted", by);
  if (stage == Stage::rows_left_out) return fmt::format("stopped {} before every row had been left out", by);
  return fmt::format("stopped {} at lambda = {}, before its {} points were whole", by, lambda, points);
}

Result<Index> Path::choose(const std::string& criterion) const {
  const auto chosen = std::ranges::find(criteria(), criterion, &Criterion::word);
  if (chosen == criteria().end())
    return fail(ErrorCode::usage, criterion, "there is no such way to choose a point of a path",
                fmt::format("one of {}", fmt::join(path_criteria(), ", ")));
  if (stopped && stopped->stage == PathStop::Stage::points)
    return fail(ErrorCode::interrupted, criterion, stopped->sentence() + ": the best may be among those missing",
                "allow more time, or ask for fewer lambdas");
  Index best = -1;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const double value = points[k].*chosen->value;
    if (std::isnan(value)) continue;
    if (best < 0 || value < points[static_cast<std::size_t>(best)].*chosen->value) best = static_cast<Index>(k);
  }
  if (best < 0 && stopped)
    return fail(ErrorCode::interrupted, criterion, stopped->sentence(), "allow more time, or ask for fewer of them");
  if (best < 0) return fail(ErrorCode::usage, criterion, "the path was made without it", chosen->cure);
  if (criterion != "1se") return best;
  const PathPoint& least = points[static_cast<std::size_t>(best)];
  for (Index k = 0; k < best; ++k)
    if (points[static_cast<std::size_t>(k)].cv_error <= least.cv_error + least.cv_standard_error) return k;
  return best;
}

} // namespace recta
