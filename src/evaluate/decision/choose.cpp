// The threshold of two classes that serves an aim best: all thresholds between distinct scores are compared.
#include "evaluate/decision/choose.hpp"

#include "base/numbers.hpp"

#include <recta/metrics.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace recta::decision {
namespace {

const std::string kAims =
    "precision>=0.9, recall>=0.9, specificity>=0.9, f1, accuracy, balanced_accuracy, kappa or matthews";

// Weights of rows taken and left, by their class.
struct Counts {
  double true_positive, false_positive, false_negative, true_negative;

  double precision() const { return true_positive / (true_positive + false_positive); }
  double recall() const { return true_positive / (true_positive + false_negative); }
  double specificity() const { return true_negative / (true_negative + false_positive); }
  double accuracy() const {
    return (true_positive + true_negative) / (true_positive + false_positive + false_negative + true_negative);
  }
  metric::Confusion table() const {
    return {.classes = 2, .weight = {true_negative, false_positive, false_negative, true_positive}};
  }
};

// What is made large, and what must hold besides.
struct Goal {
  std::function<double(const Counts&)> value;
  std::function<double(const Counts&)> bounded{}; // at least `bound`
  double bound = 0;
};

bool read_number(std::string_view text, double& number) {
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && stop == text.data() + text.size();
}

Result<Goal> bounded_goal(const std::string& aim, const std::string& name, std::string_view text) {
  Goal goal;
  if (!read_number(text, goal.bound) || !(goal.bound > 0 && goal.bound <= 1))
    return fail(ErrorCode::usage, aim, fmt::format("\"{}\" is not a share", text), "give a number above 0 and up to 1");
  if (name == "precision")
    goal.value = &Counts::recall, goal.bounded = &Counts::precision;
  else if (name == "specificity")
    goal.value = &Counts::recall, goal.bounded = &Counts::specificity;
  else if (name == "recall")
    goal.value = &Counts::precision, goal.bounded = &Counts::recall;
  else
    return fail(ErrorCode::usage, aim, fmt::format("\"{}\" is not a score that a threshold can be held to", name),
                "hold it to precision, recall or specificity");
  return goal;
}

Result<Goal> goal_of(const std::string& aim) {
  std::string text = aim;
  std::erase(text, ' ');
  if (const std::size_t sign = text.find(">="); sign != text.npos)
    return bounded_goal(aim, text.substr(0, sign), std::string_view(text).substr(sign + 2));
  double beta = 0;
  if (text.starts_with("f") && read_number(std::string_view(text).substr(1), beta) && beta > 0)
    return Goal{.value = [beta](const Counts& c) {
      const double b = beta * beta;
      return (1 + b) * c.true_positive / ((1 + b) * c.true_positive + b * c.false_negative + c.false_positive);
    }};
  if (text == "accuracy") return Goal{.value = &Counts::accuracy};
  if (text == "balanced_accuracy")
    return Goal{.value = [](const Counts& c) { return (c.recall() + c.specificity()) / 2; }};
  if (text == "kappa") return Goal{.value = [](const Counts& c) { return c.table().kappa(); }};
  if (text == "matthews") return Goal{.value = [](const Counts& c) { return c.table().matthews(); }};
  return fail(ErrorCode::usage, aim, "it is not an aim of a decision", fmt::format("give {}", kAims));
}

struct BestPlace {
  std::ptrdiff_t place = -2; // of the lowest score that is taken; -1: no row is; -2: no threshold serves
  double value = 0;
};

Counts counts_at(const metric::Thresholds& points, std::ptrdiff_t place) {
  const double positive = points.positive.back(), negative = points.negative.back();
  if (place < 0) return {0, 0, positive, negative};
  const auto k = static_cast<std::size_t>(place);
  return {points.positive[k], points.negative[k], positive - points.positive[k], negative - points.negative[k]};
}

// The first of several that serve equally well has the highest threshold.
BestPlace best_of(const metric::Thresholds& points, const Goal& goal) {
  BestPlace out{.value = -kInfinity};
  for (std::ptrdiff_t place = -1; place < std::ssize(points.score); ++place) {
    const Counts counts = counts_at(points, place);
    if (goal.bounded && !(goal.bounded(counts) >= goal.bound)) continue;
    const double value = goal.value(counts);
    if (value > out.value) out = {place, value};
  }
  return out;
}

// Between the lowest score taken and the next one.
double threshold_at(const std::vector<double>& score, std::ptrdiff_t place) {
  if (place < 0) return std::nextafter(score.front(), kInfinity);
  const auto k = static_cast<std::size_t>(place);
  if (k + 1 == score.size()) return score[k];
  const double middle = score[k + 1] + (score[k] - score[k + 1]) / 2;
  return middle > score[k + 1] ? middle : score[k];
}

Decision filled(const metric::Thresholds& points, const BestPlace& best, const std::string& aim, Index rows) {
  const Counts counts = counts_at(points, best.place);
  return {.aim = aim,
          .threshold = threshold_at(points.score, best.place),
          .rows = rows,
          .precision = counts.precision(),
          .recall = counts.recall(),
          .specificity = counts.specificity(),
          .accuracy = counts.accuracy(),
          .value = best.value};
}

Result<metric::Thresholds> points_of(const TwoClassScores& rows) {
  auto points = metric::thresholds({.truth = rows.positive, .score = rows.score.data(), .weights = rows.weights});
  if (!points) return points;
  if (points->positive.back() == 0 || points->negative.back() == 0)
    return fail(ErrorCode::bad_data, "threshold",
                fmt::format("no row is of the {} class", points->positive.back() == 0 ? "positive" : "other"),
                "choose it on rows of both classes");
  return points;
}

} // namespace

Result<Decision> best_threshold(const TwoClassScores& rows, const std::string& aim) {
  const auto goal = goal_of(aim);
  if (!goal) return std::unexpected(goal.error());
  const auto points = points_of(rows);
  if (!points) return std::unexpected(points.error());
  const BestPlace best = best_of(*points, *goal);
  if (best.place > -2) return filled(*points, best, aim, std::ssize(rows.score));
  const BestPlace most = best_of(*points, {.value = goal->bounded});
  return fail(ErrorCode::bad_data, aim,
              fmt::format("the most that a threshold reaches on these rows is {:.4g}", most.value),
              "ask for less, or fit a better model");
}

Result<Decision> cheapest_threshold(const TwoClassScores& rows, const std::array<double, 4>& costs) {
  const auto points = points_of(rows);
  if (!points) return std::unexpected(points.error());
  const auto cost = [&](const Counts& c) {
    const double sum = costs[0] * c.true_negative + costs[1] * c.false_positive + costs[2] * c.false_negative +
                       costs[3] * c.true_positive;
    return sum / (c.true_positive + c.false_positive + c.false_negative + c.true_negative);
  };
  const BestPlace best = best_of(*points, {.value = [&](const Counts& c) { return -cost(c); }});
  Decision out = filled(*points, best, "costs", std::ssize(rows.score));
  out.value = -best.value;
  return out;
}

} // namespace recta::decision

namespace recta {

std::int32_t cheapest_class(std::span<const double> probability, std::span<const double> costs,
                            std::span<const double> factor) {
  const std::size_t classes = probability.size();
  std::size_t best = 0;
  double least = kInfinity;
  for (std::size_t k = 0; k < classes; ++k) {
    double cost = 0;
    for (std::size_t t = 0; t < classes; ++t)
      cost += probability[t] / (factor.empty() ? 1 : factor[t]) * costs[t * classes + k];
    if (cost < least) least = cost, best = k;
  }
  return static_cast<std::int32_t>(best);
}

Result<Decision> choose_threshold(std::span<const double> scores, std::span<const std::int32_t> positive,
                                  std::span<const double> weights, const std::string& aim) {
  return decision::best_threshold({.score = {scores.begin(), scores.end()},
                                   .positive = {positive.begin(), positive.end()},
                                   .weights = {weights.begin(), weights.end()}},
                                  aim);
}

} // namespace recta
