// recta eval: how good a saved model is on rows that have their targets.
#include "flags.hpp"
#include "input.hpp"
#include "missing_rows.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "report.hpp"
#include "scores.hpp"
#include "table.hpp"
#include "text_flags.hpp"

#include <fmt/format.h>

namespace recta::cli {

namespace {

std::vector<std::string> loss_words() {
  std::vector<std::string> words;
  for (const LossInfo& loss : losses()) words.push_back(loss.word);
  return words;
}

Result<int> run_eval(const Arguments& arguments) {
  const Voice voice(arguments);
  if (Result<void> good = check_score_flags(arguments); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> all = read_data_for(*model, Use::all, arguments.word(1), arguments, voice);
  if (!all) return std::unexpected(all.error());
  Result<Dataset> data = scored_rows(std::move(*all), *model, arguments.word(0), arguments);
  if (!data) return std::unexpected(data.error());
  if (arguments.has("scores") || arguments.has("plot"))
    if (Result<bool> done = run_scores(*model, *data, arguments, voice); !done || *done) {
      if (!done) return std::unexpected(done.error());
      return 0;
    }
  UnknownTerms terms;
  Result<Evaluation> evaluation = evaluate(*model, *data, terms, arguments.text("loss"));
  if (!evaluation) return std::unexpected(evaluation.error());

  const MissingRows missing = missing_rows(model->schema, *data);
  const Index left_out = data->rows - evaluation->rows;
  Result<Output> out = Output::to_standard_output();
  if (voice.json) {
    Json json;
    json.object().field("schema", "recta/eval/2").field("model", model->word).field("source", data->source);
    evaluation_fields(json, *model, *evaluation);
    left_out_field(json, left_out, missing);
    if (!model->schema.texts.empty()) unknown_terms_field(json, terms);
    *out << json.end().text();
  } else {
    *out << voice.bold(fmt::format("{} on {}", arguments.word(0), data->source)) +
                fmt::format(", {}{}\n\n", count_text(evaluation->rows, "row", "rows"),
                            evaluation->loss.empty() || evaluation->classes ? "" : ", loss " + evaluation->loss);
    *out << evaluation_text(*evaluation, {voice});
    const std::string reasons = left_out_text(left_out, data->rows, missing);
    if (!reasons.empty()) *out << "\nleft out " + reasons + "\n";
    if (const std::string text = unknown_terms_text(terms); !text.empty()) *out << "\n" + text + "\n";
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo eval_command() {
  std::vector<FlagInfo> flags = {{.name = "loss",
                                  .kind = FlagKind::choice,
                                  .value = "WORD",
                                  .summary = "whose mean is shown beside the others",
                                  .choices = loss_words(),
                                  .initial = "the model's own"}};
  for (FlagInfo& flag : split_flags()) {
    const bool share = flag.name == "holdout";
    flag.summary = share ? "score only the rows that the fit set aside, SHARE that of the fit" : "of the fit's holdout";
    flag.initial = share ? "every row is scored" : "that of the fit";
    flags.push_back(std::move(flag));
  }
  flags.push_back(threads_flag());
  return {.name = "eval",
          .summary = "score a saved model on data with targets",
          .examples = {{"recta eval m.recta test.csv", "error measures"},
                       {"recta eval m.recta train.csv --holdout 0.2", "only the rows that the fit set aside"},
                       {"recta eval m.recta test.csv --scores all", "every score that applies"},
                       {"recta eval m.recta test.csv --scores roc_area,f2 --bootstrap 1000", "some, with intervals"},
                       {"recta eval m.recta test.csv --plot roc roc.svg", "beside the report a picture"},
                       {"recta eval nb.recta test.csv --plot roc roc.svg --beside logistic.recta", "two models in one"},
                       {"recta eval m.recta test.csv --json", "for programs"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {{"Scoring", flags}, score_flags(), output_flags(), reading_flags()},
          .notes = score_notes(),
          .run = run_eval};
}

} // namespace recta::cli
