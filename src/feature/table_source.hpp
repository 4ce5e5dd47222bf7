// The rows of a table in memory, encoded block by block as they are asked for: the encoded matrix never exists whole.
#pragma once

#include "design/row_source.hpp"
#include "feature/encode.hpp"

namespace recta::feature {

class TableSource final : public RowSource {
public:
  // Both outlive the source.
  TableSource(const Dataset& data, const Encoder& encoder, std::shared_ptr<const TextRows> texts = nullptr);

  Index cols() const override { return encoder_.cols(); }
  Index targets() const override { return encoder_.targets(); }
  std::optional<Index> rows() const override { return data_.rows; }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override;

private:
  const Dataset& data_;
  const Encoder& encoder_;
  LevelMaps maps_;
  std::shared_ptr<const TextRows> texts_; // the terms of the documents, if they were counted before
  Index block_rows_;
  Index next_ = 0; // block
};

} // namespace recta::feature
