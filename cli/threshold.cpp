// recta threshold: how a classifier decides for an aim or for costs of errors, chosen on rows that its fit has not
// seen.
#include "decision.hpp"
#include "flags.hpp"
#include "input.hpp"
#include "labels.hpp"
#include "output.hpp"

#include <recta/split.hpp>

#include <fmt/format.h>

namespace recta::cli {

namespace {

// Rows that the fit set aside, if the file has them; otherwise all of it.
Result<Dataset> unseen_rows(const Model& model, const Arguments& arguments, const Voice& voice) {
  Result<Dataset> data = read_data_for(model, Use::all, arguments.word(1), arguments, voice);
  if (!data || model.holdout.share == 0) return data;
  Result<Dataset> left_out = held_out_rows(model, *data);
  return left_out ? std::move(left_out) : std::move(data);
}

Result<Decision> chosen(const Model& model, const Dataset& data, const Arguments& arguments) {
  const int threads = static_cast<int>(arguments.count("threads", 0));
  if (arguments.has("for") == arguments.has("costs"))
    return fail(ErrorCode::usage, "--for --costs", arguments.has("for") ? "there are two aims" : "there is no aim",
                "give one of them: --for \"precision>=0.9\", or --costs ill=20");
  if (arguments.has("for")) return choose_decision(model, data, arguments.text("for"), threads);
  const Result<Costs> costs = costs_asked(model, arguments);
  if (!costs) return std::unexpected(costs.error());
  return choose_decision(model, data, *costs, threads);
}

report::Document threshold_document(const Model& model, const std::string& source, const std::string& file) {
  const Decision& rule = model.decision;
  const bool two = model.schema.classes.count() == 2;
  report::Table table{.columns = {{"figure", " "}, {"value", "value"}}};
  const auto add = [&](const char* key, double value) { table.rows.push_back({report::Sentence{key}, value}); };
  if (two) add("threshold.score", rule.threshold);
  if (rule.costs.empty() && rule.aim.find(">=") == rule.aim.npos)
    table.rows.push_back({rule.aim, rule.value});
  else if (!rule.costs.empty())
    add("threshold.cost", rule.value);
  if (two) add("precision", rule.precision), add("recall", rule.recall), add("specificity", rule.specificity);
  add("accuracy", rule.accuracy);
  const std::string& positive = model.schema.classes.labels[static_cast<std::size_t>(model.schema.classes.positive)];
  return {{{"schema", "recta/threshold/1"},
           {"model", model.word},
           {"source", source},
           {"decision", decision_data(model)},
           {"file", report::or_null(file)}},
          {{report::Heading{{"threshold.title",
                             {{"model", model.word}, {"aim", rule.aim}, {"source", source}, {"rows", rule.rows}}}}},
           {report::Shown{shared(std::move(table))}},
           {report::Sentence{two ? "threshold.two" : "threshold.costs", {{"class", positive}}}}}};
}

Result<int> run_threshold(const Arguments& arguments) {
  const Voice voice(arguments);
  const std::string file = arguments.text("output");
  if (Result<void> good = spare(file, {arguments.word(1)}); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> data = unseen_rows(*model, arguments, voice);
  if (!data) return std::unexpected(data.error());
  Result<Decision> rule = chosen(*model, *data, arguments);
  if (!rule) return std::unexpected(rule.error());
  model->decision = std::move(*rule);
  if (!file.empty()) {
    if (Result<void> saved = model->save(file); !saved) return std::unexpected(saved.error());
    voice.note(fmt::format("saved {}", file));
  }
  return show(threshold_document(*model, data->source, file), voice);
}

} // namespace

report::Group decision_data(const Model& model) {
  const Decision& rule = model.decision;
  report::Group out{{"aim", rule.aim}, {"rows", rule.rows}};
  if (model.schema.classes.count() == 2)
    out.add({{"positive", model.schema.classes.labels[static_cast<std::size_t>(model.schema.classes.positive)]},
             {"threshold", rule.threshold},
             {"precision", rule.precision},
             {"recall", rule.recall},
             {"specificity", rule.specificity}});
  return out.add({{"accuracy", rule.accuracy}, {"value", rule.value}, {"costs", rule.costs}});
}

CommandInfo threshold_command() {
  FlagGroup output = output_flags();
  output.flags.insert(output.flags.begin(), {.name = "output",
                                             .kind = FlagKind::file,
                                             .value = "FILE",
                                             .summary = "save the model with its rule",
                                             .letter = 'o'});
  return {.name = "threshold",
          .summary = "choose how a classifier decides, for an aim or for costs of errors",
          .examples = {{"recta threshold m.recta other.csv --for \"precision>=0.9\" -o m2.recta",
                        "the largest recall with it"},
                       {"recta threshold m.recta other.csv --for f1", "the largest F1"},
                       {"recta threshold m.recta other.csv --costs ill=20 -o m2.recta",
                        "missing the ill costs twenty times more"},
                       {"recta predict m2.recta new.csv --decide", "labels by the rule"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {{"Deciding",
                      {{.name = "for",
                        .kind = FlagKind::text,
                        .value = "AIM",
                        .summary = "precision>=P, recall>=P, specificity>=P, or the largest f1 (f2, ...), accuracy, "
                                   "balanced_accuracy, kappa, matthews; of two classes"},
                       {.name = "costs",
                        .kind = FlagKind::text,
                        .value = "LABEL=COST,...",
                        .summary = "the cost of missing a class, 1 if not named; or a file with a row per true class "
                                   "and a column per class taken"},
                       threads_flag()}},
                     output,
                     reading_flags()},
          .notes = "DATA are rows that the fit has not seen; rows that it set aside (--holdout) are found in the file.",
          .run = run_threshold};
}

} // namespace recta::cli
