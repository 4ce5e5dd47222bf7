// From the words of a command line to Arguments. The only file that sees CLI11, which is slow to compile.
#include "command.hpp"
#include "flags.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {

namespace {

std::string dashes(const FlagInfo& flag) {
  const std::string name = "--" + flag.name;
  return flag.letter == 0 ? name : fmt::format("-{},{}", flag.letter, name);
}

// Whether these arguments can name a flag. Only such flags are told to CLI11, which compares each one with all before
// it: `fit` has hundreds. A letter may stand in a group, as in -vo FILE.
bool may_be_named(const FlagInfo& flag, const std::vector<std::string>& args) {
  return flag.letter != 0 || std::ranges::any_of(args, [&](std::string_view arg) {
           return arg.starts_with("--") && arg.substr(2, arg.find('=') - 2) == flag.name;
         });
}

Error unknown_flag(const CommandInfo& command, const std::string& given) {
  std::vector<std::string> known;
  for (const FlagInfo& flag : command.flags()) known.push_back("--" + flag.name);
  const std::string name = given.substr(0, given.find('='));
  return unknown("flag", name, known, fmt::format("recta {} --help lists the flags", command.name));
}

// The arguments CLI11 did not take: words in their order, and flags that do not exist.
Result<std::vector<std::string>> words_of(const CommandInfo& command, const std::vector<std::string>& rest) {
  std::vector<std::string> words;
  bool only_words = false;
  for (const std::string& item : rest) {
    if (item == "--" && !only_words) {
      only_words = true;
    } else if (!only_words && item.size() > 1 && item[0] == '-') {
      return std::unexpected(unknown_flag(command, item));
    } else {
      words.push_back(item);
    }
  }
  std::size_t required = 0;
  for (const WordInfo& word : command.words) required += word.required;
  const std::string how = fmt::format("see recta {} --help", command.name);
  if (words.size() < required) {
    return fail(ErrorCode::usage, command.name, command.words[words.size()].name + " is missing", how);
  }
  if (words.size() > command.words.size()) {
    return fail(ErrorCode::usage, command.name, fmt::format("unexpected argument \"{}\"", words[command.words.size()]),
                how);
  }
  return words;
}

Result<void> check_values(const CommandInfo& command, const Arguments& arguments) {
  for (const FlagInfo& flag : command.flags()) {
    const auto at = arguments.given.find(flag.name);
    if (at == arguments.given.end()) continue;
    for (const std::string& text : at->second) {
      const std::string why = objection(flag, text);
      if (why.empty()) continue;
      const std::string near = nearest(text, flag.choices);
      return fail(ErrorCode::usage, "--" + flag.name, why, near.empty() ? "" : fmt::format("did you mean {}?", near));
    }
  }
  return {};
}

} // namespace

Result<Arguments> parse(const CommandInfo& command, const std::vector<std::string>& args) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<FlagInfo> flags = command.flags();
  std::erase_if(flags, [&](const FlagInfo& flag) { return !may_be_named(flag, args); });
  std::vector<CLI::Option*> options;
  for (const FlagInfo& flag : flags) {
    CLI::Option* option = flag.kind == FlagKind::on
                              ? app.add_flag(dashes(flag))
                              : app.add_option(dashes(flag))->type_name(flag.value)->allow_extra_args(false);
    options.push_back(option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
    if (flag.kind != FlagKind::on) option->expected(1, CLI::detail::expected_max_vector_size);
    if (flag.values > 1) option->type_size(flag.values);
    option->allow_extra_args(false);
  }
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what(); // "--lambda: 1 required NUMBER missing"
    return fail(ErrorCode::usage, text.substr(0, text.find(':')), "it needs a value",
                fmt::format("see recta {} --help", command.name));
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::usage, command.name, error.what(), fmt::format("see recta {} --help", command.name));
  }
  Arguments arguments;
  for (std::size_t k = 0; k < flags.size(); ++k) {
    if (options[k]->count() > 0) arguments.given[flags[k].name] = options[k]->results();
  }
  Result<std::vector<std::string>> words = words_of(command, app.remaining());
  if (!words) return std::unexpected(words.error());
  arguments.words = std::move(*words);
  if (Result<void> good = check_values(command, arguments); !good) return std::unexpected(good.error());
  return arguments;
}

} // namespace recta::cli
