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
  auto& own = static_cast<StreamScratch&>(scratch);
  const auto more = reader_.claim(own.raw);
  if (!more) return std::unexpected(more.error());
  if (!*more) return std::optional<Index>{};
  own.number = next_;
  return std::optional{next_++};
}

Result<Batch> StreamSource::load(BlockScratch& scratch) const {
  auto& own = static_cast<StreamScratch&>(scratch);
  if (auto done = reader_.parse(own.raw, own.rows); !done) return std::unexpected(done.error());
  const LevelMaps maps = encoder_.map_levels(own.rows);
  if (auto done = encoder_.encode(own.rows, maps, 0, own.rows.rows, own.block); !done)
    return std::unexpected(done.error());
  return own.block.batch;
}

Result<void> StreamSource::rewind() {
  next_ = 0;
  return reader_.rewind();
}

} // namespace recta::feature
