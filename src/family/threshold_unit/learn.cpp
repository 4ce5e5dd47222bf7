#include "family/threshold_unit/learn.hpp"

#include "family/threshold_unit/request.hpp"
#include "params/params.hpp"
#include "solver/gradient_descent/descend.hpp"
#include "summary/descent.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

std::string number_text(double x) {
  return fmt::format("{:.6g}", x);
}

Result<Learned> learn_hyperplane(const Request& request, const TwoClasses& two, Index record, Pool& pool,
                                 const Clock& clock) {
  auto problem = perceptron_problem(request);
  if (!problem) return std::unexpected(problem.error());
  problem->record = record;
  problem->threads = pool.threads();
  const Index p = two.rows->cols(), start_size = std::ssize(problem->settings.given);
  if (problem->settings.start == StartKind::given && start_size != p && start_size != p + (problem->intercept ? 1 : 0))
    return fail(ErrorCode::usage, "start", fmt::format("it has {} numbers, the model {} weights", start_size, p),
                "give one number per weight, and after them the intercept if you like");
  auto outcome = learn_perceptron(*problem, *two.rows, two.sign, clock.watch());
  if (!outcome) return std::unexpected(outcome.error());
  Learned out{.point = std::move(outcome->point), .solver = word(request.params, "variant")};
  const std::string schedule = word(request.params, "schedule");
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
                          request.options->standardise ? " of the standardised rows" : "");
    }
  }
  out.conditions.push_back(std::move(said));
  if (problem->variant == PerceptronVariant::averaged)
    out.conditions.emplace_back("the answer is the mean of all points, which may err where the last one does not");
  return out;
}

Result<Learned> learn_delta(const Request& request, const TwoClasses& two, const Recorded& recorded, Pool& pool,
                            const Clock& clock) {
  const Index record = recorded.every;
  const auto settings = descent_settings(request, true, record > 0 && !recorded.as_fitted);
  if (!settings) return std::unexpected(settings.error());
  DescentProblem problem{
      .loss = delta_loss(), .intercept = request.options->intercept, .settings = *settings, .record = record};
  const Index p = two.rows->cols(), start_size = std::ssize(settings->given);
  if (settings->start == StartKind::given && start_size != p && start_size != p + (problem.intercept ? 1 : 0))
    return fail(ErrorCode::usage, "start", fmt::format("it has {} numbers, the model {} weights", start_size, p),
                "give one number per weight, and after them the intercept if you like");
  Learned out{.solver = word(request.params, "solver")};
  const Watch watch = clock.watch();
  auto curvature = measure_curvature({*two.rows, pool, watch}, nullptr, {}, problem.intercept, out.passes);
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

} // namespace

Result<Learned> learn(const Request& request, const TwoClasses& two, const Recorded& recorded, Pool& pool,
                      const Clock& clock) {
  return request.info->word == "delta" ? learn_delta(request, two, recorded, pool, clock)
                                       : learn_hyperplane(request, two, recorded.every, pool, clock);
}

Result<Recorded> evenly_recorded(const Request& request, const TwoClasses& two, Pool& pool, const Clock& clock) {
  constexpr Index kSteps = 400;
  const auto learned = learn(request, two, {}, pool, clock);
  if (!learned) return std::unexpected(learned.error());
  return Recorded{1 + learned->steps / kSteps, true};
}

Result<void> check_unit(const Request& request, const Schema& schema, const Rows& rows) {
  const std::string& word = request.info->word;
  if (!schema.offset.empty()) return fail(ErrorCode::usage, word, "a hyperplane has no offsets", "leave out offset");
  if (request.options->standardise && !request.options->intercept)
    return fail(ErrorCode::usage, word, "standardised columns are centred on their means, which needs an intercept",
                "leave out standardise or no-intercept");
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name, "it reads the rows several times, and this can be read only once",
                "save it to a file first");
  return {};
}

} // namespace recta
