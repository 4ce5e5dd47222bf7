#include "solver/newton/row_sample.hpp"

#include "design/view_source.hpp"
#include "stats/rows.hpp"

namespace recta {

Result<RowSample> RowSample::take(RowSource& rows, Index distance, double weight) {
  RowSample sample;
  const auto read = for_each_batch(rows, [&](const Batch& batch) -> Result<void> {
    std::vector<Index> chosen;
    const Index middle = distance / 2, past = batch.first_row % distance;
    for (Index i = (middle + distance - past) % distance; i < batch.rows(); i += distance)
      if (batch.weight.empty() || batch.weight[i] > 0) chosen.push_back(i);
    sample.add(batch, chosen);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  sample.finish(rows.cols(), weight);
  return sample;
}

void RowSample::add(const Batch& batch, const std::vector<Index>& chosen) {
  for (const Index i : chosen) {
    y_.push_back(element(batch.target, i, 0));
    weight_.push_back(batch.weight.empty() ? 1 : batch.weight[i]);
    if (!batch.offset.empty()) offset_.push_back(batch.offset[i]);
  }
  if (const auto* sparse = std::get_if<SparseView>(&batch.x)) return add_sparse(*sparse, chosen);
  const auto& dense = std::get<MatrixView>(batch.x);
  const std::size_t before = x_.size();
  x_.resize(before + chosen.size() * static_cast<std::size_t>(dense.cols));
  gather(dense, chosen, x_.data() + before, dense.cols);
}

void RowSample::add_sparse(const SparseView& x, const std::vector<Index>& chosen) {
  sparse_ = true;
  for (const Index i : chosen) {
    const SparseRow row = sparse_row(x, i);
    for (Index s = 0; s < row.count; ++s) index_.push_back(row.column(s));
    x_.insert(x_.end(), row.value, row.value + row.count);
    start_.push_back(static_cast<std::int64_t>(index_.size()));
  }
}

void RowSample::finish(Index cols, double weight) {
  double sum = 0;
  for (const double v : weight_) sum += v;
  for (double& v : weight_) v *= weight / sum;
  const auto n = static_cast<Index>(y_.size());
  const Outcome outcome{MatrixView::vector(y_.data(), n), weight_, offset_};
  if (sparse_)
    source_ = std::make_unique<CsrSource>(
        SparseView{n, cols, start_.data(), index_.data(), x_.data(), IndexWidth::bits64}, outcome);
  else
    source_ = std::make_unique<DenseSource>(MatrixView::row_major(x_.data(), n, cols), outcome);
}

} // namespace recta
