#include "trace_report.hpp"

#include "json.hpp"
#include "table.hpp"

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

// One list per row, of its classes in their order.
void write_posteriors(Json& json, const Values& all, std::size_t classes) {
  json.key("posteriors").array();
  for (std::size_t at = 0; at < all.size(); at += classes) {
    json.line();
    for (std::size_t k = 0; k < classes; ++k) json.value(all[at + k]);
    json.end();
  }
  json.end();
}

// Perceptrons and the delta rule have a curve beside the trace.
void write_trace(Json& json, const TrainingCurve& training, const std::string& source,
                 const Posteriors& posteriors = {}) {
  const Trace& trace = training.trace;
  const auto intercept = [&](const char* name, double value) { // null where every class has its own, among the weights
    trace.intercepts_in_weights ? json.key(name).null() : json.field(name, value);
  };
  const TrainingCurve* curve = learns(trace.word) ? &training : nullptr;
  json.field("model", trace.word).field("solver", trace.solver);
  json.field("objective", trace.objective).field("source", source).field("target", trace.target);
  if (!trace.label.empty()) json.field("class", trace.label);
  json.list("features", trace.features).field("intercept", trace.intercept).field("standardised", trace.standardised);
  json.field("rate", trace.rate).field("safe_rate", trace.safe_rate);
  json.field("stop", trace.stop).field("diverged", trace.diverged);
  if (curve) json.field("rows", curve->rows);
  if (!posteriors.steps.empty()) json.list("labels", posteriors.labels);
  json.key("steps").array();
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TraceStep& step = trace.steps[k];
    json.object().field("step", step.step).field("rows", step.rows).field("rate", step.rate);
    if (curve) json.field("row", curve->row[k]).field("correct", curve->correct[k]);
    json.field("cost", step.cost).field("gradient_norm", step.gradient_norm);
    json.list("weights", step.weights);
    intercept("intercept", step.intercept);
    json.list("move", step.move);
    intercept("intercept_move", step.intercept_move);
    if (!posteriors.steps.empty()) write_posteriors(json, posteriors.steps[k], posteriors.labels.size());
    json.end();
  }
  json.end().key("answer").object().field("cost", trace.cost);
  json.list("weights", trace.weights);
  intercept("intercept", trace.answer_intercept);
  json.end();
}

// One trace: its keys here. More: a list of them.
void write_traces(Json& json, const std::vector<TrainingCurve>& curves, const std::string& source,
                  const Posteriors& posteriors = {}) {
  if (curves.size() == 1) return write_trace(json, curves[0], source, posteriors);
  json.key("classes").array();
  for (const TrainingCurve& one : curves) {
    json.object();
    write_trace(json, one, source);
    json.end();
  }
  json.end();
}

// One weight alone moves along a line, so its move has a sign; for several the length is shown.
std::string trace_table(const TrainingCurve& training, const Voice& voice, Index top) {
  const Trace& trace = training.trace;
  const TrainingCurve* curve = learns(trace.word) ? &training : nullptr;
  const std::size_t shown =
      top == 0 ? trace.features.size() : std::min<std::size_t>(trace.features.size(), static_cast<std::size_t>(top));
  const bool line = trace.features.size() == 1 && !trace.own_intercept();
  std::vector<std::string> heading = {"step", "rate", line ? "move" : "|move|", "cost", "|gradient|"};
  if (curve) heading.insert(heading.begin() + 1, {"presented", "row", "right"});
  if (trace.own_intercept()) heading.emplace_back("(intercept)");
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
    if (trace.own_intercept()) row.push_back(number(step.intercept));
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

// The settings that all classes share: they have the same rows.
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

// One table per class, under its name if there are several.
std::string tables_text(const std::vector<TrainingCurve>& curves, const Voice& voice, Index top) {
  std::string text;
  for (const TrainingCurve& one : curves) {
    if (curves.size() > 1) text += voice.bold(against_rest(one.trace)) + "\n";
    text += trace_table(one, voice, top) + end_text(one.trace, voice) + "\n";
  }
  return text;
}

} // namespace

bool learns(const std::string& word) {
  const ModelInfo* info = model_info(word);
  return info != nullptr && info->mistakes;
}

std::string against_rest(const Trace& trace) {
  return trace.label + " against the rest";
}

std::string trace_json(const std::vector<TrainingCurve>& curves, const std::string& source,
                       const Posteriors& posteriors) {
  Json json;
  json.object().field("schema", "recta/trace/1");
  write_traces(json, curves, source, posteriors);
  return json.end().text();
}

std::string settings_json(const std::vector<Setting>& settings) {
  Json json;
  json.object().field("schema", "recta/trace/1").key("settings").array();
  for (const Setting& setting : settings) {
    json.object().field("setting", setting.title).field("schedule", setting.schedule);
    write_traces(json, setting.curves, setting.source);
    json.end();
  }
  return json.end().end().text();
}

std::string trace_text(const std::vector<TrainingCurve>& curves, const std::string& source, const Voice& voice,
                       Index top) {
  const Trace& first = curves[0].trace;
  const bool each = curves.size() > 1;
  const std::string text = voice.bold(title_text(first, source, each)) + "\n\n";
  if (!each) return text + trace_table(curves[0], voice, top) + setting_text(first, voice) + end_text(first, voice);
  return text + tables_text(curves, voice, top) + setting_text(first, voice).substr(1);
}

std::string posteriors_text(const Posteriors& posteriors, const Trace& trace, const Voice& voice) {
  std::vector<std::string> heading = {"step", "row"};
  for (const std::string& label : posteriors.labels) heading.push_back("P(" + label + ")");
  Table table(heading, 0);
  const std::size_t classes = posteriors.labels.size();
  for (std::size_t s = 0; s < posteriors.steps.size(); ++s)
    for (std::size_t i = 0; i < posteriors.steps[s].size() / classes; ++i) {
      std::vector<std::string> row = {std::to_string(trace.steps[s].step), std::to_string(i + 1)};
      for (std::size_t k = 0; k < classes; ++k)
        row.push_back(number_text(posteriors.steps[s][i * classes + k], voice.digits));
      table.add(std::move(row));
    }
  return "\n" + table.text();
}

std::string settings_text(const std::vector<Setting>& settings, const Voice& voice, Index top) {
  const Trace& trace = settings[0].curves[0].trace;
  std::string text = voice.bold(
      fmt::format("{} of {} by {}, {} settings side by side", trace.word, trace.target, trace.solver, settings.size()));
  text += fmt::format("\n\nobjective  {}\n", trace.objective);
  if (trace.standardised) text += "units      weights are those of (x - mean) / sd\n";
  text += "\n";
  for (const Setting& setting : settings)
    text += voice.bold(setting.title) + "\n" + tables_text(setting.curves, voice, top);
  text.pop_back();
  return text;
}

} // namespace recta::cli
