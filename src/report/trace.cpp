// A descent: its steps, as data and as tables.
#include <recta/reports.hpp>

#include <algorithm>
#include <cmath>

namespace recta::report {
namespace {

double length(const TraceStep& step) {
  double sum = step.intercept_move * step.intercept_move;
  for (const double x : step.move) sum += x * x;
  return std::sqrt(sum);
}

// One list per row, of its classes in their order.
Value posteriors_data(const Values& all, std::size_t classes) {
  Value::List rows;
  const auto k = static_cast<std::ptrdiff_t>(classes);
  for (auto at = all.begin(); at != all.end(); at += k) rows.emplace_back(std::vector<double>(at, at + k));
  return rows;
}

// Perceptrons and the delta rule have a curve beside the trace.
Group trace_data(const TrainingCurve& training, const std::string& source, const Posteriors& posteriors = {}) {
  const Trace& trace = training.trace;
  const bool curve = learns(trace.word), probabilities = !posteriors.steps.empty();
  const auto intercept = [&](double value) { // null where every class has its own, among the weights
    return trace.intercepts_in_weights ? Value(nullptr) : Value(value);
  };
  Value::List steps;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TraceStep& step = trace.steps[k];
    const auto classes = posteriors.labels.size();
    steps.emplace_back(Group{{"step", step.step},
                             {"rows", step.rows},
                             {"rate", step.rate},
                             {"row", curve ? Value(training.row[k]) : Value()},
                             {"correct", curve ? Value(training.correct[k]) : Value()},
                             {"cost", step.cost},
                             {"gradient_norm", step.gradient_norm},
                             {"weights", step.weights},
                             {"intercept", intercept(step.intercept)},
                             {"move", step.move},
                             {"intercept_move", intercept(step.intercept_move)},
                             {"posteriors", probabilities ? posteriors_data(posteriors.steps[k], classes) : Value()}});
  }
  return {{"model", trace.word},
          {"solver", trace.solver},
          {"objective", trace.objective},
          {"source", source},
          {"target", trace.target},
          {"class", trace.label.empty() ? Value() : trace.label},
          {"features", trace.features},
          {"intercept", trace.intercept},
          {"standardised", trace.standardised},
          {"rate", trace.rate},
          {"safe_rate", trace.safe_rate},
          {"stop", trace.stop},
          {"diverged", trace.diverged},
          {"rows", curve ? Value(training.rows) : Value()},
          {"labels", probabilities ? Value(posteriors.labels) : Value()},
          {"steps", std::move(steps)},
          {"answer",
           Group{{"cost", trace.cost}, {"weights", trace.weights}, {"intercept", intercept(trace.answer_intercept)}}}};
}

// One trace: its keys here. More: a list of them.
Group traces_data(const std::vector<TrainingCurve>& curves, const std::string& source,
                  const Posteriors& posteriors = {}) {
  if (curves.size() == 1) return trace_data(curves[0], source, posteriors);
  Value::List classes;
  for (const TrainingCurve& one : curves) classes.emplace_back(trace_data(one, source));
  return {{"classes", std::move(classes)}};
}

// One weight alone moves along a line, so its move has a sign; for several the length is shown.
Table steps_table(const TrainingCurve& training, Index top) {
  const Trace& trace = training.trace;
  const bool curve = learns(trace.word), line = trace.features.size() == 1 && !trace.own_intercept();
  const std::size_t all = trace.features.size(), shown = top == 0 ? all : std::min(all, static_cast<std::size_t>(top));
  Table out{.columns = {{"", "step"}}, .left = 0, .both_ends = true, .rest = "rows.more"};
  if (curve) out.columns.insert(out.columns.end(), {{"", "presented"}, {"", "row"}, {"", "right"}});
  out.columns.insert(out.columns.end(),
                     {{"", "rate"}, {"", line ? "move" : "|move|"}, {"", "cost"}, {"", "|gradient|"}});
  if (trace.own_intercept()) out.columns.push_back({"", "(intercept)"});
  for (std::size_t j = 0; j < shown; ++j) out.columns.push_back({"", trace.features[j]});
  if (shown < all) out.columns.push_back({"", "..."});
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TraceStep& step = trace.steps[k];
    const bool start = step.step == 0;
    std::vector<Value>& row = out.rows.emplace_back();
    row.emplace_back(step.step);
    if (curve)
      row.insert(row.end(), {step.rows, training.row[k] > 0 ? Value(training.row[k]) : Value(), training.correct[k]});
    row.insert(row.end(), {start ? Value() : step.rate,
                           start  ? Value()
                           : line ? step.move[0]
                                  : length(step),
                           step.cost, step.gradient_norm});
    if (trace.own_intercept()) row.emplace_back(step.intercept);
    row.insert(row.end(), step.weights.begin(), step.weights.begin() + static_cast<std::ptrdiff_t>(shown));
    row.resize(out.columns.size());
  }
  return out;
}

// The settings that all classes share: they have the same rows.
Section settings_of(const Trace& trace, bool rate) {
  Section out = {Sentence{"objective", {{"objective", trace.objective}}}};
  if (trace.standardised) out.push_back(Sentence{"trace.units"});
  if (rate && std::isfinite(trace.safe_rate)) out.push_back(Sentence{"trace.safe", {{"rate", trace.safe_rate}}});
  return out;
}

// One table per class, under its name if there are several.
std::vector<Section> tables_of(const std::vector<TrainingCurve>& curves, Index top) {
  std::vector<Section> out;
  for (const TrainingCurve& one : curves) {
    Section& section = out.emplace_back();
    if (curves.size() > 1) section.push_back(Heading{said(against_rest(one.trace))});
    section.push_back(Shown{shared(steps_table(one, top))});
    out.push_back({Sentence{one.trace.diverged ? "trace.diverged" : "trace.ended",
                            {{"stop", one.trace.stop}, {"cost", one.trace.cost}}}});
  }
  return out;
}

Table posteriors_table(const Posteriors& posteriors, const Trace& trace) {
  Table out{.columns = {{"", "step"}, {"", "row"}}, .left = 0};
  const std::size_t classes = posteriors.labels.size();
  for (const std::string& label : posteriors.labels) out.columns.push_back({"", "P(" + label + ")"});
  for (std::size_t s = 0; s < posteriors.steps.size(); ++s)
    for (std::size_t i = 0; i < posteriors.steps[s].size() / classes; ++i) {
      std::vector<Value>& row = out.rows.emplace_back();
      row = {trace.steps[s].step, i + 1};
      for (std::size_t k = 0; k < classes; ++k) row.emplace_back(posteriors.steps[s][i * classes + k]);
    }
  return out;
}

} // namespace

bool learns(const std::string& word) {
  const ModelInfo* info = model_info(word);
  return info != nullptr && info->mistakes;
}

std::string against_rest(const Trace& trace) {
  return trace.label + " against the rest";
}

Document trace_document(const std::vector<TrainingCurve>& curves, const std::string& source,
                        const Posteriors& posteriors, Index top) {
  const Trace& first = curves[0].trace;
  const bool each = curves.size() > 1;
  Document out{{{"schema", "recta/trace/1"}},
               {{Heading{{"trace.title",
                          {{"model", first.word},
                           {"target", first.target},
                           {"source", source},
                           {"solver", first.solver},
                           {"each", each},
                           {"label", each ? "" : first.label}}}}}}};
  out.data.add(traces_data(curves, source, posteriors));
  append(out.page, tables_of(curves, top));
  out.page.insert(each ? out.page.end() : out.page.end() - 1, settings_of(first, true));
  if (!posteriors.steps.empty()) out.page.push_back({Shown{shared(posteriors_table(posteriors, first))}});
  return out;
}

Document settings_document(const std::vector<Setting>& settings, Index top) {
  const Trace& trace = settings[0].curves[0].trace;
  Document out{
      {},
      {{Heading{
           {"trace.settings",
            {{"model", trace.word}, {"target", trace.target}, {"solver", trace.solver}, {"count", settings.size()}}}}},
       settings_of(trace, false)}};
  Value::List all;
  for (const Setting& setting : settings) {
    Group data{{"setting", setting.title}, {"schedule", setting.schedule}};
    all.emplace_back(data.add(traces_data(setting.curves, setting.source)));
    std::vector<Section> tables = tables_of(setting.curves, top);
    tables[0].insert(tables[0].begin(), Heading{said(setting.title)});
    append(out.page, std::move(tables));
  }
  out.data = {{"schema", "recta/trace/1"}, {"settings", std::move(all)}};
  return out;
}

} // namespace recta::report
