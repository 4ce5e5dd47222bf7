#include "stats/replaced_rows.hpp"

#include "stats/dense_copy.hpp"

namespace recta {
namespace {

struct Replaced final : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  DenseCopy copy;
};

} // namespace

std::unique_ptr<BlockScratch> ReplacedRows::scratch() const {
  auto replaced = std::make_unique<Replaced>();
  replaced->inner = rows_.scratch();
  return replaced;
}

Result<std::optional<Index>> ReplacedRows::claim(BlockScratch& scratch) {
  return rows_.claim(*static_cast<Replaced&>(scratch).inner);
}

Result<Batch> ReplacedRows::load(BlockScratch& scratch) const {
  auto& room = static_cast<Replaced&>(scratch);
  auto batch = rows_.load(*room.inner);
  if (!batch) return batch;
  room.copy.take(*batch);
  const Index n = batch->rows(), p = batch->cols();
  bool rest = false;
  for (Index i = 0; i < n; ++i) rest |= replace(room.copy.x.data() + i * p, room.copy.low.data() + i * p);
  MatrixView view = MatrixView::row_major(room.copy.x.data(), n, p);
  if (rest) view.low = room.copy.low.data();
  batch->x = view;
  return batch;
}

} // namespace recta
