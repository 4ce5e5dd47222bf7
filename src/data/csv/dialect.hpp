// The way one file writes its table, and how one field of it is read, character by character. This is the definition of
// the format; scan.hpp and fast_rows.hpp do the same faster if nothing is quoted.
#pragma once

#include "data/number_form.hpp"

#include <string>
#include <string_view>

namespace recta::csv {

struct Dialect {
  char separator = ','; // ' ' means runs of blanks
  char decimal = '.';
  bool quotes = true; // false: a quote is a character like others
  char thousands = 0; // between groups of three digits; 0: none

  bool blank_runs() const { return separator == ' '; }
  bool blank(char c) const { return c == ' ' || (c == '\t' && separator != '\t'); }
  Number number(std::string_view text) const {
    const Number plain = parse_number(text, decimal);
    const bool done = plain.status == NumberStatus::ok || thousands == 0;
    return done ? plain : parse_grouped(text, decimal, thousands);
  }
  // Digits and marks that are no number, because thousands separators do not stand before three digits; not a date.
  bool wrong_groups(std::string_view text) const;
};

inline bool ends_line(char c) {
  return c == '\n' || c == '\r';
}

// True for a text that is neither a number, nor one by other marks, nor infinite.
bool is_word(std::string_view text, const Dialect& dialect);

enum class FieldEnd : unsigned char {
  separator, // another field follows
  row,       // the row ends here
  unclosed,  // a quote that never closes
  trailing   // text after a closing quote
};

struct Field {
  std::string_view text;
  bool quoted = false;
  const char* begin = nullptr; // in the file
};

// Reads fields one after the other. Rows end at \n, \r or the end of the data; \r\n is a row end and an empty line,
// and empty lines are no rows.
class FieldReader {
public:
  FieldReader(const Dialect& dialect, const char* begin, const char* end) : dialect_(dialect), at_(begin), end_(end) {}

  const char* at() const { return at_; }
  // Moves to the next line that is not blank. false: there is none.
  bool next_row();
  FieldEnd next(Field& field);

private:
  FieldEnd quoted(Field& field);
  FieldEnd finish(); // after a field: the separator or the row end
  const char* skip_blanks(const char* p) const {
    while (p != end_ && dialect_.blank(*p)) ++p;
    return p;
  }

  const Dialect& dialect_;
  const char* at_;
  const char* end_;
  std::string unescaped_;
};

} // namespace recta::csv
