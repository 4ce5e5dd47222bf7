#include "data/csv/sample.hpp"

#include "base/listening.hpp"
#include "data/csv/scan.hpp"
#include "data/dataset.hpp"
#include "data/number.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <unordered_set>

namespace recta::csv {
namespace {

// One bit, the uppermost of its byte, for each of eight characters that is no digit. (A character above 127 may mark
// the one after it as well.)
std::uint64_t other_characters(const char* p) {
  const std::uint64_t low = number::load_eight(p) ^ 0x3030303030303030; // digits are 0 to 9 now
  return (low | (low + 0x7676767676767676)) & 0x8080808080808080;
}

// Most fields of a table of numbers are [-]digits[.digits] of 8 to 16 characters: their kind is known without their
// value. `other`: not such a field.
ValueKind plain_kind(std::string_view text, char decimal) {
  const std::size_t size = text.size(), twice = 16 - size; // characters looked at twice
  if (size < 8 || size > 16) return ValueKind::other;
  const std::uint64_t sign = text[0] == '-' ? 0x80 : 0, first = other_characters(text.data()) & ~sign;
  const std::uint64_t second = twice == 8 ? 0 : other_characters(text.data() + size - 8) >> 8 * twice;
  if ((first | second) == 0) return size <= 15 ? ValueKind::integer : ValueKind::other;
  if ((first && second) || (first & (first - 1)) || (second & (second - 1))) return ValueKind::other;
  const int bit = first ? std::countr_zero(first) : 64 + std::countr_zero(second);
  return text[static_cast<std::size_t>(bit / 8)] == decimal ? ValueKind::real : ValueKind::other;
}

ValueKind kind_of(const Field& field, const Layout& layout) {
  if (!layout.missing.has_numbers()) {
    const ValueKind plain = plain_kind(field.text, layout.dialect.decimal);
    if (plain != ValueKind::other) return plain;
  }
  const Number number = layout.dialect.number(field.text);
  if (number.status == NumberStatus::ok) {
    if (layout.missing.has_numbers() && layout.missing.contains(number.value)) return ValueKind::missing;
    return number.integer ? ValueKind::integer : ValueKind::real;
  }
  if (layout.missing.contains(field.text)) return ValueKind::missing;
  return number.status == NumberStatus::too_large ? ValueKind::real : ValueKind::other;
}

constexpr Index kLooked = 100; // values of a column whose look is taken

void vote(std::string_view text, ColumnCounts& column) {
  const ValueLook look = look_of(text);
  if (column.votes == 0) {
    column.look = look;
    column.example = text;
  }
  column.votes += look == column.look ? 1 : -1;
}

void count(const Field& field, ValueKind kind, const Dialect& dialect, ColumnCounts& column) {
  if (kind == ValueKind::missing) return;
  if (kind == ValueKind::other) {
    if (++column.others <= kLooked) vote(field.text, column);
    column.bare_others += !field.quoted;
    column.misgrouped += dialect.wrong_groups(field.text);
    column.length += static_cast<Index>(field.text.size());
    return;
  }
  ++column.numbers;
  column.reals += kind == ValueKind::real;
  column.bare += !field.quoted;
}

// Calls visit(field, col) for every field of the rows after the first, up to `end`; stops at a row of another width.
template <class Visit>
Index for_rows_below(const Sample& sample, const Layout& layout, const char* begin, const char* end, Visit visit) {
  FieldReader reader(layout.dialect, begin, end);
  const auto cols = static_cast<Index>(sample.first.size());
  Index rows = 0;
  while (reader.next_row()) {
    Field field;
    FieldEnd stop = FieldEnd::separator;
    for (Index col = 0; stop == FieldEnd::separator; ++col) {
      stop = reader.next(field);
      if (col >= cols || stop == FieldEnd::unclosed || stop == FieldEnd::trailing) return rows;
      visit(field, col);
    }
    ++rows;
  }
  return rows;
}

void count_distinct(Sample& sample, const Layout& layout, const char* begin, const char* end) {
  const std::hash<std::string_view> hash;
  for_rows_below(sample, layout, begin, end, [&](const Field& field, Index col) {
    ColumnCounts& column = sample.below[col];
    if (column.others > 0 && !layout.missing.contains(field.text)) column.hashes.push_back(hash(field.text));
  });
  for (std::size_t j = 0; j < sample.first.size(); ++j) {
    auto& hashes = sample.below[j].hashes;
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    sample.below[j].distinct = static_cast<Index>(hashes.size());
    sample.below[j].first_again = std::binary_search(hashes.begin(), hashes.end(), hash(sample.first[j].text));
    hashes = {};
  }
}

bool needs_quotes(std::string_view text, char separator) {
  const auto special = [&](char c) { return c == separator || c == '"' || c == '\n' || c == '\r'; };
  return text.empty() || text.front() == ' ' || text.back() == ' ' || std::ranges::any_of(text, special);
}

Result<void> read_first_row(Sample& sample, FieldReader& reader, const Layout& layout, const ReadOptions& options) {
  Field field;
  FieldEnd stop = FieldEnd::separator;
  while (stop == FieldEnd::separator) {
    stop = reader.next(field);
    const auto col = sample.first.size() + 1;
    if (col % 4096 == 0) keep_going();
    const std::string where = fmt::format("{}:{}:{}", layout.source, sample.first_line, col);
    if (stop == FieldEnd::unclosed)
      return fail(ErrorCode::bad_data, where, "the quote that opens here is never closed",
                  "close it, or double it if it belongs to the text");
    if (stop == FieldEnd::trailing)
      return fail(ErrorCode::bad_data, where, "text follows the closing quote",
                  "double the quotes that belong to the text");
    if (static_cast<Index>(col) > options.max_columns)
      return fail(ErrorCode::bad_data, where, fmt::format("there are more than {} columns", options.max_columns),
                  "raise --max-columns if that is right");
    if (options.max_memory && col * kColumnBytes > options.max_memory)
      return fail(ErrorCode::bad_data, where,
                  fmt::format("more columns than fit, more than the limit of {} MiB", options.max_memory >> 20),
                  "raise --max-memory, or stream the file");
    sample.first.push_back({std::string(field.text), kind_of(field, layout), field.quoted,
                            needs_quotes(field.text, layout.dialect.separator)});
  }
  return {};
}

} // namespace

Result<Sample> take_sample(std::string_view text, std::size_t begin, bool whole, const Layout& layout,
                           const ReadOptions& options) {
  Sample sample;
  RowScan scan(layout.dialect, {begin, begin});
  const std::size_t limit = whole ? text.size() : text.size() - 1;
  scan.run(text.data(), limit, whole, kSampleRows + 1);
  sample.enough = whole || scan.rows() >= 2;
  const char* end = text.data() + (whole && scan.rows() <= kSampleRows ? text.size() : scan.state().line);
  FieldReader reader(layout.dialect, text.data() + begin, end);
  if (!sample.enough || !reader.next_row()) return sample;
  sample.first_begin = static_cast<std::size_t>(reader.at() - text.data());
  sample.first_line = 1 + count_lines(text.data(), reader.at());
  if (auto done = read_first_row(sample, reader, layout, options); !done) return std::unexpected(done.error());
  sample.second_begin = static_cast<std::size_t>(reader.at() - text.data());
  sample.second_begin += reader.at() != end && reader.at()[-1] == '\r' && *reader.at() == '\n'; // not torn apart
  sample.below.resize(sample.first.size());
  const char* second = text.data() + sample.second_begin;
  const Index rows = for_rows_below(sample, layout, second, end, [&](const Field& field, Index col) {
    count(field, kind_of(field, layout), layout.dialect, sample.below[col]);
  });
  sample.rows = rows + 1;
  const bool texts = std::any_of(sample.below.begin(), sample.below.end(), [](auto& c) { return c.others > 0; });
  if (texts) count_distinct(sample, layout, second, end);
  return sample;
}

// A column of numbers with a few other values is a column of numbers with mistakes in it, unless its few values recur
// the way labels do (0, 1, 2, 3+).
bool ColumnCounts::mostly_numbers() const {
  if (numbers > 0 && others > 0 && others == misgrouped) return true;
  if (others * 10 > values() && !(others == 1 && numbers >= 2)) return false;
  const bool labels = others > 1 && distinct <= 20 && distinct * 2 <= values() && others * 50 >= values();
  return numbers > 0 && (others == 0 || !labels);
}

ValueLook ColumnCounts::usual_look() const {
  return votes * 10 >= std::min(others, kLooked) * 8 ? look : ValueLook::word; // nine of ten for, one against
}

// The header of a sparse table that was written out.
bool Sample::counts_columns() const {
  bool over_numbers = false;
  Index counted = 0;
  double last = 0;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (first[j].kind == ValueKind::other) {
      if (below[j].others > 0 || below[j].numbers == 0) return false;
      over_numbers = true;
      continue;
    }
    if (first[j].kind != ValueKind::integer) return false;
    const double number = parse_number(first[j].text).value;
    if (counted++ > 0 ? number != last + 1 : number != 0 && number != 1) return false;
    last = number;
  }
  return over_numbers && counted > 1;
}

bool Sample::looks_like_header() const {
  std::unordered_set<std::string_view> names;
  bool all_text = true, any_text = false, all_quoted = true, needless = true, over_numbers = false, over_bare = false,
       over_words = false, recurs = false, repeats = false;
  for (std::size_t j = 0; j < first.size(); ++j) {
    const FirstField& field = first[j];
    const ColumnCounts& column = below[j];
    const bool text = field.kind == ValueKind::other || (field.kind == ValueKind::missing && !field.text.empty());
    any_text = any_text || text;
    all_text = all_text && (text || field.text.empty());
    all_quoted = all_quoted && field.quoted;
    over_numbers = over_numbers || (text && column.mostly_numbers());
    needless = needless && field.quoted && !field.needs_quotes;
    over_bare = over_bare || (column.others == 0 && column.bare > 0);
    over_words = over_words || (column.values() > 0 && column.bare + column.bare_others == column.values());
    recurs = recurs || column.first_again || field.text.empty() || !names.insert(field.text).second;
    repeats = repeats || column.distinct < column.others;
  }
  if (rows == 1) return all_text && any_text;
  if (all_text && over_numbers) return true;
  if ((all_quoted && over_bare) || (needless && over_words) || counts_columns()) return true;
  const bool no_numbers = std::none_of(below.begin(), below.end(), [](auto& c) { return c.mostly_numbers(); });
  return all_text && no_numbers && repeats && !recurs;
}

std::vector<ColumnType> Sample::types(bool header, const Layout& layout, std::vector<std::string>& notes) const {
  std::vector<ColumnType> types;
  types.reserve(first.size());
  for (std::size_t j = 0; j < first.size(); ++j) {
    ColumnCounts column = below[j];
    if (!header) {
      const FirstField& field = first[j];
      count({field.text, field.quoted, nullptr}, field.kind, layout.dialect, column);
      if (field.kind != ValueKind::missing && !column.first_again) ++column.distinct;
    }
    if (column.others == 0 || column.mostly_numbers()) {
      const bool real = column.reals > 0 || column.numbers == 0;
      types.push_back(real ? ColumnType::real : ColumnType::integer);
      continue;
    }
    const bool long_values = column.length >= 16 * column.others;
    const bool text = long_values && column.distinct > 32 && column.distinct * 2 > column.values();
    types.push_back(text ? ColumnType::text : ColumnType::category);
    if (column.numbers > column.others)
      notes.push_back(fmt::format("column {} is a category, though most of its values are numbers", layout.names[j]));
  }
  return types;
}

std::vector<bool> Sample::empty(bool header) const {
  std::vector<bool> none;
  for (std::size_t j = 0; j < first.size(); ++j)
    none.push_back(below[j].values() == 0 && (header || first[j].kind == ValueKind::missing));
  return none;
}

void close_columns(std::string_view rows, Layout& layout) {
  FieldReader reader(layout.dialect, rows.data(), rows.data() + rows.size());
  auto left = std::count(layout.open.begin(), layout.open.end(), true);
  while (left > 0 && reader.next_row()) {
    Field field;
    FieldEnd stop = FieldEnd::separator;
    for (Index col = 0; stop == FieldEnd::separator; ++col) {
      stop = reader.next(field);
      if (col >= layout.cols() || stop == FieldEnd::unclosed || stop == FieldEnd::trailing) return;
      if (!layout.open[col]) continue;
      const ValueKind kind = kind_of(field, layout);
      if (kind == ValueKind::missing) continue;
      layout.open[col] = false;
      --left;
      if (kind == ValueKind::other && is_word(field.text, layout.dialect)) {
        layout.types[col] = ColumnType::category;
        layout.notes.push_back(
            fmt::format("column {} is a category: its first value, after many that are missing, is {}",
                        layout.names[col], shown(field.text)));
      }
    }
  }
}

} // namespace recta::csv
