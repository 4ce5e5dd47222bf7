// The rows of another source with their numbers replaced, each row by itself: about a shift, or in another basis.
// Numbers are served with their low parts, dense, row by row.
#pragma once

#include "design/changed_rows.hpp"
#include "stats/dense_copy.hpp"

namespace recta {

class ReplacedRows : public ChangedRows<DenseCopy> {
public:
  using ChangedRows::ChangedRows;

protected:
  // Replaces one row: x and the low parts of its numbers. Returns whether any low part is not zero.
  virtual bool replace(double* x, double* low) const = 0;

private:
  void change(Batch& batch, DenseCopy& copy) const final;
};

} // namespace recta
