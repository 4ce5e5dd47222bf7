#include "feature/stream_source.hpp"

#include "feature/block_scratch.hpp"

namespace recta::feature {
namespace {

struct StreamScratch : EncodingScratch {
  RawBlock raw;
  Dataset rows;
};

} // namespace

std::unique_ptr<BlockScratch> StreamSource::scratch() const {
  return std::make_unique<StreamScratch>();
}

Result<std::optional<Index>> StreamSource::claim(BlockScratch& scratch) {
  auto& buffers = static_cast<StreamScratch&>(scratch);
  const auto more = reader_.claim(buffers.raw);
  if (!more) return std::unexpected(more.error());
  if (!*more) return std::optional<Index>{};
  buffers.number = next_;
  return std::optional{next_++};
}

Result<Batch> StreamSource::load(BlockScratch& scratch) const {
  auto& buffers = static_cast<StreamScratch&>(scratch);
  if (auto done = reader_.parse(buffers.raw, buffers.rows); !done) return std::unexpected(done.error());
  const LevelMaps maps = encoder_.map_levels(buffers.rows);
  if (auto done = encoder_.encode(buffers.rows, maps, 0, buffers.rows.rows, buffers.block); !done)
    return std::unexpected(done.error());
  return buffers.block.batch;
}

Result<void> StreamSource::rewind() {
  next_ = 0;
  return reader_.rewind();
}

} // namespace recta::feature
