// The memory that a worker holds while it encodes a block.
#pragma once

#include "design/row_source.hpp"
#include "feature/encode.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace recta::feature {

// Blocks whose rows are done with, for the memory that they have: asking the system for it costs as much as encoding.
class SpareBlocks {
public:
  EncodedBlock take() {
    const std::lock_guard lock(mutex_);
    blocks_.reserve(blocks_.size() + taken_ + 1); // giving it back needs no memory, which may have run out by then
    ++taken_;
    if (blocks_.empty()) return {};
    EncodedBlock block = std::move(blocks_.back());
    blocks_.pop_back();
    return block;
  }
  void give(EncodedBlock block) {
    const std::lock_guard lock(mutex_);
    --taken_;
    blocks_.push_back(std::move(block));
  }

private:
  std::mutex mutex_;
  std::vector<EncodedBlock> blocks_;
  std::size_t taken_ = 0; // and not given back
};

struct EncodingScratch : BlockScratch {
  EncodingScratch() = default;
  EncodingScratch(const EncodingScratch&) = delete;
  EncodingScratch& operator=(const EncodingScratch&) = delete;
  ~EncodingScratch() override {
    if (spare) spare->give(std::move(block));
  }

  Index number = 0; // of the claimed block
  EncodedBlock block;
  std::shared_ptr<SpareBlocks> spare{}; // where the block came from; none: it was made here
  Dataset gathered;                     // the rows of a block of a view
  std::vector<RowRun> runs{};
};

} // namespace recta::feature
