// recta thin: fewer training rows that answer by nearest neighbours as all of them do.
#include "fitting.hpp"
#include "input.hpp"
#include "output.hpp"

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

report::Document thin_document(const Thinning& thinning, const Dataset& data, const std::string& file) {
  const double share = static_cast<double>(thinning.rows.size()) / static_cast<double>(thinning.before);
  report::Value::List kept; // counted from 1
  for (const Index row : thinning.rows) kept.emplace_back(row + 1);
  const auto errors =
      report::shared({.columns = {{"what", "error rate"}, {"before", "all rows"}, {"after", "rows kept"}},
                      .rows = {{report::Sentence{"thin.left_out"}, thinning.left_out_before, thinning.left_out_after},
                               {report::Sentence{"thin.training"}, "", thinning.training_error}}});
  return {{{"schema", "recta/thin/1"},
           {"source", data.source},
           {"method", thinning.method},
           {"rows", thinning.before},
           {"kept", thinning.rows.size()},
           {"training_error", thinning.training_error},
           {"left_out_before", thinning.left_out_before},
           {"left_out_after", thinning.left_out_after},
           {"contradictions", thinning.contradictions},
           {"kept_rows", std::move(kept)},
           {"file", report::or_null(file)},
           {"certificate", report::data_of(thinning.certificate)}},
          {{report::Heading{{"thin.title",
                             {{"source", data.source},
                              {"kept", thinning.rows.size()},
                              {"rows", thinning.before},
                              {"method", thinning.method},
                              {"percent", 100 * share}}}}},
           {report::Shown{errors}},
           {report::Sentence{"thin.quicker", {{"factor", 1 / share}}}},
           {report::sentence_of(thinning.certificate)}}};
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
  if (!file.empty()) {
    const Result<Dataset> kept = take_rows(*data, thinning->rows);
    if (!kept) return std::unexpected(kept.error());
    if (Result<void> saved = write(*kept, file, model->schema.targets.at(0)); !saved)
      return std::unexpected(saved.error());
  }
  const int code = thinning->certificate.verdict == Verdict::refuted ? 4 : 0;
  return show(thin_document(*thinning, *data, file), voice, 0, code);
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
  flags.push_back(option_flag("standardise", "distances in standard deviations of the columns", ""));
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
        .summary = "condensed: the nearest row kept gives every row its class; reduced: in addition, no row kept can "
                   "be left out; edited: rows that their neighbours call another class are left out",
        .choices = thinning_methods(),
        .initial = "condensed"}});
  return {.name = "thin",
          .summary = "fewer training rows for nearest neighbours, with a proof of what they still answer",
          .examples = {{"recta thin iris --method condensed -o few.csv", "the rows that decide"},
                       {"recta thin iris --method edited --k 3 -o clean.csv", "without rows among other classes"},
                       {"recta fit knn few.csv --k 1 -o m.recta", "a model of them"}},
          .words = {{"DATA", WordKind::data}},
          .groups = {output,
                     {"Neighbours", nearness_flags()},
                     option_group(Heading::columns, command::kThin),
                     reading_flags()},
          .notes = "Rows of equal distance are in the order of their labels, then of their numbers.",
          .run = run_thin};
}

} // namespace recta::cli
