// The layout of a whole file, from its first rows: separator, header, names, types.
#pragma once

#include "data/csv/dialect.hpp"
#include "data/csv/missing.hpp"

#include <recta/dataset.hpp>

#include <string>
#include <vector>

namespace recta::csv {

inline constexpr std::size_t kSampleBytes = 1 << 20;
inline constexpr Index kSampleRows = 10'000;

struct Layout {
  std::string source;
  Dialect dialect;
  MissingTokens missing;
  bool header = false;
  std::vector<std::string> names;
  std::vector<ColumnType> types;
  std::vector<bool> expected; // the caller knew the type before it saw the file
  std::vector<bool> open; // no value in the sample, and nobody said what it holds: numbers, until a word comes first
  std::size_t data_begin = 0; // offset of the first row of data
  Index data_line = 1;        // its line
  std::vector<std::string> notes;
  bool replace_invalid = false; // bytes of texts that are not UTF-8 become U+FFFD
  bool enough = true;           // false: the sample is too short to tell; try again with more bytes

  Index cols() const { return static_cast<Index>(names.size()); }
};

// `whole`: the sample is all there is. Columns with a name in options.types get that type,
// those with one in options.expected theirs, and a first row with such a name is a header.
Result<Layout> detect_layout(std::string_view sample, bool whole, const std::string& source,
                             const ReadOptions& options);

// Types the open columns by the first value of each in these whole rows: a word makes it a category, and any value
// closes it. Rows after one of another width are not looked at.
void close_columns(std::string_view rows, Layout& layout);

struct MarkedNumber { // as it stands in the file
  Index col = 0, line = 0;
  std::string text;
};

struct DetectedDialect {
  Dialect dialect;
  // The first of each column that has any. Unclear: such as 4,069, in a file where nothing tells whether its comma
  // parts thousands or is the decimal mark. Grouped: it has thousands separators that no option named.
  std::vector<MarkedNumber> unclear{}, grouped{};
};

// Separator, the marks of numbers and the meaning of quotes.
DetectedDialect detect_dialect(std::string_view sample, bool whole, const std::string& source,
                               const ReadOptions& options);

// For a file with numbers that may have thousands separators: finds the decimal mark and the thousands separator by all
// numbers of the sample.
void detect_marks(std::string_view sample, bool whole, const ReadOptions& options, DetectedDialect& detected);

} // namespace recta::csv
