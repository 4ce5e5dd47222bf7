#include "data/csv/rows.hpp"

#include "data/dataset.hpp"
#include "data/number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::csv {
namespace {

const std::size_t kInside = std::string().capacity();

} // namespace

std::size_t number_categories(std::span<Target> targets) {
  std::uint32_t count = 0;
  for (Target& target : targets)
    if (target.type == ColumnType::category) target.category = count++;
  return count;
}

RowParser::RowParser(const Layout& layout, std::span<const Target> targets, std::span<LevelTable> levels)
    : layout_(layout), targets_(targets), levels_(levels), real_(targets.size(), 0) {
  kinds_.reserve(targets.size());
  values_.reserve(targets.size());
  for (const Target& target : targets) {
    const bool number = target.type == ColumnType::real || target.type == ColumnType::integer;
    // A number that may stand for a missing value is checked twice.
    kinds_.push_back(number && !layout.missing.has_numbers() ? FieldKind::number : FieldKind::other);
    values_.push_back(target.values);
  }
}

std::optional<Failure> RowParser::parse(const char* begin, const char* end, Index row) {
  failure_.reset();
  const Dialect& dialect = layout_.dialect;
  if (dialect.blank_runs()) {
    slow_rows(begin, end, end, row);
    return std::move(failure_);
  }
  const ParseFastRows parse_rows = fastest_parse_rows();
  stops_.resize(2 * fast_stops(layout_.cols()));
  FastRows fast;
  fast.begin = begin;
  fast.end = end;
  fast.stops = stops_.data();
  fast.stops_room = fast_stops(layout_.cols());
  fast.ends = fast.stops + fast.stops_room;
  fast.all_numbers = std::find(kinds_.begin(), kinds_.end(), FieldKind::other) == kinds_.end();
  fast.scratch_rows = fast_scratch_rows(layout_.cols());
  scratch_.resize(static_cast<std::size_t>(fast.scratch_rows * layout_.cols()));
  fast.scratch = scratch_.data();
  points_.resize(scratch_.size() + 8);
  fast.points = points_.data();
  fast.cols = layout_.cols();
  fast.kinds = kinds_.data();
  fast.values = values_.data();
  fast.separator = dialect.separator;
  fast.decimal = dialect.decimal;
  fast.blank = dialect.blank('\t') ? '\t' : ' ';
  fast.quotes = dialect.quotes;
  fast.owner = this;
  fast.field = fast_field;
  fast.at = begin;
  fast.row = row;
  fast.real = real_.data();
  while (fast.at != end && !failure_) {
    const FastStop stop = parse_rows(fast);
    if (stop == FastStop::field) failure_->row = fast.at;
    if (!failure_) slow_rows(fast.at, fast.slow_until, end, fast.row);
  }
  return std::move(failure_);
}

bool RowParser::fast_field(void* self, const char* begin, const char* end, Index col, Index row, double* place) {
  auto& parser = *static_cast<RowParser*>(self);
  const Dialect& dialect = parser.layout_.dialect;
  while (begin != end && dialect.blank(*begin)) ++begin;
  while (begin != end && dialect.blank(end[-1])) --end;
  return parser.store({{begin, static_cast<std::size_t>(end - begin)}, false, begin}, col, row,
                      parser.kinds_[col] == FieldKind::number ? place : nullptr);
}

// Rows that begin before `until`, read field by field.
bool RowParser::slow_rows(const char*& at, const char* until, const char* end, Index& row) {
  FieldReader reader(layout_.dialect, at, end);
  while (reader.at() < until && reader.next_row()) {
    at = reader.at();
    if (at >= until) return true;
    if (!slow_row(reader, row)) {
      if (failure_->fault == Fault::ragged) blame_ragged(at, end);
      failure_->row = at;
      return false;
    }
    ++row;
  }
  at = reader.at();
  return true;
}

bool RowParser::slow_row(FieldReader& reader, Index row) {
  const Index cols = layout_.cols();
  Field field;
  for (Index col = 0;; ++col) {
    const FieldEnd stop = reader.next(field);
    if (stop == FieldEnd::unclosed) return blame(Fault::unclosed_quote, field, col);
    if (stop == FieldEnd::trailing) return blame(Fault::text_after_quote, field, col);
    const bool last = col == cols - 1;
    if (last != (stop == FieldEnd::row)) return blame(Fault::ragged, field, col);
    if (!store(field, col, row)) return false;
    if (last) return true;
  }
}

bool RowParser::store(const Field& field, Index col, Index row, double* place) {
  const Target& target = targets_[col];
  if (target.type == ColumnType::category) return store_level(field, col, row);
  if (target.type != ColumnType::text) return store_number(field, col, place ? *place : target.values[row]);
  if (layout_.replace_invalid && invalid_utf8(field.text) != std::string_view::npos) {
    target.text[row] = replaced_utf8(field.text);
    return true;
  }
  if (!valid_text(field, col)) return false;
  target.text[row].assign(field.text);
  if (field.text.size() > kInside) text_bytes_ += field.text.size() + 1 + 2 * sizeof(std::size_t); // and the heap's own
  return true;
}

bool RowParser::store_number(const Field& field, Index col, double& place) {
  const MissingTokens& missing = layout_.missing;
  const Number number = layout_.dialect.number(field.text);
  const bool ok = number.status == NumberStatus::ok;
  if (ok ? missing.has_numbers() && missing.contains(number.value) : missing.contains(field.text)) {
    place = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (!ok) return blame(number.status == NumberStatus::too_large ? Fault::too_large : Fault::not_a_number, field, col);
  place = number.value;
  real_[col] |= !number.integer;
  return true;
}

bool RowParser::store_level(const Field& field, Index col, Index row) {
  LevelTable& levels = levels_[targets_[col].category];
  std::int32_t code = levels.find(field.text);
  if (code == LevelTable::kUnknown) {
    if (layout_.replace_invalid && invalid_utf8(field.text) != std::string_view::npos) {
      const std::string replaced = replaced_utf8(field.text);
      Field valid = field;
      valid.text = replaced;
      return store_level(valid, col, row);
    }
    if (!valid_text(field, col)) return false;
    code = layout_.missing.contains(field.text) ? -1 : levels.add(field.text);
    if (code == LevelTable::kFull) return blame(Fault::too_many_levels, field, col);
  }
  targets_[col].codes[row] = code;
  return true;
}

bool RowParser::valid_text(const Field& field, Index col) {
  if (field.text.find('\0') != std::string_view::npos) return blame(Fault::nul_byte, field, col);
  const std::size_t bad = invalid_utf8(field.text);
  if (bad == std::string_view::npos) return true;
  blame(Fault::bad_utf8, field, col);
  failure_->number = static_cast<Index>(bad);
  return false;
}

bool RowParser::blame(Fault fault, const Field& field, Index col) {
  constexpr std::size_t kShown = 64;
  failure_ = Failure{fault, field.begin, nullptr, col, 0, std::string(field.text.substr(0, kShown))};
  return false;
}

bool RowParser::blame_ragged(const char* row, const char* end) {
  FieldReader reader(layout_.dialect, row, end);
  Field field;
  Index fields = 0;
  FieldEnd stop = FieldEnd::separator;
  while (stop == FieldEnd::separator) {
    stop = reader.next(field);
    ++fields;
  }
  if (stop == FieldEnd::unclosed) return blame(Fault::unclosed_quote, field, fields - 1), failure_->row = row, false;
  if (stop == FieldEnd::trailing) return blame(Fault::text_after_quote, field, fields - 1), failure_->row = row, false;
  failure_ = Failure{Fault::ragged, row, row, 0, fields, {}};
  return false;
}

} // namespace recta::csv
