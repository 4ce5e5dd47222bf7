#include "data/csv/layout.hpp"

#include "data/csv/sample.hpp"
#include "data/csv/scan.hpp"
#include "data/dataset.hpp"
#include "data/value_look.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_set>

namespace recta::csv {
namespace {

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

// Files that begin like this hold no text, whatever they are called.
struct OtherFile {
  std::string_view beginning;
  const char *what, *advice;
};
constexpr const char *kGiveTable = "give a table, such as CSV", *kSaveAs = "save the table as CSV first";
constexpr OtherFile kOtherFiles[] = {{"\x89PNG\r\n", "is a PNG picture, not a table", kGiveTable},
                                     {"\xFF\xD8\xFF", "is a JPEG picture, not a table", kGiveTable},
                                     {"GIF8", "is a GIF picture, not a table", kGiveTable},
                                     {"%PDF-", "is a PDF document, not a table", kGiveTable},
                                     {"\x7F"
                                      "ELF",
                                      "is a program, not a table", kGiveTable},
                                     {"PK\x03\x04", "is a ZIP archive, as spreadsheets are", kSaveAs},
                                     {"\xD0\xCF\x11\xE0", "is a spreadsheet or document of an office program", kSaveAs},
                                     {"PAR1", "is a Parquet file, not text", kSaveAs},
                                     {"\x89HDF\r\n", "is an HDF5 file, not text", kSaveAs},
                                     {"SQLite format 3", "is an SQLite database, not text", kSaveAs},
                                     {"ARROW1", "is an Arrow file, not text", kSaveAs}};

Result<void> check_encoding(std::string_view sample, const std::string& source) {
  const std::string_view two = sample.substr(0, 2);
  if (two == "\xFF\xFE" || two == "\xFE\xFF" || two == std::string_view("\0\0", 2))
    return fail(ErrorCode::bad_data, source, "is UTF-16 or UTF-32 text",
                "convert it first, for example with iconv -f utf-16 -t utf-8");
  for (const auto& [beginning, what, advice] : kOtherFiles)
    if (sample.starts_with(beginning)) return fail(ErrorCode::bad_data, source, what, advice);
  if (sample.size() > 8 && sample.substr(8).starts_with("{\"__metadata__\""))
    return fail(ErrorCode::bad_data, source, "is a model file, not a table", "name the file of the rows in its place");
  return {};
}

std::string separator_note(char separator) {
  if (separator == ' ') return "separator: runs of blanks";
  return separator == '\t' ? "separator: tab" : fmt::format("separator '{}'", separator);
}

// Columns that became categories or text by their looks, and look like something else.
void find_looks(Layout& layout, const Sample& sample, const ReadOptions& options) {
  for (std::size_t j = 0; j < layout.names.size(); ++j) {
    const std::string &name = layout.names[j], &example = sample.below[j].example;
    if (layout.expected[j] || options.types.contains(name)) continue;
    const bool category = layout.types[j] == ColumnType::category;
    if (!category && layout.types[j] != ColumnType::text) continue;
    const std::string advice = look_advice(sample.below[j].usual_look(), example, name);
    if (advice.empty()) continue;
    layout.notes.push_back(fmt::format("{}{}: values such as {} are read as {}; {}", kFindingNote, name, shown(example),
                                       category ? "categories" : "text", advice));
  }
}

void find_groups(Layout& layout, const std::vector<MarkedNumber>& grouped, const ReadOptions& options) {
  for (const auto& [col, line, text] : grouped) {
    const std::string& name = layout.names[col];
    if (layout.expected[col] || options.types.contains(name)) continue;
    layout.notes.push_back(fmt::format("{0}{1}: {2} is read as {3}; pass --types {1}=category if it is not a number",
                                       kFindingNote, name, shown(text),
                                       number_text(layout.dialect.number(text).value)));
  }
}

void add_notes(Layout& layout, const ReadOptions& options) {
  if (!options.separator && layout.cols() > 1) layout.notes.push_back(separator_note(layout.dialect.separator));
  if (!options.decimal && layout.dialect.decimal == ',') layout.notes.push_back("decimal comma");
  if (!options.thousands && layout.dialect.thousands)
    layout.notes.push_back(fmt::format("thousands separator '{}'", layout.dialect.thousands));
  if (!layout.dialect.quotes) layout.notes.push_back("quotes are read as ordinary characters");
  if (!options.header && !layout.header)
    layout.notes.push_back(layout.cols() == 1 ? "no header: the column is called x1"
                                              : fmt::format("no header: columns are called x1 to x{}", layout.cols()));
}

Result<void> name_columns(Layout& layout, const Sample& sample) {
  layout.names.reserve(sample.first.size());
  for (std::size_t j = 0; j < sample.first.size(); ++j) {
    const std::string& text = sample.first[j].text;
    const bool nul = text.find('\0') != std::string::npos;
    const std::size_t bad = invalid_utf8(text);
    if (layout.header && (nul || bad != std::string::npos))
      return fail(ErrorCode::bad_data, fmt::format("{}:{}:{}", layout.source, sample.first_line, j + 1),
                  nul ? fmt::format("the name {} holds a NUL byte", shown(text))
                      : fmt::format("byte {} of the name {} is not UTF-8", bad + 1, shown(text)),
                  "convert the file to UTF-8 first, for example with iconv -f latin1 -t utf-8");
    layout.names.push_back(layout.header ? text : fmt::format("x{}", j + 1));
  }
  if (layout.header) finish_names(layout.names, layout.notes);
  return {};
}

bool names_expected(const Sample& sample, const ReadOptions& options) {
  return std::ranges::any_of(sample.first, [&](const FirstField& f) { return options.expected.contains(f.text); });
}

void expect_types(Layout& layout, const ReadOptions& options) {
  layout.expected.assign(layout.names.size(), false);
  for (std::size_t j = 0; j < layout.names.size(); ++j) {
    const auto known = options.expected.find(layout.names[j]);
    if (known == options.expected.end()) continue;
    layout.types[j] = known->second;
    layout.expected[j] = true;
    layout.open[j] = false;
  }
}

Result<void> override_types(Layout& layout, const ReadOptions& options) {
  for (std::size_t j = 0; j < layout.names.size() && !options.types.empty(); ++j) {
    const auto given = options.types.find(layout.names[j]);
    if (given == options.types.end()) continue;
    layout.types[j] = given->second;
    layout.open[j] = false;
  }
  return check_typed_names(layout.names, options, layout.source);
}

// A file whose commas may mean two things is refused, unless all that have them are categories or text anyway.
Result<void> check_commas(Layout& layout, const std::vector<MarkedNumber>& unclear) {
  for (const MarkedNumber& comma : unclear) {
    if (layout.types[comma.col] == ColumnType::category || layout.types[comma.col] == ColumnType::text) continue;
    return fail(ErrorCode::bad_data,
                fmt::format("{}:{}:{}, column {}", layout.source, comma.line, comma.col + 1, layout.names[comma.col]),
                fmt::format("{} has two readings, as every comma in the numbers stands before exactly three digits",
                            shown(comma.text)),
                mark_advice(comma.text));
  }
  if (!unclear.empty()) layout.dialect.decimal = '.';
  return {};
}

Result<void> check_marks(const ReadOptions& options, const Layout& layout) {
  const Dialect& dialect = layout.dialect;
  if (options.thousands && std::string_view(",.'_ ").find(options.thousands) == std::string_view::npos)
    return fail(ErrorCode::usage, "thousands separator", fmt::format("{} is none", shown({&options.thousands, 1})),
                "use , . ' _ or a blank");
  if (options.thousands && dialect.thousands == dialect.decimal)
    return fail(ErrorCode::usage, "thousands separator",
                fmt::format("'{}' is the decimal mark already", dialect.decimal),
                "pass another --decimal or --thousands");
  if (options.thousands == ' ' && dialect.blank_runs())
    return fail(ErrorCode::usage, "thousands separator", "blanks separate the fields of this file",
                "pass --separator if something else does");
  return {};
}

bool finds_expected(const Layout& layout, const ReadOptions& options) {
  const std::unordered_set<std::string_view> names(layout.names.begin(), layout.names.end());
  return std::ranges::all_of(options.expected, [&](const auto& column) { return names.contains(column.first); });
}

Result<Layout> detect_so(std::string_view text, bool whole, const std::string& source, const ReadOptions& options) {
  if (auto done = check_encoding(text, source); !done) return std::unexpected(done.error());
  Layout layout;
  layout.source = source;
  layout.missing = MissingTokens(options);
  layout.replace_invalid = options.replace_invalid;
  const std::size_t mark = text.starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0;
  const DetectedDialect detected = detect_dialect(text.substr(mark), whole, source, options);
  layout.dialect = detected.dialect;
  if (auto done = check_marks(options, layout); !done) return std::unexpected(done.error());
  auto sample = take_sample(text, mark, whole, layout, options);
  if (!sample) return std::unexpected(sample.error());
  layout.enough = sample->enough;
  if (!layout.enough) return layout;
  layout.header = options.header.value_or(names_expected(*sample, options) || sample->looks_like_header());
  if (auto done = name_columns(layout, *sample); !done) return std::unexpected(done.error());
  layout.types = sample->types(layout.header, layout, layout.notes);
  layout.open = sample->empty(layout.header);
  expect_types(layout, options);
  if (auto done = override_types(layout, options); !done) return std::unexpected(done.error());
  if (auto done = check_commas(layout, detected.unclear); !done) return std::unexpected(done.error());
  find_looks(layout, *sample, options);
  find_groups(layout, detected.grouped, options);
  layout.data_begin = layout.header ? sample->second_begin : sample->first_begin;
  layout.data_line = 1 + count_lines(text.data(), text.data() + layout.data_begin);
  add_notes(layout, options);
  return layout;
}

} // namespace

Result<Layout> detect_layout(std::string_view text, bool whole, const std::string& source, const ReadOptions& options) {
  ReadOptions as_before = options;
  if (!options.separator) as_before.separator = options.usual.separator;
  if (!options.decimal && !options.thousands) { // they belong together
    as_before.decimal = options.usual.decimal;
    as_before.thousands = options.usual.thousands;
  }
  if (!options.header) as_before.header = options.usual.header;
  if (options.usual != Reading{}) {
    auto layout = detect_so(text, whole, source, as_before);
    if (layout && (!layout->enough || finds_expected(*layout, options))) return layout;
  }
  return detect_so(text, whole, source, options);
}

} // namespace recta::csv
