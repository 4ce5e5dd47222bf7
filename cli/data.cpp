// recta data: the built-in sets.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "rows.hpp"
#include "table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {

namespace {

constexpr std::size_t kProse = 72; // with the columns before it a line stays under 120

std::string list_text() {
  Table table({"name", "rows", "columns", "target", "what it is"});
  table.last_left();
  for (const BuiltinSet& set : builtin_sets()) {
    const std::vector<std::string> lines = wrapped(set.summary, kProse);
    table.add({set.name, std::to_string(set.rows), std::to_string(set.columns), set.target, lines[0]});
    for (std::size_t k = 1; k < lines.size(); ++k) table.add({"", "", "", "", lines[k]});
  }
  return table.text();
}

report::Group sets_data() {
  report::Value::List sets;
  for (const BuiltinSet& set : builtin_sets())
    sets.emplace_back(report::Group{{"name", set.name},
                                    {"summary", set.summary},
                                    {"target", set.target},
                                    {"rows", set.rows},
                                    {"columns", set.columns}});
  return {{"schema", "recta/data/1"}, {"sets", std::move(sets)}};
}

report::Value cells(const Column& column, Index rows) {
  if (column.numeric()) return std::vector<double>(column.values.begin(), column.values.begin() + rows);
  report::Value::List out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    const Index level = column.type == ColumnType::text ? static_cast<Index>(i) : column.codes[i];
    out.push_back(level < 0 ? report::Value(nullptr) : column.levels[static_cast<std::size_t>(level)]);
  }
  return out;
}

report::Group set_data(const BuiltinSet& set, const Dataset& data, Index rows) {
  report::Value::List columns;
  for (const Column& column : data.columns)
    columns.emplace_back(
        report::Group{{"name", column.name}, {"type", type_name(column.type)}, {"values", cells(column, rows)}});
  return {{"schema", "recta/table/1"}, {"name", set.name}, {"summary", set.summary},
          {"target", set.target},      {"rows", rows},     {"columns", std::move(columns)}};
}

Result<int> run_data(const Arguments& arguments) {
  const Voice voice(arguments);
  Result<Output> out = Output::open(arguments.text("output"));
  if (!out) return std::unexpected(out.error());
  if (arguments.words.empty()) {
    *out << (voice.json ? to_json(sets_data()) : list_text());
  } else {
    const std::vector<BuiltinSet>& sets = builtin_sets();
    std::vector<std::string> names;
    for (const BuiltinSet& set : sets) names.push_back(set.name);
    const std::string name = arguments.word(0);
    const auto builtin = std::ranges::find(sets, name, &BuiltinSet::name);
    if (builtin == sets.end()) {
      return std::unexpected(
          unknown("built-in set", name, names, fmt::format("the sets are {}", fmt::join(names, ", "))));
    }
    Result<Dataset> data = read(name, {});
    if (!data) return std::unexpected(data.error());
    const Index rows = std::min(data->rows, arguments.count("head", data->rows));
    if (voice.json)
      *out << to_json(set_data(*builtin, *data, rows));
    else
      write_csv(*out, *data, rows);
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

} // namespace

CommandInfo data_command() {
  FlagGroup output = output_flags();
  output.flags.insert(
      output.flags.begin(),
      {{.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "write there", .letter = 'o'},
       {.name = "head",
        .kind = FlagKind::count,
        .value = "N",
        .summary = "only the first rows",
        .lowest = 0,
        .highest = 1e15}});
  std::erase_if(output.flags, [](const FlagInfo& flag) { return flag.name == "digits"; });
  return {.name = "data",
          .summary = "list the built-in sets, or print one as CSV",
          .examples = {{"recta data", "the list"},
                       {"recta data housing --head 5", "its first rows"},
                       {"recta data iris -o iris.csv", "as a file"}},
          .words = {{"NAME", WordKind::builtin, false}},
          .groups = {output},
          .notes = {},
          .run = run_data};
}

} // namespace recta::cli
