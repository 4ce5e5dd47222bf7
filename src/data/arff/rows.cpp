#include "data/arff/rows.hpp"

#include "base/listening.hpp"
#include "data/arff/scanner.hpp"
#include "data/dataset.hpp"
#include "data/number.hpp"
#include "data/number_advice.hpp"

#include <recta/params.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace recta::arff {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

std::string number_advice(std::string_view text) {
  const std::string special = advice_for_number(text);
  return special.empty() ? "write ? for a missing value, or declare the attribute string" : special;
}

bool learns_levels(const Attribute& attribute) {
  return attribute.type == ColumnType::category && !attribute.nominal;
}

// Texts, of which an empty one is missing, to codes of sorted levels.
void make_category(Column& column) {
  LevelTable levels;
  for (const std::string& text : column.levels) {
    std::int32_t code = text.empty() ? -1 : levels.find(text);
    if (code == LevelTable::kUnknown) code = levels.add(text);
    column.codes.push_back(code);
  }
  column.type = ColumnType::category;
  column.levels.clear();
  for (std::int32_t k = 0; k < levels.size(); ++k) column.levels.emplace_back(levels[k]);
  sort_levels(column);
}

class RowParser {
public:
  RowParser(const RowsContext& context, Dataset& table)
      : context_(context), attributes_(context.declared.attributes), table_(table),
        row_bytes_(row_bytes(context.declared)) {
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      if (!learns_levels(attributes_[j])) continue;
      table_.columns[j].type = ColumnType::text;
      table_.columns[j].levels.clear();
    }
  }

  // The texts of a category without declared values are its levels.
  void finish() {
    for (std::size_t j = 0; j < attributes_.size(); ++j)
      if (learns_levels(attributes_[j])) make_category(table_.columns[j]);
  }

  Result<void> row(std::string_view line, Index number) {
    line_ = number;
    Scanner in(line);
    used_ += row_bytes_;
    if (used_ > context_.most_bytes)
      return fail(ErrorCode::bad_data, fmt::format("{}:{}", context_.source, line_),
                  fmt::format("with this row the table takes more than {} bytes", context_.limit),
                  "raise --max-memory, or stream the file");
    auto done = in.take('{') ? sparse(in) : dense(in);
    if (!done) return done;
    ++table_.rows;
    if (in.ended()) return {};
    if (in.take(',') && in.take('{'))
      return wrong(in.at() - 1, "the row has a weight in braces", "make the weights an attribute of their own");
    return wrong(in.at(), fmt::format("the row has more than {} values", attributes_.size()),
                 "every row has one value per attribute");
  }

private:
  std::unexpected<Error> wrong(std::size_t at, std::string_view what, std::string_view advice) const {
    return fail(ErrorCode::bad_data, fmt::format("{}:{}:{}", context_.source, line_, at + 1), what, advice);
  }
  std::unexpected<Error> wrong_value(const Word& word, std::size_t j, std::string_view what,
                                     std::string_view advice) const {
    return fail(ErrorCode::bad_data,
                fmt::format("{}:{}:{}, column {}", context_.source, line_, word.at + 1, attributes_[j].name),
                fmt::format("{} {}", shown(word.text), what), advice);
  }

  Result<void> dense(Scanner& in) {
    for (std::size_t j = 0; j < attributes_.size(); ++j) {
      if (j > 0) in.take(',');
      const auto word = in.word(",{}");
      if (!word) return no_value(in, j);
      if (auto done = add(j, *word); !done) return done;
    }
    return {};
  }

  std::unexpected<Error> no_value(Scanner& in, std::size_t j) const {
    if (in.ended())
      return wrong(in.at(), fmt::format("the row ends after {} of {} values", j, attributes_.size()),
                   "every row has one value per attribute, ? where it is missing");
    const std::string_view rest = in.rest();
    if (rest.starts_with('\'') || rest.starts_with('"'))
      return wrong(in.at(), "the quote is not closed on this line", "write \\' for a quote inside quotes");
    return wrong(in.at(), fmt::format("there is no value for column {}", attributes_[j].name),
                 "write ? for a missing value");
  }

  Result<void> sparse(Scanner& in) {
    std::size_t next = 0; // column not filled yet
    for (bool first = true; !in.take('}'); first = false) {
      if (!first && !in.take(',')) return wrong(in.at(), "a comma or } was expected", "write {1 5.0, 3 x}");
      if (in.take('}')) break;
      const auto position = in.word(",{}");
      if (!position) return wrong(in.at(), "an index was expected", "write {1 5.0, 3 x}");
      auto j = index_of(*position, next);
      if (!j) return std::unexpected(j.error());
      while (next < *j) add_default(next++);
      const auto word = in.word(",{}");
      if (!word) return no_value(in, *j);
      if (auto done = add(*j, *word); !done) return done;
      next = *j + 1;
    }
    while (next < attributes_.size()) add_default(next++);
    return {};
  }

  Result<std::size_t> index_of(const Word& word, std::size_t lowest) const {
    const Number number = parse_number(word.text);
    if (number.status != NumberStatus::ok || !number.integer || number.value < 0)
      return wrong(word.at, fmt::format("{} is not an index", shown(word.text)), "a sparse row is {index value, ...}");
    if (number.value >= static_cast<double>(attributes_.size()))
      return wrong(word.at, fmt::format("there is no attribute {}", shown(word.text)),
                   fmt::format("they are numbered from 0 to {}", attributes_.size() - 1));
    const auto j = static_cast<std::size_t>(number.value);
    if (j < lowest)
      return wrong(word.at, fmt::format("index {} follows one that is as large or larger", j),
                   "indices must ascend within a row, each once");
    return j;
  }

  void add_default(std::size_t j) {
    Column& column = table_.columns[j];
    if (attributes_[j].nominal)
      add_declared(j, attributes_[j].nominal->code.empty() ? -1 : 0);
    else if (column.type == ColumnType::text)
      column.levels.emplace_back();
    else
      column.values.push_back(0);
  }

  // Value k of those declared; -1: it is missing.
  void add_declared(std::size_t j, std::int32_t k) {
    Column& column = table_.columns[j];
    const Nominal& nominal = *attributes_[j].nominal;
    if (column.type == ColumnType::category)
      column.codes.push_back(k < 0 ? -1 : nominal.code[k]);
    else if (column.type == ColumnType::text)
      column.levels.emplace_back(k < 0 ? std::string_view() : nominal.values[k]);
    else
      column.values.push_back(k < 0 ? kMissing : nominal.number[k]);
  }

  Result<void> add(std::size_t j, const Word& word) {
    Column& column = table_.columns[j];
    if (attributes_[j].nominal) return add_nominal(j, word);
    if (column.type == ColumnType::text) return add_text(j, word);
    if (word.missing()) {
      column.values.push_back(kMissing);
      return {};
    }
    const Number number = parse_number(word.text);
    if (number.status == NumberStatus::too_large)
      return wrong_value(word, j, "is beyond the largest double", "rescale the column or remove the row");
    if (number.status != NumberStatus::ok) return wrong_value(word, j, "is not a number", number_advice(word.text));
    if (!number.integer) column.type = ColumnType::real;
    column.values.push_back(number.value);
    return {};
  }

  Result<void> add_nominal(std::size_t j, const Word& word) {
    const std::int32_t value = word.missing() ? -1 : attributes_[j].nominal->values.find(word.text);
    if (value == LevelTable::kUnknown) return undeclared(j, word);
    add_declared(j, value);
    return {};
  }

  std::unexpected<Error> undeclared(std::size_t j, const Word& word) const {
    const LevelTable& values = attributes_[j].nominal->values;
    std::vector<std::string> known;
    for (std::int32_t k = 0; k < values.size(); ++k) known.emplace_back(values[k]);
    const std::string near = word.text.size() < 256 ? nearest(word.text, known) : "";
    return wrong_value(word, j, "is not among the declared values",
                       near.empty() ? "add it to the @attribute line" : fmt::format("did you mean {}?", shown(near)));
  }

  Result<void> add_text(std::size_t j, const Word& word) {
    if (invalid_utf8(word.text) != std::string_view::npos)
      return wrong_value(word, j, "is not UTF-8", "convert the file, for example with iconv -f latin1 -t utf8");
    const std::string_view text = word.missing() ? std::string_view{} : word.text;
    if (text.size() >= sizeof(std::string) / 2) used_ += text.size() + 1 + 2 * sizeof(std::size_t); // on the heap
    table_.columns[j].levels.emplace_back(text);
    return {};
  }

  const RowsContext& context_;
  const std::vector<Attribute>& attributes_;
  Dataset& table_;
  Index line_ = 0;
  std::uint64_t row_bytes_, used_ = 0;
};

} // namespace

std::uint64_t row_bytes(const Declarations& declared) {
  std::uint64_t bytes = 0;
  for (const Attribute& attribute : declared.attributes)
    bytes += attribute.type == ColumnType::text || learns_levels(attribute) ? sizeof(std::string)
             : attribute.type == ColumnType::category                       ? sizeof(std::int32_t)
                                                                            : sizeof(double);
  return bytes;
}

Result<void> parse_rows(std::string_view lines, const RowsContext& context, Dataset& table) {
  constexpr std::size_t kPart = 1 << 20;
  RowParser parser(context, table);
  Index number = context.first_line;
  const auto whole = static_cast<double>(lines.size());
  std::string_view part = lines; // read, and not released
  while (!lines.empty()) {
    if (const auto read = static_cast<std::size_t>(lines.data() - part.data()); read >= kPart) {
      if (context.bytes) context.bytes->release(part.substr(0, read));
      part = lines;
      keep_going(1 - static_cast<double>(lines.size()) / whole);
    }
    const std::size_t end = std::min(lines.find('\n'), lines.size() - 1) + 1;
    const std::string_view line = lines.substr(0, end);
    if (is_row(line))
      if (auto done = parser.row(line, number); !done) return done;
    lines.remove_prefix(end);
    ++number;
  }
  parser.finish();
  return {};
}

} // namespace recta::arff
