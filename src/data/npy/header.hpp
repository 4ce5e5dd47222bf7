// The head of a .npy file: magic bytes, version, and a Python dictionary with the keys descr, fortran_order and shape.
// Only what NumPy itself writes is accepted; the dictionary is read by a parser of its own and never evaluated.
#pragma once

#include <recta/dataset.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace recta::npy {

struct Field {
  std::string name; // of a structured array; empty otherwise
  char kind = 'f';  // f float, i integer, u unsigned, b boolean
  Index size = 8;   // bytes
  bool big_endian = false;
  Index offset = 0; // in the item

  bool whole() const { return kind != 'f'; }
};

struct Header {
  std::vector<Field> fields; // one, unless the array is structured
  Index item_size = 0;
  bool structured = false;
  bool fortran = false;
  Index rows = 0, cols = 0; // cols counts items; a structured array has one item per row
  Index dimensions = 0;

  Index table_cols() const { return structured ? static_cast<Index>(fields.size()) : cols; }
  Index row_bytes() const { return cols * item_size; }
};

constexpr std::size_t kPreamble = 12; // the most bytes before the dictionary

// Bytes up to the first number of the array, from the first kPreamble bytes (fewer when the file is shorter).
Result<std::size_t> head_size(std::string_view preamble, const std::string& source);
// `head` has head_size bytes. Shapes whose size in bytes overflows, or with more columns than allowed, are refused.
Result<Header> parse_head(std::string_view head, const std::string& source, const ReadOptions& options);

} // namespace recta::npy
