// recta completion: scripts for bash, zsh and fish, made from the commands' descriptions.
#include "flags.hpp"
#include "output.hpp"

#include <fmt/format.h>

namespace recta::cli {

namespace {

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandInfo& command : commands()) names.push_back(command.name);
  names.emplace_back("help");
  return names;
}

// Words that may stand in this place, besides files.
std::vector<std::string> word_choices(WordKind kind) {
  std::vector<std::string> words;
  if (kind == WordKind::model) {
    for (const ModelInfo& model : models()) words.push_back(model.word);
  } else if (kind == WordKind::data || kind == WordKind::builtin) {
    for (const BuiltinSet& set : builtin_sets()) words.push_back(set.name);
  } else if (kind == WordKind::shell) {
    words = {"bash", "zsh", "fish"};
  } else if (kind == WordKind::picture) {
    words = picture_words();
  }
  return words;
}

bool takes_files(WordKind kind) {
  return kind == WordKind::data || kind == WordKind::model_file || kind == WordKind::file;
}

// In single quotes, for all three shells; fish alone also gives a meaning to a backslash there.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string bash_command(const CommandInfo& command) {
  std::vector<std::string> names, with_value;
  std::string choices;
  for (const FlagInfo& flag : command.flags()) {
    names.push_back("--" + flag.name);
    const std::string pattern = flag.letter == 0 ? "--" + flag.name : fmt::format("--{}|-{}", flag.name, flag.letter);
    if (!flag.choices.empty()) {
      choices += fmt::format("        {}) _recta_words {}; return ;;\n", pattern,
                             quoted(fmt::format("{}", fmt::join(flag.choices, " "))));
    } else if (flag.kind == FlagKind::file) {
      choices += fmt::format("        {}) _recta_files; return ;;\n", pattern);
    } else if (flag.kind != FlagKind::on) {
      choices += fmt::format("        {}) return ;;\n", pattern);
    }
    if (flag.kind != FlagKind::on) with_value.push_back(pattern);
  }
  std::string words;
  for (std::size_t k = 0; k < command.words.size(); ++k) {
    words += fmt::format("        {}) _recta_words {}{} ;;\n", k,
                         quoted(fmt::format("{}", fmt::join(word_choices(command.words[k].kind), " "))),
                         takes_files(command.words[k].kind) ? "; _recta_files" : "");
  }
  return fmt::format("    {}) takes={}\n      case \"$previous\" in\n{}        *) ;;\n      esac\n"
                     "      if [[ $current == -* ]]; then _recta_words {}; return; fi\n"
                     "      case $(_recta_place \"$takes\") in\n{}        *) ;;\n      esac ;;\n",
                     command.name, quoted(fmt::format("|{}|", fmt::join(with_value, "|"))), choices,
                     quoted(fmt::format("{}", fmt::join(names, " "))), words);
}

std::string bash_script() {
  std::string text = R"(# bash completion of recta; use it with: source <(recta completion bash)
_recta_words() { local word; while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current"); }
_recta_files() { local word; while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current"); }
# How many words without a flag stand before the cursor; $1 holds the flags that take a value.
_recta_place() {
  local place=0 k=2
  while ((k < COMP_CWORD)); do
    if [[ ${COMP_WORDS[k]} == -?* ]]; then
      [[ $1 == *"|${COMP_WORDS[k]}|"* ]] && k=$((k + 1))
    else
      place=$((place + 1))
    fi
    k=$((k + 1))
  done
  echo "$place"
}
_recta() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} takes
  COMPREPLY=()
)";
  text += fmt::format("  if ((COMP_CWORD == 1)); then _recta_words {}; return; fi\n  case ${{COMP_WORDS[1]}} in\n",
                      quoted(fmt::format("{}", fmt::join(command_names(), " "))));
  for (const CommandInfo& command : commands()) text += bash_command(command);
  text += fmt::format("    help) _recta_words {} ;;\n    *) ;;\n  esac\n}}\n",
                      quoted(fmt::format("{}", fmt::join(command_names(), " "))));
  return text + "complete -o filenames -F _recta recta\n";
}

// Inside an _arguments spec a colon and a bracket end a field.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const FlagInfo& flag) {
  if (flag.kind == FlagKind::on) return "";
  const std::string value = ":" + zsh_text(flag.value) + ":";
  if (!flag.choices.empty()) return value + fmt::format("({})", fmt::join(flag.choices, " "));
  return value + (flag.kind == FlagKind::file ? "_files" : " ");
}

std::string zsh_command(const CommandInfo& command) {
  std::string specs;
  for (const FlagInfo& flag : command.flags()) {
    const std::string rest = fmt::format("[{}]{}", zsh_text(flag.summary), zsh_action(flag));
    specs += fmt::format(" \\\n        {}", quoted("--" + flag.name + rest));
    if (flag.letter != 0) specs += fmt::format(" \\\n        {}", quoted(fmt::format("-{}{}", flag.letter, rest)));
  }
  for (const WordInfo& word : command.words) {
    const std::string words = fmt::format("{}", fmt::join(word_choices(word.kind), " "));
    const std::string action = words.empty() ? "_files"
                               : takes_files(word.kind)
                                   ? fmt::format("_alternative \"w:word:({})\" \"f:file:_files\"", words)
                                   : fmt::format("({})", words);
    specs += fmt::format(" \\\n        {}",
                         quoted(fmt::format("{}{}:{}", word.required ? ":" : "::", zsh_text(word.name), action)));
  }
  return fmt::format("      {})\n        _arguments{} ;;\n", command.name, specs);
}

std::string zsh_script() {
  std::string text = "#compdef recta\n_recta() {\n  local -a commands\n  commands=(\n";
  for (const CommandInfo& command : commands()) {
    text += fmt::format("    {}\n", quoted(command.name + ":" + zsh_text(command.summary)));
  }
  text += "    'help:help on a command'\n  )\n  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
          "  local name=${words[2]}\n  shift words\n  ((CURRENT--))\n  case $name in\n";
  for (const CommandInfo& command : commands()) text += zsh_command(command);
  return text + "      help) _describe command commands ;;\n  esac\n}\ncompdef _recta recta\n";
}

std::string fish_command(const CommandInfo& command) {
  const std::string when = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
  std::string text;
  for (const FlagInfo& flag : command.flags()) {
    text += fmt::format("complete -c recta -n {} -l {}", when, flag.name);
    if (flag.letter != 0) text += fmt::format(" -s {}", flag.letter);
    if (flag.kind == FlagKind::file) text += " -r -F";
    if (flag.kind != FlagKind::on && flag.kind != FlagKind::file) {
      text += " -x";
      if (!flag.choices.empty()) text += " -a " + quoted(fmt::format("{}", fmt::join(flag.choices, " ")));
    }
    text += " -d " + quoted(flag.summary) + "\n";
  }
  for (const WordInfo& word : command.words) {
    const std::vector<std::string> words = word_choices(word.kind);
    if (!words.empty()) {
      text += fmt::format("complete -c recta -n {} -a {}\n", when, quoted(fmt::format("{}", fmt::join(words, " "))));
    }
    if (takes_files(word.kind)) text += fmt::format("complete -c recta -n {} -F\n", when);
  }
  return text;
}

std::string fish_script() {
  std::string text = "# fish completion of recta; use it with: recta completion fish | source\ncomplete -c recta -f\n";
  for (const CommandInfo& command : commands()) {
    text +=
        fmt::format("complete -c recta -n __fish_use_subcommand -a {} -d {}\n", command.name, quoted(command.summary));
  }
  for (const CommandInfo& command : commands()) text += fish_command(command);
  return text;
}

Result<int> run_completion(const Arguments& arguments) {
  const std::string shell = arguments.word(0);
  std::string script;
  if (shell == "bash") {
    script = bash_script();
  } else if (shell == "zsh") {
    script = zsh_script();
  } else if (shell == "fish") {
    script = fish_script();
  } else {
    return std::unexpected(unknown("shell", shell, {"bash", "zsh", "fish"}, "the shells are bash, zsh and fish"));
  }
  if (arguments.has("json"))
    script = report::to_json({{"schema", "recta/completion/1"}, {"shell", shell}, {"script", script}});
  Result<Output> out = Output::to_standard_output();
  *out << script;
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo completion_command() {
  return {.name = "completion",
          .summary = "print a completion script for a shell",
          .examples = {{"source <(recta completion bash)", "for this session"},
                       {"recta completion zsh > ~/.zfunc/_recta", ""},
                       {"recta completion fish | source", ""}},
          .words = {{"SHELL", WordKind::shell}},
          .groups = {{"Output",
                      {{.name = "json", .summary = "one JSON document on standard output (docs/json.md)"},
                       {.name = "help", .summary = "this text", .letter = 'h'}}}},
          .notes = {},
          .run = run_completion};
}

} // namespace recta::cli
