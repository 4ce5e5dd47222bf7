// Help, made from the commands' descriptions. Examples come first.
#include "command.hpp"
#include "flags.hpp"
#include "table.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace recta::cli {

namespace {

std::string usage(const CommandInfo& command) {
  std::string line = "recta " + command.name;
  for (const WordInfo& word : command.words) line += word.required ? " " + word.name : " [" + word.name + "]";
  return line + " [flags]";
}

std::string examples(const std::vector<Example>& list) {
  std::size_t width = 0;
  for (const Example& example : list) width = std::max(width, example.line.size());
  std::string text;
  for (const Example& example : list) {
    std::string line =
        fmt::format("  {:<{}}  {}", example.line, width, example.what.empty() ? "" : "# " + example.what);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

// Marks such as . and , are quoted: they would read as punctuation.
std::string choices_text(const std::vector<std::string>& choices) {
  std::string text;
  for (const std::string& choice : choices) {
    const bool mark = choice.size() == 1 && std::ispunct(static_cast<unsigned char>(choice[0])) != 0;
    text += (text.empty() ? "" : ", ") + (mark ? "'" + choice + "'" : choice);
  }
  return text;
}

std::string flag_text(const FlagInfo& flag) {
  std::string left = flag.letter == 0 ? "      " : fmt::format("  -{}, ", flag.letter);
  left += "--" + flag.name + (flag.value.empty() ? "" : " " + flag.value);
  std::string right = flag.summary;
  if (!flag.choices.empty()) right += ": " + choices_text(flag.choices);
  if (!flag.initial.empty()) right += fmt::format(" [{}]", flag.initial);
  return left.size() > 30 ? fmt::format("{}\n{:32}{}\n", left, "", right) : fmt::format("{:<32}{}\n", left, right);
}

std::string group_text(const std::string& title, const std::vector<FlagInfo>& flags) {
  if (flags.empty()) return {};
  std::string text = "\n" + title + "\n";
  for (const FlagInfo& flag : flags) text += flag_text(flag);
  return text;
}

std::string model_list() {
  const std::vector<ModelInfo>& all = models();
  std::size_t width = 0;
  for (const ModelInfo& model : all) width = std::max(width, model.word.size());
  std::string text = "\nModels\n";
  for (const ModelInfo& model : all) text += fmt::format("  {:<{}}  {}\n", model.word, width, model.summary);
  return text + "  recta fit MODEL --help lists the parameters of one.\n";
}

// "recta fit ridge --help": that model's own page.
std::string model_help(const ModelInfo& model) {
  std::string text = fmt::format("recta fit {}: {}\n\n", model.word, model.summary);
  text +=
      fmt::format("  recta fit {} DATA --target COL [-o FILE] [flags]\n\nMinimises  {}\n", model.word, model.objective);
  text += group_text("Parameters", model_flags(model.word));
  return text + "\nrecta fit --help lists the flags all models share.\n";
}

} // namespace

std::string help(const CommandInfo& command, const std::vector<std::string>& args) {
  if (command.name == "fit") {
    for (const std::string& word : args) {
      if (const ModelInfo* model = model_info(word)) return model_help(*model);
    }
  }
  std::string text = fmt::format("recta {}: {}\n\n{}", command.name, command.summary, examples(command.examples));
  text += fmt::format("\nUsage: {}\n", usage(command));
  if (command.name == "fit") text += model_list();
  for (const FlagGroup& group : command.groups) text += group_text(group.title, group.flags);
  if (!command.notes.empty()) text += "\n" + command.notes + "\n";
  return text;
}

std::string help_json(const std::vector<const CommandInfo*>& about) {
  report::Value::List commands;
  for (const CommandInfo* command : about) {
    report::Value::List flags;
    for (const FlagInfo& flag : command->flags())
      flags.emplace_back(report::Group{
          {"name", "--" + flag.name}, {"value", flag.value}, {"summary", flag.summary}, {"choices", flag.choices}});
    commands.emplace_back(report::Group{{"name", command->name},
                                        {"summary", command->summary},
                                        {"usage", usage(*command)},
                                        {"flags", std::move(flags)}});
  }
  return report::to_json({{"schema", "recta/help/1"}, {"commands", std::move(commands)}});
}

std::string overview() {
  std::string text = "recta: linear models with proofs\n\n";
  text += examples({{"recta fit linear housing", "built-in data; the last line is the proof"},
                    {"recta fit ridge train.csv --target y --lambda 0.1 -o m.recta", ""},
                    {"recta predict m.recta new.csv > out.csv", ""},
                    {"recta verify m.recta train.csv", "recompute the proof from the two files"},
                    {"recta check train.csv --target y", "what is wrong with these data?"}});
  text += "\nCommands\n";
  for (const CommandInfo& command : commands()) text += fmt::format("  {:<12}{}\n", command.name, command.summary);
  text += "  help        this text; recta help COMMAND for more\n";
  return text + "\n"
                "Exit codes: 0 ok, 1 failure, 2 usage, 3 bad data, 4 certificate refused or tolerance not reached,\n"
                "5 model file rejected, 130 interrupted.\n";
}

} // namespace recta::cli
