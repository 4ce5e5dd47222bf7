#include "data/arff/attributes.hpp"

#include "base/listening.hpp"
#include "data/arff/scanner.hpp"
#include "data/dataset.hpp"
#include "data/number.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::arff {
namespace {

std::string lower(std::string_view text) {
  std::string low(text);
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return low;
}

std::string first_word(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == line.npos) return {};
  const std::size_t end = line.find_first_of(" \t\r\n%", begin);
  return lower(line.substr(begin, std::min<std::size_t>(end - begin, 32)));
}

class Declaring {
public:
  Declaring(const std::string& source, const ReadOptions& options) : source_(source), options_(options) {}

  Result<void> line(std::string_view line, Index number) {
    line_ = number;
    const std::string keyword = first_word(line);
    if (keyword == "@relation") return {};
    Scanner in(line);
    if (keyword == "@attribute") return attribute(in);
    return wrong(0, fmt::format("{} is not a declaration", shown(keyword)),
                 "@relation, @attribute and @data are expected here");
  }

  Declarations declared;

private:
  std::unexpected<Error> wrong(std::size_t at, std::string_view what, std::string_view advice) const {
    return fail(ErrorCode::bad_data, fmt::format("{}:{}:{}", source_, line_, at + 1), what, advice);
  }

  Result<void> check_text(const Word& word) const {
    if (invalid_utf8(word.text) == std::string_view::npos) return {};
    return wrong(word.at, fmt::format("{} is not UTF-8", shown(word.text)),
                 "convert the file, for example with iconv -f latin1 -t utf8");
  }

  Result<void> attribute(Scanner& in) {
    in.word("");
    const auto name = in.word("{");
    if (!name) return wrong(in.at(), "the attribute has no name", "write @attribute name type");
    if (auto good = check_text(*name); !good) return good;
    if (static_cast<Index>(declared.attributes.size()) >= options_.max_columns)
      return wrong(name->at, fmt::format("there are more than {} attributes", options_.max_columns),
                   "raise --max-columns if the file is right");
    Attribute& attribute = declared.attributes.emplace_back();
    attribute.name = name->text;
    return in.take('{') ? nominal(in, attribute) : plain(in, attribute);
  }

  Result<void> plain(Scanner& in, Attribute& attribute) {
    const auto word = in.word("[");
    const std::string type = word ? lower(word->text) : "";
    if (type == "integer")
      attribute.type = ColumnType::integer;
    else if (type == "string" || type == "date")
      attribute.type = ColumnType::text;
    else if (type != "numeric" && type != "real")
      return wrong(word ? word->at : in.at(), fmt::format("{} is not a type", shown(word ? word->text : "")),
                   type == "relational" ? "relational attributes are not read; flatten the table"
                                        : "types are numeric, real, integer, string, date and {a, b, ...}");
    if (type == "date")
      declared.notes.push_back(fmt::format("column {} holds dates and is kept as text", attribute.name));
    return {};
  }

  Result<void> nominal(Scanner& in, Attribute& attribute) {
    attribute.type = ColumnType::category;
    attribute.nominal = std::make_unique<Nominal>();
    LevelTable& values = attribute.nominal->values;
    for (bool first = true; !in.take('}'); first = false) {
      if (!first && in.take(',') && in.take('}')) break;
      const auto word = in.word(",}");
      if (!word) return wrong(in.at(), "the list of values is not closed", "write {a, b, 'c d'}");
      if (auto good = check_text(*word); !good) return good;
      if (values.find(word->text) != LevelTable::kUnknown)
        return wrong(word->at, fmt::format("value {} is declared twice", shown(word->text)), "keep it once");
      if (values.add(word->text) == LevelTable::kFull)
        return wrong(word->at, "there are more than 2147483647 values", "declare the attribute string");
      if (values.size() % 4096 == 0) keep_going();
    }
    const std::vector<std::int32_t> order = level_order(values);
    attribute.nominal->code.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) attribute.nominal->code[order[k]] = static_cast<std::int32_t>(k);
    return {};
  }

  const std::string& source_;
  const ReadOptions& options_;
  Index line_ = 0;
};

void name_columns(Declarations& declared) {
  std::vector<std::string> names;
  for (const Attribute& attribute : declared.attributes) names.push_back(attribute.name);
  finish_names(names, declared.notes);
  for (std::size_t j = 0; j < names.size(); ++j) declared.attributes[j].name = std::move(names[j]);
}

// The numbers that the declared values are; npos: one of them is none, and which.
std::size_t find_numbers(Nominal& nominal) {
  nominal.number.clear();
  for (std::size_t k = 0; k < nominal.code.size(); ++k) {
    const Number number = parse_number(nominal.values[static_cast<std::int32_t>(k)]);
    if (number.status != NumberStatus::ok) return k;
    nominal.number.push_back(number.value);
  }
  return std::string::npos;
}

bool are_bits(const Nominal& nominal) {
  return nominal.values.size() == 2 && nominal.values.find("0") >= 0 && nominal.values.find("1") >= 0;
}

bool is_number(ColumnType type) {
  return type == ColumnType::real || type == ColumnType::integer;
}

Result<void> settle_types(Declarations& declared, const std::string& source, const ReadOptions& options) {
  std::vector<std::string> names;
  for (const Attribute& attribute : declared.attributes) names.push_back(attribute.name);
  if (auto known = check_typed_names(names, options, source); !known) return known;
  for (Attribute& attribute : declared.attributes) {
    const auto given = options.types.find(attribute.name), usual = options.expected.find(attribute.name);
    Nominal* const nominal = attribute.nominal.get();
    ColumnType type = nominal && are_bits(*nominal) ? ColumnType::integer : attribute.type;
    if (usual != options.expected.end()) type = usual->second;
    if (given != options.types.end()) type = given->second;
    if (nominal && is_number(type))
      if (const std::size_t bad = find_numbers(*nominal); bad != std::string::npos) {
        if (given != options.types.end())
          return fail(ErrorCode::usage, fmt::format("{}, column {}", source, attribute.name),
                      fmt::format("the declared value {} is not a number",
                                  shown(nominal->values[static_cast<std::int32_t>(bad)])),
                      "read it as a category");
        type = attribute.type;
      }
    const auto whole = [](double value) { return value == std::floor(value); };
    if (nominal && type == ColumnType::integer && !std::ranges::all_of(nominal->number, whole)) type = ColumnType::real;
    attribute.type = type;
  }
  return {};
}

} // namespace

bool is_data_line(std::string_view line) {
  return first_word(line) == "@data";
}

bool is_row(std::string_view line) {
  return !Scanner(line).ended();
}

Result<Declarations> parse_declarations(std::string_view text, const std::string& source, const ReadOptions& options) {
  Declaring declaring(source, options);
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  Index lines = 0;
  for (bool data = false; !data;) {
    if (at == text.size() && text.find_first_not_of(" \t\r\n") == text.npos)
      return fail(ErrorCode::bad_data, source, "is empty", "give a table with at least one row");
    if (at == text.size())
      return fail(ErrorCode::bad_data, source, "there is no @data line in it",
                  "rows follow a line @data; is it another format?");
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    ++lines;
    keep_going();
    data = is_data_line(line);
    if (!data && is_row(line))
      if (auto done = declaring.line(line, lines); !done) return std::unexpected(done.error());
    at = end;
  }
  Declarations declared = std::move(declaring.declared);
  if (declared.attributes.empty()) return fail(ErrorCode::bad_data, source, "no @attribute stands before @data");
  name_columns(declared);
  if (auto done = settle_types(declared, source, options); !done) return std::unexpected(done.error());
  declared.bytes = at;
  declared.lines = lines;
  return declared;
}

Dataset empty_table(const Declarations& declared, const std::string& source) {
  Dataset table;
  table.source = source;
  table.notes = declared.notes;
  for (const Attribute& attribute : declared.attributes) {
    Column& column = table.columns.emplace_back();
    column.name = attribute.name;
    column.type = attribute.type;
    if (!attribute.nominal || attribute.type != ColumnType::category) continue;
    const Nominal& nominal = *attribute.nominal;
    column.levels.resize(nominal.code.size());
    for (std::size_t k = 0; k < nominal.code.size(); ++k)
      column.levels[nominal.code[k]] = nominal.values[static_cast<std::int32_t>(k)];
  }
  return table;
}

} // namespace recta::arff
