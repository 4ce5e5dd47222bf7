#include "family/threshold_unit/request.hpp"

#include "family/threshold_unit/threshold_unit.hpp"
#include "params/params.hpp"
#include "summary/descent.hpp"

#include <recta/odds.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr double kMostChanges = 1e15;

struct DeltaLoss {
  static double value(double y, double z) {
    const double off = y > 0 ? sigmoid(-z) : sigmoid(z); // |t - h|
    return off * off / 2;
  }
  // -(t - h) h (1 - h)
  static double derivative(double y, double z) {
    const double h = sigmoid(z), rest = sigmoid(-z);
    return y > 0 ? -rest * h * rest : h * h * rest;
  }
};

ModelInfo perceptron() {
  ModelInfo info{
      "perceptron",
      "two classes and a hyperplane that rows on its wrong side pull towards them",
      unit_objective("perceptron", true),
      {{"variant",
        std::string("batch"),
        "rosenblatt: right where 1[<w, x> + b >= 0] = y, y of 0 and 1; batch and criterion: right where y (<w, x> + b) "
        "> 0, "
        "y of -1 and 1; pocket: keeps the point with most rows right; averaged: the mean of all points",
        0,
        0,
        {"rosenblatt", "batch", "criterion", "pocket", "averaged"}},
       {"order",
        std::string("auto"),
        "of the rows: first-mistake takes the lowest wrong one; auto: that for batch, cyclic for rosenblatt, else "
        "shuffled each pass",
        0,
        0,
        {"auto", "cyclic", "shuffled", "random", "first-mistake"}},
       {"rate", 1.0, "eta, what a row is multiplied by", 1e-300, kHuge, {}},
       {"schedule",
        std::string("constant"),
        "eta(t), t the rows presented; 1/t and c/(c+t) are for classes that cannot be separated",
        0,
        0,
        {"constant", "1/t", "c/(c+t)"}},
       {"c", 1000.0, "of the schedule c/(c+t)", 1e-300, kHuge, {}, 0, {"schedule", {"c/(c+t)"}}},
       {"start",
        std::string("zero"),
        "zero, random (uniform on [-1/2, 1/2), by --seed) or numbers: weights, then the intercept",
        0,
        0,
        {}},
       {"steps", kNotGiven, "end after this many changes of the weights", 1, kMostChanges, {}},
       {"passes", 1000.0, "end after this many passes over the rows", 1, kMostChanges, {}}}};
  info.margin_cost = [](double margin) { return std::max(0.0, -margin); };
  return info;
}

ModelInfo delta() {
  ModelInfo info{"delta",
                 "two classes by squared error through the sigmoid: the delta rule, whose cost is not convex",
                 unit_objective("delta", true),
                 {{"solver",
                   std::string("sgd"),
                   "how to descend: a row at a time, or all at once",
                   0,
                   0,
                   {"sgd", "gradient-descent"}}}};
  for (ParamInfo& param : descent_params()) info.params.push_back(std::move(param));
  info.margin_cost = [](double margin) { return DeltaLoss::value(1, margin); };
  return info;
}

Result<Index> whole(const Params& params, const std::string& name) {
  const double value = number(params, name);
  if (std::isnan(value)) return 0;
  if (value == std::floor(value)) return static_cast<Index>(value);
  return fail(ErrorCode::usage, "perceptron, parameter " + name, fmt::format("{} is not a whole number", value),
              "give a whole number from 1 up");
}

} // namespace

std::vector<ModelInfo> threshold_units() {
  std::vector<ModelInfo> all{perceptron(), delta()};
  for (ModelInfo& info : all) info.classes = info.rereads = info.mistakes = true;
  return all;
}

std::string unit_objective(const std::string& word, bool intercept, bool standardised) {
  const std::string variables = intercept ? "w, b" : "w";
  const std::string z =
      std::string(intercept ? "<w, x_i> + b" : "<w, x_i>") + (standardised ? ", learned from (x_i - mean) / sd" : "");
  if (word == "delta")
    return fmt::format("F({}) = sum_i s_i (t_i - sigma(z_i))^2 / 2,  z_i = {},  t_i = 1 for the positive class, else 0",
                       variables, z);
  return fmt::format("J({}) = sum_i s_i max(0, -y_i z_i),  z_i = {},  y_i = 1 for the positive class, else -1",
                     variables, z);
}

DescentLoss delta_loss() {
  return descent_loss(DeltaLoss{}, 0.0771);
}

Result<PerceptronProblem> perceptron_problem(const Request& request) {
  const Params& params = request.params;
  PerceptronProblem problem;
  const std::string variant = word(params, "variant"), rows = word(params, "order");
  problem.variant = variant == "rosenblatt"  ? PerceptronVariant::rosenblatt
                    : variant == "criterion" ? PerceptronVariant::criterion
                    : variant == "pocket"    ? PerceptronVariant::pocket
                    : variant == "averaged"  ? PerceptronVariant::averaged
                                             : PerceptronVariant::batch;
  const bool by_default = rows == "auto";
  problem.intercept = request.options->intercept;
  problem.first_mistake = rows == "first-mistake" || (by_default && variant == "batch");
  DescentSettings& s = problem.settings;
  s.order = rows == "random"                                                                      ? RowOrder::random
            : rows == "shuffled" || (by_default && variant != "batch" && variant != "rosenblatt") ? RowOrder::shuffled
                                                                                                  : RowOrder::cyclic;
  const std::string schedule = word(params, "schedule");
  s.schedule = schedule == "1/t" ? RateKind::inverse : schedule == "c/(c+t)" ? RateKind::decay : RateKind::constant;
  s.rate = number(params, "rate");
  s.c = number(params, "c");
  s.seed = request.options->seed;
  const auto steps = whole(params, "steps"), passes = whole(params, "passes");
  if (!steps) return std::unexpected(steps.error());
  if (!passes) return std::unexpected(passes.error());
  s.steps = *steps;
  s.passes = *passes;
  if (auto read = read_start(word(params, "start"), s); !read) return std::unexpected(read.error());
  return problem;
}

bool bounded(const PerceptronProblem& problem) {
  return problem.settings.start == StartKind::zero && problem.settings.schedule == RateKind::constant;
}

} // namespace recta
