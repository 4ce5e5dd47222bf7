// recta predict: one output row per row of data, in order.
#include "flags.hpp"
#include "input.hpp"
#include "labels.hpp"
#include "missing_rows.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "rows.hpp"
#include "text_flags.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::cli {

namespace {

Result<const Column*> id_column(const Dataset& data, const Arguments& arguments) {
  if (!arguments.has("id")) return nullptr;
  const std::string name = arguments.text("id");
  if (const Column* column = data.find(name)) return column;
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  Error error = unknown("column", name, names, fmt::format("the columns are {}", fmt::join(names, ", ")));
  error.code = ErrorCode::bad_data;
  error.where = fmt::format("{}, column {}", data.source, name);
  return std::unexpected(error);
}

// The predictions and, with --interval, where they may lie. For classes also their labels, if these are the answer; and
// for sets of labels a number per label, which are written as one set.
struct Answers {
  Values z, lower, upper;
  const std::vector<std::string>* labels = nullptr;
  const LabelSet* set = nullptr;

  // Number `at` as CSV, or as JSON.
  std::string text(std::size_t at) const {
    if (set != nullptr) at *= set->names.size();
    if (std::isnan(z[at])) return "";
    if (set != nullptr) { // the empty set is quoted: a row without an answer is an empty field
      const std::string text = set->text(&z[at]);
      return text.empty() ? "\"\"" : csv_field(text);
    }
    return labels != nullptr ? csv_field((*labels)[static_cast<std::size_t>(z[at])]) : shortest(z[at]);
  }
  report::Value value(std::size_t at) const {
    if (set != nullptr) at *= set->names.size();
    if (std::isnan(z[at])) return nullptr;
    if (set != nullptr) return set->text(&z[at]);
    return labels != nullptr ? report::Value((*labels)[static_cast<std::size_t>(z[at])]) : z[at];
  }
};

Answer answer_of(const Arguments& arguments) {
  if (arguments.has("proba")) return arguments.has("corrected") ? Answer::corrected : Answer::probability;
  if (arguments.has("normalised")) return Answer::normalised;
  if (arguments.has("distance")) return Answer::distance;
  return arguments.has("decision") ? Answer::decision : Answer::prediction;
}

// The names of the output columns.
std::vector<std::string> column_names(const Model& model, const Arguments& arguments) {
  const Answer answer = answer_of(arguments);
  if (model.has_label_set() && answer != Answer::prediction) return model.schema.labels.names;
  if (model.has_label_set()) return {"prediction"};
  if (!model.has_target()) return model.body->score_names();
  if (!model.classifies()) return model.schema.targets;
  if (answer == Answer::prediction) return {"prediction"};
  if (model.columns(answer) == 1) return {answer == Answer::distance ? "distance" : "decision"};
  if (answer != Answer::normalised) return model.schema.classes.labels;
  std::vector<std::string> names;
  for (const std::string& label : model.schema.classes.labels) names.push_back(label + " (not calibrated)");
  return names;
}

std::size_t output_columns(const Model& model, const Arguments& arguments) {
  const Answer answer = answer_of(arguments);
  return model.has_label_set() && answer == Answer::prediction ? 1 : static_cast<std::size_t>(model.columns(answer));
}

// `unknown`: gets the terms that the model does not know, in the one pass over the documents.
Result<Answers> all_answers(const Model& model, const Dataset& data, const Arguments& arguments,
                            UnknownTerms& unknown) {
  const int threads = static_cast<int>(arguments.count("threads", 0));
  if (arguments.has("decide")) {
    Result<Values> decisions = decide(model, data, unknown, threads);
    if (!decisions) return std::unexpected(decisions.error());
    return Answers{*std::move(decisions), {}, {}, &model.schema.classes.labels};
  }
  if (arguments.has("costs")) {
    const Result<Costs> costs = costs_asked(model, arguments);
    if (!costs) return std::unexpected(costs.error());
    Result<Values> decisions = decide(model, data, *costs, unknown, threads);
    if (!decisions) return std::unexpected(decisions.error());
    return Answers{*std::move(decisions), {}, {}, &model.schema.classes.labels};
  }
  if (!arguments.has("interval")) {
    const Answer answer = answer_of(arguments);
    Result<Values> z = predict(model, data, unknown, threads, answer);
    if (!z) return std::unexpected(z.error());
    const bool labels = model.classifies() && answer == Answer::prediction;
    if (model.has_label_set() && answer == Answer::prediction)
      return Answers{std::move(*z), {}, {}, nullptr, &model.schema.labels};
    return Answers{std::move(*z), {}, {}, labels ? &model.schema.classes.labels : nullptr};
  }
  const IntervalOf of = arguments.text("interval-of") == "mean" ? IntervalOf::mean : IntervalOf::observation;
  Result<Intervals> intervals = predict_interval(model, data, unknown, arguments.number("interval", 0.95), of, threads);
  if (!intervals) return std::unexpected(intervals.error());
  return Answers{std::move(intervals->prediction), std::move(intervals->lower), std::move(intervals->upper), nullptr};
}

// Only a row in which a value is missing may be without an answer: what is no number in another one has overflowed.
Result<Answers> answers(const Model& model, const Dataset& data, const Arguments& arguments, UnknownTerms& unknown) {
  Result<Answers> out = all_answers(model, data, arguments, unknown);
  if (!out || data.rows == 0) return out;
  const std::size_t columns = out->z.size() / static_cast<std::size_t>(data.rows);
  for (std::size_t at = 0; at < out->z.size(); ++at) {
    if (!std::isnan(out->z[at])) continue;
    const auto row = static_cast<Index>(at / columns);
    if (lacks_feature(model.schema, data, row)) continue;
    return fail(ErrorCode::bad_data, fmt::format("{}, row {}", data.source, data.first_row + row + 1),
                "its score is not a number: the numbers of this row are too large for the model",
                "correct the row or remove it");
  }
  return out;
}

std::string heading(const Model& model, const Arguments& arguments) {
  std::vector<std::string> line, names = column_names(model, arguments);
  if (arguments.has("id")) line.push_back(arguments.text("id"));
  const bool interval = arguments.has("interval");
  const bool single = names.size() < 2 && model.has_target() && !model.classifies() && !model.has_label_set();
  if (single) names = {"prediction"};
  for (const std::string& name : names) {
    line.push_back(name);
    if (interval)
      for (const char* end : {"lower", "upper"}) line.push_back(single ? end : name + " " + end);
  }
  return csv_heading(line);
}

void write_rows(Output& out, const Dataset& data, const Answers& answers, std::size_t targets, const Column* id) {
  std::string line;
  for (Index i = 0; i < data.rows && out.wanted(); ++i) {
    line.clear();
    if (id != nullptr) line += cell_text(*id, i) + ",";
    for (std::size_t k = 0; k < targets; ++k) {
      if (k > 0) line += ',';
      const std::size_t at = static_cast<std::size_t>(i) * targets + k;
      line += answers.text(at);
      for (const Values* end : {&answers.lower, &answers.upper}) {
        if (end->empty()) continue;
        line += std::isnan((*end)[at]) ? "," : "," + shortest((*end)[at]);
      }
    }
    out << (line += '\n');
  }
}

std::string predict_json(const Model& model, const Dataset& data, const Answers& answers, const Column* id,
                         const UnknownTerms& terms, const Arguments& arguments) {
  const auto columns = output_columns(model, arguments);
  const char* const words[] = {"predictions", "decisions", "probabilities", "probabilities", "normalised", "distances"};
  const bool cells = !model.schema.labels.separator.empty();
  const std::vector<std::string> names = columns == 1 && model.has_label_set()
                                             ? std::vector{cells ? model.schema.targets[0] : std::string("labels")}
                                         : columns == 1 && model.classifies() ? model.schema.targets
                                                                              : column_names(model, arguments);
  report::Group out{{"schema", "recta/predict/1"},
                    {"model", model.word},
                    {"source", data.source},
                    {"rows", data.rows},
                    {"targets", model.schema.targets}};
  if (model.has_label_set()) out.add("labels", model.schema.labels.names);
  if (model.classifies()) out.add("classes", model.schema.classes.labels);
  const auto rows = static_cast<std::size_t>(data.rows);
  if (id != nullptr) {
    report::Value::List cells_of_id;
    for (Index i = 0; i < data.rows; ++i) cells_of_id.emplace_back(cell_text(*id, i));
    out.add("id", std::move(cells_of_id));
  }
  const auto by_column = [&](const char* name, const auto& value) {
    report::Group all;
    for (std::size_t k = 0; k < columns; ++k) {
      std::vector<std::decay_t<decltype(value(0))>> column;
      column.reserve(rows);
      for (std::size_t i = 0; i < rows; ++i) column.push_back(value(i * columns + k));
      all.add(names[k], std::move(column));
    }
    out.add(name, std::move(all));
  };
  const char* const word = words[static_cast<int>(answer_of(arguments))];
  if (answers.set == nullptr && answers.labels == nullptr)
    by_column(word, [&](std::size_t at) { return answers.z[at]; });
  else
    by_column(word, [&](std::size_t at) { return answers.value(at); });
  if (!answers.lower.empty()) {
    by_column("lower", [&](std::size_t at) { return answers.lower[at]; });
    by_column("upper", [&](std::size_t at) { return answers.upper[at]; });
  }
  if (!model.schema.texts.empty()) out.add("unknown_terms", unknown_data(terms));
  return report::to_json(out);
}

Result<void> predict_whole(const Model& model, const Arguments& arguments, const Voice& voice, Output& out) {
  Result<Dataset> data = read_data_for(model, Use::features, arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  Result<const Column*> id = id_column(*data, arguments);
  if (!id) return std::unexpected(id.error());
  UnknownTerms terms;
  Result<Answers> z = answers(model, *data, arguments, terms);
  if (!z) return std::unexpected(z.error());
  const auto columns = output_columns(model, arguments);
  if (has_unknown(terms)) voice.note(report::to_text(unknown_sentence(terms)));
  if (voice.json) {
    out << predict_json(model, *data, *z, *id, terms, arguments);
  } else {
    out << heading(model, arguments);
    write_rows(out, *data, *z, columns, *id);
  }
  return {};
}

// Block by block: memory does not grow with the rows, and a pipe gives its answers as it goes.
Result<void> predict_streamed(const Model& model, const Arguments& arguments, Output& out) {
  Result<ReadOptions> options = read_options_for(model, Use::features, arguments);
  if (!options) return std::unexpected(options.error());
  Result<std::unique_ptr<RowStream>> stream = open_stream(arguments.word(1), *options);
  if (!stream) return std::unexpected(stream.error());
  out << heading(model, arguments);
  const auto columns = output_columns(model, arguments);
  Dataset block;
  while (out.wanted()) {
    Result<bool> more = (*stream)->next(block);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    block = as_trained(std::move(block), model.schema);
    Result<const Column*> id = id_column(block, arguments);
    if (!id) return std::unexpected(id.error());
    UnknownTerms terms;
    Result<Answers> z = answers(model, block, arguments, terms);
    if (!z) return std::unexpected(z.error());
    write_rows(out, block, *z, columns, *id);
  }
  return {};
}

Result<int> run_predict(const Arguments& arguments) {
  const Voice voice(arguments);
  if (voice.json && arguments.has("stream")) {
    return fail(ErrorCode::usage, "--json --stream", "a JSON document is written whole", "leave out one of them");
  }
  if (arguments.has("proba") + arguments.has("decision") + arguments.has("interval") + arguments.has("normalised") +
          arguments.has("distance") + arguments.has("costs") + arguments.has("decide") >
      1) {
    return fail(ErrorCode::usage, "--proba --decision --distance --normalised --costs --decide --interval",
                "they exclude one another", "give one of them");
  }
  if (arguments.has("corrected") && !arguments.has("proba")) {
    return fail(ErrorCode::usage, "--corrected", "it applies only to probabilities", "give --proba with it");
  }
  if (Result<void> good = spare(arguments.text("output"), arguments.words); !good) return std::unexpected(good.error());
  Result<Model> model = load_model_for_rows(arguments.word(0), arguments, voice);
  if (!model) return std::unexpected(model.error());
  Result<Output> out = Output::open(arguments.text("output"));
  if (!out) return std::unexpected(out.error());
  Result<void> done = arguments.has("stream") ? predict_streamed(*model, arguments, *out)
                                              : predict_whole(*model, arguments, voice, *out);
  if (!done) return std::unexpected(done.error());
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo predict_command() {
  FlagGroup output = output_flags();
  output.flags.insert(
      output.flags.begin(),
      {{.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "write there", .letter = 'o'},
       {.name = "id", .kind = FlagKind::columns, .value = "COL", .summary = "repeat this column before the prediction"},
       {.name = "proba", .summary = "of a classifier: the probability of every class, one column each"},
       {.name = "corrected", .summary = "with --proba: without the class weights of the fit, for rows as they come"},
       {.name = "costs",
        .kind = FlagKind::text,
        .value = "LABEL=COST,...",
        .summary = "take the class of least expected cost: the cost of missing a class, 1 if not named; or a file with "
                   "a row per true class and a column per class taken"},
       {.name = "decide", .summary = "take classes by the rule that recta threshold chose and the model keeps"},
       {.name = "normalised",
        .summary = "of any classifier: its scores through softmax, which add up to 1 and are not calibrated"},
       {.name = "decision",
        .summary = "of a classifier: its scores; for two classes, 0 and above stand for the positive one"},
       {.name = "distance",
        .summary = "of a classifier: signed distances from its hyperplane, or from that of each class"},
       {.name = "interval",
        .kind = FlagKind::number,
        .value = "SHARE",
        .summary = "also lower and upper ends that hold this share of observations, such as 0.95",
        .lowest = 0.000001,
        .highest = 0.999999},
       {.name = "interval-of",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "what the interval is of: one observation, or the mean at such rows",
        .choices = {"observation", "mean"},
        .initial = "observation"}});
  return {
      .name = "predict",
      .summary = "predict with a saved model",
      .examples = {{"recta predict m.recta new.csv > out.csv", "one row per row, in order"},
                   {"recta predict m.recta new.csv --id customer -o out.csv", "with the names of the rows"},
                   {"recta predict m.recta new.csv --interval 0.95", "with lower and upper ends"},
                   {"recta predict m.recta new.csv --proba", "of a classifier: probabilities of the classes"},
                   {"recta predict m.recta new.csv --costs ill=20", "where missing the ill costs twenty times more"},
                   {"zcat big.csv.gz | recta predict m.recta - --stream", "block by block"}},
      .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
      .groups = {output,
                 {"Working",
                  {option_flag("unseen", fit_option("unseen").help, "as in the fit"),
                   {.name = "stream", .summary = "in memory that does not grow"},
                   threads_flag()}},
                 reading_flags()},
      .notes = "The header is \"prediction\", or the targets' names when there are several. A row that --missing drop\n"
               "leaves without an answer is an empty cell. A classifier predicts labels.",
      .run = run_predict};
}

} // namespace recta::cli
