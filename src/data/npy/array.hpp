// One array in memory, checked: its header, and as many bytes of numbers as the header promises.
#pragma once

#include "data/input.hpp"
#include "data/npy/header.hpp"

namespace recta::npy {

struct Array {
  Header head;
  std::string_view data;
};

Result<Array> open_array(std::string_view bytes, const std::string& source, const ReadOptions& options);
// Bytes that were converted are released in `bytes`.
Result<std::vector<Column>> read_columns(const Array& array, const std::string& source, const Bytes& bytes,
                                         int threads);
std::string order_note(const Header& head); // "<f8 in C order"
// Makes the names distinct; what was changed is in the notes.
Dataset table_of(std::vector<Column> columns, Index rows, const std::string& source);

} // namespace recta::npy
