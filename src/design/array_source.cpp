#include "design/array_source.hpp"

#include "design/csc/csc_source.hpp"
#include "design/view_source.hpp"

namespace recta {

std::unique_ptr<RowSource> array_source(const Arrays& arrays, const Outcome& outcome, Index first_row) {
  if (arrays.sparse.start == nullptr) return std::make_unique<DenseSource>(arrays.dense, outcome, first_row);
  if (arrays.sparse.compressed == Compressed::by_row)
    return std::make_unique<CsrSource>(arrays.sparse, outcome, first_row);
  return std::make_unique<CscSource>(arrays.sparse, outcome, first_row);
}

} // namespace recta
