// recta diagnose: which rows decide a fit, whether its residuals are what least squares assumes, which columns depend.
#include "flags.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "table.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {

namespace {

std::string infinite_text(double value, int digits) {
  return std::isinf(value) ? "infinite" : number_text(value, digits);
}

std::string rows_text(const TargetDiagnosis& target, Index top, int digits) {
  const std::size_t most = top > 0 ? static_cast<std::size_t>(top) : target.rows.size();
  Table table({"row", "fitted", "residual", "leverage", "studentised", "Cook", "DFFITS", "deleted", "remarks"}, 0);
  table.last_left();
  for (std::size_t k = 0; k < target.most_influential.size() && k < most; ++k) {
    const RowInfluence& row = target.rows[static_cast<std::size_t>(target.most_influential[k])];
    table.add({std::to_string(row.row), number_text(row.fitted, digits), number_text(row.residual, digits),
               number_text(row.leverage, digits), infinite_text(row.studentised, digits),
               infinite_text(row.cooks_distance, digits), infinite_text(row.dffits, digits),
               infinite_text(row.deleted, digits),
               fmt::format("{}{}", row.alone ? "alone " : "", fmt::join(row.remarks, " "))});
  }
  return table.text();
}

std::string tests_text(const TargetDiagnosis& target, int digits) {
  Table table({"test", "statistic", "df", "p", "in words"});
  table.last_left();
  for (const ResidualTest& test : target.tests) {
    table.add({test.word, number_text(test.statistic, digits), number_text(test.freedom, digits),
               number_text(test.p_value, 4), test.sentence});
  }
  return table.text();
}

// The directions whose condition index is above 10: the others are harmless.
std::string columns_text(const Diagnosis& d, int digits) {
  Table inflation({"feature", "vif"});
  const std::size_t lead = d.columns.size() - d.variance_inflation.size();
  for (std::size_t j = 0; j < d.variance_inflation.size(); ++j) {
    inflation.add({d.columns[j + lead], infinite_text(d.variance_inflation[j], digits)});
  }
  std::string text = inflation.text();
  for (const ConditionIndex& direction : d.condition_indices) {
    if (!(direction.index > 10)) continue;
    std::vector<std::string> shares;
    for (std::size_t j = 0; j < direction.shares.size(); ++j) {
      if (direction.shares[j] > 0.3)
        shares.push_back(fmt::format("{} {:.0f} %", d.columns[j], 100 * direction.shares[j]));
    }
    text += fmt::format("condition index {}: {}\n", infinite_text(direction.index, 4),
                        shares.empty() ? "no coefficient has much of its variance here"
                                       : fmt::format("{}", fmt::join(shares, ", ")));
  }
  return text;
}

std::string diagnosis_text(const Model& model, const Diagnosis& d, const Arguments& arguments, const Voice& voice) {
  std::string text =
      voice.bold(fmt::format("{} on {}", arguments.word(0), arguments.word(1))) +
      fmt::format(", {} of {}: {}, {} parameters, {} degrees of freedom\n", model.word,
                  fmt::join(model.schema.targets, ", "), count_text(d.rows, "row", "rows"),
                  number_text(d.parameters, voice.digits), number_text(d.degrees_of_freedom, voice.digits));
  for (const TargetDiagnosis& target : d.targets) {
    text += "\n" + voice.bold("most influential rows" + (d.targets.size() > 1 ? " for " + target.target : "")) + "\n";
    text += rows_text(target, arguments.count("top", 10), voice.digits);
    text += fmt::format("remarked on above leverage {}, Cook {}, DFFITS {}\n", number_text(d.large_leverage, 3),
                        number_text(d.large_cooks_distance, 3), number_text(d.large_dffits, 3));
    text += fmt::format("PRESS {}, predicted r2 {}, skewness {}, kurtosis {}\n",
                        infinite_text(target.press, voice.digits), number_text(target.predicted_r2, voice.digits),
                        number_text(target.skewness, 4), number_text(target.kurtosis, 4));
    text += "\n" + voice.bold("residuals") + "\n" + tests_text(target, voice.digits);
  }
  text += "\n" + voice.bold("columns") + "\n" + columns_text(d, voice.digits);
  text += "\n" + voice.bold("findings") + "\n";
  if (d.findings.empty()) text += "  nothing that speaks against the fit\n";
  for (const std::string& finding : d.findings) text += "  " + finding + "\n";
  return text;
}

void row_value(Json& json, const RowInfluence& row) {
  json.object().field("row", row.row).field("weight", row.weight).field("target", row.target);
  json.field("fitted", row.fitted).field("residual", row.residual).field("leverage", row.leverage);
  json.field("standardised", row.standardised).field("studentised", row.studentised).field("deleted", row.deleted);
  json.field("cooks_distance", row.cooks_distance).field("dffits", row.dffits).field("alone", row.alone);
  json.list("remarks", row.remarks).end();
}

void target_value(Json& json, const TargetDiagnosis& target) {
  json.object().field("press", target.press).field("predicted_r2", target.predicted_r2);
  json.field("skewness", target.skewness).field("kurtosis", target.kurtosis).key("outlier").object();
  json.key("row");
  target.outlier < 0 ? json.null() : json.value(target.rows[static_cast<std::size_t>(target.outlier)].row);
  json.field("p_value", target.outlier_p_value).end().key("tests").array();
  for (const ResidualTest& test : target.tests) {
    json.object().field("test", test.word).field("statistic", test.statistic).field("freedom", test.freedom);
    json.field("p_value", test.p_value).field("sentence", test.sentence).end();
  }
  json.end().key("most_influential").line();
  for (std::size_t k = 0; k < std::min<std::size_t>(target.most_influential.size(), 10); ++k) {
    json.value(target.rows[static_cast<std::size_t>(target.most_influential[k])].row);
  }
  json.end().key("rows").array();
  for (const RowInfluence& row : target.rows) row_value(json, row);
  json.end().end();
}

std::string diagnosis_json(const Model& model, const Diagnosis& d, const Arguments& arguments) {
  Json json;
  json.object().field("schema", "recta/diagnose/1").field("model", model.word).field("file", arguments.word(0));
  json.field("source", arguments.word(1)).field("rows", d.rows).field("parameters", d.parameters);
  json.field("degrees_of_freedom", d.degrees_of_freedom).key("bounds").object();
  json.field("leverage", d.large_leverage).field("cooks_distance", d.large_cooks_distance);
  json.field("dffits", d.large_dffits).end().list("findings", d.findings).list("columns", d.columns);
  json.list("variance_inflation", d.variance_inflation).key("condition_indices").array();
  for (const ConditionIndex& direction : d.condition_indices) {
    json.object().field("index", direction.index).field("singular_value", direction.singular_value);
    json.list("shares", direction.shares).end();
  }
  json.end().key("targets").object();
  for (const TargetDiagnosis& target : d.targets) {
    json.key(target.target);
    target_value(json, target);
  }
  return json.end().end().text();
}

std::string cell(double value) {
  return std::isnan(value) ? "" : std::isinf(value) ? (value < 0 ? "-inf" : "inf") : shortest(value);
}

// One line per row and target, in the order of the rows.
Result<void> write_rows(const Diagnosis& d, const std::string& path) {
  Result<Output> out = Output::to_file(path);
  if (!out) return std::unexpected(out.error());
  *out << "row,target_name,weight,target,fitted,residual,leverage,standardised,studentised,deleted,cooks_distance,"
          "dffits,remarks\n";
  for (std::size_t i = 0; i < static_cast<std::size_t>(d.rows); ++i) {
    for (const TargetDiagnosis& target : d.targets) {
      const RowInfluence& row = target.rows[i];
      std::string line = fmt::format("{},{}", row.row, csv_field(target.target));
      for (const double value : {row.weight, row.target, row.fitted, row.residual, row.leverage, row.standardised,
                                 row.studentised, row.deleted, row.cooks_distance, row.dffits}) {
        line += "," + cell(value);
      }
      *out << line + fmt::format(",{}\n", fmt::join(row.remarks, " "));
    }
  }
  return out->finish();
}

Result<int> run_diagnose(const Arguments& arguments) {
  const Voice voice(arguments);
  const std::string file = arguments.text("output");
  if (Result<void> good = spare(file, arguments.words); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> all = read_data_for(*model, Use::all, arguments.word(1), arguments, voice);
  if (!all) return std::unexpected(all.error());
  Result<Dataset> data = training_rows(std::move(*all), *model, arguments);
  if (!data) return std::unexpected(data.error());
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  Result<Diagnosis> diagnosis =
      diagnose(*model, *data, static_cast<int>(arguments.count("threads", 0)), progress.watch());
  if (!diagnosis) return std::unexpected(diagnosis.error());
  progress.clear();
  if (!file.empty()) {
    if (Result<void> written = write_rows(*diagnosis, file); !written) return std::unexpected(written.error());
    voice.note(fmt::format("wrote {}", file));
  }
  Result<Output> out = Output::to_standard_output();
  *out << (voice.json ? diagnosis_json(*model, *diagnosis, arguments)
                      : diagnosis_text(*model, *diagnosis, arguments, voice));
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo diagnose_command() {
  FlagGroup output = output_flags();
  output.flags.insert(output.flags.begin(),
                      {{.name = "output",
                        .kind = FlagKind::file,
                        .value = "FILE",
                        .summary = "write a CSV with one line a row: leverage, residuals, Cook, DFFITS",
                        .letter = 'o'},
                       {.name = "top",
                        .kind = FlagKind::count,
                        .value = "N",
                        .summary = "rows shown, the most influential; 0 shows all",
                        .lowest = 0,
                        .highest = 1e9,
                        .initial = "10"}});
  std::vector<FlagInfo> working = split_flags();
  working.push_back(threads_flag());
  return {.name = "diagnose",
          .summary = "which rows and columns a fit rests on, and whether its residuals are in order",
          .examples = {{"recta diagnose m.recta train.csv", "influential rows, tests of residuals, collinearity"},
                       {"recta diagnose m.recta train.csv -o rows.csv", "and the figures of every row"},
                       {"recta diagnose m.recta train.csv --json", "everything, for programs"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {output, {"Rows", working}, reading_flags()},
          .notes =
              "DATA are the rows the model was trained on; with --holdout in the fit, pass the same --holdout and\n"
              "--seed here.",
          .run = run_diagnose};
}

} // namespace recta::cli
