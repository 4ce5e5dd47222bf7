// recta trace: a descent step by step.
#include "fitting.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "table.hpp"
#include "trace_plot.hpp"

#include <recta/curve.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::cli {

namespace {

double length(const TraceStep& step) {
  double sum = step.intercept_move * step.intercept_move;
  for (const double x : step.move) sum += x * x;
  return std::sqrt(sum);
}

// Of perceptrons and the delta rule there is a curve beside the trace.
void write_trace(Json& json, const TrainingCurve& found, const std::string& source) {
  const Trace& trace = found.trace;
  const TrainingCurve* curve = learns(trace.word) ? &found : nullptr;
  json.field("model", trace.word).field("solver", trace.solver);
  json.field("objective", trace.objective).field("source", source).field("target", trace.target);
  if (!trace.label.empty()) json.field("class", trace.label);
  json.list("features", trace.features).field("intercept", trace.intercept).field("standardised", trace.standardised);
  json.field("rate", trace.rate).field("safe_rate", trace.safe_rate);
  json.field("stop", trace.stop).field("diverged", trace.diverged);
  if (curve) json.field("rows", curve->rows);
  json.key("steps").array();
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TraceStep& step = trace.steps[k];
    json.object().field("step", step.step).field("rows", step.rows).field("rate", step.rate);
    if (curve) json.field("row", curve->row[k]).field("correct", curve->correct[k]);
    json.field("cost", step.cost).field("gradient_norm", step.gradient_norm);
    json.list("weights", step.weights).field("intercept", step.intercept);
    json.list("move", step.move).field("intercept_move", step.intercept_move).end();
  }
  json.end().key("answer").object().field("cost", trace.cost);
  json.list("weights", trace.weights).field("intercept", trace.answer_intercept).end();
}

std::string trace_json(const std::vector<TrainingCurve>& found, const std::string& source) {
  Json json;
  json.object().field("schema", "recta/trace/1");
  if (found.size() == 1) {
    write_trace(json, found[0], source);
    return json.end().text();
  }
  json.key("classes").array();
  for (const TrainingCurve& one : found) {
    json.object();
    write_trace(json, one, source);
    json.end();
  }
  return json.end().end().text();
}

// One weight alone moves along a line, so its move has a sign; of several the length is shown.
std::string trace_table(const TrainingCurve& found, const Voice& voice, Index top) {
  const Trace& trace = found.trace;
  const TrainingCurve* curve = learns(trace.word) ? &found : nullptr;
  const std::size_t shown =
      top == 0 ? trace.features.size() : std::min<std::size_t>(trace.features.size(), static_cast<std::size_t>(top));
  const bool line = trace.features.size() == 1 && !trace.intercept;
  std::vector<std::string> heading = {"step", "rate", line ? "move" : "|move|", "cost", "|gradient|"};
  if (curve) heading.insert(heading.begin() + 1, {"presented", "row", "right"});
  if (trace.intercept) heading.emplace_back("(intercept)");
  heading.insert(heading.end(), trace.features.begin(), trace.features.begin() + static_cast<std::ptrdiff_t>(shown));
  if (shown < trace.features.size()) heading.emplace_back("...");
  Table table(heading, 0);
  const auto number = [&](double x) { return number_text(x, voice.digits); };
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TraceStep& step = trace.steps[k];
    const bool start = step.step == 0;
    std::vector<std::string> row = {std::to_string(step.step), start ? "" : number(step.rate),
                                    start ? "" : number(line ? step.move[0] : length(step)), number(step.cost),
                                    number(step.gradient_norm)};
    if (curve)
      row.insert(row.begin() + 1, {std::to_string(step.rows), curve->row[k] > 0 ? std::to_string(curve->row[k]) : "",
                                   std::to_string(curve->correct[k])});
    if (trace.intercept) row.push_back(number(step.intercept));
    for (std::size_t j = 0; j < shown; ++j) row.push_back(number(step.weights[j]));
    table.add(std::move(row));
  }
  return table.text();
}

std::string title_text(const Trace& trace, const std::string& source, bool each) {
  std::string text = fmt::format("{} of {} on {} by {}", trace.word, trace.target, source, trace.solver);
  if (each) return text + ", each class against the rest";
  return trace.label.empty() ? text : fmt::format("{}, {} against the rest", text, trace.label);
}

// What is the same for all classes: they have the same rows.
std::string setting_text(const Trace& trace, const Voice& voice) {
  std::string text = fmt::format("\nobjective  {}\n", trace.objective);
  if (trace.standardised) text += "units      weights are those of (x - mean) / sd\n";
  if (std::isfinite(trace.safe_rate))
    text += fmt::format("rate       a constant rate below {} is safe\n", number_text(trace.safe_rate, voice.digits));
  return text;
}

std::string end_text(const Trace& trace, const Voice& voice) {
  const std::string cost = number_text(trace.cost, voice.digits);
  if (trace.diverged) return fmt::format("\nIt {}. The best cost was {}.\n", trace.stop, cost);
  return fmt::format("\nEnded: {}; cost {}.\n", trace.stop, cost);
}

std::string trace_text(const std::vector<TrainingCurve>& found, const std::string& source, const Voice& voice,
                       Index top) {
  const Trace& first = found[0].trace;
  const bool each = found.size() > 1;
  std::string text = voice.bold(title_text(first, source, each)) + "\n\n";
  if (!each) return text + trace_table(found[0], voice, top) + setting_text(first, voice) + end_text(first, voice);
  for (const TrainingCurve& one : found) {
    text += voice.bold(one.trace.label + " against the rest") + "\n";
    text += trace_table(one, voice, top) + end_text(one.trace, voice) + "\n";
  }
  return text + setting_text(first, voice).substr(1);
}

Result<std::vector<TrainingCurve>> traced(const std::string& word, const Dataset& data, const FitOptions& options,
                                          Index every, const Watch& watch) {
  if (learns(word)) return class_training_curves(word, data, options, every, watch);
  Result<Trace> found = trace(word, data, options, every, watch);
  if (!found) return std::unexpected(found.error());
  std::vector<TrainingCurve> out(1);
  out[0].trace = std::move(*found);
  return out;
}

Result<int> run_trace(const Arguments& arguments) {
  const Voice voice(arguments);
  const auto model = known_model(arguments.word(0));
  if (!model) return std::unexpected(model.error());
  const std::string word = arguments.word(0);
  // A model without a descent is refused for that, not for the flags that it lacks.
  const bool descends = std::ranges::any_of((*model)->params, [](const ParamInfo& p) { return p.name == "steps"; });
  if (!learns(word) && !descends)
    if (auto refused = trace(word, Dataset(), FitOptions(), 1); !refused) return std::unexpected(refused.error());
  Result<FitOptions> options = fit_options(**model, arguments);
  if (!options) return std::unexpected(options.error());
  if (Result<void> good = check_plot(arguments, {arguments.word(1)}); !good) return std::unexpected(good.error());
  if (Result<void> good = check_trace_plot(arguments); !good) return std::unexpected(good.error());
  Result<Dataset> data = read_data(arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  const interrupt::Deferred kept;
  Result<std::vector<TrainingCurve>> found =
      traced(word, *data, *options, arguments.count("every", 1), progress.watch());
  progress.clear();
  if (!found) return std::unexpected(found.error());
  if (arguments.has("plot")) {
    const auto pictures = trace_pictures(*found, *data, *options, arguments, voice);
    if (!pictures) return std::unexpected(pictures.error());
    if (Result<void> drawn = write_pictures(*pictures, arguments.text("plot"), voice); !drawn)
      return std::unexpected(drawn.error());
  }
  Result<Output> out = Output::to_standard_output();
  *out << (voice.json ? trace_json(*found, data->source)
                      : trace_text(*found, data->source, voice, arguments.count("top", 8)));
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return interrupt::asked() ? interrupt::exit_code() : 0;
}

FlagGroup tracing_flags() {
  return {"Tracing",
          {{.name = "every",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "show every N-th step, and the last",
            .lowest = 1,
            .highest = 1e15,
            .initial = "1"},
           {.name = "top",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "weights shown, the first ones; 0 shows all",
            .lowest = 0,
            .highest = 1e9,
            .initial = "8"},
           {.name = "no-intercept", .summary = "no constant term"},
           {.name = "standardise", .summary = "descend on (x - mean) / sd"},
           {.name = "seed",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "of a random start and of random orders",
            .lowest = 0,
            .highest = 9e15,
            .initial = "0"},
           {.name = "time-limit",
            .kind = FlagKind::number,
            .value = "S",
            .summary = "stop after so many seconds",
            .lowest = 0},
           threads_flag()}};
}

} // namespace

CommandInfo trace_command() {
  return {
      .name = "trace",
      .summary = "descend step by step and show every step",
      .examples = {{"recta trace linear housing --standardise --rate 0.1 --steps 10", "batch gradient descent"},
                   {"recta trace adaline train.csv --target y --rate 0.01 --passes 2", "one row at a time"},
                   {"recta trace linear train.csv --target y --reduction sum --rate 1e-4", "the summed form"},
                   {"recta trace linear norris --rate 1e-6 --plot way.svg", "the way over the contours of the cost"},
                   {"recta trace logistic two.csv --target y --solvers sgd,accelerated --plot ways.svg",
                    "the ways of three solvers"},
                   {"recta trace perceptron points.csv --target y --plot curve.svg",
                    "every mistake, and the rows that were right"},
                   {"recta trace perceptron iris --passes 9 --plot curves.svg", "each class against the rest"},
                   {"recta trace delta iris --positive Iris-setosa --steps 9", "one class against the rest"},
                   {"recta trace ridge train.csv --target y --solver sgd --batch 10 --seed 1 --json", ""}},
      .words = {{"MODEL", WordKind::model}, {"DATA", WordKind::data}},
      .groups = {{"Parameters of the models", model_flags("")},
                 column_flags(),
                 map_flags(),
                 tracing_flags(),
                 trace_plot_flags(),
                 output_flags(),
                 reading_flags()},
      .notes = "Cost and gradient are those of the objective over all rows, at the weights shown. Without an end\n"
               "(--steps, --passes, --stop-move, --stop-gradient) there are 20 steps. docs/descent.md explains all.",
      .run = run_trace};
}

} // namespace recta::cli
