// The program: finds the command, runs it, and turns an Error into words and an exit code.
#include "command.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace recta::cli {

namespace {

int exit_code(ErrorCode code) {
  switch (code) {
  case ErrorCode::failure:
    return 1;
  case ErrorCode::usage:
    return 2;
  case ErrorCode::bad_data:
    return 3;
  case ErrorCode::refuted:
    return 4;
  case ErrorCode::bad_model_file:
    return 5;
  case ErrorCode::interrupted:
    return interrupt::asked() ? interrupt::exit_code() : 130;
  }
  return 1;
}

const char* code_name(ErrorCode code) {
  const char* names[] = {"failure", "usage", "bad_data", "refuted", "bad_model_file", "interrupted"};
  return names[static_cast<int>(code)];
}

int report(const Error& error, bool json) {
  const int code = exit_code(error.code);
  fmt::print(stderr, "recta: {}{}{}\n", error.where, error.where.empty() || error.what.empty() ? "" : ": ", error.what);
  if (!error.advice.empty()) fmt::print(stderr, "  {}\n", error.advice);
  if (json) {
    Result<Output> out = Output::to_standard_output();
    *out << report::to_json({{"schema", "recta/error/1"},
                             {"code", code_name(error.code)},
                             {"exit", code},
                             {"where", error.where},
                             {"what", error.what},
                             {"advice", error.advice}});
    [[maybe_unused]] const Result<void> written = out->finish(); // the exit code already says that all is not well
  }
  return code;
}

int print(const std::string& text) {
  Result<Output> out = Output::to_standard_output();
  *out << text;
  const Result<void> written = out->finish();
  return written ? 0 : report(written.error(), false);
}

bool asks_for_help(const std::vector<std::string>& args) {
  const auto end = std::find(args.begin(), args.end(), "--");
  return std::any_of(args.begin(), end, [](const std::string& a) { return a == "--help" || a == "-h"; });
}

bool asks_for_json(const std::vector<std::string>& args) {
  return std::find(args.begin(), args.end(), "--json") != args.end();
}

int print_overview(bool json) {
  if (!json) return print(overview());
  std::vector<const CommandInfo*> all;
  for (const CommandInfo& command : commands()) all.push_back(&command);
  return print(help_json(all));
}

int run_command(const std::string& name, const std::vector<std::string>& args) {
  const CommandInfo* command = find_command(name);
  const bool json = asks_for_json(args);
  if (command == nullptr) {
    std::vector<std::string> known;
    for (const CommandInfo& c : commands()) known.push_back(c.name);
    return report(unknown("command", name, known, "recta help lists the commands"), json);
  }
  if (asks_for_help(args)) return print(json ? help_json({command}) : help(*command, args));
  Result<Arguments> arguments = parse(*command, args);
  if (!arguments) return report(arguments.error(), json);
  Result<int> code = command->run(*arguments);
  return code ? *code : report(code.error(), json);
}

int run(std::vector<std::string> args) {
  if (args.empty() || args[0] == "--help" || args[0] == "-h") return print_overview(asks_for_json(args));
  std::string name = args[0];
  args.erase(args.begin());
  if (name == "--version") name = "version";
  if (name == "help") {
    const auto word = std::find_if(args.begin(), args.end(), [](const std::string& a) { return !a.starts_with("-"); });
    if (word == args.end()) return print_overview(asks_for_json(args));
    name = *word;
    *word = "--help"; // "recta help fit ridge" keeps the rest
  }
  return run_command(name, args);
}

} // namespace

} // namespace recta::cli

int main(int argc, char** argv) {
  recta::cli::interrupt::install();
  try {
    return recta::cli::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::bad_alloc&) {
    std::fputs("recta: the machine has no more memory\n  use --stream, or less data\n", stderr);
  } catch (const std::exception& error) { // a mistake of ours: the library lets none out
    std::fprintf(stderr, "recta: internal error: %s\n", error.what());
  }
  return 1;
}
