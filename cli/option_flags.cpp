#include "option_flags.hpp"

#include "flags.hpp"

#include <algorithm>

namespace recta::cli {

namespace {

template <class Owner>
FlagKind kind_of(const Option<Owner>& option) {
  if (!option.more.words.empty()) return FlagKind::choice;
  if (option.value.empty()) return FlagKind::on;
  if (option.value == "SIZE") return FlagKind::size;
  if (option.value == "FILE") return FlagKind::file;
  if (option.names_columns()) return FlagKind::columns;
  if (option.more.read != nullptr) return FlagKind::text;
  return std::visit(
      []<class T>(const T&) {
        const bool whole = std::is_same_v<T, Index Owner::*> || std::is_same_v<T, int Owner::*> ||
                           std::is_same_v<T, std::uint64_t Owner::*>;
        return whole ? FlagKind::count : std::is_same_v<T, double Owner::*> ? FlagKind::number : FlagKind::text;
      },
      option.member);
}

template <class Owner>
FlagInfo flag_of(const Option<Owner>& option) {
  std::vector<std::string> words = option.words();
  words.resize(std::min(words.size(), option.more.offered));
  return {.name = option.flag(),
          .kind = kind_of(option),
          .value = std::string(option.value),
          .summary = std::string(option.help),
          .choices = std::move(words),
          .lowest = option.more.range.lowest,
          .highest = option.more.range.highest,
          .initial = option.default_text()};
}

template <class Owner>
void add_flags(std::span<const Option<Owner>> table, Heading heading, unsigned taken_by, std::vector<FlagInfo>& flags) {
  for (const Option<Owner>& option : table)
    if (option.heading == heading && (option.commands() & taken_by) != 0) flags.push_back(flag_of(option));
}

// A flag of the command line alone: which one it follows, and the commands that take it.
struct Beside {
  const char* after;
  unsigned commands;
  FlagInfo flag;
};

std::vector<Beside> flags_beside() {
  using namespace command;
  return {{"ignore",
           kEvery,
           {.name = "id", .kind = FlagKind::columns, .value = "COL", .summary = "a column that names the rows"}},
          {"label-columns",
           kEvery,
           {.name = "label-names",
            .kind = FlagKind::file,
            .value = "FILE.xml",
            .summary = "likewise, for the columns that MULAN's XML beside an ARFF file names"}},
          {"text",
           kEvery,
           {.name = "graph",
            .kind = FlagKind::columns,
            .value = "COL",
            .summary = "a column of graphs, a-b;b-c with labels a:C, for the kernels graph: or as counts of features; "
                       "of nodes for graph:diffusion"}},
          {"graph",
           kEvery,
           {.name = "graph-terms",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "features of graphs: those of the kernel graph:wl or graph:shortest-path",
            .choices = {"wl", "shortest-path"},
            .initial = "wl"}},
          {"graph-rounds",
           kEvery,
           {.name = "text-dir",
            .summary = "DATA is a folder with a folder of documents for each class: --text text --target label"}},
          {"time-limit",
           kFit | kCurve | kPath,
           {.name = "stream", .summary = "in memory that does not grow with the rows; always on for -"}},
          {"time-limit", kFit, {.name = "strict", .summary = "exit 4 if the tolerance is not reached"}},
          {"threads", kFit, split_flags()[0]}};
}

} // namespace

FlagInfo option_flag(std::string_view name) {
  return flag_of(fit_option(name));
}

FlagInfo option_flag(std::string_view name, std::string_view summary, std::string_view initial) {
  FlagInfo flag = option_flag(name);
  flag.summary = summary;
  flag.initial = initial;
  return flag;
}

FlagGroup option_group(Heading heading, unsigned taken_by) {
  FlagGroup group{std::string(title_of(heading)), {}};
  add_flags(fit_option_table(), heading, taken_by, group.flags);
  add_flags(text_option_table(), heading, taken_by, group.flags);
  for (Beside& one : flags_beside()) {
    const auto after = std::ranges::find(group.flags, one.after, &FlagInfo::name);
    if (after != group.flags.end() && (one.commands & taken_by) != 0)
      group.flags.insert(after + 1, std::move(one.flag));
  }
  return group;
}

Result<FitOptions> given_options(const Arguments& arguments) {
  FitOptions options;
  for (const Option<FitOptions>& option : fit_option_table())
    if (const auto given = arguments.given.find(option.flag()); given != arguments.given.end())
      if (Result<void> good = read_option(option, given->second, options); !good) return std::unexpected(good.error());
  if (arguments.has("id")) options.ignore.push_back(arguments.text("id"));
  return options;
}

} // namespace recta::cli
