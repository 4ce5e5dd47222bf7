#include "stats/present_block.hpp"

#include "base/blas.hpp"
#include "base/simd/kernels.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace recta {

void PresentBlock::take(const Batch& batch, Index target) {
  number = present_rows(batch);
  const std::vector<Index>& present = number;
  first_row = batch.first_row;
  const bool low = batch.target.low != nullptr;
  for (auto* each : {&y, &v, &offset}) each->resize(present.size());
  y_low.resize(low ? present.size() : 0);
  for (std::size_t s = 0; s < present.size(); ++s) {
    const Index i = present[s];
    y[s] = element(batch.target, i, target);
    if (low) y_low[s] = element_low(batch.target, i, target);
    v[s] = batch.weight.empty() ? 1 : batch.weight[i];
    offset[s] = batch.offset.empty() ? 0 : batch.offset[i];
  }
  x_ = batch.x;
  if (rows() == batch.rows()) return;
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return copy_dense(*dense, present);
  copy_sparse(std::get<SparseView>(batch.x), present);
}

Index PresentBlock::cols() const {
  return std::visit([](const auto& x) { return x.cols; }, x_);
}

void PresentBlock::copy_dense(const MatrixView& x, const std::vector<Index>& present) {
  numbers_.resize(present.size() * static_cast<std::size_t>(x.cols));
  gather(x, present, numbers_.data(), x.cols);
  MatrixView copy = MatrixView::row_major(numbers_.data(), rows(), x.cols);
  if (x.low != nullptr) {
    low_.resize(numbers_.size());
    gather_low(x, present, low_.data(), x.cols);
    copy.low = low_.data();
  }
  x_ = copy;
}

void PresentBlock::copy_sparse(const SparseView& x, const std::vector<Index>& present) {
  start_.assign(1, 0);
  index_.clear();
  numbers_.clear();
  for (const Index i : present) {
    const SparseRow row = sparse_row(x, i);
    for (Index s = 0; s < row.count; ++s) {
      index_.push_back(row.column(s));
      numbers_.push_back(row.value[s]);
    }
    start_.push_back(static_cast<std::int64_t>(index_.size()));
  }
  x_ = SparseView{rows(), x.cols, start_.data(), index_.data(), numbers_.data(), IndexWidth::bits64};
}

Batch PresentBlock::with(const std::vector<double>& weight, const std::vector<double>* column) const {
  Batch out;
  out.x = x_;
  out.weight = weight;
  out.first_row = first_row;
  out.target = column ? MatrixView::vector(column->data(), rows()) : MatrixView{};
  out.target.rows = rows();
  return out;
}

void PresentBlock::row_dots(const double* w, double* z) const {
  if (const auto* dense = std::get_if<MatrixView>(&x_)) return simd::kernels().row_dots(*dense, w, z);
  simd::kernels().sparse_row_dots(std::get<SparseView>(x_), w, z);
}
namespace {

// Dense contiguous doubles as BLAS reads them, a column for every row.
std::optional<blas::ConstMatrix> laid(const std::variant<MatrixView, SparseView>& x) {
  const auto* dense = std::get_if<MatrixView>(&x);
  if (!dense || dense->scalar != Scalar::float64) return std::nullopt;
  const auto* data = static_cast<const double*>(dense->data);
  const Index n = dense->rows, p = dense->cols;
  if (dense->col_stride == 1 && dense->row_stride >= p) return blas::ConstMatrix{data, p, n, dense->row_stride};
  if (dense->row_stride == 1 && dense->col_stride >= n) return blas::transposed({data, n, p, dense->col_stride});
  return std::nullopt;
}

} // namespace

void PresentBlock::row_products(const double* w, Index count, double* z) const {
  const Index n = rows(), p = cols();
  if (const auto x = laid(x_)) return blas::gemm(1, blas::transposed({w, p, count}), *x, 0, {z, count, n});
  std::vector<double> dots(static_cast<std::size_t>(n));
  for (Index k = 0; k < count; ++k) {
    row_dots(w + k * p, dots.data());
    for (Index i = 0; i < n; ++i) z[i * count + k] = dots[i];
  }
}
void PresentBlock::column_products(const double* r, Index count, double* g) const {
  const Index n = rows(), p = cols();
  if (const auto x = laid(x_)) return blas::gemm(1, *x, blas::transposed({r, count, n}), 1, {g, p, count});
  std::vector<double> class_r(static_cast<std::size_t>(n));
  for (Index k = 0; k < count; ++k) {
    for (Index i = 0; i < n; ++i) class_r[i] = r[i * count + k];
    column_dots(class_r.data(), g + k * p);
  }
}
void PresentBlock::row_dots2(const double* w, const double* w_low, double* high, double* low) const {
  if (const auto* dense = std::get_if<MatrixView>(&x_))
    return simd::kernels().row_dots2(*dense, {w, w_low}, {high, low});
  simd::kernels().sparse_row_dots2(std::get<SparseView>(x_), {w, w_low}, {high, low});
}
double PresentBlock::row_dots2_error(const double* w) const {
  const Index p = cols();
  double terms = 0;
  if (const auto* dense = std::get_if<MatrixView>(&x_)) {
    std::vector<double> size(static_cast<std::size_t>(p));
    simd::kernels().column_abs_dots(*dense, nullptr, nullptr, size.data());
    for (Index j = 0; j < p; ++j) terms += w[j] == 0 ? 0 : std::abs(w[j]) * size[j];
  } else {
    for (Index i = 0; i < rows(); ++i) {
      const SparseRow row = sparse_row(std::get<SparseView>(x_), i);
      double here = 0;
      for (Index s = 0; s < row.count; ++s) here += std::abs(row.value[s] * w[row.column(s)]);
      terms = std::max(terms, here);
    }
  }
  const double gamma = (static_cast<double>(p) / simd::kLanes + 16) * 0x1p-53;
  return gamma * gamma * terms;
}
void PresentBlock::column_dots(const double* r, double* g) const {
  if (const auto* dense = std::get_if<MatrixView>(&x_)) return simd::kernels().column_dots(*dense, r, g);
  simd::kernels().sparse_column_dots(std::get<SparseView>(x_), r, g);
}
void PresentBlock::column_dots2(const double* r, const double* r_low, double* high, double* low) const {
  if (const auto* dense = std::get_if<MatrixView>(&x_))
    return simd::kernels().column_dots2(*dense, {r, r_low}, {high, low});
  simd::kernels().sparse_column_dots2(std::get<SparseView>(x_), {r, r_low}, {high, low});
}
void PresentBlock::column_abs_dots(const double* r, double* g) const {
  if (const auto* dense = std::get_if<MatrixView>(&x_)) return simd::kernels().column_abs_dots(*dense, r, nullptr, g);
  simd::kernels().sparse_column_abs_dots(std::get<SparseView>(x_), r, g);
}

} // namespace recta
