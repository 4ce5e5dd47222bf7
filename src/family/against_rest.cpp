#include "family/against_rest.hpp"

#include "feature/classes.hpp"
#include "stats/rows.hpp"

namespace recta {
namespace {

struct Scratch : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  std::vector<double> y;
};

} // namespace

std::unique_ptr<BlockScratch> AgainstRest::scratch() const {
  auto own = std::make_unique<Scratch>();
  own->inner = inner_.scratch();
  return own;
}

Result<std::optional<Index>> AgainstRest::claim(BlockScratch& scratch) {
  return inner_.claim(*static_cast<Scratch&>(scratch).inner);
}

Result<Batch> AgainstRest::load(BlockScratch& scratch) const {
  auto& own = static_cast<Scratch&>(scratch);
  auto batch = inner_.load(*own.inner);
  if (!batch) return batch;
  own.y.clear();
  for (Index i = 0; i < batch->rows(); ++i)
    for (const Index place : places_)
      own.y.push_back(element(batch->target, i, 0) == static_cast<double>(place) ? 1 : -1);
  batch->target = MatrixView::row_major(own.y.data(), batch->rows(), targets());
  return batch;
}

Schema against_rest(const Schema& schema, Index place) {
  Schema out = schema;
  out.classes = feature::against_rest(schema.classes, place);
  return out;
}

} // namespace recta
