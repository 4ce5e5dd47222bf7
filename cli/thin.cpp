// recta thin: fewer training rows that answer by nearest neighbours as all of them do.
#include "fitting.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "report.hpp"
#include "table.hpp"

#include <recta/split.hpp>
#include <recta/thin.hpp>

#include <fmt/format.h>

namespace recta::cli {
namespace {

// The model whose rows are thinned: one neighbour answers, except that edited rows are voted on by three.
Result<Model> remembering_model(const Dataset& data, const Arguments& arguments, const std::string& method,
                                const Voice& voice) {
  Arguments knn_arguments = arguments;
  knn_arguments.given.erase("method");
  const ModelInfo& knn = *model_info("knn");
  Result<FitOptions> options = fit_options(knn, knn_arguments);
  if (!options) return std::unexpected(options.error());
  if (!arguments.has("k")) options->params["k"] = method == "edited" ? 3.0 : 1.0;
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  return fit("knn", data, *options, progress.watch());
}

std::string thin_text(const Thinning& thinning, const Dataset& data, const Voice& voice) {
  const double share = static_cast<double>(thinning.rows.size()) / static_cast<double>(thinning.before);
  std::string text =
      voice.bold(data.source) + fmt::format(": {} of {}, {} ({:.3g} %)\n\n", thinning.rows.size(),
                                            count_text(thinning.before, "row", "rows"), thinning.method, 100 * share);
  Table table({"error rate", "all rows", "rows kept"});
  table.add({"every row left out", number_text(thinning.left_out_before, voice.digits),
             number_text(thinning.left_out_after, voice.digits)});
  table.add({"of all rows", "", number_text(thinning.training_error, voice.digits)});
  return text + table.text() + fmt::format("\na query is compared with {:.3g} times fewer rows\n", 1 / share) + "\n" +
         thinning.certificate.sentence() + "\n";
}

std::string thin_json(const Thinning& thinning, const Dataset& data, const std::string& file) {
  Json json;
  json.object().field("schema", "recta/thin/1").field("source", data.source).field("method", thinning.method);
  json.field("rows", thinning.before).field("kept", std::ssize(thinning.rows));
  json.field("training_error", thinning.training_error).field("left_out_before", thinning.left_out_before);
  json.field("left_out_after", thinning.left_out_after).field("contradictions", thinning.contradictions);
  json.key("kept_rows").line();
  for (const Index row : thinning.rows) json.value(row + 1);
  json.end().key("file");
  file.empty() ? json.null() : json.value(file);
  json.key("certificate");
  certificate_value(json, thinning.certificate);
  return json.end().text();
}

Result<int> run_thin(const Arguments& arguments) {
  const Voice voice(arguments);
  const std::string file = arguments.text("output"), method = arguments.text("method", "condensed");
  if (Result<void> good = spare(file, arguments.words); !good) return std::unexpected(good.error());
  Result<Dataset> data = read_data(arguments.word(0), arguments, voice);
  if (!data) return std::unexpected(data.error());
  const Result<Model> model = remembering_model(*data, arguments, method, voice);
  if (!model) return std::unexpected(model.error());
  const Result<Thinning> thinning = thin(*model, {method, static_cast<int>(arguments.count("threads", 0))});
  if (!thinning) return std::unexpected(thinning.error());
  if (!file.empty())
    if (Result<void> saved = write(take_rows(*data, thinning->rows), file, model->schema.targets.at(0)); !saved)
      return std::unexpected(saved.error());
  Result<Output> out = Output::to_standard_output();
  if (!out) return std::unexpected(out.error());
  *out << (voice.json ? thin_json(*thinning, *data, file) : thin_text(*thinning, *data, voice));
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return thinning->certificate.verdict == Verdict::refuted ? 4 : 0;
}

// The parameters of knn that say which rows are near.
std::vector<FlagInfo> nearness_flags() {
  std::vector<FlagInfo> flags = model_flags("knn");
  std::erase_if(flags, [](const FlagInfo& flag) {
    return flag.name != "k" && flag.name != "metric" && flag.name != "power" && flag.name != "vote";
  });
  for (FlagInfo& flag : flags)
    if (flag.name == "k") {
      flag.summary = "edited: neighbours that vote on a row; 1 for the others";
      flag.initial = "1, or 3 for edited";
    }
  flags.push_back({.name = "standardise", .summary = "distances in standard deviations of the columns"});
  flags.push_back(threads_flag());
  return flags;
}

} // namespace

CommandInfo thin_command() {
  FlagGroup output = output_flags();
  output.flags.insert(
      output.flags.begin(),
      {{.name = "output",
        .kind = FlagKind::file,
        .value = "FILE",
        .summary = "write the rows kept there: .csv .tsv .libsvm .npy, also .gz or .zst",
        .letter = 'o'},
       {.name = "method",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary =
            "condensed: the nearest row kept gives every row its class; reduced: and no row kept can be left out "
            "in turn; edited: rows that their neighbours call another class are left out",
        .choices = thinning_methods(),
        .initial = "condensed"}});
  return {.name = "thin",
          .summary = "fewer training rows for nearest neighbours, with a proof of what they still answer",
          .examples = {{"recta thin iris --method condensed -o few.csv", "the rows that decide"},
                       {"recta thin iris --method edited --k 3 -o clean.csv", "without rows among other classes"},
                       {"recta fit knn few.csv --k 1 -o m.recta", "a model of them"}},
          .words = {{"DATA", WordKind::data}},
          .groups = {output, {"Neighbours", nearness_flags()}, column_flags(), reading_flags()},
          .notes = "Rows of equal distance are in the order of their labels, then of their numbers.",
          .run = run_thin};
}

} // namespace recta::cli
