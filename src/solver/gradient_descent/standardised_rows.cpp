#include "solver/gradient_descent/standardised_rows.hpp"

#include "stats/rows.hpp"

namespace recta {
namespace {

struct Scratch : BlockScratch {
  std::unique_ptr<BlockScratch> inner;
  std::vector<double> x;
  std::vector<std::int64_t> start, index;
};

} // namespace

StandardisedRows::StandardisedRows(RowSource& inner, const std::vector<double>& mean,
                                   const std::vector<double>& deviation)
    : inner_(inner), mean_(mean) {
  for (const double d : deviation) scale_.push_back(d > 0 ? 1 / d : 1);
}

std::unique_ptr<BlockScratch> StandardisedRows::scratch() const {
  auto scratch = std::make_unique<Scratch>();
  scratch->inner = inner_.scratch();
  return scratch;
}

Result<std::optional<Index>> StandardisedRows::claim(BlockScratch& scratch) {
  return inner_.claim(*static_cast<Scratch&>(scratch).inner);
}

Result<Batch> StandardisedRows::load(BlockScratch& scratch) const {
  auto& buffers = static_cast<Scratch&>(scratch);
  auto batch = inner_.load(*buffers.inner);
  if (!batch) return batch;
  buffers.x.clear();
  if (const auto* dense = std::get_if<MatrixView>(&batch->x)) {
    buffers.x.reserve(static_cast<std::size_t>(dense->rows * dense->cols));
    for (Index i = 0; i < dense->rows; ++i)
      for (Index j = 0; j < dense->cols; ++j) buffers.x.push_back((element(*dense, i, j) - mean_[j]) * scale_[j]);
    batch->x = MatrixView::row_major(buffers.x.data(), dense->rows, dense->cols);
    return batch;
  }
  const SparseView sparse = std::get<SparseView>(batch->x);
  buffers.start.assign(1, 0);
  buffers.index.clear();
  for (Index i = 0; i < sparse.rows; ++i) {
    const SparseRow row = sparse_row(sparse, i);
    for (Index s = 0; s < row.count; ++s) {
      buffers.index.push_back(row.column(s));
      buffers.x.push_back(row.value[s] * scale_[row.column(s)]);
    }
    buffers.start.push_back(static_cast<std::int64_t>(buffers.x.size()));
  }
  batch->x = SparseView{sparse.rows, sparse.cols, buffers.start.data(), buffers.index.data(), buffers.x.data()};
  return batch;
}

} // namespace recta
