// The rows of another source in a basis (basis.hpp). Numbers are computed in double-double and served with their low
// parts.
#pragma once

#include "design/row_source.hpp"
#include "stats/basis/basis.hpp"

namespace recta {

class BasisRows final : public RowSource {
public:
  BasisRows(RowSource& rows, const Basis& basis) : rows_(rows), basis_(basis) {} // both outlive this

  Index cols() const override { return rows_.cols(); }
  Index targets() const override { return rows_.targets(); }
  std::optional<Index> rows() const override { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override; // dense, row by row
  Result<void> rewind() override { return rows_.rewind(); }

private:
  RowSource& rows_;
  const Basis& basis_;
};

} // namespace recta
