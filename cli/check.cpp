// recta check: the data doctor; with --separable, whether a hyperplane separates two classes.
#include "fitting.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "separable.hpp"
#include "table.hpp"

#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace recta::cli {

namespace {

std::string remark(const ColumnCheck& column) {
  if (!column.duplicate_of.empty()) return "same values as " + column.duplicate_of;
  if (column.constant) return "constant";
  if (column.missing > 0) return fmt::format("first missing in row {}", column.first_missing_row);
  return "";
}

std::string target_text(const TargetCheck& target, const Voice& voice) {
  const ColumnCheck& c = target.column;
  std::string text = fmt::format("{}: {}, {} distinct", voice.bold("target " + c.name), type_name(c.type), c.distinct);
  if (!std::isnan(c.mean))
    text += fmt::format(", from {} to {}, mean {}, sd {}", number_text(c.lowest, voice.digits),
                        number_text(c.highest, voice.digits), number_text(c.mean, voice.digits),
                        number_text(c.deviation, voice.digits));
  if (c.constant) text += ", constant";
  text += c.missing == 0 ? ", none missing\n"
                         : fmt::format(", missing in {}, first in row {}\n", count_text(c.missing, "row", "rows"),
                                       c.first_missing_row);
  constexpr std::size_t kShown = 20;
  std::vector<std::string> classes;
  for (const auto& [label, rows] : target.classes) {
    if (classes.size() == kShown) break;
    classes.push_back(fmt::format("{} ({})", label, rows));
  }
  if (classes.empty()) return text;
  const std::size_t more = target.classes.size() - classes.size();
  return text + fmt::format("  as labels, with their rows: {}{}\n", fmt::join(classes, ", "),
                            more > 0 ? fmt::format(" and {} more", more) : "");
}

// The data that were read, and how long that took.
struct Read {
  std::string source, indices; // indices: where those of LIBSVM start
  double seconds = 0;
};

// The time of the same fit by an engine of sixteen machines, from the table in docs/cluster.md: the rounds take a
// second however few rows there are, and a row takes four times as long as here.
constexpr double kRoundsSeconds = 1, kTimesAsLong = 4, kMachines = 16;

double here_seconds(const Checkup& checkup, const Read& read) {
  return read.seconds + checkup.fit_seconds;
}
double engine_seconds(const Checkup& checkup, const Read& read) {
  return kRoundsSeconds + here_seconds(checkup, read) * kTimesAsLong / kMachines;
}

std::string cost_text(const Checkup& checkup, const Read& read) {
  std::string text =
      fmt::format("\na fit would take about {} to read the data, {} to fit and prove; of memory {} for the table,\n"
                  "which --stream does not keep, and {} for the fit\n",
                  seconds_text(read.seconds), seconds_text(checkup.fit_seconds), bytes_text(checkup.table_bytes),
                  bytes_text(checkup.fit_bytes));
  const double here = here_seconds(checkup, read), there = engine_seconds(checkup, read);
  const double rows = static_cast<double>(checkup.rows) * kRoundsSeconds / (here * (1 - kTimesAsLong / kMachines));
  if (there < here)
    text += fmt::format("--engine spark would take about {} with {} machines like this one\n", seconds_text(there),
                        kMachines);
  else if (here > 0.1) // below it the start of a fit hides what a row costs
    text += fmt::format("this machine is enough: --engine spark pays from about {:.1g} such rows\n", rows);
  return text;
}

std::string check_text(const Checkup& checkup, const Read& read, const Voice& voice) {
  std::string text =
      voice.bold(read.source) + fmt::format(": {}, {}, {}\n", count_text(checkup.rows, "row", "rows"),
                                            count_text(static_cast<Index>(checkup.columns.size()), "column", "columns"),
                                            count_text(checkup.features, "numeric feature", "numeric features"));
  if (!read.indices.empty()) text += read.indices + "\n";
  for (const TargetCheck& target : checkup.targets) text += target_text(target, voice);
  text += "\n";
  Table table({"column", "type", "missing", "distinct", "mean", "sd", "lowest", "highest", "vif", "remark"}, 2);
  table.last_left();
  for (const ColumnCheck& c : checkup.columns) {
    const bool counted = c.distinct > 0 || c.missing == checkup.rows; // sparse columns are not
    table.add({c.name, type_name(c.type), std::to_string(c.missing), counted ? std::to_string(c.distinct) : "-",
               number_text(c.mean, voice.digits), number_text(c.deviation, voice.digits),
               number_text(c.lowest, voice.digits), number_text(c.highest, voice.digits),
               number_text(c.variance_inflation, 3), remark(c)});
  }
  text += table.text();
  text += fmt::format("\nrank {} of {}, condition number {} of the scaled columns, scale spread {}\n", checkup.rank,
                      checkup.features, number_text(checkup.condition, 3), number_text(checkup.scale_spread, 3));
  if (!checkup.dependencies.empty()) text += "\n" + voice.bold("near dependencies") + "\n";
  for (const NearDependency& dependency : checkup.dependencies) text += "  " + dependency.sentence() + "\n";
  if (!checkup.advice.empty()) text += "\n" + voice.bold("advice") + "\n";
  for (const std::string& advice : checkup.advice) text += "  " + advice + "\n";
  return text + cost_text(checkup, read);
}

void column_fields(Json& json, const ColumnCheck& c) {
  json.field("name", c.name).field("type", type_name(c.type)).field("missing", c.missing);
  json.key("first_missing_row");
  c.missing > 0 ? json.value(c.first_missing_row) : json.null();
  json.field("distinct", c.distinct).field("mean", c.mean).field("deviation", c.deviation);
  json.field("lowest", c.lowest).field("highest", c.highest).field("constant", c.constant);
  json.key("duplicate_of");
  c.duplicate_of.empty() ? json.null() : json.value(c.duplicate_of);
}

std::string check_json(const Checkup& checkup, const Read& read) {
  Json json;
  json.object().field("schema", "recta/check/1").field("source", read.source).field("rows", checkup.rows);
  json.field("features", checkup.features).key("targets").array();
  for (const TargetCheck& target : checkup.targets) {
    column_fields(json.object(), target.column);
    json.key("classes").object();
    for (const auto& [label, rows] : target.classes) json.field(label, rows);
    json.end().end();
  }
  json.end().key("columns").array();
  for (const ColumnCheck& column : checkup.columns) {
    column_fields(json.object(), column);
    json.field("variance_inflation", column.variance_inflation).end();
  }
  json.end().field("scale_spread", checkup.scale_spread).field("rank", checkup.rank);
  json.field("condition", checkup.condition).key("dependencies").array();
  for (const NearDependency& d : checkup.dependencies) {
    json.object().field("column", d.column).field("r2", d.r2).field("exact", d.exact);
    json.field("intercept", d.intercept).key("terms").object();
    for (const auto& [name, factor] : d.terms) json.field(name, factor);
    json.end().field("sentence", d.sentence()).end();
  }
  json.end().list("advice", checkup.advice).field("seconds_reading", read.seconds);
  json.field("fit_seconds", checkup.fit_seconds).field("table_bytes", checkup.table_bytes);
  json.field("fit_bytes", checkup.fit_bytes).field("engine_seconds", engine_seconds(checkup, read));
  return json.end().text();
}

Result<int> print(const std::string& text) {
  Result<Output> out = Output::to_standard_output();
  *out << text;
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

// Flags that the question of separability adds.
FlagGroup separable_flags() {
  FlagGroup group{"Separability of two classes",
                  {{.name = "separable", .summary = "whether a hyperplane separates them, and the proof"},
                   {.name = "positive",
                    .kind = FlagKind::text,
                    .value = "LABEL",
                    .summary = "the class on the positive side; of more than two it is set against the rest",
                    .initial = "the second of two; of more each in turn"},
                   {.name = "no-intercept", .summary = "hyperplanes through the origin alone"},
                   {.name = "missing",
                    .kind = FlagKind::choice,
                    .value = "WORD",
                    .summary = "rows with missing values",
                    .choices = {"refuse", "drop", "mean", "indicator"},
                    .initial = "refuse"}}};
  for (FlagInfo& flag : map_flags().flags) group.flags.push_back(std::move(flag));
  return group;
}

Result<int> run_separable(const Dataset& data, const FitOptions& options, const Voice& voice) {
  const interrupt::Deferred deferred;
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  Result<std::vector<Separability>> separability = class_separability(data, options, progress.watch());
  if (!separability) return std::unexpected(separability.error());
  SeparableAnswers answers{*std::move(separability)};
  if (answers.classes.size() > 1) {
    Result<std::vector<Separability>> pairs = pair_separability(data, options, progress.watch());
    if (!pairs) return std::unexpected(pairs.error());
    answers.pairs = *std::move(pairs);
  }
  progress.clear();
  return print(voice.json ? separable_json(answers) : separable_text(answers, voice));
}

Result<int> run_check(const Arguments& arguments) {
  const Voice voice(arguments);
  if (!arguments.has("separable"))
    for (const FlagInfo& flag : separable_flags().flags)
      if (arguments.has(flag.name))
        return fail(ErrorCode::usage, "--" + flag.name, "it belongs to the question of separability",
                    "add --separable");
  const auto begin = std::chrono::steady_clock::now();
  Result<Dataset> data = read_data(arguments.word(0), arguments, voice);
  if (!data) return std::unexpected(data.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Read read{data->source, note_of(data->notes, kIndicesNote), seconds};
  const FitOptions options = row_options(arguments);
  if (arguments.has("separable")) return run_separable(*data, options, voice);
  Result<Checkup> checkup = check(*data, options);
  if (!checkup) return std::unexpected(checkup.error());
  const std::vector<std::string> findings = findings_of(*data, arguments);
  checkup->advice.insert(checkup->advice.begin(), findings.begin(), findings.end());
  return print(voice.json ? check_json(*checkup, read) : check_text(*checkup, read, voice));
}

} // namespace

CommandInfo check_command() {
  return {.name = "check",
          .summary = "the data doctor: what a fit will meet in a table",
          .examples = {{"recta check train.csv --target y", "types, missing, scales, near dependencies in words"},
                       {"recta check housing", "a built-in set"},
                       {"recta check points.csv --target y --separable", "can a hyperplane separate two classes?"},
                       {"recta check iris --target species --separable --positive Iris-setosa",
                        "one class from the rest, with its hyperplane"}},
          .words = {{"DATA", WordKind::data}},
          .groups = {{"Columns",
                      {{.name = "target", .kind = FlagKind::columns, .value = "COL,...", .summary = "not a feature"},
                       {.name = "weights", .kind = FlagKind::columns, .value = "COL", .summary = "weight of each row"},
                       {.name = "ignore", .kind = FlagKind::columns, .value = "COL,...", .summary = "not features"},
                       threads_flag()}},
                     separable_flags(),
                     output_flags(),
                     reading_flags()},
          .notes = {},
          .run = run_check};
}

} // namespace recta::cli
