#include "input.hpp"

#include "flags.hpp"

#include <recta/split.hpp>

#include <filesystem>
#include <fmt/format.h>

namespace recta::cli {

const char* type_name(ColumnType type) {
  const char* names[] = {"real", "integer", "category", "text"};
  return names[static_cast<int>(type)];
}

std::uint64_t file_size(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

Result<Dataset> read_data(const std::string& path, const Arguments& arguments, const Voice& voice) {
  Result<ReadOptions> options = read_options(arguments);
  if (!options) return std::unexpected(options.error());
  ProgressLine progress(voice, static_cast<double>(file_size(path)), "bytes");
  const double limit = arguments.number("time-limit", 0);
  const Watch shown = progress.watch();
  Result<Dataset> data =
      read(path, *options, [&](const Progress& step) { return shown(step) && (limit == 0 || step.seconds < limit); });
  progress.clear();
  if (!data) return data;
  for (const std::string& note : data->notes) voice.detail(fmt::format("{}: {}", path, note));
  return data;
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
  if (model) voice.detail(fmt::format("{}: {} for {}", path, model->word, fmt::join(model->schema.targets, ", ")));
  return model;
}

Result<Dataset> part_of(Dataset data, const Arguments& arguments, Part part) {
  const double share = arguments.number("holdout", 0);
  if (share == 0) return data;
  const Split split = split_rows(data.rows, share, static_cast<std::uint64_t>(arguments.count("seed", 0)));
  const std::vector<Index>& rows = part == Part::train ? split.train : split.held_out;
  if (rows.empty()) {
    return fail(ErrorCode::bad_data, data.source,
                fmt::format("--holdout {} leaves no row of {} on one side", share, data.rows), "choose another share");
  }
  return take_rows(data, rows);
}

} // namespace recta::cli
