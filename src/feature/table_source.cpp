#include "feature/table_source.hpp"

#include "base/numbers.hpp"
#include "feature/block_scratch.hpp"

#include <algorithm>

namespace recta::feature {

TableSource::TableSource(const TableView& rows, const Encoder& encoder, std::shared_ptr<const TextRows> texts,
                         UnknownTerms* unknown)
    : view_(rows), encoder_(encoder), maps_(encoder.map_levels(rows.table())), texts_(std::move(texts)),
      unknown_(unknown), part_{0, rows.rows(), 0}, block_rows_(recta::block_rows(encoder.cols())),
      spare_(std::make_shared<SpareBlocks>()) {
  if (!rows.is_whole()) columns_ = encoder.gathered_columns();
}

TableSource::TableSource(const Dataset& data, const Encoder& encoder, const PartOfTable& part)
    : view_(data), encoder_(encoder), maps_(encoder.map_levels(data)), part_(part),
      shift_(part.first_row - data.first_row), block_rows_(recta::block_rows(encoder.cols())),
      spare_(std::make_shared<SpareBlocks>()) {}

std::unique_ptr<BlockScratch> TableSource::scratch() const {
  auto out = std::make_unique<EncodingScratch>();
  if (view_.is_whole()) return out;
  out->gathered.source = view_.table().source;
  out->gathered.columns.resize(view_.table().columns.size());
  for (const Index j : columns_) out->gathered.columns[at(j)] = copy_levels(view_.table().columns[at(j)]);
  return out;
}

Result<std::optional<Index>> TableSource::claim(BlockScratch& scratch) {
  if (part_.begin + next_ * block_rows_ >= part_.end) return std::optional<Index>{};
  static_cast<EncodingScratch&>(scratch).number = next_;
  return std::optional{(part_.first_row + part_.begin) / block_rows_ + next_++};
}

Result<Batch> TableSource::load(BlockScratch& scratch) const {
  auto& buffers = static_cast<EncodingScratch&>(scratch);
  if (!buffers.spare) { // the first block that it holds
    buffers.block = spare_->take();
    buffers.spare = spare_;
  }
  const Index first = part_.begin + buffers.number * block_rows_;
  const Index count = std::min(block_rows_, part_.end - first);
  if (!view_.is_whole()) return load_view(buffers, first, count);
  if (auto done = encoder_.encode(view_.table(), maps_, first, count, buffers.block, {texts_.get(), first}); !done)
    return std::unexpected(done.error());
  if (unknown_ && !texts_) {
    const std::lock_guard lock(mutex_);
    add(*unknown_, buffers.block.unknown);
  }
  buffers.block.batch.first_row += shift_;
  return buffers.block.batch;
}

Result<void> TableSource::encode_view(EncodingScratch& buffers, Index first, Index count, Index first_row) const {
  const std::span<const Index> places = view_.places(first, count);
  find_runs(places, buffers.runs);
  buffers.gathered.rows = count;
  buffers.gathered.first_row = first_row;
  for (const Index j : columns_) gather(view_.table().columns[at(j)], places, buffers.gathered.columns[at(j)]);
  gather(view_.table().sparse, places, buffers.gathered.sparse);
  return encoder_.encode(buffers.gathered, maps_, 0, count, buffers.block,
                         {texts_.get(), first, &view_.table(), buffers.runs});
}

Result<Batch> TableSource::load_view(EncodingScratch& buffers, Index first, Index count) const {
  const auto done = encode_view(buffers, first, count, first);
  if (done) return buffers.block.batch;
  for (Index i = 0; i < count; ++i) // row by row, so that the message has the number of the row in the table
    if (auto one = encode_view(buffers, first + i, 1, view_.table().first_row + view_.row(first + i)); !one)
      return std::unexpected(one.error());
  return std::unexpected(done.error());
}

Result<void> TableSource::rewind() {
  next_ = 0;
  return {};
}

} // namespace recta::feature
