#include "input.hpp"

#include "flags.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace recta::cli {

std::string note_of(const std::vector<std::string>& notes, std::string_view beginning) {
  const auto at = std::ranges::find_if(notes, [&](const std::string& note) { return note.starts_with(beginning); });
  return at == notes.end() ? "" : *at;
}

std::vector<std::string> findings_of(const Dataset& header, const Arguments& arguments) {
  std::vector<std::string> ignored = arguments.list("ignore"), findings;
  if (arguments.has("id")) ignored.push_back(arguments.text("id"));
  for (const std::string& note : header.notes) {
    const bool left_out = std::ranges::any_of(ignored, [&](const std::string& column) {
      return note.starts_with(fmt::format("{}{}: ", kFindingNote, column));
    });
    if (note.starts_with(kFindingNote) && !left_out) findings.push_back(note);
  }
  return findings;
}

void tell_findings(const Dataset& header, const Arguments& arguments, const Voice& voice) {
  for (const std::string& finding : findings_of(header, arguments)) voice.note(finding);
}

std::uint64_t file_size(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

namespace {

Result<Dataset> read_with(const ReadOptions& options, const std::string& path, const Arguments& arguments,
                          const Voice& voice) {
  ProgressLine progress(voice, static_cast<double>(file_size(path)), "bytes");
  const double limit = arguments.number("time-limit", 0);
  const Watch shown = progress.watch();
  Result<Dataset> data =
      read(path, options, [&](const Progress& step) { return shown(step) && (limit == 0 || step.seconds < limit); });
  progress.clear();
  return data;
}

Dataset told(Dataset data, const std::string& path, const Voice& voice) {
  for (const std::string& note : data.notes)
    if (!note.starts_with(kFindingNote)) voice.detail(fmt::format("{}: {}", path, note));
  return data;
}

constexpr double kMostNamed = 1 << 27; // numbers: a gigabyte

bool asks_for_named_columns(const Dataset& data, const Arguments& arguments) {
  for (const char* flag : {"poly", "basis", "feature", "approximate"})
    if (arguments.has(flag)) return true;
  return arguments.has("plot") && data.sparse.cols <= 2; // a picture of one column or two
}

} // namespace

Dataset with_named_columns(Dataset data) {
  SparseColumns& sparse = data.sparse;
  if (sparse.cols == 0 || static_cast<double>(sparse.cols) * static_cast<double>(data.rows) > kMostNamed) return data;
  const std::size_t first = data.columns.size(), rows = static_cast<std::size_t>(data.rows);
  for (Index j = 0; j < sparse.cols; ++j) {
    Column& column = data.columns.emplace_back();
    column.name = std::to_string(sparse.index_base + j);
    column.values.assign(rows, 0.0);
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (Index s = sparse.start[i]; s < sparse.start[i + 1]; ++s) {
      const auto at = static_cast<std::size_t>(s);
      data.columns[first + static_cast<std::size_t>(sparse.index[at])].values[i] = sparse.value[at];
    }
  sparse.cols = 0;
  sparse.index.clear();
  sparse.value.clear();
  sparse.start.assign(rows + 1, 0);
  return data;
}

Dataset as_trained(Dataset data, const Schema& schema) {
  if (schema.sparse_cols > 0 || data.sparse.cols == 0) return data;
  for (const SchemaColumn& column : schema.columns) {
    double number = 0;
    if (data.find(column.name) || !parse_number(column.name, number) || number > kMostNamed) continue;
    data.sparse.cols = std::max(data.sparse.cols, static_cast<Index>(number) - data.sparse.index_base + 1);
  }
  return with_named_columns(std::move(data));
}

Result<Dataset> read_data(const std::string& path, const Arguments& arguments, const Voice& voice) {
  const Result<ReadOptions> options = read_options(arguments);
  if (!options) return std::unexpected(options.error());
  Result<Dataset> data = read_with(*options, path, arguments, voice);
  if (!data) return data;
  if (asks_for_named_columns(*data, arguments)) data = with_named_columns(*std::move(data));
  return told(*std::move(data), path, voice);
}

Result<ReadOptions> read_options_for(const Model& model, Use use, const Arguments& arguments) {
  Result<ReadOptions> options = read_options(arguments);
  if (!options) return options;
  const Schema& schema = model.schema;
  for (const SchemaColumn& column : schema.columns) options->expected[column.name] = column.type;
  for (const TextMap& map : schema.texts) options->expected[map.column] = ColumnType::text;
  if (!schema.offset.empty()) options->expected[schema.offset] = ColumnType::real;
  if (use == Use::all) {
    for (const std::string& target : schema.targets)
      if (!model.has_label_set())
        options->expected[target] = model.classifies() ? schema.classes.type : ColumnType::real;
    if (!schema.weights.empty()) options->expected[schema.weights] = ColumnType::real;
  }
  // Sets of labels are words; a LIBSVM file has them even where only the features are wanted.
  if (!schema.labels.separator.empty() && (use == Use::all || schema.sparse_cols > 0))
    options->expected[schema.targets[0]] = ColumnType::category;
  options->usual = model.reading;
  if (!options->missing_tokens) options->missing_tokens = model.reading.missing_tokens;
  // Columns that training did not have are left alone, and a model may have millions of columns.
  if (schema.sparse_cols > 0 && !arguments.has("max-columns")) options->max_columns = Index{1} << 62;
  // A file of a model that counts from 0 need not have a 0 itself.
  if (schema.sparse_cols > 0 && schema.sparse_base == 0 && !options->index_base) options->index_base = 0;
  return options;
}

Result<Dataset> read_data_for(const Model& model, Use use, const std::string& path, const Arguments& arguments,
                              const Voice& voice) {
  const Result<ReadOptions> options = read_options_for(model, use, arguments);
  if (!options) return std::unexpected(options.error());
  Result<Dataset> data = read_with(*options, path, arguments, voice);
  if (!data) return data;
  for (std::string& note : data->notes)
    if (note.starts_with(kIndicesNote) && !arguments.has("index-base") && options->index_base)
      note = fmt::format("{}{}, as in training", kIndicesNote, *options->index_base);
  data = as_trained(*std::move(data), model.schema);
  return told(*std::move(data), path, voice);
}

Result<void> spare(const std::string& output, const std::vector<std::string>& inputs, const std::string& flag) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(output, error) || !std::filesystem::equivalent(output, input, error))
      continue;
    return fail(ErrorCode::usage, flag + " " + output, "this file is what the command reads", "choose another name");
  }
  return {};
}

Result<Model> load_model(const std::string& path, const Voice& voice) {
  Result<Model> model = Model::load(path);
  if (model)
    voice.detail(fmt::format("{}: {}", path,
                             report::to_text({"model", {{"word", model->word}, {"targets", model->schema.targets}}})));
  return model;
}

Result<Model> load_model_for_rows(const std::string& path, const Arguments& arguments, const Voice& voice) {
  Result<Model> model = load_model(path, voice);
  if (!model || !arguments.has("unseen")) return model;
  model->schema.unseen = arguments.text("unseen") == "zeros" ? Unseen::zeros : Unseen::refuse;
  return Model::from_bytes(model->to_bytes(), path); // what was learned follows the rule, too
}

Reading reading_of(const ReadOptions& options) {
  return {options.separator, options.decimal, options.header, options.thousands, options.missing_tokens};
}

Holdout holdout_of(const Arguments& arguments) {
  return {arguments.number("holdout", 0), static_cast<std::uint64_t>(arguments.count("seed", 0))};
}

namespace {

Result<Dataset> part_of(Dataset data, const Holdout& holdout, Part part) {
  if (holdout.share == 0) return data;
  const auto split = split_rows(data.rows, holdout.share, holdout.seed);
  if (!split) return std::unexpected(split.error());
  const std::vector<Index>& rows = part == Part::train ? split->train : split->held_out;
  if (rows.empty()) {
    return fail(ErrorCode::bad_data, data.source,
                fmt::format("--holdout {} leaves no row of {} on one side", holdout.share, data.rows),
                "choose another share");
  }
  return take_rows(data, rows);
}

} // namespace

Result<Dataset> part_of(Dataset data, const Arguments& arguments, Part part) {
  return part_of(std::move(data), holdout_of(arguments), part);
}

Result<Dataset> training_rows(Dataset data, const Model& model, const Arguments& arguments) {
  const bool whole = data.rows == model.fingerprint.rows; // someone kept the training rows in a file of their own
  Holdout holdout = holdout_of(arguments);
  if (!arguments.has("seed")) holdout.seed = model.holdout.seed;
  if (arguments.has("holdout") || whole) return part_of(std::move(data), holdout, Part::train);
  return part_of(std::move(data), model.holdout, Part::train);
}

} // namespace recta::cli
