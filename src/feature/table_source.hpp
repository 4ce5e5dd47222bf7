// The rows of a table in memory, encoded block by block as they are asked for: the encoded matrix never exists whole.
// If they are a view, the rows of a block are brought together first.
#pragma once

#include "data/split/table_view.hpp"
#include "design/row_source.hpp"
#include "feature/encode.hpp"

#include <mutex>

namespace recta::feature {

// Rows of a table that is one part of a larger one: blocks and rows are numbered within the whole.
struct PartOfTable {
  Index begin = 0, end = 0; // rows of the part
  Index first_row = 0;      // number of the part's first row in the whole; with `begin` added, a block begins there
};

struct EncodingScratch;
class SpareBlocks;

class TableSource final : public RowSource {
public:
  // All that they refer to outlives the source. The documents of a view must have been counted before. `unknown`: terms
  // of documents that are read, outside the vocabularies, are added to it block by block.
  TableSource(const TableView& rows, const Encoder& encoder, std::shared_ptr<const TextRows> texts = nullptr,
              UnknownTerms* unknown = nullptr);
  TableSource(const Dataset& data, const Encoder& encoder, const PartOfTable& part);

  Index cols() const override { return encoder_.cols(); }
  Index targets() const override { return encoder_.targets(); }
  std::optional<Index> rows() const override { return part_.end - part_.begin; }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override;

private:
  Result<Batch> load_view(EncodingScratch& buffers, Index first, Index count) const;
  // Numbers the rows from `first_row`.
  Result<void> encode_view(EncodingScratch& buffers, Index first, Index count, Index first_row) const;

  TableView view_;
  const Encoder& encoder_;
  LevelMaps maps_;
  std::shared_ptr<const TextRows> texts_; // the terms of the documents, if they were counted before
  UnknownTerms* unknown_ = nullptr;
  mutable std::mutex mutex_; // of *unknown_
  PartOfTable part_;
  std::vector<Index> columns_; // those that blocks of a view gather
  Index shift_ = 0; // from the numbers that messages have, which are the table's own, to those within the whole
  Index block_rows_;
  Index next_ = 0; // block of the part
  std::shared_ptr<SpareBlocks> spare_;
};

} // namespace recta::feature
