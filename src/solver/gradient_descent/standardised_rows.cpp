#include "solver/gradient_descent/standardised_rows.hpp"

#include "stats/rows.hpp"

namespace recta {
StandardisedRows::StandardisedRows(RowSource& inner, const std::vector<double>& mean,
                                   const std::vector<double>& deviation)
    : ChangedRows(inner), mean_(mean) {
  for (const double d : deviation) scale_.push_back(d > 0 ? 1 / d : 1);
}

void StandardisedRows::change(Batch& batch, StandardisedRoom& room) const {
  room.x.clear();
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    room.x.reserve(static_cast<std::size_t>(dense->rows * dense->cols));
    for (Index i = 0; i < dense->rows; ++i)
      for (Index j = 0; j < dense->cols; ++j) room.x.push_back((element(*dense, i, j) - mean_[j]) * scale_[j]);
    batch.x = MatrixView::row_major(room.x.data(), dense->rows, dense->cols);
    return;
  }
  const SparseView sparse = std::get<SparseView>(batch.x);
  room.start.assign(1, 0);
  room.index.clear();
  for (Index i = 0; i < sparse.rows; ++i) {
    const SparseRow row = sparse_row(sparse, i);
    for (Index s = 0; s < row.count; ++s) {
      room.index.push_back(row.column(s));
      room.x.push_back(row.value[s] * scale_[row.column(s)]);
    }
    room.start.push_back(static_cast<std::int64_t>(room.x.size()));
  }
  batch.x = SparseView{sparse.rows, sparse.cols, room.start.data(), room.index.data(), room.x.data()};
}

} // namespace recta
