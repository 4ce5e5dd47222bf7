// The rows of another source with their numbers replaced, each row by itself: about a shift, or in another basis.
// Numbers are served with their low parts, dense, row by row.
#pragma once

#include "design/row_source.hpp"

namespace recta {

class ReplacedRows : public RowSource {
public:
  explicit ReplacedRows(RowSource& rows) : rows_(rows) {} // `rows` must outlive this

  Index cols() const final { return rows_.cols(); }
  Index targets() const final { return rows_.targets(); }
  std::optional<Index> rows() const final { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const final;
  Result<std::optional<Index>> claim(BlockScratch& scratch) final;
  Result<Batch> load(BlockScratch& scratch) const final;
  Result<void> rewind() final { return rows_.rewind(); }
  Rounds* rounds() final { return rows_.rounds(); }

protected:
  // Replaces one row: x and the low parts of its numbers. Returns whether any low part is not zero.
  virtual bool replace(double* x, double* low) const = 0;

private:
  RowSource& rows_;
};

} // namespace recta
