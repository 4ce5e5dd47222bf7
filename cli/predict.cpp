// recta predict: one output row a row of data, in order.
#include "flags.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "rows.hpp"

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

// The predictions and, with --interval, where they may lie.
struct Answers {
  Values z, lower, upper;
};

Result<Answers> answers(const Model& model, const Dataset& data, const Arguments& arguments) {
  const int threads = static_cast<int>(arguments.count("threads", 0));
  if (!arguments.has("interval")) {
    Result<Values> z = model.predict(data, threads);
    if (!z) return std::unexpected(z.error());
    return Answers{std::move(*z), {}, {}};
  }
  const IntervalOf of = arguments.text("interval-of") == "mean" ? IntervalOf::mean : IntervalOf::observation;
  Result<Intervals> found = predict_interval(model, data, arguments.number("interval", 0.95), of, threads);
  if (!found) return std::unexpected(found.error());
  return Answers{std::move(found->prediction), std::move(found->lower), std::move(found->upper)};
}

std::string heading(const Model& model, const Arguments& arguments) {
  std::string line;
  if (arguments.has("id")) line = csv_field(arguments.text("id")) + ",";
  const bool interval = arguments.has("interval");
  if (model.schema.targets.size() < 2) return line + (interval ? "prediction,lower,upper\n" : "prediction\n");
  for (std::size_t k = 0; k < model.schema.targets.size(); ++k) {
    const std::string& name = model.schema.targets[k];
    line += (k > 0 ? "," : "") + csv_field(name);
    if (interval) line += "," + csv_field(name + " lower") + "," + csv_field(name + " upper");
  }
  return line + "\n";
}

void write_rows(Output& out, const Dataset& data, const Answers& found, std::size_t targets, const Column* id) {
  std::string line;
  for (Index i = 0; i < data.rows && out.wanted(); ++i) {
    line.clear();
    if (id != nullptr) line += cell_text(*id, i) + ",";
    for (std::size_t k = 0; k < targets; ++k) {
      if (k > 0) line += ',';
      const std::size_t at = static_cast<std::size_t>(i) * targets + k;
      if (!std::isnan(found.z[at])) line += shortest(found.z[at]);
      for (const Values* end : {&found.lower, &found.upper}) {
        if (end->empty()) continue;
        line += std::isnan((*end)[at]) ? "," : "," + shortest((*end)[at]);
      }
    }
    out << (line += '\n');
  }
}

std::string predict_json(const Model& model, const Dataset& data, const Answers& found, const Column* id) {
  const std::size_t targets = model.linear.targets.size();
  Json json;
  json.object().field("schema", "recta/predict/1").field("model", model.word).field("source", data.source);
  json.field("rows", data.rows).list("targets", model.schema.targets);
  if (id != nullptr) {
    json.key("id").line();
    for (Index i = 0; i < data.rows; ++i) json.value(cell_text(*id, i));
    json.end();
  }
  const auto by_target = [&](const char* name, const Values& values) {
    json.key(name).object();
    for (std::size_t k = 0; k < targets; ++k) {
      json.key(model.schema.targets[k]).line();
      for (std::size_t i = 0; i < static_cast<std::size_t>(data.rows); ++i) json.value(values[i * targets + k]);
      json.end();
    }
    json.end();
  };
  by_target("predictions", found.z);
  if (!found.lower.empty()) {
    by_target("lower", found.lower);
    by_target("upper", found.upper);
  }
  return json.end().text();
}

Result<void> predict_whole(const Model& model, const Arguments& arguments, const Voice& voice, Output& out) {
  Result<Dataset> data = read_data(arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  Result<const Column*> id = id_column(*data, arguments);
  if (!id) return std::unexpected(id.error());
  Result<Answers> z = answers(model, *data, arguments);
  if (!z) return std::unexpected(z.error());
  if (voice.json) {
    out << predict_json(model, *data, *z, *id);
  } else {
    out << heading(model, arguments);
    write_rows(out, *data, *z, model.linear.targets.size(), *id);
  }
  return {};
}

// Block by block: memory does not grow with the rows, and a pipe gives its answers as it goes.
Result<void> predict_streamed(const Model& model, const Arguments& arguments, Output& out) {
  Result<ReadOptions> options = read_options(arguments);
  if (!options) return std::unexpected(options.error());
  Result<std::unique_ptr<RowStream>> stream = open_stream(arguments.word(1), *options);
  if (!stream) return std::unexpected(stream.error());
  out << heading(model, arguments);
  Dataset block;
  while (out.wanted()) {
    Result<bool> more = (*stream)->next(block);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    Result<const Column*> id = id_column(block, arguments);
    if (!id) return std::unexpected(id.error());
    Result<Answers> z = answers(model, block, arguments);
    if (!z) return std::unexpected(z.error());
    write_rows(out, block, *z, model.linear.targets.size(), *id);
  }
  return {};
}

Result<int> run_predict(const Arguments& arguments) {
  const Voice voice(arguments);
  if (voice.json && arguments.has("stream")) {
    return fail(ErrorCode::usage, "--json --stream", "a JSON document is written whole", "leave out one of them");
  }
  if (Result<void> good = spare(arguments.text("output"), arguments.words); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
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
       {.name = "interval",
        .kind = FlagKind::number,
        .value = "SHARE",
        .summary = "also lower and upper ends that hold this share of observations, as 0.95",
        .lowest = 0.000001,
        .highest = 0.999999},
       {.name = "interval-of",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "what the interval is of: one observation, or the mean at such rows",
        .choices = {"observation", "mean"},
        .initial = "observation"}});
  return {.name = "predict",
          .summary = "predict with a saved model",
          .examples = {{"recta predict m.recta new.csv > out.csv", "one row a row, in order"},
                       {"recta predict m.recta new.csv --id customer -o out.csv", "with the names of the rows"},
                       {"recta predict m.recta new.csv --interval 0.95", "with lower and upper ends"},
                       {"zcat big.csv.gz | recta predict m.recta - --stream", "block by block"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {output,
                     {"Working", {{.name = "stream", .summary = "in memory that does not grow"}, threads_flag()}},
                     reading_flags()},
          .notes =
              "The header is \"prediction\", or the targets' names when there are several. A row that --missing drop\n"
              "leaves without an answer is an empty cell.",
          .run = run_predict};
}

} // namespace recta::cli
