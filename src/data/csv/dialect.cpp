#include "data/csv/dialect.hpp"

#include "data/value_look.hpp"

#include <cstring>

namespace recta::csv {

bool Dialect::wrong_groups(std::string_view text) const {
  if (thousands == 0 || text.empty() || text.find(thousands) == std::string_view::npos) return false;
  const char marks[] = {'+', '-', decimal, thousands, 0};
  return text.find_first_not_of(std::string("0123456789") + marks) == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos &&
         number(text).status == NumberStatus::not_a_number && look_of(text) != ValueLook::date;
}

bool FieldReader::next_row() {
  while (at_ != end_) {
    const char* p = skip_blanks(at_);
    if (p != end_ && !ends_line(*p)) {
      if (dialect_.blank_runs()) at_ = p;
      return true;
    }
    at_ = p == end_ ? p : p + 1;
  }
  return false;
}

FieldEnd FieldReader::next(Field& field) {
  const char* p = skip_blanks(at_);
  if (dialect_.quotes && p != end_ && *p == '"') {
    at_ = p;
    return quoted(field);
  }
  const char* first = p;
  if (dialect_.blank_runs())
    while (p != end_ && !dialect_.blank(*p) && !ends_line(*p)) ++p;
  else
    while (p != end_ && *p != dialect_.separator && !ends_line(*p)) ++p;
  const char* last = p;
  while (last != first && dialect_.blank(last[-1])) --last;
  field = {{first, static_cast<std::size_t>(last - first)}, false, first};
  at_ = p;
  return finish();
}

FieldEnd FieldReader::quoted(Field& field) {
  field = {{}, true, at_};
  const char* p = at_ + 1;
  const char* part = p;
  bool escaped = false;
  while (true) {
    const auto* close = static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(end_ - p)));
    if (!close) return FieldEnd::unclosed;
    p = close + 1;
    if (p == end_ || *p != '"') {
      field.text = {part, static_cast<std::size_t>(close - part)};
      break;
    }
    if (!escaped) unescaped_.clear();
    escaped = true;
    unescaped_.append(part, p);
    part = ++p;
  }
  if (escaped) field.text = unescaped_.append(field.text);
  at_ = p;
  const char* after = skip_blanks(p);
  const bool ended =
      after == end_ || ends_line(*after) || *after == dialect_.separator || (dialect_.blank_runs() && after != p);
  return ended ? finish() : FieldEnd::trailing;
}

FieldEnd FieldReader::finish() {
  at_ = skip_blanks(at_);
  if (at_ == end_) return FieldEnd::row;
  if (ends_line(*at_)) {
    ++at_;
    return FieldEnd::row;
  }
  if (!dialect_.blank_runs()) ++at_;
  return FieldEnd::separator;
}

} // namespace recta::csv
