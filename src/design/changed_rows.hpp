// Rows of another source, changed block by block. Everything else is passed on to that source, which must outlive them.
#pragma once

#include "design/row_source.hpp"

namespace recta {

class PassedOnRows : public RowSource {
public:
  explicit PassedOnRows(RowSource& inner) : inner_(inner) {}

  Index cols() const override { return inner_.cols(); }
  Index targets() const override { return inner_.targets(); }
  std::optional<Index> rows() const final { return inner_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override { return inner_.scratch(); }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override { return inner_.claim(scratch); }
  Result<Batch> load(BlockScratch& scratch) const override {
    auto batch = inner_.load(scratch);
    if (batch) adjust(*batch);
    return batch;
  }
  Result<void> rewind() final { return inner_.rewind(); }
  Rounds* rounds() final { return inner_.rounds(); }

protected:
  virtual void adjust(Batch&) const {} // a change that needs no memory of its own

  RowSource& inner_;
};

// Room: the memory that a changed block points into, one for every worker.
template <class Room>
class ChangedRows : public PassedOnRows {
public:
  using PassedOnRows::PassedOnRows;

  std::unique_ptr<BlockScratch> scratch() const final {
    auto out = std::make_unique<Scratch>();
    out->inner = inner_.scratch();
    return out;
  }
  Result<std::optional<Index>> claim(BlockScratch& scratch) final {
    return inner_.claim(*static_cast<Scratch&>(scratch).inner);
  }
  Result<Batch> load(BlockScratch& scratch) const final {
    auto& buffers = static_cast<Scratch&>(scratch);
    auto batch = inner_.load(*buffers.inner);
    if (batch) change(*batch, buffers.room);
    return batch;
  }

protected:
  virtual void change(Batch& batch, Room& room) const = 0;

private:
  struct Scratch final : BlockScratch {
    std::unique_ptr<BlockScratch> inner;
    Room room;
  };
};

} // namespace recta
