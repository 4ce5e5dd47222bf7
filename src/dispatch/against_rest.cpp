#include "dispatch/against_rest.hpp"

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
    own.y.push_back(element(batch->target, i, 0) == static_cast<double>(place_) ? 1 : -1);
  batch->target = MatrixView::vector(own.y.data(), batch->rows());
  return batch;
}

Schema against_rest(const Schema& schema, Index place) {
  Schema out = schema;
  const std::string& label = schema.classes.labels[static_cast<std::size_t>(place)];
  out.classes = {.labels = {"the rest", label}, .weight = {0, 0}};
  for (std::size_t k = 0; k < schema.classes.weight.size(); ++k)
    out.classes.weight[static_cast<Index>(k) == place ? 1 : 0] += schema.classes.weight[k];
  return out;
}

} // namespace recta
