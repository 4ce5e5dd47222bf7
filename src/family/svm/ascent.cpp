#include "family/svm/ascent.hpp"

#include "base/listening.hpp"
#include "base/sums.hpp"
#include "family/svm/fit.hpp"
#include "feature/classes.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"

#include <fmt/format.h>

namespace recta::svm {
namespace {

constexpr Index kTracedSteps = 20;     // if no number is given
constexpr Index kFittedSteps = 200000; // at most, if no number is given

std::vector<double> kernel_values(const MachineRows& rows, const MachineRows::Side& side, const MachineSpec& spec) {
  const auto kernel = kernel::make_kernel(spec.kernel);
  const kernel::Points points = rows.points(side.present, *kernel);
  std::vector<Index> all(side.present.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
  std::vector<double> out(all.size() * all.size());
  points.values_of(*kernel, all, out.data(), std::ssize(all));
  return out;
}

// The intercept and the cost of a point of the ascent.
struct Primal {
  double b = 0, cost = 0;
};

// A hard margin admits f / gamma, where gamma is the least y f with the intercept in the middle: nothing if no margin
// separates the classes yet. The step of the course is taken as it is: f itself has to keep the margin.
Primal hard_primal(const Problem& problem, const State& s, bool course) {
  double above = kInfinity, below = -kInfinity, squared = 0;
  for (std::size_t i = 0; i < s.f.size(); ++i) {
    if (problem.target[i] > 0)
      above = std::min(above, s.f[i]);
    else
      below = std::max(below, s.f[i]);
    squared += s.beta[i] * s.f[i];
  }
  const double b = problem.intercept ? 0.0 - (above + below) / 2 : 0.0, margin = std::min(above + b, -(below + b));
  if (course) return {b, margin >= 1 ? squared / 2 : kInfinity};
  return {b, margin > 0 ? squared / (2 * margin * margin) : kInfinity};
}

Primal primal(const Problem& problem, const State& s, const MachineSpec& spec, double strength) {
  if (spec.hard) return hard_primal(problem, s, spec.course);
  const double b = best_intercepts(problem, s.f).middle();
  CompensatedSum sum;
  for (std::size_t i = 0; i < s.f.size(); ++i) {
    sum.add(problem.cost[i] * problem.terms.value(problem.target[i], s.f[i] + b));
    sum.add_product(s.beta[i] / 2, s.f[i]);
  }
  return {b, strength * sum.value()};
}

// Turns points of an ascent into steps of a trace.
class Record {
public:
  Record(const MachineRows& rows, const MachineRows::Side& side, const Problem& problem, const MachineSpec& spec)
      : rows_(rows), side_(side), problem_(problem), spec_(spec), strength_(spec.hard ? 1 : spec.strength(side.total)) {
  }

  TraceStep step(const AscentPoint& point, const std::vector<TraceStep>& before) const {
    TraceStep out;
    out.step = point.step, out.rows = point.step * problem_.rows(), out.gradient_norm = point.gradient_norm;
    const Primal p = primal(problem_, *point.state, spec_, strength_);
    out.intercept = p.b, out.cost = p.cost;
    if (spec_.kernel.linear()) out.weights = rows_.combination(side_.present, point.state->beta);
    for (std::size_t i = 0; i < problem_.target.size(); ++i)
      out.weights.push_back(problem_.target[i] * point.state->beta[i] + 0.0);
    if (before.empty()) return out;
    for (std::size_t j = 0; j < out.weights.size(); ++j) out.move.push_back(out.weights[j] - before.back().weights[j]);
    out.intercept_move = out.intercept - before.back().intercept;
    return out;
  }

private:
  const MachineRows& rows_;
  const MachineRows::Side& side_;
  const Problem& problem_;
  const MachineSpec& spec_;
  double strength_;
};

// A linear machine shows its weights, and every machine the multiplier of each row.
std::vector<std::string> names_of(const Schema& schema, const MachineRows::Side& side, const MachineSpec& spec) {
  std::vector<std::string> out;
  if (spec.kernel.linear()) out = feature::feature_names(schema);
  for (const Index i : side.present) out.push_back(fmt::format("lambda {}", i + 1));
  return out;
}

std::string stop_of(const AscentOutcome& outcome, const MachineSpec& spec, const Clock& clock) {
  std::string out = outcome.diverged      ? fmt::format("diverged after {} steps", outcome.steps)
                    : outcome.interrupted ? clock.stop_reason().text()
                                          : fmt::format("{} steps", outcome.steps);
  if (spec.course)
    out +=
        fmt::format("; nothing is claimed: clipping breaks sum lambda y = 0, which is now {:.6g}", outcome.unbalance);
  return out;
}

Problem ascent_problem(const MachineRows::Side& side, const MachineSpec& spec, bool intercept) {
  Problem out{spec.terms, intercept, {}, {}};
  for (const Index i : side.present) {
    out.target.push_back(side.target[at(i)]);
    out.cost.push_back(spec.hard ? kInfinity : spec.cost(side.total) * side.weight[at(i)]);
  }
  return out;
}

Result<void> check_ascent_rows(const Request& request, const MachineRows& held, const Rows& rows) {
  const Index n = std::ssize(held.target);
  if (n <= kMostAscentRows) return {};
  return fail(ErrorCode::bad_data, rows.name,
              fmt::format("there are {} rows, and {} holds the values of all pairs of at most {}", n,
                          word(request.params, "solver"), kMostAscentRows),
              "leave out solver: the usual ones take as many rows as there are");
}

} // namespace

Result<void> check_ascent_fit(const Request& request, const MachineRows& held, const Rows& rows) {
  const std::string where = request.info->word + ", parameter solver";
  if (word(request.params, "solver") == "course")
    return refuse(where, "the step of the course does not keep sum lambda y = 0, so that it has nothing to prove",
                  "look at it with recta trace, or choose projected-gradient");
  if (flag(request.params, "hard"))
    return refuse(where, "a fit with a hard margin is solved exactly",
                  "leave out solver, or look at it with recta trace");
  return check_ascent_rows(request, held, rows);
}

Solution solve_by_ascent(const Problem& problem, const MachineRows& rows, const MachineRows::Side& side,
                         const MachineSpec& spec, double tolerance) {
  AscentSettings settings{.rate = spec.rate, .steps = spec.steps > 0 ? spec.steps : kFittedSteps};
  settings.tolerance = tolerance, settings.look_every = 100;
  AscentOutcome outcome = ascend(problem, kernel_values(rows, side, spec), settings);
  Solution out;
  out.intercepts = best_intercepts(problem, outcome.state.f);
  if (spec.kernel.linear()) out.w = rows.combination(side.present, outcome.state.beta);
  out.state = std::move(outcome.state);
  out.steps = outcome.steps, out.gap = outcome.gap;
  out.interrupted = outcome.interrupted, out.gave_up = !(outcome.gap <= tolerance);
  return out;
}

Result<Trace> trace_ascent(const Request& request, const Schema& schema, const Rows& rows, Index every,
                           const Clock& clock) {
  if (every < 1) return fail(ErrorCode::usage, "trace", "every must be at least 1", "1 records every step");
  const auto prepared = prepare(request, schema, rows);
  if (!prepared) return std::unexpected(prepared.error());
  const auto& [held, spec] = *prepared;
  if (auto good = check_ascent_rows(request, held, rows); !good) return std::unexpected(good.error());
  if (held.classes > 2)
    return fail(ErrorCode::usage, "trace",
                fmt::format("there are {} classes, and the dual is that of two", held.classes),
                "name one of them with positive: it is traced against the rest");
  const bool intercept = request.options->intercept;
  const MachineRows::Side side = held.sides(false)[0];
  const Problem problem = ascent_problem(side, spec, intercept);
  const Record record(held, side, problem, spec);
  Trace out;
  out.word = request.info->word, out.solver = word(request.params, "solver");
  out.objective = objective_text(spec, side.total);
  out.target = schema.targets.at(0), out.label = feature::label_against_rest(schema.classes);
  out.features = names_of(schema, side, spec);
  out.intercept = intercept;
  const Watch watch = clock.watch();
  const Listening listening(watch, "ascending");
  const AscentSettings settings{
      .course = spec.course, .rate = spec.rate, .steps = spec.steps > 0 ? spec.steps : kTracedSteps};
  TraceStep last;
  const AscentOutcome outcome =
      ascend(problem, kernel_values(held, side, spec), settings, [&](const AscentPoint& point) {
        last = record.step(point, out.steps);
        if (point.step % every == 0) out.steps.push_back(last);
      });
  if (out.steps.back().step != last.step) out.steps.push_back(last);
  for (TraceStep& step : out.steps) step.rate = step.step > 0 ? outcome.rate : 0;
  out.rate = outcome.rate, out.safe_rate = spec.course ? kNaN : outcome.safe_rate;
  out.diverged = outcome.diverged;
  out.stop = stop_of(outcome, spec, clock);
  out.weights = last.weights, out.answer_intercept = last.intercept, out.cost = last.cost;
  for (const TraceStep& step : out.steps) out.cost = outcome.diverged ? std::min(out.cost, step.cost) : out.cost;
  return out;
}

} // namespace recta::svm
