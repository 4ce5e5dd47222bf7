#include "solver/coordinate_descent/dense_features.hpp"

#include "base/blas.hpp"
#include "base/simd/kernels.hpp"

#include <cmath>

namespace recta::descent {
namespace {

constexpr Index kAlone = Index{1} << 18; // up to this many products, calling other threads takes longer than they save
constexpr Index kTile = 16;              // columns looked at together: two cache lines if rows are contiguous

Index tiles(Index count) {
  return (count + kTile - 1) / kTile;
}

// Fills the rows starting at `from` of a symmetric matrix from its columns: square by square, so that both stay in the
// cache.
void mirror(Index from, Index size, double* out, Index stride, Pool& pool) {
  constexpr Index kSquare = 32;
  pool.run((size + kSquare - 1) / kSquare, [&](Index part, int) {
    const Index i0 = part * kSquare, i1 = std::min(size, i0 + kSquare);
    for (Index j0 = std::max(from, i0); j0 < size; j0 += kSquare)
      for (Index i = i0; i < i1; ++i)
        for (Index j = std::max(j0, i + 1); j < std::min(size, j0 + kSquare); ++j)
          out[i * stride + j] = out[j * stride + i];
  });
}

} // namespace

DenseFeatures::DenseFeatures(const MatrixView& x, std::span<const double> y, std::span<const double> weight,
                             const Centring& centring, Pool& pool)
    : x_(x), pool_(pool), centring_(centring) {
  scale_target(y, x.rows, weight, centring, root_, y_);
  residual_ = y_;
  weigh_residual();
  resize(x.cols);
  pool.run(tiles(x.cols), [&](Index tile, int) { look(tile * kTile, std::min(kTile, x_.cols - tile * kTile)); });
}

void DenseFeatures::weigh_residual() {
  weighted_.resize(y_.size());
  for (Index t = 0; t < targets(); ++t)
    for (Index i = 0; i < rows(); ++i) weighted_[i + t * rows()] = residual_[i + t * rows()] * root_[i];
}

MatrixView DenseFeatures::columns(Index first, Index count) const {
  MatrixView some = x_;
  const Index size = x_.scalar == Scalar::float64 ? sizeof(double) : sizeof(float);
  some.data = static_cast<const char*>(x_.data) + first * x_.col_stride * size;
  some.low = nullptr;
  some.cols = count;
  return some;
}

void DenseFeatures::centred(Index first, Index count, const double* scale, double* out) const {
  simd::kernels().centred_copy(columns(first, count), mean.data() + first, scale, out, 1, rows());
}

void DenseFeatures::look(Index first, Index count) {
  const MatrixView some = columns(first, count);
  std::vector<double> sums(static_cast<std::size_t>(count)), copy(static_cast<std::size_t>(count * rows())), s(root_);
  if (centring_.features) {
    for (double& value : s) value *= value;
    simd::kernels().column_dots(some, s.data(), sums.data());
    std::ranges::copy(sums, mean.begin() + first);
  }
  centred(first, count, root_.data(), copy.data());
  std::vector<double> with_y(target_mean.size());
  for (Index j = 0; j < count; ++j) {
    const double* column = copy.data() + j * rows();
    for (Index t = 0; t < targets(); ++t) with_y[t] = blas::dot(rows(), column, y_.data() + t * rows());
    set_column(first + j, std::sqrt(blas::dot(rows(), column, column)), with_y);
  }
}

void DenseFeatures::set_residual(std::span<const Index> support, std::span<const double> t) {
  std::vector<double> before = std::move(residual_), copy(root_.size());
  const std::size_t s = support.size();
  residual_ = y_;
  for (std::size_t i = 0; i < s; ++i) {
    centred(support[i], 1, root_.data(), copy.data());
    for (Index k = 0; k < targets(); ++k)
      if (const double by = t[i + static_cast<std::size_t>(k) * s]; by != 0)
        blas::axpy(rows(), -by / unit[support[i]], copy.data(), residual_.data() + k * rows());
  }
  const auto all = static_cast<Index>(residual_.size());
  residual_square = blas::dot(all, residual_.data(), residual_.data());
  blas::axpy(all, -1, residual_.data(), before.data());
  moved = std::sqrt(blas::dot(all, before.data(), before.data()));
  weigh_residual();
}

void DenseFeatures::gradient(std::span<const Index> which, std::span<double> g) {
  std::vector<double> sums(target_mean.size()); // of s r: zero except for rounding if the target is centred
  for (Index t = 0; t < targets(); ++t)
    for (Index i = 0; i < rows(); ++i) sums[t] += weighted_[i + t * rows()];
  const auto count = static_cast<Index>(which.size());
  const auto look = [&](Index tile, int) {
    for (Index at = tile * kTile, end = std::min(count, at + kTile); at < end;) {
      Index run = 1;
      while (at + run < end && which[at + run] == which[at] + run) ++run;
      for (Index t = 0; t < targets(); ++t) {
        double dots[kTile] = {};
        simd::kernels().column_dots(columns(which[at], run), weighted_.data() + t * rows(), dots);
        for (Index j = which[at]; j < which[at] + run; ++j)
          g[j + t * cols()] = (dots[j - which[at]] - mean[j] * sums[t]) / unit[j];
      }
      at += run;
    }
  };
  if (count * rows() * targets() > kAlone) return pool_.run(tiles(count), look);
  for (Index tile = 0; tile < tiles(count); ++tile) look(tile, 0);
}

void DenseFeatures::products(std::span<const Index> ids, Index from, double* out, Index stride) {
  const auto size = static_cast<Index>(ids.size());
  set_.resize(static_cast<std::size_t>(size * rows()));
  pool_.run(size - from, [&](Index i, int) {
    double* column = set_.data() + (from + i) * rows();
    centred(ids[from + i], 1, root_.data(), column);
    const double factor = 1 / unit[ids[from + i]];
    for (Index r = 0; r < rows(); ++r) column[r] *= factor;
  });
  // A panel has enough columns that the new ones are not packed too often; the bits do not depend on the threads.
  const Index panel = std::clamp<Index>(size / 8, 64, 256);
  pool_.run((size + panel - 1) / panel, [&](Index part, int) {
    const Index first = part * panel, count = std::min(panel, size - first);
    blas::gemm(1, blas::transposed({set_.data() + first * rows(), rows(), count}),
               {set_.data() + from * rows(), rows(), size - from}, 0,
               {out + from * stride + first, count, size - from, stride});
  });
  mirror(from, size, out, stride, pool_);
}

} // namespace recta::descent
