#include "solver/closed_form/collected.hpp"

#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <cmath>

namespace recta {

CollectedRows::CollectedRows(Index p, Index k, RowUnits row_units)
    : cols(p), targets(k), units(std::make_shared<const RowUnits>(std::move(row_units))) {}

void CollectedRows::accumulate(const Batch& batch) {
  const std::vector<Index> present = present_rows(batch);
  Block block;
  block.rows = static_cast<Index>(present.size());
  block.x.assign(block.rows * cols, 0.0);
  block.y.reserve(block.rows * targets);
  for (Index at = 0; at < block.rows; ++at) {
    const Index i = present[at];
    double* row = &block.x[at * cols];
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
      for (Index j = 0; j < cols; ++j) row[j] = element(*dense, i, j);
    } else {
      const SparseRow sparse = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < sparse.count; ++s) row[sparse.column(s)] = sparse.value[s];
    }
    const double root = batch.weight.empty() ? 1 : std::sqrt(batch.weight[i]);
    for (Index j = 0; j < cols; ++j)
      row[j] = units->length[j] > 0 ? (row[j] - units->centre[j]) * root / units->length[j] : 0;
    const double offset = batch.offset.empty() ? 0 : batch.offset[i];
    for (Index t = 0; t < targets; ++t)
      block.y.push_back((element(batch.target, i, t) - offset - units->centre[cols + t]) * root);
  }
  blocks.push_back(std::make_shared<const Block>(std::move(block)));
}

void CollectedRows::merge(const CollectedRows& other) {
  blocks.insert(blocks.end(), other.blocks.begin(), other.blocks.end());
}

CollectedRows::Block CollectedRows::together() const {
  Block all;
  for (const auto& block : blocks) all.rows += block->rows;
  all.x.reserve(all.rows * cols);
  all.y.reserve(all.rows * targets);
  for (const auto& block : blocks) {
    all.x.insert(all.x.end(), block->x.begin(), block->x.end());
    all.y.insert(all.y.end(), block->y.begin(), block->y.end());
  }
  return all;
}

std::string CollectedRows::to_bytes() const {
  const Block all = together();
  StateWriter out("rows");
  out.put(cols);
  out.put(targets);
  out.put(all.rows);
  out.put(all.x);
  out.put(all.y);
  return out.take();
}

Result<CollectedRows> CollectedRows::from_bytes(std::string_view bytes) {
  StateReader in("rows", bytes);
  CollectedRows out;
  out.cols = in.index();
  out.targets = in.index();
  Block all;
  all.rows = in.index();
  const auto small = [](Index x) { return x >= 0 && x < (Index(1) << 30); };
  in.require(small(out.cols) && small(out.targets) && small(all.rows));
  if (in.good()) all.x = in.numbers(all.rows * out.cols);
  if (in.good()) all.y = in.numbers(all.rows * out.targets);
  if (!in.done()) return damaged_state("collected rows");
  out.blocks.push_back(std::make_shared<const Block>(std::move(all)));
  return out;
}

} // namespace recta
