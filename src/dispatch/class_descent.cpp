#include "dispatch/class_descent.hpp"

#include "base/random.hpp"
#include "certificate/loss/facts.hpp"
#include "certificate/pass.hpp"
#include "dispatch/descent.hpp"
#include "dispatch/loss_order.hpp"
#include "dispatch/params.hpp"
#include "feature/schema.hpp"
#include "solver/gradient_descent/descent_loss.hpp"
#include "stats/softmax/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kFitSteps = 10'000, kTraceSteps = 20;

struct Look {
  double cost = 0;
  std::vector<double> gradient = {};
};

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double each : x) sum += each * each;
  return std::sqrt(sum);
}

class Cost {
public:
  Cost(const LossObjective& objective, const Schema& schema, const Rows& rows, Pool& pool, const Watch& watch)
      : objective_(objective), rows_(rows), pool_(pool), watch_(watch), p_(rows.source.cols()),
        classes_(objective.loss == "softmax" ? schema.classes.count() : 1) {}

  Index size() const { return classes_ * (p_ + 1); }
  Index place(Index k, Index j) const { return k * (p_ + 1) + (softmax() ? 1 : 0) + j; } // of a weight
  Index constant(Index k) const { return softmax() ? k * (p_ + 1) : p_; }
  bool softmax() const { return objective_.loss == "softmax"; }
  Index passes() const { return passes_; }

  // A bound on the curvature: that of the loss times the trace of the columns' mean squares.
  Result<double> curvature(const Schema& schema) {
    const auto facts = loss_facts(rows_.source, pool_, watch_, places_of(schema, rows_.name));
    if (!facts) return std::unexpected(facts.error());
    double trace = objective_.intercept ? 1 : 0;
    for (Index j = 0; j < p_; ++j) trace += (facts->sums.squares[j] / facts->sums.weight).hi;
    weight_ = facts->weight();
    ++passes_;
    return (softmax() ? 0.5 : 0.25) * trace + objective_.lambda2;
  }
  double weight() const { return weight_; }

  Result<Look> look(const std::vector<double>& at) {
    Look out;
    out.gradient.resize(at.size());
    if (auto done = softmax() ? by_softmax(at, out) : by_logistic(at, out); !done) return std::unexpected(done.error());
    ++passes_;
    for (Index k = 0; k < classes_; ++k) {
      if (!objective_.intercept) out.gradient[constant(k)] = 0;
      for (Index j = 0; j < p_; ++j) {
        const double w = at[place(k, j)];
        out.cost += objective_.lambda2 / 2 * w * w;
        out.gradient[place(k, j)] += objective_.lambda2 * w;
      }
    }
    return out;
  }

private:
  Result<void> by_softmax(const std::vector<double>& at, Look& out) {
    auto point = std::make_shared<SoftmaxPoint>();
    point->classes = classes_;
    for (Index k = 0; k < classes_; ++k) {
      point->b.push_back(at[constant(k)]);
      for (Index j = 0; j < p_; ++j) point->w.push_back(at[place(k, j)]);
    }
    const auto sums = fresh_pass(rows_.source, SoftmaxSums(point), pool_, watch_, {"descending", passes_});
    if (!sums) return std::unexpected(sums.error());
    out.cost = sums->loss / sums->weight;
    for (Index k = 0; k < classes_; ++k) {
      out.gradient[constant(k)] = sums->slope[k] / sums->weight;
      for (Index j = 0; j < p_; ++j) out.gradient[place(k, j)] = sums->gradient[k * p_ + j] / sums->weight;
    }
    return {};
  }
  Result<void> by_logistic(const std::vector<double>& at, Look& out) {
    const auto loss = descent_loss("logistic");
    if (!loss) return std::unexpected(loss.error());
    auto point = std::make_shared<LossPoint>();
    point->loss = loss->of_rows;
    point->w.assign(at.begin(), at.begin() + p_);
    point->b = at[constant(0)];
    const auto sums = fresh_pass(rows_.source, LossGradient(point), pool_, watch_, {"descending", passes_});
    if (!sums) return std::unexpected(sums.error());
    out.cost = sums->loss / sums->weight;
    for (Index j = 0; j < p_; ++j) out.gradient[j] = sums->gradient[j] / sums->weight;
    out.gradient[constant(0)] = sums->slope / sums->weight;
    return {};
  }

  const LossObjective& objective_;
  const Rows& rows_;
  Pool& pool_;
  const Watch& watch_;
  Index p_, classes_, passes_ = 0;
  double weight_ = 1;
};

double given_or(const Order& order, const char* name, double otherwise) {
  const double value = number(order.params, name);
  return std::isnan(value) ? otherwise : value;
}

Result<void> check_objective(const LossObjective& objective) {
  if (objective.lambda1 == 0 && !objective.standardise) return {};
  return fail(ErrorCode::usage, objective.loss, "gradient descent is on smooth costs of the columns as they are",
              "leave out lambda1 and standardise, or choose the solver newton");
}

// Zero, random or as given: in the order of the point.
Result<std::vector<double>> start_of(const Order& order, const Cost& cost) {
  DescentSettings settings;
  if (auto read = read_start(word(order.params, "start"), settings); !read) return std::unexpected(read.error());
  std::vector<double> at(static_cast<std::size_t>(cost.size()));
  if (settings.start == StartKind::random) {
    Random random(order.options->seed);
    for (double& each : at) each = random.uniform() - 0.5;
  }
  if (settings.start != StartKind::given) return at;
  if (!cost.softmax() && settings.given.size() + 1 == at.size()) settings.given.push_back(0);
  if (settings.given.size() == at.size()) return settings.given;
  return fail(ErrorCode::usage, "start",
              fmt::format("it has {} numbers, and the model {}", settings.given.size(), at.size()),
              cost.softmax() ? "give the intercept and the weights of the first class, then of the second, and so on"
                             : "give one number a weight, then the intercept or nothing");
}

} // namespace

std::vector<ParamInfo> class_descent_params() {
  std::vector<ParamInfo> params{{"solver",
                                 std::string("auto"),
                                 "auto: Newton's method, proved; gradient-descent: all rows a step, as it is taught",
                                 0,
                                 0,
                                 {"auto", "newton", "gradient-descent"}}};
  for (ParamInfo& param : descent_params())
    for (const char* name : {"rate", "reduction", "start", "steps", "stop-move", "stop-gradient"})
      if (param.name == name) params.push_back(std::move(param));
  return params;
}

Result<ClassDescent> descend_classes(const Order& order, const Schema& schema, const Rows& rows,
                                     const LossObjective& objective, Index record, Pool& pool, const Clock& clock) {
  if (auto good = check_objective(objective); !good) return std::unexpected(good.error());
  const Watch watch = clock.watch();
  Cost cost(objective, schema, rows, pool, watch);
  const auto curvature = cost.curvature(schema);
  if (!curvature) return std::unexpected(curvature.error());
  auto at = start_of(order, cost);
  if (!at) return std::unexpected(at.error());
  const bool sum = word(order.params, "reduction") == "sum";
  ClassDescent out;
  out.safe_rate = 2 / *curvature / (sum ? cost.weight() : 1);
  out.rate = given_or(order, "rate", out.safe_rate / 2);
  const double move_end = given_or(order, "stop-move", 0), gradient_end = given_or(order, "stop-gradient", 0);
  const double no_end = move_end > 0 || gradient_end > 0 ? 1e6 : record > 0 ? kTraceSteps : kFitSteps;
  const double steps = given_or(order, "steps", no_end);
  if (steps != std::floor(steps))
    return fail(ErrorCode::usage, "steps", fmt::format("{} is not a whole number", steps),
                "give a whole number from 1 up");
  const auto most = static_cast<Index>(steps);
  auto look = cost.look(*at);
  if (!look) return std::unexpected(look.error());
  const auto note = [&](double rate, const std::vector<double>& move) {
    out.records.push_back({out.steps, rate, look->cost, norm(look->gradient), *at, move});
  };
  std::vector<double> since(at->size());
  if (record > 0) note(0, since);
  int rises = 0;
  const double scale = out.rate * (sum ? cost.weight() : 1);
  while (out.stop.empty()) {
    if (gradient_end > 0 && norm(look->gradient) <= gradient_end) {
      out.stop = fmt::format("the gradient is at most {}", gradient_end);
      break;
    }
    if (out.steps >= most) {
      out.stop = fmt::format("{} {}", most, most == 1 ? "step" : "steps");
      break;
    }
    std::vector<double> move(at->size());
    for (std::size_t j = 0; j < move.size(); ++j) {
      move[j] = -scale * look->gradient[j];
      (*at)[j] += move[j];
      since[j] += move[j];
    }
    const double before = look->cost;
    auto next = cost.look(*at);
    if (!next && next.error().code == ErrorCode::interrupted) {
      for (std::size_t j = 0; j < move.size(); ++j) (*at)[j] -= move[j];
      out.interrupted = true;
      break;
    }
    if (!next) return std::unexpected(next.error());
    look = std::move(next);
    ++out.steps;
    rises = look->cost > before * (1 + 1e-12) && out.rate >= out.safe_rate ? rises + 1 : 0;
    out.diverged = !std::isfinite(look->cost) || rises >= 3;
    if (out.diverged)
      out.stop = fmt::format("diverged at the rate {}; a rate below {} does not", out.rate, out.safe_rate);
    if (move_end > 0 && norm(move) < move_end) out.stop = fmt::format("a step was shorter than {}", move_end);
    if (record > 0 && (out.steps % record == 0 || !out.stop.empty() || out.steps >= most)) {
      note(out.rate, since);
      std::ranges::fill(since, 0.0);
    }
  }
  out.point = *std::move(at);
  out.cost = look->cost;
  out.passes = cost.passes();
  return out;
}

Result<Trace> trace_classes(const Order& order, const Schema& schema, const Rows& rows, Index every,
                            const Clock& clock) {
  if (!descends(order.params))
    return fail(ErrorCode::usage, "trace", "this solver makes no steps to be traced",
                "choose --solver gradient-descent");
  if (every < 1) return fail(ErrorCode::usage, "trace", "every must be at least 1", "1 records every step");
  const FitOptions& options = *order.options;
  Pool pool(options.threads);
  const auto seen = first_pass(rows, schema, {}, pool, clock.watch());
  if (!seen) return std::unexpected(seen.error());
  if (auto good = check_rows(*seen, schema, rows); !good) return std::unexpected(good.error());
  const std::string& model = order.info->word;
  if (model == "logistic" && schema.classes.count() != 2)
    return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets[0]),
                fmt::format("there are {} classes, and logistic separates two", schema.classes.count()),
                "trace softmax");
  const auto objective =
      loss_order(model, order.params, seen->fingerprint.weight, options.intercept, options.standardise);
  if (!objective) return std::unexpected(objective.error());
  auto found = descend_classes(order, schema, rows, *objective, every, pool, clock);
  if (!found) return std::unexpected(found.error());
  Trace trace;
  trace.word = model;
  trace.solver = word(order.params, "solver");
  trace.objective = loss_objective_text(*objective, !schema.offset.empty());
  trace.target = schema.targets.at(0);
  trace.rate = found->rate;
  trace.safe_rate = found->safe_rate;
  trace.stop = found->interrupted ? clock.stop_reason() : found->stop;
  trace.diverged = found->diverged;
  trace.cost = found->cost;
  const std::vector<std::string> names = feature::feature_names(schema);
  const bool softmax = model == "softmax";
  trace.intercept = !softmax && options.intercept;
  for (const std::string& label : softmax ? schema.classes.labels : std::vector<std::string>{""}) {
    if (softmax) trace.features.push_back(label + ": intercept");
    for (const std::string& name : names) trace.features.push_back(softmax ? label + ": " + name : name);
  }
  const std::size_t p = softmax ? found->point.size() : names.size();
  const auto part = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(p));
  };
  for (const ClassDescent::Record& record : found->records) {
    TraceStep step;
    step.step = record.step;
    step.rows = record.step * seen->fingerprint.rows;
    step.rate = record.rate;
    step.cost = record.cost;
    step.gradient_norm = record.gradient_norm;
    step.weights = part(record.point);
    step.move = part(record.move);
    if (!softmax) step.intercept = record.point.back(), step.intercept_move = record.move.back();
    trace.steps.push_back(std::move(step));
  }
  trace.weights = part(found->point);
  if (!softmax) trace.answer_intercept = found->point.back();
  return trace;
}

} // namespace recta
