// recta eval: how good a saved model is on rows that have their targets.
#include "evaluation.hpp"
#include "flags.hpp"
#include "input.hpp"
#include "missing_rows.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "scores.hpp"
#include "text_flags.hpp"

#include <algorithm>

namespace recta::cli {

namespace {

std::vector<std::string> loss_words() {
  std::vector<std::string> words;
  for (const LossInfo& loss : losses()) words.push_back(loss.word);
  return words;
}

// Labels of the rows that the model does not have.
std::vector<std::string> unseen_labels(const Model& model, const Evaluation& evaluation) {
  std::vector<std::string> names;
  if (evaluation.labels)
    for (const LabelScore::One& one : evaluation.labels->each)
      if (std::ranges::count(model.schema.labels.names, one.label) == 0) names.push_back(one.label);
  return names;
}

Result<int> run_eval(const Arguments& arguments) {
  const Voice voice(arguments);
  if (Result<void> good = check_score_flags(arguments); !good) return std::unexpected(good.error());
  Result<Model> model = load_model_for_rows(arguments.word(0), arguments, voice);
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

  const LeftOut left_out{data->rows - evaluation->rows, data->rows, missing_rows(model->schema, *data)};
  report::Document out = evaluation_of(*model, *evaluation);
  report::Group data_before{{"schema", "recta/eval/2"}, {"model", model->word}, {"source", data->source}};
  out.data = std::move(data_before.add(std::move(out.data)));
  out.data.add("left_out", left_out.data());
  if (!model->schema.texts.empty()) out.data.add("unknown_terms", unknown_data(terms));
  const bool loss = !evaluation->classes;
  out.page.insert(out.page.begin(), {report::Heading{{"eval.title",
                                                      {{"model", arguments.word(0)},
                                                       {"source", data->source},
                                                       {"rows", evaluation->rows},
                                                       {"loss", loss ? evaluation->loss : ""}}}}});
  const std::vector<std::string> unseen = unseen_labels(*model, *evaluation);
  if (!unseen.empty())
    out.page.push_back(
        {report::Sentence{unseen.size() == 1 ? "labels.unseen.one" : "labels.unseen", {{"labels", unseen}}}});
  if (left_out.rows > 0) out.page.push_back({report::Sentence{"left_out.alone", {{"rows", left_out.sentence()}}}});
  if (has_unknown(terms)) out.page.push_back({unknown_sentence(terms)});
  return show(out, voice);
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
    flag.summary = share ? "score only the rows that the fit set aside; SHARE as in the fit" : "of the fit's holdout";
    flag.initial = share ? "every row is scored" : "that of the fit";
    flags.push_back(std::move(flag));
  }
  flags.push_back(option_flag("unseen", fit_option("unseen").help, "as in the fit"));
  flags.push_back(threads_flag());
  return {.name = "eval",
          .summary = "score a saved model on data with targets",
          .examples = {{"recta eval m.recta test.csv", "error measures"},
                       {"recta eval m.recta train.csv --holdout 0.2", "only the rows that the fit set aside"},
                       {"recta eval m.recta test.csv --scores all", "every score that applies"},
                       {"recta eval m.recta test.csv --scores roc_area,f2 --bootstrap 1000", "some, with intervals"},
                       {"recta eval m.recta test.csv --plot roc roc.svg", "a picture beside the report"},
                       {"recta eval nb.recta test.csv --plot roc roc.svg --beside logistic.recta", "two models in one"},
                       {"recta eval m.recta test.csv --json", "for programs"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {{"Scoring", flags}, score_flags(), output_flags(), reading_flags()},
          .notes = score_notes(),
          .run = run_eval};
}

} // namespace recta::cli
