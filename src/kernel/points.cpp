#include "kernel/points.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"

#include <algorithm>

namespace recta::kernel {
namespace {

constexpr Index kChunk = 256;  // points of one task: a few hundred kilobytes of panels, which stay in the cache
constexpr Index kQueries = 64; // rows that pass over a chunk together

double number_at(const MatrixView& x, Index i, Index j) {
  const Index place = i * x.row_stride + j * x.col_stride;
  return x.scalar == Scalar::float64 ? static_cast<const double*>(x.data)[place]
                                     : static_cast<double>(static_cast<const float*>(x.data)[place]);
}

double square_of(const double* x, Index cols) {
  double sum = 0;
  for (Index j = 0; j < cols; ++j) sum += x[j] * x[j];
  return sum;
}

template <class I>
void scatter(const SparseView& x, Index row, double* out) {
  const I *start = static_cast<const I*>(x.start), *index = static_cast<const I*>(x.index);
  for (I s = start[row]; s < start[row + 1]; ++s) out[index[s]] = x.value[s];
}

} // namespace

Points::Points(Index cols, bool sparse, std::vector<double> centre)
    : cols_(cols), sparse_(sparse), centre_(std::move(centre)), room_(at(cols)) {
  if (sparse_) centre_.clear(); // rows about a centre have no zeros
}

void Points::place(const MatrixView& x, Index row, double* out) const {
  for (Index j = 0; j < cols_; ++j) out[j] = number_at(x, row, j) - (centre_.empty() ? 0 : centre_[at(j)]);
}

void Points::place(const SparseView& x, Index row, double* out) const {
  std::fill(out, out + cols_, 0.0);
  x.width == IndexWidth::bits32 ? scatter<std::int32_t>(x, row, out) : scatter<std::int64_t>(x, row, out);
  for (Index j = 0; j < std::ssize(centre_); ++j) out[j] -= centre_[at(j)];
}

void Points::add(const MatrixView& x, Index row) {
  place(x, row, room_.data());
  keep(room_.data());
}

void Points::add(const SparseView& x, Index row) {
  place(x, row, room_.data());
  keep(room_.data());
}

void Points::add(const double* x) {
  for (Index j = 0; j < cols_; ++j) room_[at(j)] = x[j] - (centre_.empty() ? 0 : centre_[at(j)]);
  keep(room_.data());
}

void Points::keep(const double* x) {
  const Index i = count();
  square_.push_back(square_of(x, cols_));
  longest_ = std::max(longest_, std::sqrt(square_.back()) * (1 + static_cast<double>(cols_ + 2) * 0x1p-53));
  if (sparse_) {
    for (Index j = 0; j < cols_; ++j)
      if (x[j] != 0) index_.push_back(static_cast<std::int32_t>(j)), value_.push_back(x[j]);
    start_.push_back(std::ssize(index_));
    return;
  }
  if (i % simd::kLanes == 0) panels_.resize(panels_.size() + at(simd::kLanes * cols_));
  double* const panel = panels_.data() + (i - i % simd::kLanes) * cols_ + i % simd::kLanes;
  for (Index j = 0; j < cols_; ++j) panel[j * simd::kLanes] = x[j];
}

void Points::row(Index i, double* out) const {
  if (sparse_) {
    std::fill(out, out + cols_, 0.0);
    for (Index s = start_[at(i)]; s < start_[at(i) + 1]; ++s) out[index_[at(s)]] = value_[at(s)];
    return;
  }
  const double* const panel = panels_.data() + (i - i % simd::kLanes) * cols_ + i % simd::kLanes;
  for (Index j = 0; j < cols_; ++j) out[j] = panel[j * simd::kLanes];
}

void Points::original(Index i, double* out) const {
  row(i, out);
  for (Index j = 0; j < std::ssize(centre_); ++j) out[j] += centre_[at(j)];
}

void Points::products(Chunk chunk, const double* x, Index rows, double* out, Index out_stride) const {
  if (sparse_) {
    for (Index r = 0; r < rows; ++r)
      for (Index i = chunk.first; i < chunk.last; ++i) {
        double sum = 0;
        for (Index s = start_[at(i)]; s < start_[at(i) + 1]; ++s) sum += value_[at(s)] * x[r * cols_ + index_[at(s)]];
        out[r * out_stride + i - chunk.first] = sum;
      }
    return;
  }
  for (Index i = chunk.first; i < chunk.last; i += simd::kLanes)
    simd::kernels().panel_products(rows, cols_, x, cols_, panels_.data() + i * cols_, out + i - chunk.first,
                                   out_stride);
}

void Points::values(const Kernel& kernel, std::span<const double> x, Index rows, double* out, Index out_stride,
                    Pool* pool) const {
  std::vector<double> square(at(rows));
  for (Index r = 0; r < rows; ++r) square[at(r)] = square_of(x.data() + r * cols_, cols_);
  const Index chunks = (count() + kChunk - 1) / kChunk;
  const auto fill = [&](Index task, int) {
    const Chunk chunk{task * kChunk, std::min(count(), (task + 1) * kChunk)};
    double tile[kQueries * kChunk]; // a panel may reach beyond the last point
    for (Index r = 0; r < rows; r += kQueries) {
      const Index some = std::min(kQueries, rows - r);
      products(chunk, x.data() + r * cols_, some, tile, kChunk);
      for (Index q = 0; q < some; ++q) {
        const Index points = chunk.last - chunk.first;
        kernel.values({square[at(r + q)], square_.data() + chunk.first, points, tile + q * kChunk});
        std::copy_n(tile + q * kChunk, points, out + (r + q) * out_stride + chunk.first);
      }
    }
  };
  if (pool)
    pool->run(chunks, fill);
  else
    for (Index task = 0; task < chunks; ++task) fill(task, 0);
}

void Points::values_of(const Kernel& kernel, std::span<const Index> points, double* out, Index out_stride,
                       Pool* pool) const {
  constexpr Index kTogether = 512;
  std::vector<double> x(at(std::min<Index>(kTogether, std::ssize(points)) * cols_));
  for (Index from = 0; from < std::ssize(points); from += kTogether) {
    const Index some = std::min<Index>(kTogether, std::ssize(points) - from);
    for (Index r = 0; r < some; ++r) row(points[at(from + r)], x.data() + r * cols_);
    values(kernel, {x.data(), at(some * cols_)}, some, out + from * out_stride, out_stride, pool);
  }
}

} // namespace recta::kernel
