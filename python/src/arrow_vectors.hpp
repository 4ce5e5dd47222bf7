// Columns of vectors in Spark's own layout, which become the sparse columns of a table: a struct per row of its type
// (0: sparse, 1: dense), its size, the indices of its values and the values. What is zero is not kept.
#pragma once

#include "arrow_stream.hpp"

#include <recta/dataset.hpp>

#include <map>

namespace recta::python {

class VectorColumns {
public:
  // `widths`: the columns of vectors by their names, and how many numbers each vector has.
  VectorColumns(const ArrowSchema& table, const std::map<std::string, Index>& widths);

  bool has(std::int64_t child) const;
  // Ready for rows, with room for the columns of all vectors, one after the other.
  void begin(SparseColumns& out) const;
  // The rows of a chunk; a vector that does not fit is named by its row. `data` has the rows before it.
  void append(const ArrowSchema& table, const ArrowArray& chunk, Dataset& data) const;

private:
  struct Place {
    std::string name;
    std::int64_t child;
    Index width, first; // the first of its columns
  };
  std::vector<Place> places_;
  Index cols_ = 0;
};

} // namespace recta::python
