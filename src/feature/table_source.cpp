#include "feature/table_source.hpp"

#include "feature/block_scratch.hpp"

#include <algorithm>

namespace recta::feature {

TableSource::TableSource(const Dataset& data, const Encoder& encoder, std::shared_ptr<const TextRows> texts)
    : data_(data), encoder_(encoder), maps_(encoder.map_levels(data)), texts_(std::move(texts)), part_{0, data.rows, 0},
      block_rows_(recta::block_rows(encoder.cols())) {}

TableSource::TableSource(const Dataset& data, const Encoder& encoder, const PartOfTable& part)
    : data_(data), encoder_(encoder), maps_(encoder.map_levels(data)), part_(part),
      shift_(part.first_row - data.first_row), block_rows_(recta::block_rows(encoder.cols())) {}

std::unique_ptr<BlockScratch> TableSource::scratch() const {
  return std::make_unique<EncodingScratch>();
}

Result<std::optional<Index>> TableSource::claim(BlockScratch& scratch) {
  if (part_.begin + next_ * block_rows_ >= part_.end) return std::optional<Index>{};
  static_cast<EncodingScratch&>(scratch).number = next_;
  return std::optional{(part_.first_row + part_.begin) / block_rows_ + next_++};
}

Result<Batch> TableSource::load(BlockScratch& scratch) const {
  auto& own = static_cast<EncodingScratch&>(scratch);
  const Index first = part_.begin + own.number * block_rows_;
  const Index count = std::min(block_rows_, part_.end - first);
  if (auto done = encoder_.encode(data_, maps_, first, count, own.block, texts_.get()); !done)
    return std::unexpected(done.error());
  own.block.batch.first_row += shift_;
  return own.block.batch;
}

Result<void> TableSource::rewind() {
  next_ = 0;
  return {};
}

} // namespace recta::feature
