#include "trace_settings.hpp"

#include "input.hpp"

#include <fmt/format.h>

namespace recta::cli {
namespace {

std::vector<std::string> labels_of(const report::Setting& setting) {
  std::vector<std::string> labels;
  for (const TrainingCurve& curve : setting.curves) labels.push_back(curve.trace.label);
  return labels;
}

Result<report::Setting> learned(const std::string& word, const Dataset& data, const FitOptions& options, Index every,
                                const Voice& voice) {
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  auto curves = class_training_curves(word, data, options, every, progress.watch());
  progress.clear();
  if (!curves) return std::unexpected(curves.error());
  const std::string schedule = std::get<std::string>(options.params.at("schedule"));
  return report::Setting{fmt::format("{}, {} rate", data.source, schedule), data.source, schedule, *std::move(curves)};
}

} // namespace

Result<std::vector<report::Setting>> trace_settings(const std::string& word, const Dataset& data, FitOptions options,
                                                    const Arguments& arguments, const Voice& voice) {
  const Result<Dataset> beside = read_data(arguments.text("beside"), arguments, voice);
  if (!beside) return std::unexpected(beside.error());
  options.params.try_emplace("schedule", "constant");
  FitOptions falling = options;
  falling.params["schedule"] = "c/(c+t)";
  falling.params.try_emplace("c", 1000.0);
  std::vector<report::Setting> settings;
  for (const auto& [rows, with] : {std::pair{&*beside, &options}, {&data, &options}, {&data, &falling}}) {
    Result<report::Setting> setting = learned(word, *rows, *with, arguments.count("every", 1), voice);
    if (!setting) return std::unexpected(setting.error());
    if (!settings.empty() && labels_of(*setting) != labels_of(settings[0]))
      return fail(ErrorCode::usage, "--beside",
                  fmt::format("{} and {} have different classes", beside->source, data.source),
                  "give rows of the same classes, or set one against the rest with --positive");
    settings.push_back(*std::move(setting));
  }
  return settings;
}

} // namespace recta::cli
