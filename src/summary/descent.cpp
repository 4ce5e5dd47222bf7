#include "summary/descent.hpp"

#include "feature/classes.hpp"
#include "feature/schema.hpp"
#include "params/params.hpp"
#include "solver/gradient_descent/squares_descent.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace recta {
namespace {

constexpr double kMostSteps = 1e15;

// The solvers whose steps can be shown.
struct Stepper {
  std::string_view word;
  DescentMethod method = DescentMethod::plain;
  Index batch = 0;     // rows per step if omitted; 0: all of them
  Index passes = 1000; // if no end was given and a step does not see all rows
};
constexpr std::array<Stepper, 6> kSteppers{{{.word = "gradient-descent"},
                                            {.word = "sgd", .batch = 1, .passes = 100},
                                            {.word = "accelerated", .method = DescentMethod::accelerated},
                                            {.word = "newton", .method = DescentMethod::newton},
                                            {.word = "svrg", .method = DescentMethod::svrg},
                                            {.word = "saga", .method = DescentMethod::saga}}};

std::optional<Stepper> find_stepper(std::string_view solver) {
  const auto* stepper = std::ranges::find(kSteppers, solver, &Stepper::word);
  return stepper == kSteppers.end() ? std::nullopt : std::optional(*stepper);
}

bool is_descent(const std::string& solver) {
  return std::ranges::find(descent_words(), solver) != descent_words().end();
}

const ParamInfo* solver_of(const ModelInfo& info) {
  const auto solver = std::ranges::find(info.params, "solver", &ParamInfo::name);
  return solver == info.params.end() ? nullptr : &*solver;
}

// Models such as adaline that are a descent by themselves: their own solver is one, and they take the rows as they
// come.
bool is_descent_itself(const ModelInfo& info) {
  const ParamInfo* solver = solver_of(info);
  return solver != nullptr && is_descent(std::get<std::string>(solver->initial));
}

ParamInfo positive(const char* name, const char* summary) {
  return {name, kNotGiven, summary, 1e-300, kHuge, {}};
}
ParamInfo count(const char* name, const char* summary) {
  return {name, kNotGiven, summary, 1, kMostSteps, {}};
}
ParamInfo choice(const char* name, const char* summary, std::vector<std::string> choices) {
  const std::string first = choices.front();
  return {name, first, summary, 0, 0, std::move(choices)};
}

// Reads whole numbers; 0: omitted.
Result<Index> whole(const Request& request, const std::string& name) {
  const double value = number(request.params, name);
  if (std::isnan(value)) return 0;
  if (value == std::floor(value)) return static_cast<Index>(value);
  return fail(ErrorCode::usage, fmt::format("{}, parameter {}", request.info->word, name),
              fmt::format("{} is not a whole number", value), "give a whole number from 1 up");
}

double given_or(const Request& request, const std::string& name, double otherwise) {
  const double value = number(request.params, name);
  return std::isnan(value) ? otherwise : value;
}

Result<void> read_steps(const Request& request, const Stepper& stepper, DescentSettings& s) {
  const auto batch = whole(request, "batch"), steps = whole(request, "steps"), passes = whole(request, "passes");
  for (const auto* each : {&batch, &steps, &passes})
    if (!*each) return std::unexpected(each->error());
  if (*batch > 0 && stepper.method != DescentMethod::plain)
    return fail(ErrorCode::usage, "batch", fmt::format("{} chooses its rows itself", stepper.word), "leave it out");
  s.method = stepper.method;
  s.batch = *batch > 0 ? *batch : stepper.batch;
  s.steps = *steps;
  s.passes = *passes;
  s.move = given_or(request, "stop-move", 0);
  s.gradient = given_or(request, "stop-gradient", 0);
  return {};
}

void default_end(const Stepper& stepper, bool tracing, DescentSettings& s) {
  if (s.steps > 0 || s.passes > 0) return;
  if (tracing && s.move == 0 && s.gradient == 0)
    s.steps = 20;
  else
    s.passes = s.every_row() ? 10'000 : stepper.passes;
}

// Newton's method has neither rate nor rows to choose.
Result<void> check_newton(const Params& given) {
  for (const char* name : {"rate", "schedule", "c", "reduction", "batch", "order", "average"})
    if (given.contains(name))
      return fail(ErrorCode::usage, name, "a step of Newton's method is as long as the curvature says", "leave it out");
  return {};
}

Result<void> check_words(std::string_view solver, const DescentSettings& s) {
  const bool plain = s.method == DescentMethod::plain;
  if (!plain && s.schedule != RateKind::constant)
    return fail(ErrorCode::usage, "schedule", fmt::format("{} needs a constant rate", solver), "leave it out");
  if (!plain && s.average)
    return fail(ErrorCode::usage, "average", fmt::format("{} has no noise to average out", solver), "leave it out");
  if (s.method >= DescentMethod::svrg && s.reduction == Reduction::sum)
    return fail(ErrorCode::usage, "reduction", fmt::format("{} steps along a mean", solver), "leave it out");
  return {};
}

} // namespace

Result<void> read_start(const std::string& text, DescentSettings& settings) {
  settings.start = text == "random" ? StartKind::random : text == "zero" ? StartKind::zero : StartKind::given;
  if (settings.start != StartKind::given) return {};
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, value);
    if (error != std::errc{} || stop != text.data() + end || !std::isfinite(value))
      return fail(ErrorCode::usage, "start", fmt::format("\"{}\" is not a number", text.substr(at, end - at)),
                  "write zero, random, or numbers such as 0.5,-1,2: the weights, then the intercept or nothing");
    settings.given.push_back(value);
    at = end + 1;
  }
  return {};
}

std::vector<ParamInfo> descent_params() {
  return {positive("rate", "descents: eta, what the gradient is multiplied by; a safe one if omitted"),
          choice("schedule",
                 "descents: eta(t), t the rows presented; auto: constant where a step sees all rows, else "
                 "c/(c+t)",
                 {"auto", "constant", "1/t", "c/(c+t)"}),
          positive("c", "descents: of the schedule c/(c+t); the rows of a pass if omitted"),
          choice("reduction", "descents: whether a step is along the mean of its rows' gradients or their sum",
                 {"mean", "sum"}),
          count("batch", "descents: rows per step; if omitted, all for gradient-descent, 1 for sgd"),
          choice("order", "descents: of the rows; auto: shuffled each pass for sgd on rows in memory, else cyclic",
                 {"auto", "cyclic", "shuffled", "random"}),
          {"start",
           std::string("zero"),
           "descents: zero, random (uniform on [-1/2, 1/2), by --seed) or numbers: weights, then the intercept",
           0,
           0,
           {}},
          {"average", false, "descents: answer with the mean of the points after the first pass", 0, 0, {}},
          count("steps", "descents: end after this many steps"),
          count("passes", "descents: end after this many passes over the rows"),
          positive("stop-move", "descents: end after a step shorter than this"),
          positive("stop-gradient", "descents: end when the gradient's norm is at most this")};
}

std::vector<FieldRule> descent_rules() {
  std::vector<FieldRule> out;
  for (const ParamInfo& param : descent_params())
    out.push_back({"params." + param.name, Rule::choice, "how the search goes"});
  return out;
}

bool descends(const Params& params) {
  return is_descent(word(params, "solver"));
}

bool traceable(const Params& params) {
  return find_stepper(word(params, "solver")).has_value();
}

std::unexpected<Error> not_a_descent(const std::string& word) {
  return fail(ErrorCode::usage, "trace", fmt::format("{} is not solved by a descent", word),
              "trace linear, ridge, adaline, huber, poisson, gamma, logistic, softmax, svm, perceptron or delta");
}

Result<FitOptions> traced_options(const std::string& word, const FitOptions& options) {
  const auto info = find_model(word);
  if (!info) return std::unexpected(info.error());
  if ((*info)->mistakes || is_descent_itself(**info)) return options; // all its solvers make steps
  const ParamInfo* solver = solver_of(**info);
  if (solver == nullptr) return not_a_descent(word);
  FitOptions full = options;
  for (const char* steps : {"gradient-descent", "projected-gradient"}) {
    if (std::ranges::find(solver->choices, steps) == solver->choices.end()) continue;
    full.params.try_emplace("solver", std::string(steps));
    return full;
  }
  return not_a_descent(word);
}

Result<void> keep_own_params(const ModelInfo& info, const Params& given, Params& params) {
  const ParamInfo* solver = solver_of(info);
  if (solver == nullptr || descends(params)) return {};
  if (std::ranges::none_of(solver->choices, is_descent)) return {}; // parameters of these names are its own
  for (const ParamInfo& param : descent_params()) {
    if (given.contains(param.name))
      return fail(ErrorCode::usage, fmt::format("{}, parameter {}", info.word, param.name),
                  fmt::format("it does not apply to the solver {}", word(params, "solver")),
                  "choose the solver gradient-descent or sgd");
    params.erase(param.name);
  }
  return {};
}

Result<DescentSettings> descent_settings(const Request& request, bool in_memory, bool tracing) {
  DescentSettings s;
  const Stepper stepper = find_stepper(word(request.params, "solver")).value();
  if (stepper.method == DescentMethod::newton)
    if (auto good = check_newton(request.options->params); !good) return std::unexpected(good.error());
  s.rate = given_or(request, "rate", 0);
  s.c = given_or(request, "c", 0);
  s.seed = request.options->seed;
  s.average = std::get<bool>(request.params.at("average"));
  s.reduction = word(request.params, "reduction") == "sum" ? Reduction::sum : Reduction::mean;
  if (auto read = read_steps(request, stepper, s); !read) return std::unexpected(read.error());
  if (auto read = read_start(word(request.params, "start"), s); !read) return std::unexpected(read.error());
  const std::string schedule = word(request.params, "schedule"), rows = word(request.params, "order");
  const bool decays = s.method == DescentMethod::plain && !s.every_row();
  s.schedule = schedule == "1/t"                                         ? RateKind::inverse
               : schedule == "c/(c+t)" || (schedule == "auto" && decays) ? RateKind::decay
                                                                         : RateKind::constant;
  const bool shuffles = stepper.batch > 0 && in_memory && !is_descent_itself(*request.info);
  s.order = rows == "random"                                     ? RowOrder::random
            : rows == "shuffled" || (rows == "auto" && shuffles) ? RowOrder::shuffled
                                                                 : RowOrder::cyclic;
  default_end(stepper, tracing, s);
  if (auto good = check_words(stepper.word, s); !good) return std::unexpected(good.error());
  return s;
}

Result<void> check_trace(const Request& request, const Rows& rows, Index every) {
  if (!traceable(request.params))
    return fail(ErrorCode::usage, "trace", "this solver makes no steps to be traced",
                fmt::format("choose --solver {}", fmt::join(descent_words(), ", ")));
  if (every < 1) return fail(ErrorCode::usage, "trace", "every must be at least 1", "1 records every step");
  if (rows.source.targets() != 1)
    return fail(ErrorCode::usage, "trace", fmt::format("there are {} targets", rows.source.targets()),
                "trace one at a time");
  return {};
}

Trace trace_of(const Request& request, const Schema& schema, const std::string& objective, DescentOutcome outcome) {
  return {.word = request.info->word,
          .solver = word(request.params, "solver"),
          .objective = objective,
          .target = schema.targets.at(0),
          .label = feature::label_against_rest(schema.classes),
          .features = feature::feature_names(schema),
          .intercept = request.options->intercept,
          .standardised = request.options->standardise,
          .rate = outcome.rate,
          .safe_rate = outcome.safe_rate > 0 ? outcome.safe_rate : std::numeric_limits<double>::quiet_NaN(),
          .stop = outcome.stop.text(),
          .diverged = outcome.diverged,
          .steps = std::move(outcome.trace),
          .weights = std::move(outcome.point.w),
          .answer_intercept = outcome.point.b,
          .cost = outcome.cost};
}

} // namespace recta
