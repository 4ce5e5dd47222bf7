#include "family/loss/descent.hpp"

#include "family/loss/loss.hpp"
#include "family/loss/request.hpp"
#include "loss/loss.hpp"
#include "params/params.hpp"
#include "solver/gradient_descent/squares_descent.hpp"
#include "summary/descent.hpp"
#include "summary/standard_units.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// The second derivative of log sum_k e^(z_k) is diag(P) - P P', whose norm is at most 1/2.
constexpr double kSoftmaxCurvature = 0.5;

Result<void> check_objective(const LossObjective& objective) {
  if (objective.fitted_scale)
    return fail(ErrorCode::usage, objective.loss,
                "the scale is fitted with the coefficients, and a descent moves only the coefficients",
                "give --delta, where squares end in the units of the target, or fit with the solver newton");
  if (objective.lambda1 == 0) return {};
  return fail(ErrorCode::usage, objective.loss, "a descent needs a smooth cost, and absolute values have a kink",
              "leave out lambda1, or fit with the solver newton");
}

Result<void> check_start(const DescentProblem& problem, Index cols) {
  if (problem.settings.start != StartKind::given) return {};
  const Index start_size = std::ssize(problem.settings.given);
  const Index all = problem.classes > 0 ? problem.classes * (cols + 1) : cols + (problem.intercept ? 1 : 0);
  if (start_size == all || (problem.classes == 0 && start_size == cols)) return {};
  return fail(ErrorCode::usage, "start", fmt::format("it has {} numbers, and the model {}", start_size, all),
              problem.classes > 0
                  ? "give the intercept and the weights of the first class, then of the second, and so on"
                  : "give one number per weight, and after them the intercept if you like");
}

Result<void> check_rows_in_memory(const DescentSettings& s, const Rows& rows) {
  if (rows.source.rows() || s.every_row() || (s.batch == 1 && s.order == RowOrder::cyclic)) return {};
  return fail(ErrorCode::usage, rows.name,
              "only steps of single rows in cyclic order can be made from rows that are not kept in memory",
              "leave out --stream, or choose --batch 1 --order cyclic");
}

Result<DescentProblem> problem_of(const Request& request, const Schema& schema, const Rows& rows,
                                  const LossObjective& objective, Index record) {
  const auto settings = descent_settings(request, rows.source.rows().has_value(), record > 0);
  if (!settings) return std::unexpected(settings.error());
  DescentProblem problem{
      .lambda2 = objective.lambda2, .intercept = objective.intercept, .settings = *settings, .record = record};
  if (objective.loss == "softmax") {
    problem.classes = schema.classes.count();
    problem.loss.curvature = kSoftmaxCurvature;
  } else {
    auto loss = descent_loss(objective.loss, objective.parameter);
    if (!loss) return std::unexpected(loss.error());
    problem.loss = *std::move(loss);
    problem.second_order = objective.at();
  }
  problem.loss.straight = std::isfinite(problem.loss.curvature);
  if (!problem.loss.straight && !(settings->rate > 0) && settings->method != DescentMethod::newton)
    return fail(ErrorCode::usage, objective.loss, "its curvature has no bound, so that no rate is known to be safe",
                "give --rate, 0.01 to begin with");
  // |g|^2 / (2 lambda2) bounds F - F*, except for the intercepts, for which a tenth makes room.
  if (record == 0 && !(problem.settings.gradient > 0))
    problem.settings.gradient = 0.1 * std::sqrt(objective.lambda2 * request.options->tolerance);
  if (auto good = check_start(problem, rows.source.cols()); !good) return std::unexpected(good.error());
  if (auto good = check_rows_in_memory(*settings, rows); !good) return std::unexpected(good.error());
  return problem;
}

// A Gram of the rows as they are, seen by a descent on standardised ones.
GramUnits gram_units(const StandardUnits& units) {
  GramUnits out{.centred = units.centred};
  for (const double deviation : units.deviation) out.scale.push_back(1 / deviation);
  return out;
}

void to_data(const StandardUnits& units, Index classes, Point& point) {
  if (classes == 0) return units.to_data(point.w.data(), point.b);
  const std::size_t size = units.mean.size() + 1;
  for (std::size_t k = 0; k < static_cast<std::size_t>(classes); ++k)
    units.to_data(point.w.data() + k * size + 1, point.w[k * size]);
}

} // namespace

std::vector<ParamInfo> loss_descent_params(const std::string& model, bool bounded) {
  ParamInfo solver{
      "solver",
      std::string("auto"),
      "auto: Newton's method, proved; gradient-descent: all rows in each step, as it is taught; sgd: one row per step",
      0,
      0,
      {"auto", "newton", "gradient-descent", "sgd", "accelerated"}};
  if (!bounded) solver.choices.pop_back();
  if (bounded && model != "softmax") solver.choices.insert(solver.choices.end(), {"svrg", "saga"});
  std::vector<ParamInfo> params{std::move(solver)};
  for (ParamInfo& param : descent_params()) params.push_back(std::move(param));
  return params;
}

Result<DescentOutcome> descend_loss(const Request& request, const TaskRows& task, const LossObjective& objective,
                                    const Gram* gram, Index record) {
  const auto& [schema, rows, pool, clock] = task;
  if (auto good = check_objective(objective); !good) return std::unexpected(good.error());
  auto problem = problem_of(request, schema, rows, objective, record);
  if (!problem) return std::unexpected(problem.error());
  const Watch watch = clock.watch();
  std::optional<StandardUnits> units;
  std::optional<StandardisedRows> scaled;
  Index passes = 0;
  if (objective.standardise) {
    auto measured = StandardUnits::of(rows.source, rows.sparse, pool, watch);
    if (!measured) return std::unexpected(measured.error());
    units = *std::move(measured);
    scaled.emplace(rows.source, units->mean, units->deviation);
    ++passes;
  }
  RowSource& scaled_rows = scaled ? static_cast<RowSource&>(*scaled) : rows.source;
  std::unique_ptr<HeldRows> held;
  if (rows.source.rows()) {
    auto kept = HeldRows::hold(scaled_rows);
    if (!kept) return std::unexpected(kept.error());
    held = *std::move(kept);
  }
  RowSource& source = held ? static_cast<RowSource&>(*held) : scaled_rows;
  auto curvature = measure_curvature({source, pool, watch}, gram, units ? gram_units(*units) : GramUnits{},
                                     objective.intercept, passes);
  if (!curvature) return std::unexpected(curvature.error());
  problem->curvature = *curvature;
  auto outcome = descend(*problem, source, held.get(), pool, watch);
  if (!outcome) return std::unexpected(outcome.error());
  outcome->passes += passes;
  if (outcome->interrupted) outcome->stop = clock.stop_reason();
  if (units && record == 0) to_data(*units, problem->classes, outcome->point);
  return outcome;
}

Result<Trace> trace_loss(const Request& request, const Schema& schema, const Rows& rows, Index every,
                         const Clock& clock) {
  const std::string& model = request.info->word;
  if (auto good = check_trace(request, rows, every); !good) return std::unexpected(good.error());
  const FitOptions& options = *request.options;
  Pool pool(options.threads);
  const auto pass = first_pass(rows, schema, rows.source.cols() <= 1000 ? usual_gram(rows.source) : GramWanted{}, pool,
                               clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  if (loss::on_labels(model) && schema.classes.count() != 2)
    return fail(ErrorCode::bad_data, fmt::format("{}, target {}", rows.name, schema.targets[0]),
                fmt::format("there are {} classes, and {} separates two", schema.classes.count(), model),
                "trace softmax, or set one class against the rest with --positive LABEL");
  const auto objective =
      loss_objective(model, request.params, pass->fingerprint.weight, options.intercept, options.standardise);
  if (!objective) return std::unexpected(objective.error());
  if (!request.info->classes)
    if (auto good = check_loss_target(*objective, schema, rows, pool, clock.watch()); !good)
      return std::unexpected(good.error());
  auto outcome = descend_loss(request, {schema, rows, pool, clock}, *objective, pass->gram.get(), every);
  if (!outcome) return std::unexpected(outcome.error());
  Trace trace = trace_of(request, schema, loss_objective_text(*objective, !schema.offset.empty()), *std::move(outcome));
  if (model == "softmax") { // every class has its intercept among the weights
    std::vector<std::string> names;
    for (const std::string& label : schema.classes.labels) {
      names.push_back(label + ": intercept");
      for (const std::string& name : trace.features) names.push_back(label + ": " + name);
    }
    trace.features = std::move(names);
    trace.intercepts_in_weights = true;
  }
  return trace;
}

} // namespace recta
