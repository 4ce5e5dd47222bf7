#include "trace_plot.hpp"

#include "input.hpp"
#include "plot.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {

namespace {

using Pictures = Result<std::vector<plot::Picture>>;

Pictures one(Result<plot::Picture> picture) {
  if (!picture) return std::unexpected(picture.error());
  return std::vector{std::move(*picture)};
}

// The model that the descent is on its way to; of a perceptron or a delta rule, whose ends are many, its own.
Result<Model> destination(const Trace& trace, const Dataset& data, FitOptions options) {
  if (!learns(trace.word)) {
    Params strengths;
    for (const char* name : {"lambda", "lambda2", "tau", "delta"})
      if (const auto found = options.params.find(name); found != options.params.end()) strengths.insert(*found);
    options.params = std::move(strengths);
    return fit(trace.word == "adaline" ? "linear" : trace.word, data, options);
  }
  Result<Model> model = fit(trace.word, data, options);
  if (model) model->linear.targets[0].intercept.value = trace.answer_intercept;
  return model;
}

plot::Way way_of(const Trace& trace, std::string label) {
  plot::Way way{.label = std::move(label)};
  const bool alone = trace.features.size() == 1;
  for (const TraceStep& step : trace.steps) {
    way.x.push_back(alone ? step.intercept : step.weights[0]);
    way.y.push_back(step.weights[alone ? 0 : 1]);
  }
  return way;
}

// The way traced, and those of other solvers from the same start.
Pictures contours(const Trace& trace, const Dataset& data, const FitOptions& options, const Arguments& arguments) {
  const Result<Model> model = destination(trace, data, options);
  if (!model) return std::unexpected(model.error());
  const std::vector<std::string> others = arguments.list("solvers");
  std::vector<plot::Way> ways;
  const bool plane = trace.features.size() == 2 || (trace.features.size() == 1 && trace.intercept);
  if (plane) ways.push_back(way_of(trace, others.empty() ? "descent" : trace.solver));
  for (const std::string& solver : others) {
    FitOptions with = options;
    with.params["solver"] = solver;
    const Result<Trace> other = recta::trace(trace.word, data, with, arguments.count("every", 1));
    if (!other) return std::unexpected(other.error());
    if (plane) ways.push_back(way_of(*other, solver));
  }
  return one(plot::descent_picture(*model, data, ways));
}

Pictures costs(const Trace& trace, const Dataset& data, const FitOptions& options) {
  std::vector<double> cost, steps;
  for (const TraceStep& step : trace.steps) {
    cost.push_back(step.cost);
    steps.push_back(static_cast<double>(step.step));
  }
  if (learns(trace.word)) return one(plot::trace_picture(cost, plot::kFromData, steps));
  const Result<Model> model = destination(trace, data, options);
  if (!model) return std::unexpected(model.error());
  const bool ends = !std::holds_alternative<NoFiniteMaximum>(model->certificate.claim);
  return one(plot::trace_picture(cost, ends ? model->certificate.objective : plot::kFromData, steps));
}

Pictures panel(const std::string& word, const Dataset& data, const FitOptions& options, const Arguments& arguments) {
  const Result<TrainingCurve> curve = training_curve(word, data, options, arguments.count("every", 1));
  if (!curve) return std::unexpected(curve.error());
  Pictures made = one(curve_picture(*curve));
  if (!made) return made;
  const std::string schedule = std::get<std::string>(options.params.at("schedule"));
  made->front().title = fmt::format("{}, {} rate", data.source, schedule == "constant" ? "constant" : schedule);
  made->front().width = 520;
  made->front().y.low = 0, made->front().y.high = 1.02;
  return made;
}

// The rows of --beside, those of the trace, and those again at a rate that falls: c / (c + t), of 1000 if not given.
Pictures side_by_side(const std::string& word, const Dataset& data, FitOptions options, const Arguments& arguments,
                      const Voice& voice) {
  const Result<Dataset> beside = read_data(arguments.text("beside"), arguments, voice);
  if (!beside) return std::unexpected(beside.error());
  options.params.try_emplace("schedule", "constant");
  FitOptions falling = options;
  falling.params["schedule"] = "c/(c+t)";
  falling.params.try_emplace("c", 1000.0);
  std::vector<plot::Picture> out;
  for (const auto& [rows, with] : {std::pair{&*beside, &options}, {&data, &options}, {&data, &falling}}) {
    Pictures made = panel(word, *rows, *with, arguments);
    if (!made) return made;
    out.push_back(std::move(made->front()));
  }
  return out;
}

bool has_contours(const std::string& word) {
  return word != "softmax" && word != "huber" && word != "poisson" && word != "gamma";
}

} // namespace

bool learns(const std::string& word) {
  return word == "perceptron" || word == "delta";
}

Result<void> check_trace_plot(const Arguments& arguments) {
  const std::string word = arguments.word(0), kind = arguments.text("plot-kind");
  if (!learns(word) && kind == "curve")
    return fail(ErrorCode::usage, "--plot-kind", fmt::format("{} has no training curve", word),
                "choose cost or contours");
  for (const char* flag : {"beside", "solvers"})
    if (arguments.has(flag) && !arguments.has("plot"))
      return fail(ErrorCode::usage, fmt::format("--{}", flag), "there is no picture without --plot",
                  "add --plot FILE.svg");
  if (arguments.has("beside") && (!learns(word) || (!kind.empty() && kind != "curve")))
    return fail(ErrorCode::usage, "--beside", "it is for training curves, of a perceptron or a delta rule",
                "leave it out");
  if (arguments.has("solvers") && (word == "perceptron" || kind == "cost" || kind == "curve"))
    return fail(ErrorCode::usage, "--solvers", "it is for the ways of solvers over the contours of a cost",
                "leave it out");
  return {};
}

Pictures trace_pictures(const TrainingCurve& found, const Dataset& data, const FitOptions& options,
                        const Arguments& arguments, const Voice& voice) {
  const Trace& trace = found.trace;
  const std::string kind = arguments.text("plot-kind");
  if (arguments.has("beside")) return side_by_side(trace.word, data, options, arguments, voice);
  if (learns(trace.word) && (kind == "curve" || (kind.empty() && !arguments.has("solvers"))))
    return one(curve_picture(found));
  const bool plane = trace.features.size() == 2 || (trace.features.size() == 1 && trace.intercept);
  const bool wanted = kind == "contours" || arguments.has("solvers");
  if (wanted || (kind.empty() && plane && has_contours(trace.word))) return contours(trace, data, options, arguments);
  return costs(trace, data, options);
}

FlagGroup trace_plot_flags() {
  return {"Drawing",
          {plot_flag(),
           {.name = "plot-kind",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary =
                "the cost, step by step, or the way over the cost's contours; of a perceptron the rows that were right",
            .choices = {"cost", "contours", "curve"},
            .initial = "contours of two weights, cost of more; curve of a perceptron and a delta rule"},
           {.name = "solvers",
            .kind = FlagKind::text,
            .value = "WORD,...",
            .summary = "over the contours also the ways of these solvers"},
           {.name = "beside",
            .kind = FlagKind::file,
            .value = "DATA",
            .summary = "training curves side by side: of these rows, of DATA, and of DATA with the schedule c/(c+t)"}}};
}

} // namespace recta::cli
