// One row as the inner loops see it: its product with a vector, and its numbers one after the other. Four sums at once,
// joined in one order, so that additions need not wait for each other.
#pragma once

#include "solver/gradient_descent/held_rows.hpp"

#include <algorithm>

namespace recta {

struct DenseRow {
  const double* x;
  Index count;

  double dot(const double* v) const {
    double a[4] = {};
    Index j = 0;
    for (; j + 4 <= count; j += 4)
      for (Index k = 0; k < 4; ++k) a[k] += x[j + k] * v[j + k];
    for (; j < count; ++j) a[j % 4] += x[j] * v[j];
    return (a[0] + a[1]) + (a[2] + a[3]);
  }
  template <class F>
  void each(const F& f) const {
    for (Index j = 0; j < count; ++j) f(j, x[j]);
  }
  double square() const { return dot(x); }
};

template <class I>
struct CompressedRow {
  const double* value;
  const I* index;
  Index count;

  double dot(const double* v) const {
    double a[4] = {};
    Index s = 0;
    for (; s + 4 <= count; s += 4)
      for (Index k = 0; k < 4; ++k) a[k] += value[s + k] * v[index[s + k]];
    for (; s < count; ++s) a[s % 4] += value[s] * v[index[s]];
    return (a[0] + a[1]) + (a[2] + a[3]);
  }
  template <class F>
  void each(const F& f) const {
    for (Index s = 0; s < count; ++s) f(static_cast<Index>(index[s]), value[s]);
  }
  double square() const {
    double sum = 0;
    for (Index s = 0; s < count; ++s) sum += value[s] * value[s];
    return sum;
  }
};

inline DenseRow row_of(const DenseRows& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  return {block.x + (i & ((Index{1} << rows.shift) - 1)) * block.stride, rows.cols};
}
template <class I>
CompressedRow<I> row_of(const SparseRows<I>& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  const I* start = block.start + (i & ((Index{1} << rows.shift) - 1));
  return {block.value + start[0], block.index + start[0], static_cast<Index>(start[1] - start[0])};
}

// Rows come in an order no hardware foresees: their first lines are asked for while others are worked on.
template <class I>
void prefetch(const CompressedRow<I>& row) {
  constexpr Index kLine = 64;
  for (Index s = 0; s < row.count; s += kLine / static_cast<Index>(sizeof(double))) __builtin_prefetch(row.value + s);
  for (Index s = 0; s < row.count; s += kLine / static_cast<Index>(sizeof(I))) __builtin_prefetch(row.index + s);
}
inline void prefetch(const DenseRow& row) {
  for (Index j = 0; j < std::min<Index>(row.count, 64); j += 8) __builtin_prefetch(row.x + j);
}

} // namespace recta
