#include "combine/part_sides.hpp"

#include "base/numbers.hpp"
#include "feature/classes.hpp"
#include "stats/rows.hpp"

namespace recta::combine {
namespace {

struct Scratch : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  std::vector<double> y, weight{};
};

} // namespace

std::unique_ptr<BlockScratch> PartSides::scratch() const {
  auto own = std::make_unique<Scratch>();
  own->inner = inner_.scratch();
  return own;
}

Result<std::optional<Index>> PartSides::claim(BlockScratch& scratch) {
  return inner_.claim(*static_cast<Scratch&>(scratch).inner);
}

Result<Batch> PartSides::load(BlockScratch& scratch) const {
  auto& own = static_cast<Scratch&>(scratch);
  auto batch = inner_.load(*own.inner);
  if (!batch) return batch;
  own.y.clear(), own.weight.clear();
  for (Index i = 0; i < batch->rows(); ++i) {
    const double weight = batch->weight.empty() ? 1 : batch->weight[at(i)];
    // A row without weight may have any target.
    const int side = weight > 0 ? code_.at(feature::class_place(classes_, element(batch->target, i, 0)), part_) : 0;
    own.y.push_back(side == 1 ? 1 : -1);
    own.weight.push_back(side == 0 ? 0 : weight);
  }
  batch->target = MatrixView::row_major(own.y.data(), batch->rows(), 1);
  batch->weight = own.weight;
  return batch;
}

} // namespace recta::combine
