// The description of a command. Parsing, help, checks and shell completion are made from this one description.
#pragma once

#include <recta/options.hpp>
#include <recta/recta.hpp>

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace recta::cli {

enum class FlagKind : std::uint8_t { on, text, number, count, size, character, choice, columns, file };

struct FlagInfo {
  std::string name; // without the dashes
  FlagKind kind = FlagKind::on;
  std::string value{}; // what stands after it in help: "COL"
  std::string summary;
  std::vector<std::string> choices{};
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  std::string initial{}; // shown in help
  char letter = 0;       // its one-letter form
  int values = 1;        // how many follow it
};

enum class WordKind : std::uint8_t { model, data, model_file, file, builtin, shell, command, picture };

struct WordInfo { // an argument without a flag
  std::string name;
  WordKind kind;
  bool required = true;
};

struct FlagGroup {
  std::string title;
  std::vector<FlagInfo> flags;
};

// The flags and words a user gave. Values were checked against the description when they were read.
struct Arguments {
  std::vector<std::string> words;
  std::map<std::string, std::vector<std::string>> given;

  bool has(const std::string& flag) const { return given.contains(flag); }
  std::string word(std::size_t k) const { return k < words.size() ? words[k] : std::string(); }
  std::string text(const std::string& flag, const std::string& fallback = {}) const;
  double number(const std::string& flag, double fallback) const;
  Index count(const std::string& flag, Index fallback) const;
  std::uint64_t size(const std::string& flag, std::uint64_t fallback) const;
  std::vector<std::string> list(const std::string& flag) const; // every use, split at commas
};

struct Example {
  std::string line, what;
};

struct CommandInfo {
  std::string name, summary;
  std::vector<Example> examples;
  std::vector<WordInfo> words;
  std::vector<FlagGroup> groups;
  std::string notes; // printed at the end of the help
  std::function<Result<int>(const Arguments&)> run;

  std::vector<FlagInfo> flags() const;
};

const std::vector<CommandInfo>& commands();
const CommandInfo* find_command(std::string_view name);

CommandInfo fit_command();
CommandInfo trace_command();
CommandInfo path_command();
CommandInfo curve_command();
CommandInfo cv_command();
CommandInfo predict_command();
CommandInfo neighbours_command();
CommandInfo kernel_command();
CommandInfo transform_command();
CommandInfo explain_command();
CommandInfo eval_command();
CommandInfo plot_command();
CommandInfo calibrate_command();
CommandInfo thin_command();
CommandInfo threshold_command();
CommandInfo verify_command();
CommandInfo inspect_command();
CommandInfo check_command();
CommandInfo diagnose_command();
CommandInfo compare_command();
CommandInfo convert_command();
CommandInfo data_command();
CommandInfo doctor_command();
CommandInfo completion_command();
CommandInfo version_command();

Result<Arguments> parse(const CommandInfo& command, const std::vector<std::string>& args);
std::string help(const CommandInfo& command, const std::vector<std::string>& args);
std::string overview();
std::string help_json(const std::vector<const CommandInfo*>& about);

// An error of usage with the nearest known word as advice.
Error unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known,
              const std::string& otherwise);

} // namespace recta::cli
