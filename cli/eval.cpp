// recta eval: how good a saved model is on rows that have their targets.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "report.hpp"
#include "table.hpp"

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
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> all = read_data_for(*model, Use::all, arguments.word(1), arguments, voice);
  if (!all) return std::unexpected(all.error());
  Result<Dataset> data = part_of(std::move(*all), arguments, Part::held_out);
  if (!data) return std::unexpected(data.error());
  Result<Evaluation> evaluation = evaluate(*model, *data, arguments.text("loss"));
  if (!evaluation) return std::unexpected(evaluation.error());

  Result<Output> out = Output::to_standard_output();
  if (voice.json) {
    Json json;
    json.object().field("schema", "recta/eval/1").field("model", model->word).field("source", data->source);
    evaluation_fields(json, *evaluation);
    *out << json.end().text();
  } else {
    *out << voice.bold(fmt::format("{} on {}", arguments.word(0), data->source)) +
                fmt::format(", {}{}\n\n", count_text(evaluation->rows, "row", "rows"),
                            evaluation->classes ? "" : ", loss " + evaluation->loss);
    *out << evaluation_text(*evaluation, {voice});
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
  for (FlagInfo& flag : split_flags()) flags.push_back(std::move(flag));
  flags.push_back(threads_flag());
  return {.name = "eval",
          .summary = "score a saved model on data with targets",
          .examples = {{"recta eval m.recta test.csv", "error measures"},
                       {"recta eval m.recta train.csv --holdout 0.2 --seed 1", "only the rows that fit set aside"},
                       {"recta eval m.recta test.csv --json", "for programs"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {{"Scoring", flags}, output_flags(), reading_flags()},
          .notes = {},
          .run = run_eval};
}

} // namespace recta::cli
