#include "stats/basis/basis_rows.hpp"

#include "stats/dense_copy.hpp"

#include <ranges>

namespace recta {
namespace {

struct Based final : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  DenseCopy copy;
};

// From the last column to the first: the terms are earlier columns, still as they were.
void replace(const Basis& basis, double* x, double* low) {
  for (const Basis::Column& each : std::views::reverse(basis.columns)) {
    DoubleDouble u = DoubleDouble(x[each.column], low[each.column]) - each.constant;
    for (const auto& [k, c] : each.terms)
      if (x[k] != 0) u -= low[k] == 0 ? c * x[k] : c * DoubleDouble(x[k], low[k]);
    x[each.column] = u.hi;
    low[each.column] = u.lo;
  }
}

} // namespace

std::unique_ptr<BlockScratch> BasisRows::scratch() const {
  auto based = std::make_unique<Based>();
  based->inner = rows_.scratch();
  return based;
}

Result<std::optional<Index>> BasisRows::claim(BlockScratch& scratch) {
  return rows_.claim(*static_cast<Based&>(scratch).inner);
}

Result<Batch> BasisRows::load(BlockScratch& scratch) const {
  auto& room = static_cast<Based&>(scratch);
  auto batch = rows_.load(*room.inner);
  if (!batch) return batch;
  room.copy.take(*batch);
  const Index p = batch->cols();
  for (Index i = 0; i < batch->rows(); ++i) replace(basis_, room.copy.x.data() + i * p, room.copy.low.data() + i * p);
  MatrixView view = MatrixView::row_major(room.copy.x.data(), batch->rows(), p);
  view.low = room.copy.low.data();
  batch->x = view;
  return batch;
}

} // namespace recta
