// recta convert: from one file format to another.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"
#include "table.hpp"

#include <recta/explain.hpp>
#include <recta/foreign.hpp>

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace recta::cli {

namespace {

bool ends_in_libsvm(std::string path) {
  for (const char* packed : {".gz", ".zst"})
    if (path.ends_with(packed)) path.resize(path.size() - std::string_view(packed).size());
  return path.ends_with(".libsvm") || path.ends_with(".svm");
}

// The place of a sparse column, which is named by its number; nothing if there is none.
std::optional<std::size_t> sparse_column(const SparseColumns& sparse, const std::string& name) {
  Index number = 0;
  const auto error = std::from_chars(name.data(), name.data() + name.size(), number).ec;
  const Index place = number - sparse.index_base;
  if (error != std::errc() || std::to_string(number) != name || place < 0 || place >= sparse.cols) return std::nullopt;
  return static_cast<std::size_t>(place);
}

// A sparse column keeps its number: leaving it out removes the numbers it holds.
void empty_columns(SparseColumns& sparse, const std::vector<std::string>& names) {
  std::vector<bool> left_out(static_cast<std::size_t>(sparse.cols));
  for (const std::string& name : names)
    if (const auto place = sparse_column(sparse, name)) left_out[*place] = true;
  SparseColumns kept{sparse.cols, sparse.index_base, {0}, {}, {}};
  for (std::size_t i = 0; i + 1 < sparse.start.size(); ++i) {
    for (auto s = static_cast<std::size_t>(sparse.start[i]); s < static_cast<std::size_t>(sparse.start[i + 1]); ++s) {
      if (left_out[static_cast<std::size_t>(sparse.index[s])]) continue;
      kept.index.push_back(sparse.index[s]);
      kept.value.push_back(sparse.value[s]);
    }
    kept.start.push_back(std::ssize(kept.index));
  }
  sparse = std::move(kept);
}

Result<void> known_columns(const Dataset& data, const std::vector<std::string>& names, const std::string& purpose) {
  for (const std::string& name : names) {
    if (data.find(name) != nullptr || (purpose == "ignore" && sparse_column(data.sparse, name))) continue;
    std::vector<std::string> known;
    for (const Column& column : data.columns) known.push_back(column.name);
    const std::string near = nearest(name, known);
    return fail(ErrorCode::bad_data, data.source, fmt::format("there is no column \"{}\" to {}", name, purpose),
                near.empty() ? fmt::format("the columns are {}", fmt::join(known, ", "))
                             : fmt::format("did you mean \"{}\"?", near));
  }
  return {};
}

// The label of a LIBSVM file: as asked; else a built-in set's own target, or the label that was read. Empty: there is
// none.
std::string label_column(const Dataset& data, const Arguments& arguments) {
  if (arguments.has("target")) return arguments.text("target");
  for (const BuiltinSet& set : builtin_sets())
    if (set.name == data.source && data.find(set.target) != nullptr) return set.target;
  return data.find("label") != nullptr ? "label" : "";
}

// LIBSVM has a label in front of every row: it is 0 if none is named.
std::string add_label(Dataset& data) {
  std::string name = "label";
  while (data.find(name) != nullptr) name += "_";
  Column label;
  label.name = name;
  label.type = ColumnType::integer;
  label.values.assign(static_cast<std::size_t>(data.rows), 0.0);
  data.columns.push_back(std::move(label));
  return name;
}

Result<Dataset> columns_to_write(const Arguments& arguments, const Voice& voice) {
  Result<Dataset> data = read_data(arguments.word(0), arguments, voice);
  if (!data) return data;
  const std::vector<std::string> ignored = arguments.list("ignore");
  if (Result<void> good = known_columns(*data, ignored, "ignore"); !good) return std::unexpected(good.error());
  std::erase_if(data->columns,
                [&](const Column& column) { return std::ranges::find(ignored, column.name) != ignored.end(); });
  if (data->sparse.cols > 0 && !ignored.empty()) empty_columns(data->sparse, ignored);
  if (!arguments.has("target")) return data;
  if (Result<void> good = known_columns(*data, {arguments.text("target")}, "use as label"); !good)
    return std::unexpected(good.error());
  return data;
}

// JSON alone: what people read of it is written beside standard output.
Result<int> tell(const Arguments& arguments, const Voice& voice, report::Group more) {
  if (!voice.json) return 0;
  report::Document out{{{"schema", "recta/convert/1"}, {"source", arguments.word(0)}, {"file", arguments.word(1)}}, {}};
  out.data.add(std::move(more));
  return show(out, voice);
}

Result<int> tell_models(const Arguments& arguments, const Voice& voice, const std::string& model,
                        const std::vector<std::string>& notes) {
  const std::string to = arguments.word(1);
  voice.note(fmt::format("wrote {}: {}", to, model));
  for (const std::string& note : notes) voice.note(note);
  return tell(arguments, voice, {{"model", model}, {"notes", notes}});
}

Result<void> check_names(const Arguments& arguments) {
  if (arguments.word(1) == "-")
    return fail(ErrorCode::usage, "OUT", "a model is written to a file", "name one to write");
  return spare(arguments.word(1), {arguments.word(0)});
}

// A model of libsvm or liblinear as one of Recta.
Result<int> convert_theirs(const Arguments& arguments, const Voice& voice) {
  if (Result<void> good = check_names(arguments); !good) return std::unexpected(good.error());
  const auto theirs = read_foreign(arguments.word(0));
  if (!theirs) return std::unexpected(theirs.error());
  const auto model = to_recta(*theirs, arguments.count("features", 0));
  if (!model) return std::unexpected(model.error());
  if (Result<void> saved = model->save(arguments.word(1)); !saved) return std::unexpected(saved.error());
  return tell_models(arguments, voice, model->word + ", which claims no proof", theirs->notes);
}

// A model of Recta as one of theirs.
Result<int> convert_to_theirs(const Arguments& arguments, const Voice& voice) {
  if (Result<void> good = check_names(arguments); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  const auto theirs = from_recta(*model, arguments.text("as"));
  if (!theirs) return std::unexpected(theirs.error());
  if (Result<void> saved = write_foreign(*theirs, arguments.word(1)); !saved) return std::unexpected(saved.error());
  return tell_models(arguments, voice, theirs->type + " of " + theirs->program, theirs->notes);
}

// A model whose scores are linear, as weights and intercepts.
Result<int> convert_model(const Arguments& arguments, const Voice& voice) {
  const std::string to = arguments.word(1);
  if (to == "-") return fail(ErrorCode::usage, "--as", "a model is written to a file", "name one to write");
  if (Result<void> good = spare(to, {arguments.word(0)}); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Model> linear = as_linear(*model);
  if (!linear) return std::unexpected(linear.error());
  if (Result<void> saved = linear->save(to); !saved) return std::unexpected(saved.error());
  const Index scores = linear->body->scores();
  voice.note(fmt::format("wrote {}: {} of {} weights and an intercept", to, count_text(scores, "score", "scores"),
                         linear->body->features()));
  return tell(arguments, voice, {{"model", model->word}, {"scores", scores}, {"features", linear->body->features()}});
}

Result<int> run_convert(const Arguments& arguments) {
  const Voice voice(arguments);
  if (is_foreign_model(arguments.word(0))) return convert_theirs(arguments, voice);
  if (arguments.has("as") && arguments.text("as") != "linear") return convert_to_theirs(arguments, voice);
  if (arguments.has("as")) return convert_model(arguments, voice);
  const std::string to = arguments.word(1);
  if (voice.json && to == "-")
    return fail(ErrorCode::usage, "--json", "standard output carries the table", "name a file to write");
  Result<Dataset> data = columns_to_write(arguments, voice);
  if (!data) return std::unexpected(data.error());
  if (to == "-") {
    Result<Output> out = Output::to_standard_output();
    write_csv(*out, *data, data->rows);
    if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
    return 0;
  }
  std::string label = ends_in_libsvm(to) ? label_column(*data, arguments) : "";
  const bool zeros = ends_in_libsvm(to) && label.empty();
  if (zeros) label = add_label(*data);
  interrupt::remove_at_end(fmt::format("{}.{}.tmp", to, getpid())); // the name write() gives a file until it is whole
  Result<void> written = write(*data, to, label);
  interrupt::remove_at_end({});
  if (!written) return std::unexpected(written.error());
  voice.note(fmt::format("wrote {}: {}{}", to, count_text(data->rows, "row", "rows"),
                         zeros ? "; every label is 0, because --target names no column" : ""));
  return tell(arguments, voice,
              {{"rows", data->rows},
               {"columns", std::ssize(data->columns) + data->sparse.cols},
               {"label", report::or_null(zeros ? "" : label)},
               {"notes", data->notes}});
}

} // namespace

CommandInfo convert_command() {
  FlagGroup output = output_flags();
  std::erase_if(output.flags, [](const FlagInfo& flag) { return flag.name == "digits"; });
  return {
      .name = "convert",
      .summary = "write data in another format, or a model as weights",
      .examples = {{"recta convert a.csv b.libsvm --target y", "the label is y"},
                   {"recta convert a.arff.gz b.csv", "any format that is read"},
                   {"recta convert a.npy -", "CSV on standard output"},
                   {"recta convert m.recta linear.recta --as linear", "a model whose scores are linear, as weights"},
                   {"recta convert their.model m.recta", "a model of libsvm or liblinear, to predict with"},
                   {"recta convert m.recta their.model --as libsvm", "and back"}},
      .words = {{"IN", WordKind::data}, {"OUT", WordKind::file}},
      .groups = {{"Writing",
                  {{.name = "target",
                    .kind = FlagKind::columns,
                    .value = "COL",
                    .summary = "the label column of a LIBSVM file",
                    .initial = "a built-in set's own, the label of LIBSVM; else labels are 0"},
                   {.name = "ignore", .kind = FlagKind::columns, .value = "COL,...", .summary = "columns to leave out"},
                   {.name = "as",
                    .kind = FlagKind::choice,
                    .value = "WORD",
                    .summary = "for a model IN: linear, its weights (lda, nearest-centroid, naive-bayes); or a file of "
                               "libsvm or liblinear",
                    .choices = {"linear", "libsvm", "liblinear"}},
                   {.name = "features",
                    .kind = FlagKind::count,
                    .value = "N",
                    .summary = "for a model IN of libsvm: how many columns the data have",
                    .initial = "as many as it names"},
                   threads_flag()}},
                 output,
                 reading_flags()},
      .notes = "The ending of OUT decides the format: .csv .tsv .libsvm .svm .npy, each also .gz or .zst.",
      .run = run_convert};
}

} // namespace recta::cli
