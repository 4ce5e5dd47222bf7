#include "stats/replaced_rows.hpp"

namespace recta {

void ReplacedRows::change(Batch& batch, DenseCopy& copy) const {
  copy.take(batch);
  const Index n = batch.rows(), p = batch.cols();
  bool rest = false;
  for (Index i = 0; i < n; ++i) rest |= replace(copy.x.data() + i * p, copy.low.data() + i * p);
  MatrixView view = MatrixView::row_major(copy.x.data(), n, p);
  if (rest) view.low = copy.low.data();
  batch.x = view;
}

} // namespace recta
