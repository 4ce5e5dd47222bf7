// Rows of numbers in the caller's memory with the features of maps made as they are asked for.
#pragma once

#include "design/counted_source.hpp"
#include "design/outcome.hpp"
#include "feature/map/maps.hpp"
#include "feature/request.hpp"

namespace recta::feature {

class MappedSource final : public RowSource {
public:
  // Columns of `x` are those of the schema, in their order, all of them numbers. Schema and memory outlive the source.
  MappedSource(const MatrixView& x, const Outcome& outcome, const Schema& schema, Maps maps);

  Index cols() const override { return cols_; }
  Index targets() const override { return outcome_.target.cols; }
  std::optional<Index> rows() const override { return x_.rows; }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override;

private:
  MatrixView x_;
  Outcome outcome_;
  const Schema& schema_;
  Maps maps_;
  Index plain_ = 0, cols_ = 0, block_rows_ = 0;
  Index next_ = 0; // block
};

// The least and the largest finite number of column j among the rows that count.
ValueRange range_of(const MatrixView& x, Index j, std::span<const double> weight);

} // namespace recta::feature
