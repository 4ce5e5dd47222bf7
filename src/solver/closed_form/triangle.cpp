#include "solver/closed_form/triangle.hpp"

#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <lapacke.h>
#include <new>

namespace recta {

Triangle::Triangle(Index p, Index k, std::vector<double> about)
    : cols(p), targets(k), centre(std::make_shared<const std::vector<double>>(std::move(about))) {}

void Triangle::accumulate(const Batch& batch) {
  const Index d = size();
  std::vector<double> row(d);
  for (const Index i : present_rows(batch)) {
    std::fill(row.begin(), row.end(), 0.0);
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
      for (Index j = 0; j < cols; ++j) row[j] = element(*dense, i, j);
    } else {
      const SparseRow sparse = sparse_row(std::get<SparseView>(batch.x), i);
      for (Index s = 0; s < sparse.count; ++s) row[sparse.column(s)] = sparse.value[s];
    }
    for (Index t = 0; t < targets; ++t)
      row[cols + t] = element(batch.target, i, t) - (batch.offset.empty() ? 0 : batch.offset[i]);
    const double root = batch.weight.empty() ? 1 : std::sqrt(batch.weight[i]);
    for (Index j = 0; j < d; ++j) row[j] = (row[j] - (*centre)[j]) * root;
    add_row(row.data());
  }
}

void Triangle::merge(const Triangle& other) {
  for (Index i = 0; i < other.rows; ++i) add_row(&other.held[i * size()]);
}

void Triangle::add_row(const double* row) {
  if (rows >= 4 * size()) compress();
  held.insert(held.end(), row, row + size());
  ++rows;
}

std::vector<double> Triangle::by_column() const {
  const Index d = size();
  std::vector<double> a(rows * d);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < d; ++j) a[i + j * rows] = held[i * d + j];
  return a;
}

void Triangle::compress() {
  const Index d = size();
  if (rows <= d) return;
  std::vector<double> a = by_column(), tau(d);
  const int failed = LAPACKE_dgeqrf(LAPACK_COL_MAJOR, static_cast<lapack_int>(rows), static_cast<lapack_int>(d),
                                    a.data(), static_cast<lapack_int>(rows), tau.data());
  if (failed != 0) throw std::bad_alloc(); // the only failure left: LAPACK's own workspace
  held.assign(d * d, 0.0);
  for (Index i = 0; i < d; ++i)
    for (Index j = i; j < d; ++j) held[i * d + j] = a[i + j * rows];
  rows = d;
}

} // namespace recta
