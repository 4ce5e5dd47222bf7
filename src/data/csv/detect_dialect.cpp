// The separator is the candidate that cuts every row of the sample into the same number of fields, more than one. If
// several do, those that are rare inside values go first: a file with ; and decimal commas has as many commas as
// numbers in every row.
#include "data/csv/layout.hpp"
#include "data/number.hpp"

#include <algorithm>
#include <map>

namespace recta::csv {
namespace {

constexpr Index kRows = 100;
constexpr std::size_t kBytes = 1 << 16;

struct Trial {
  Index rows = 0, fields = 0, numbers = 0, odd_quotes = 0;
  Index commas = 0, points = 0; // numbers written with a comma, with a point
  Index groups = 0;             // numbers that may have thousands separators
  bool regular = true;          // all rows have the same number of fields
  Index usual = 0;              // that number, or the most frequent one
  Index usual_rows = 0;
};

bool may_have_groups(std::string_view text, const Dialect& dialect) {
  const NumberForm form = number_form(text);
  return form == NumberForm::comma_groups || form == NumberForm::point_groups_comma ||
         (form == NumberForm::comma_and_three && dialect.separator != ',');
}

void look_at(std::string_view text, const Dialect& dialect, Trial& trial) {
  ++trial.fields;
  const auto reads = [&](char decimal) {
    return parse_grouped(text, decimal, dialect.thousands).status == NumberStatus::ok;
  };
  const bool point = reads('.');
  const bool comma = !point && dialect.separator != ',' && reads(',');
  trial.numbers += point || comma;
  trial.commas += comma;
  trial.points += point && text.find('.') != std::string_view::npos;
  trial.groups += may_have_groups(text, dialect);
}

Trial try_dialect(std::string_view sample, bool whole, const Dialect& dialect) {
  Trial trial;
  std::map<Index, Index> counts;
  const char* end = sample.data() + sample.size();
  FieldReader reader(dialect, sample.data(), end);
  while (trial.rows < kRows && reader.next_row()) {
    if (trial.rows >= 3 && reader.at() - sample.data() > static_cast<std::ptrdiff_t>(kBytes)) break;
    Index fields = 0;
    Field field;
    FieldEnd stop;
    do {
      stop = reader.next(field);
      if (stop == FieldEnd::separator || stop == FieldEnd::row) look_at(field.text, dialect, trial);
      ++fields;
    } while (stop == FieldEnd::separator);
    if (stop != FieldEnd::row) {
      trial.odd_quotes += whole || stop == FieldEnd::trailing;
      break;
    }
    if (!whole && reader.at() == end && trial.rows > 0) break; // a row cut off by the end of the sample
    ++trial.rows;
    ++counts[fields];
  }
  for (const auto& [fields, rows] : counts)
    if (rows > trial.usual_rows) trial.usual = fields, trial.usual_rows = rows;
  trial.regular = counts.size() == 1 && trial.usual > 1 && trial.odd_quotes == 0;
  return trial;
}

// Tab-separated files and tables of blanks often have no quoting at all, and then quotes begin and end anywhere.
bool has_odd_quotes(std::string_view sample, bool whole, const Dialect& dialect) {
  if (sample.find('"') == std::string_view::npos) return false;
  FieldReader reader(dialect, sample.data(), sample.data() + sample.size());
  Field field;
  while (reader.next_row()) {
    FieldEnd stop = FieldEnd::separator;
    while (stop == FieldEnd::separator) stop = reader.next(field);
    if (stop == FieldEnd::trailing) return true;
    if (stop == FieldEnd::unclosed) return whole;
  }
  return false;
}

// A comma or a point that parts thousands leaves the other one for the decimal mark.
char decimal_beside(char thousands) {
  return thousands == ',' ? '.' : thousands == '.' ? ',' : 0;
}

char detect_separator(std::string_view sample, bool whole, const ReadOptions& options) {
  std::string candidates = "\t;|,";
  if (options.decimal == ',') candidates.pop_back();
  char best = ',';
  Index best_rows = 0;
  for (const char separator : candidates) {
    const Trial trial = try_dialect(sample, whole, {separator, '.', true});
    if (trial.regular) return separator;
    if (trial.usual > 1 && trial.usual_rows > best_rows) best = separator, best_rows = trial.usual_rows;
  }
  const bool odd = has_odd_quotes(sample, whole, {' ', '.', true});
  const Trial blanks = try_dialect(sample, whole, {' ', '.', !odd});
  if (blanks.regular && blanks.numbers * 2 >= blanks.fields) return ' ';
  return best;
}

} // namespace

DetectedDialect detect_dialect(std::string_view sample, bool whole, const std::string& source,
                               const ReadOptions& options) {
  DetectedDialect detected;
  Dialect& dialect = detected.dialect;
  const bool tsv = options.format == "tsv" || (options.format.empty() && source.ends_with(".tsv"));
  dialect.separator = options.separator ? options.separator : tsv ? '\t' : detect_separator(sample, whole, options);
  if (dialect.separator == '\t' || dialect.blank_runs()) dialect.quotes = !has_odd_quotes(sample, whole, dialect);
  dialect.thousands = options.thousands;
  if (const char other = decimal_beside(options.thousands); other && !options.decimal) {
    dialect.decimal = other;
    return detected;
  }
  const Trial trial = try_dialect(sample, whole, dialect);
  dialect.decimal = options.decimal ? options.decimal : trial.commas > 0 && trial.points == 0 ? ',' : '.';
  if (trial.groups > 0 && !options.thousands) detect_marks(sample, whole, options, detected);
  return detected;
}

} // namespace recta::csv
