#include "stats/loss_gradient/loss_gradient.hpp"

#include "base/simd/kernels.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

namespace recta {
namespace {

void sparse_products(const SparseView& x, const std::vector<Index>& present, const std::vector<double>& w, double* z) {
  for (std::size_t s = 0; s < present.size(); ++s) {
    const SparseRow row = sparse_row(x, present[s]);
    z[s] = 0;
    for (Index at = 0; at < row.count; ++at) z[s] += row.value[at] * w[row.column(at)];
  }
}

void sparse_sums(const SparseView& x, const std::vector<Index>& present, const double* d, double* g) {
  for (std::size_t s = 0; s < present.size(); ++s) {
    const SparseRow row = sparse_row(x, present[s]);
    for (Index at = 0; at < row.count; ++at) g[row.column(at)] += d[s] * row.value[at];
  }
}

// The present rows, in place if all are present.
MatrixView present_view(const MatrixView& x, const std::vector<Index>& present, std::vector<double>& room) {
  if (static_cast<Index>(present.size()) == x.rows) return x;
  room.resize(present.size() * static_cast<std::size_t>(x.cols));
  gather(x, present, room.data(), x.cols);
  return MatrixView::row_major(room.data(), static_cast<Index>(present.size()), x.cols);
}

} // namespace

void LossGradient::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void LossGradient::accumulate(const Batch& batch, Workspace& room) {
  const std::vector<Index> present = present_rows(batch);
  const auto n = static_cast<Index>(present.size());
  for (auto* each : {&room.y, &room.z, &room.v, &room.d}) each->resize(present.size());
  const simd::Kernels& kernel = simd::kernels();
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  const auto* sparse = std::get_if<SparseView>(&batch.x);
  const bool all = n == batch.rows();
  const MatrixView view = dense ? present_view(*dense, present, room.x) : MatrixView{};
  if (dense)
    kernel.row_dots(view, point->w.data(), room.z.data());
  else if (all)
    kernel.sparse_row_dots(*sparse, point->w.data(), room.z.data());
  else
    sparse_products(*sparse, present, point->w, room.z.data());
  for (std::size_t s = 0; s < present.size(); ++s) {
    const Index i = present[s];
    room.y[s] = element(batch.target, i, point->target);
    room.z[s] += point->b + (batch.offset.empty() ? 0 : batch.offset[i]);
    room.v[s] = batch.weight.empty() ? 1 : batch.weight[i];
    weight += room.v[s];
  }
  loss += point->loss(n, room.y.data(), room.z.data(), batch.weight.empty() ? nullptr : room.v.data(), room.d.data());
  for (const double d : room.d) slope += d;
  if (dense)
    kernel.column_dots(view, room.d.data(), gradient.data());
  else if (all)
    kernel.sparse_column_dots(*sparse, room.d.data(), gradient.data());
  else
    sparse_sums(*sparse, present, room.d.data(), gradient.data());
  rows += n;
}

void LossGradient::merge(const LossGradient& other) {
  rows += other.rows;
  weight += other.weight;
  loss += other.loss;
  slope += other.slope;
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += other.gradient[j];
}

} // namespace recta
