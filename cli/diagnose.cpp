// recta diagnose: which rows decide a fit, whether its residuals are what least squares assumes, which columns depend.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {

namespace {

std::string cell(double value) {
  return std::isnan(value) ? "" : std::isinf(value) ? (value < 0 ? "-inf" : "inf") : report::shortest(value);
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
  return show(
      report::document_of(*model, *diagnosis, {arguments.word(0), arguments.word(1), arguments.count("top", 10)}),
      voice);
}

} // namespace

CommandInfo diagnose_command() {
  FlagGroup output = output_flags();
  output.flags.insert(output.flags.begin(),
                      {{.name = "output",
                        .kind = FlagKind::file,
                        .value = "FILE",
                        .summary = "write a CSV with one line per row: leverage, residuals, Cook, DFFITS",
                        .letter = 'o'},
                       {.name = "top",
                        .kind = FlagKind::count,
                        .value = "N",
                        .summary = "number of rows shown, the most influential first; 0 shows all",
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
              "DATA are the rows the model was trained on; if the fit used --holdout, pass the same --holdout and\n"
              "--seed here.",
          .run = run_diagnose};
}

} // namespace recta::cli
