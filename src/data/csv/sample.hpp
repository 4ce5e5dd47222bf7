// The first rows of a file, counted: is the first of them a header, and what is in each column?
#pragma once

#include "data/csv/layout.hpp"
#include "data/value_look.hpp"

#include <recta/dataset.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace recta::csv {

enum class ValueKind : std::uint8_t { integer, real, missing, other };

struct ColumnCounts {
  Index numbers = 0, reals = 0, others = 0; // missing values are not counted
  std::int32_t bare = 0, bare_others = 0;   // numbers, and others, without quotes: few, as the sample is
  Index misgrouped = 0;                     // others that are digits in wrong groups
  Index length = 0;                         // bytes of all values that are no numbers
  std::vector<std::uint64_t> hashes;        // of all values, once the column is known to hold others

  // The look of the first values that are no numbers: a majority by votes for and against, with an example.
  ValueLook look{};
  Index votes = 0;
  std::string example;

  Index distinct = 0;       // filled in at the end, if there are others
  bool first_again = false; // the first row's value occurs below it
  Index values() const { return numbers + others; }
  bool mostly_numbers() const;
  ValueLook usual_look() const; // the look of nearly all values that are no numbers
};

struct FirstField {
  std::string text;
  ValueKind kind{};
  bool quoted = false, needs_quotes = false;
};

struct Sample {
  bool enough = true;
  std::vector<FirstField> first;
  std::vector<ColumnCounts> below; // the rows after the first
  std::size_t first_begin = 0, second_begin = 0;
  Index first_line = 1;
  Index rows = 0; // the first one included

  bool looks_like_header() const;
  bool counts_columns() const; // the first row has words above numbers, and beside them 1, 2, 3, ...
  std::vector<ColumnType> types(bool header, const Layout& layout, std::vector<std::string>& notes) const;
  std::vector<bool> empty(bool header) const; // columns: there is no value
};

Result<Sample> take_sample(std::string_view text, std::size_t begin, bool whole, const Layout& layout,
                           const ReadOptions& options);

} // namespace recta::csv
