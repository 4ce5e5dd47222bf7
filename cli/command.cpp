#include "command.hpp"

#include "flags.hpp"

#include <fmt/format.h>

namespace recta::cli {

namespace {

struct NamedCommand {
  std::string_view name;
  CommandInfo (*make)(); // takes long where the flags are those of every model
};

constexpr NamedCommand kCommands[] = {{"fit", fit_command},
                                      {"trace", trace_command},
                                      {"path", path_command},
                                      {"cv", cv_command},
                                      {"curve", curve_command},
                                      {"predict", predict_command},
                                      {"neighbours", neighbours_command},
                                      {"thin", thin_command},
                                      {"kernel", kernel_command},
                                      {"transform", transform_command},
                                      {"explain", explain_command},
                                      {"eval", eval_command},
                                      {"calibrate", calibrate_command},
                                      {"threshold", threshold_command},
                                      {"verify", verify_command},
                                      {"inspect", inspect_command},
                                      {"check", check_command},
                                      {"diagnose", diagnose_command},
                                      {"compare", compare_command},
                                      {"plot", plot_command},
                                      {"convert", convert_command},
                                      {"data", data_command},
                                      {"doctor", doctor_command},
                                      {"completion", completion_command},
                                      {"version", version_command}};

} // namespace

const std::vector<CommandInfo>& commands() {
  static const std::vector<CommandInfo> all = [] {
    std::vector<CommandInfo> list;
    for (const NamedCommand& command : kCommands) list.push_back(command.make());
    return list;
  }();
  return all;
}

const CommandInfo* find_command(std::string_view name) {
  static std::map<std::string_view, CommandInfo> made; // a run uses one of them
  if (const auto known = made.find(name); known != made.end()) return &known->second;
  for (const NamedCommand& command : kCommands)
    if (command.name == name) return &made.emplace(command.name, command.make()).first->second;
  return nullptr;
}

std::vector<FlagInfo> CommandInfo::flags() const {
  std::vector<FlagInfo> all;
  for (const FlagGroup& group : groups) all.insert(all.end(), group.flags.begin(), group.flags.end());
  return all;
}

std::string Arguments::text(const std::string& flag, const std::string& fallback) const {
  const auto at = given.find(flag);
  return at == given.end() || at->second.empty() ? fallback : at->second.back();
}

double Arguments::number(const std::string& flag, double fallback) const {
  double value = fallback;
  if (has(flag)) parse_number(text(flag), value);
  return value;
}

Index Arguments::count(const std::string& flag, Index fallback) const {
  return static_cast<Index>(number(flag, static_cast<double>(fallback)));
}

std::uint64_t Arguments::size(const std::string& flag, std::uint64_t fallback) const {
  std::uint64_t bytes = fallback;
  if (has(flag)) parse_size(text(flag), bytes);
  return bytes;
}

std::vector<std::string> Arguments::list(const std::string& flag) const {
  std::vector<std::string> all;
  if (const auto at = given.find(flag); at != given.end()) {
    for (const std::string& text : at->second) {
      for (std::string& item : split_list(text)) all.push_back(std::move(item));
    }
  }
  return all;
}

Error unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known,
              const std::string& otherwise) {
  const std::string near = nearest(word, known);
  return {ErrorCode::usage, word, fmt::format("there is no such {}", what),
          near.empty() ? otherwise : fmt::format("did you mean {}?", near)};
}

} // namespace recta::cli
