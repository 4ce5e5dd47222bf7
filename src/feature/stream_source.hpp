// The rows of a file as it is being read: parsed and encoded block by block, on as many threads as there are, in memory
// that does not grow with the file.
#pragma once

#include "data/block_reader.hpp"
#include "design/row_source.hpp"
#include "feature/encode.hpp"

namespace recta::feature {

class StreamSource : public RowSource {
public:
  // Both outlive the source. The reader cuts blocks of block_rows(encoder.cols()) rows and stands at its beginning.
  StreamSource(BlockReader& reader, const Encoder& encoder) : reader_(reader), encoder_(encoder) {}

  Index cols() const override { return encoder_.cols(); }
  Index targets() const override { return encoder_.targets(); }
  std::optional<Index> rows() const override { return {}; }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override;

private:
  BlockReader& reader_;
  const Encoder& encoder_;
  Index next_ = 0;
};

} // namespace recta::feature
