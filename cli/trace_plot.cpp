#include "trace_plot.hpp"

#include "plot.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {

namespace {

using Pictures = Result<std::vector<plot::Picture>>;

constexpr double kPanelWidth = 520;

Pictures one(Result<plot::Picture> picture) {
  if (!picture) return std::unexpected(picture.error());
  return std::vector{std::move(*picture)};
}

// The model that the descent is on its way to; for a perceptron or a delta rule, which have many possible ends, its
// own.
Result<Model> destination(const Trace& trace, const Dataset& data, FitOptions options) {
  if (!report::learns(trace.word)) {
    for (const char* name : {"solver", "rate", "schedule", "c", "reduction", "batch", "order", "start", "average",
                             "steps", "passes", "stop-move", "stop-gradient"})
      options.params.erase(name);
    return fit(trace.word == "adaline" ? "linear" : trace.word, data, options);
  }
  const Result<Model> model = fit(trace.word, data, options);
  if (!model) return model;
  std::vector<double> weights;
  for (const Coefficient& c : model->linear()->targets[0].coefficients) weights.push_back(c.value);
  return model->with_coefficients(weights, std::span(&trace.answer_intercept, 1));
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

// The path traced, and those of other solvers from the same start.
Pictures contours(const Trace& trace, const Dataset& data, const FitOptions& options, const Arguments& arguments) {
  const Result<Model> model = destination(trace, data, options);
  if (!model) return std::unexpected(model.error());
  const std::vector<std::string> others = arguments.list("solvers");
  std::vector<plot::Way> ways;
  const bool plane = trace.features.size() == 2 || (trace.features.size() == 1 && trace.own_intercept());
  if (plane) ways.push_back(way_of(trace, others.empty() ? "descent" : trace.solver));
  for (const std::string& solver : others) {
    FitOptions with = options;
    with.params["solver"] = solver;
    if (solver == "newton") // which has no use for the settings of the others
      for (const char* name : {"rate", "schedule", "c", "reduction", "batch", "order", "average"})
        with.params.erase(name);
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
  if (report::learns(trace.word)) return one(plot::trace_picture(cost, plot::kFromData, steps));
  const Result<Model> model = destination(trace, data, options);
  if (!model) return std::unexpected(model.error());
  const bool ends = !std::holds_alternative<NoFiniteMaximum>(model->certificate.claim);
  return one(plot::trace_picture(cost, ends ? model->certificate.objective : plot::kFromData, steps));
}

// The weights after each step; of an ascent along a dual the multipliers as well.
Pictures weights(const Trace& trace) {
  std::vector<double> steps, all;
  for (const TraceStep& step : trace.steps) {
    steps.push_back(static_cast<double>(step.step));
    all.insert(all.end(), step.weights.begin(), step.weights.end());
  }
  Result<plot::Picture> picture = plot::path_picture(steps, all, trace.features);
  if (!picture) return std::unexpected(picture.error());
  picture->title = "The weights, step by step";
  picture->x = {.label = "step"};
  return std::vector{std::move(*picture)};
}

// A training curve among others: narrow, and of the same height.
Result<plot::Picture> panel(const TrainingCurve& curve, std::string title) {
  Result<plot::Picture> picture = curve_picture(curve);
  if (!picture) return picture;
  picture->title = std::move(title);
  picture->width = kPanelWidth;
  picture->y.low = 0, picture->y.high = 1.02;
  return picture;
}

bool has_contours(const std::string& word) {
  const ModelInfo* info = model_info(word);
  return info != nullptr && (info->squared_error || info->margin_cost);
}

// The cost of a descent, or its path over the cost.
Pictures cost_pictures(const Trace& trace, const Dataset& data, const FitOptions& options, const Arguments& arguments) {
  const std::string kind = arguments.text("plot-kind");
  const bool plane = trace.features.size() == 2 || (trace.features.size() == 1 && trace.own_intercept());
  const bool contoured = kind == "contours" || arguments.has("solvers");
  if (kind == "weights") return weights(trace);
  if (contoured || (kind.empty() && plane && has_contours(trace.word)))
    return contours(trace, data, options, arguments);
  return costs(trace, data, options);
}

} // namespace

Result<void> check_trace_plot(const Arguments& arguments) {
  const std::string word = arguments.word(0), kind = arguments.text("plot-kind");
  if (!report::learns(word) && kind == "curve")
    return fail(ErrorCode::usage, "--plot-kind", fmt::format("{} has no training curve", word),
                "choose cost, weights or contours");
  if (arguments.has("solvers") && !arguments.has("plot"))
    return fail(ErrorCode::usage, "--solvers", "there is no picture without --plot", "add --plot FILE.svg");
  if (arguments.has("beside") && (!report::learns(word) || (!kind.empty() && kind != "curve")))
    return fail(ErrorCode::usage, "--beside", "it is for training curves, of a perceptron or a delta rule",
                "leave it out");
  if (arguments.has("solvers") && (word == "perceptron" || kind == "cost" || kind == "weights" || kind == "curve"))
    return fail(ErrorCode::usage, "--solvers", "it is for the paths of solvers over the contours of a cost",
                "leave it out");
  return {};
}

Pictures curve_pictures(const std::vector<TrainingCurve>& curves) {
  if (curves.size() == 1) return one(curve_picture(curves[0]));
  std::vector<plot::Picture> out;
  for (const TrainingCurve& curve : curves) {
    auto picture = panel(curve, report::against_rest(curve.trace));
    if (!picture) return std::unexpected(picture.error());
    out.push_back(*std::move(picture));
  }
  return out;
}

Pictures setting_pictures(const std::vector<report::Setting>& settings) {
  std::vector<plot::Picture> out;
  for (std::size_t k = 0; k < settings[0].curves.size(); ++k)
    for (const report::Setting& setting : settings) {
      const std::string& label = setting.curves[k].trace.label;
      auto picture = panel(setting.curves[k], label.empty() ? setting.title : label + ": " + setting.title);
      if (!picture) return std::unexpected(picture.error());
      out.push_back(*std::move(picture));
    }
  return out;
}

Pictures trace_pictures(const std::vector<TrainingCurve>& curves, const Dataset& data, const FitOptions& options,
                        const Arguments& arguments) {
  const std::string& word = curves[0].trace.word;
  const std::string kind = arguments.text("plot-kind");
  if (report::learns(word) && (kind == "curve" || (kind.empty() && !arguments.has("solvers"))))
    return curve_pictures(curves);
  if (curves.size() == 1) return cost_pictures(curves[0].trace, data, options, arguments);
  if (kind != "cost" && (options.balanced || !options.class_weights.empty()))
    return fail(ErrorCode::usage, "--class-weights", "those of several classes are not those of one and the rest",
                "draw one class, with --positive LABEL");
  std::vector<plot::Picture> out;
  for (const TrainingCurve& each : curves) {
    FitOptions of_class = options;
    of_class.positive = each.trace.label;
    Pictures pictures = cost_pictures(each.trace, data, of_class, arguments);
    if (!pictures) return pictures;
    pictures->front().title = report::against_rest(each.trace);
    out.push_back(std::move(pictures->front()));
  }
  return out;
}

FlagGroup trace_plot_flags() {
  return {"Drawing",
          {plot_flag(),
           {.name = "plot-kind",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "the cost or the weights, step by step, or the path over the cost's contours; for a perceptron, "
                       "the rows that were right",
            .choices = {"cost", "weights", "contours", "curve"},
            .initial = "contours for two weights, cost for more; curve for a perceptron and a delta rule"},
           {.name = "solvers",
            .kind = FlagKind::text,
            .value = "WORD,...",
            .summary = "also the paths of these solvers over the contours"},
           {.name = "beside",
            .kind = FlagKind::file,
            .value = "DATA",
            .summary = "training curves side by side, reported and drawn: of these rows, of DATA, and of DATA with the "
                       "schedule c/(c+t)"}}};
}

} // namespace recta::cli
