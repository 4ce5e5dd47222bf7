// The rows of another source without their features.
#pragma once

#include "design/row_source.hpp"

namespace recta {

class TargetsAlone final : public RowSource {
public:
  explicit TargetsAlone(RowSource& rows) : rows_(rows) {}
  Index cols() const override { return 0; }
  Index targets() const override { return rows_.targets(); }
  std::optional<Index> rows() const override { return rows_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override { return rows_.scratch(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override { return rows_.claim(scratch); }
  Result<Batch> load(BlockScratch& scratch) const override {
    auto batch = rows_.load(scratch);
    if (batch) batch->x = MatrixView{nullptr, batch->rows(), 0, 0, 1};
    return batch;
  }
  Result<void> rewind() override { return rows_.rewind(); }
  Rounds* rounds() override { return rows_.rounds(); }

private:
  RowSource& rows_;
};

} // namespace recta
