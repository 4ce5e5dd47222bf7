// One row as the inner loops see it: its product with a vector, and its numbers one after the other. Four sums run at
// once and are joined in one order, so that additions need not wait for each other.
#pragma once

#include "solver/gradient_descent/held_rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

inline double sum_of_sizes(const double* x, Index count) {
  double a[4] = {};
  Index s = 0;
  for (; s + 4 <= count; s += 4)
    for (Index k = 0; k < 4; ++k) a[k] += std::abs(x[s + k]);
  for (; s < count; ++s) a[s % 4] += std::abs(x[s]);
  return (a[0] + a[1]) + (a[2] + a[3]);
}

// term(0) + term(1) + ... + term(count - 1).
template <class Term>
double sum_of_terms(Index count, const Term& term) {
  double a[4] = {};
  Index j = 0;
  for (; j + 4 <= count; j += 4)
    for (Index k = 0; k < 4; ++k) a[k] += term(j + k);
  for (; j < count; ++j) a[j % 4] += term(j);
  return (a[0] + a[1]) + (a[2] + a[3]);
}

struct DenseRow {
  const double* x; // null: the numbers are not doubles one after the other, but float32 or apart from each other
  Index count;
  const void* data = nullptr; // of those numbers, with the distance between two
  Index stride = 1;
  bool single = false;

  // Calls use(number), where number(j) is x_j.
  template <class Use>
  auto with_numbers(const Use& use) const {
    const Index s = stride;
    if (x) return use([row = x](Index j) { return row[j]; });
    if (single) return use([s, row = static_cast<const float*>(data)](Index j) { return double{row[j * s]}; });
    return use([s, row = static_cast<const double*>(data)](Index j) { return row[j * s]; });
  }
  double dot(const double* v) const {
    return with_numbers([&](auto number) { return sum_of_terms(count, [&](Index j) { return number(j) * v[j]; }); });
  }
  double dot(const double* v, const DenseRow& later) const {
    for (Index j = 0; later.x && j < std::min<Index>(later.count, 64); j += 8) __builtin_prefetch(later.x + j);
    return dot(v);
  }
  template <class F>
  void each(const F& f) const {
    with_numbers([&](auto number) {
      for (Index j = 0; j < count; ++j) f(j, number(j));
    });
  }
  double square() const {
    return with_numbers(
        [&](auto number) { return sum_of_terms(count, [&](Index j) { return number(j) * number(j); }); });
  }
  double length() const { // |x|_1
    return with_numbers([&](auto number) { return sum_of_terms(count, [&](Index j) { return std::abs(number(j)); }); });
  }
  MatrixView view() const {
    if (x) return MatrixView::row_major(x, 1, count);
    return {data, 1, count, 0, stride, single ? Scalar::float32 : Scalar::float64};
  }
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
  // The same sum. Rows come in an order that no hardware foresees, so the cache lines of a later row are prefetched on
  // the way: requested all at once, they would wait for one another.
  double dot(const double* v, const CompressedRow& later) const {
    double a[4] = {};
    Index s = 0;
    for (; s + 8 <= count; s += 8) {
      __builtin_prefetch(later.value + std::min(s, later.count));
      if (s % 16 == 0) __builtin_prefetch(later.index + std::min(s, later.count));
      for (Index k = 0; k < 4; ++k) a[k] += value[s + k] * v[index[s + k]];
      for (Index k = 0; k < 4; ++k) a[k] += value[s + 4 + k] * v[index[s + 4 + k]];
    }
    const Index last = std::max<Index>(later.count - 1, 0); // rows do not begin at lines
    __builtin_prefetch(later.value + last);
    __builtin_prefetch(later.index + last);
    for (Index l = s; l < later.count; l += 8) __builtin_prefetch(later.value + l);
    for (Index l = s; l < later.count; l += 16) __builtin_prefetch(later.index + l);
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
  double length() const { return sum_of_sizes(value, count); } // |x|_1
};

inline DenseRow row_of(const DenseRows& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  const Index at = (i & ((Index{1} << rows.shift) - 1)) * block.stride;
  if (block.x) return {block.x + at, rows.cols};
  if (block.single) return {nullptr, rows.cols, static_cast<const float*>(block.data) + at, block.across, true};
  return {nullptr, rows.cols, static_cast<const double*>(block.data) + at, block.across, false};
}
template <class I>
CompressedRow<I> row_of(const SparseRows<I>& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  const I* start = block.start + (i & ((Index{1} << rows.shift) - 1));
  return {block.value + start[0], block.index + start[0], static_cast<Index>(start[1] - start[0])};
}

// The place where a row begins and ends is prefetched before its numbers are.
inline void prefetch_place(const DenseRows&, Index) {}
template <class I>
void prefetch_place(const SparseRows<I>& rows, Index i) {
  const auto& block = rows.blocks[static_cast<std::size_t>(i >> rows.shift)];
  __builtin_prefetch(block.start + (i & ((Index{1} << rows.shift) - 1)));
}

} // namespace recta
