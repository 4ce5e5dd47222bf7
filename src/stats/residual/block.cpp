#include "stats/residual/block.hpp"

#include "base/simd/kernels.hpp"
#include "base/sums.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::residual {

DoubleDouble left_without_x(const Predictor& predictor, const Batch& batch, Index i, Index k) {
  DoubleDouble r(element(batch.target, i, k), element_low(batch.target, i, k));
  if (!batch.offset.empty()) r -= batch.offset[static_cast<std::size_t>(i)];
  if (!predictor.b.empty()) r -= pair_of(predictor.b, predictor.b_low, k);
  return r;
}

void count(Totals& totals, const Batch& batch, Index i) {
  const double v = weight_of(batch, i);
  ++totals.rows;
  totals.weight += v;
  if (v != 1) totals.log_weight += std::log(v);
}

void add_moments(Totals& totals, Index k, double v, DoubleDouble r) {
  const auto at = static_cast<std::size_t>(k);
  const DoubleDouble vr = r * v;
  totals.sum[at] += vr;
  totals.squares[at] += vr * r;
}

void add_gradient(Totals& totals, std::size_t at, DoubleDouble value) {
  const DoubleDouble sum = DoubleDouble(totals.gradient[at], totals.gradient_low[at]) + value;
  totals.gradient[at] = sum.hi;
  totals.gradient_low[at] = sum.lo;
  totals.gradient_abs[at] += std::abs(value.hi);
}

void add_term(Totals& totals, std::size_t at, double term) {
  const DoubleDouble sum = two_sum(totals.gradient[at], term);
  totals.gradient[at] = sum.hi;
  totals.gradient_low[at] += sum.lo;
  totals.gradient_abs[at] += std::abs(term);
}

namespace {

using Row = std::vector<DoubleDouble>;

Row load(const MatrixView& x, Index i) {
  Row row;
  for (Index j = 0; j < x.cols; ++j) row.emplace_back(element(x, i, j), element_low(x, i, j));
  return row;
}

DoubleDouble residual_of(const Predictor& predictor, const Batch& batch, const Row& row, Index i, Index k) {
  DoubleDouble r = left_without_x(predictor, batch, i, k);
  for (std::size_t s = 0; s < row.size(); ++s) {
    const DoubleDouble w = pair_of(predictor.w, predictor.w_low, k * predictor.cols + static_cast<Index>(s));
    if (w.hi != 0 || w.lo != 0) r -= row[s] * w;
  }
  return r;
}

void add_terms(Totals& totals, const SparseRow& row, Index first, double vr) {
  for (Index s = 0; s < row.count; ++s)
    add_term(totals, static_cast<std::size_t>(first + row.column(s)), vr * row.value[s]);
}
void add_exact_terms(Totals& totals, const SparseRow& row, Index first, DoubleDouble vr) {
  for (Index s = 0; s < row.count; ++s)
    add_gradient(totals, static_cast<std::size_t>(first + row.column(s)), vr * row.value[s]);
}

DoubleDouble residual_of(const Predictor& predictor, const Batch& batch, const SparseRow& row, Index i, Index k) {
  DoubleDouble r = left_without_x(predictor, batch, i, k);
  for (Index s = 0; s < row.count; ++s) {
    const DoubleDouble w = pair_of(predictor.w, predictor.w_low, k * predictor.cols + row.column(s));
    if (w.hi != 0 || w.lo != 0) r -= w * row.value[s];
  }
  return r;
}

} // namespace

// The centre's share of a sparse row is -r c in every column: it is subtracted once per block, when sum v r is known.
void add_sparse(Totals& totals, const Predictor& predictor, const Batch& batch) {
  Totals part(predictor.cols, predictor.targets);
  const Index p = predictor.cols;
  const auto& x = std::get<SparseView>(batch.x);
  std::vector<double> absolute(part.sum.size()); // sum v |r|
  for (Index i = 0; i < batch.rows(); ++i) {
    const double v = weight_of(batch, i);
    if (!(v > 0)) continue;
    count(part, batch, i);
    const SparseRow row = sparse_row(x, i);
    for (Index k = 0; k < predictor.targets; ++k) {
      const DoubleDouble r = residual_of(predictor, batch, row, i, k);
      add_moments(part, k, v, r);
      absolute[static_cast<std::size_t>(k)] += v * std::abs(r.hi);
      if (predictor.precision == Precision::extended)
        add_exact_terms(part, row, k * p, r * v);
      else
        add_terms(part, row, k * p, v * r.hi);
    }
  }
  for (Index k = 0; !predictor.centre.empty() && k < predictor.targets; ++k)
    for (Index j = 0; j < p; ++j) {
      const double centre = predictor.centre[static_cast<std::size_t>(j)];
      const auto at = static_cast<std::size_t>(k * p + j);
      add_gradient(part, at, -(part.sum[static_cast<std::size_t>(k)] * centre));
      part.gradient_abs[at] += absolute[static_cast<std::size_t>(k)] * std::abs(centre);
    }
  totals = part;
}

namespace {

bool all_present(const Batch& batch) {
  return std::ranges::all_of(batch.weight, [](double v) { return v > 0; });
}

// Adds rows with low parts by the compensated kernels. The centre's share is subtracted at the end, as for sparse rows.
void add_with_low(Totals& totals, const Predictor& predictor, const Batch& batch) {
  const auto& x = std::get<MatrixView>(batch.x);
  const Index p = predictor.cols, n = batch.rows();
  std::vector<double> high(static_cast<std::size_t>(n)), low(high.size());
  const double* centre = predictor.centre.empty() ? nullptr : predictor.centre.data();
  for (Index i = 0; i < n; ++i) count(totals, batch, i);
  for (Index k = 0; k < predictor.targets; ++k) {
    const double* w_low = predictor.w_low.empty() ? nullptr : predictor.w_low.data() + k * p;
    simd::kernels().row_dots2(x, {predictor.w.data() + k * p, w_low}, {high.data(), low.data()});
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const DoubleDouble r = left_without_x(predictor, batch, i, k) - DoubleDouble(high[at], low[at]);
      const DoubleDouble vr = r * weight_of(batch, i);
      add_moments(totals, k, weight_of(batch, i), r);
      high[at] = vr.hi;
      low[at] = vr.lo;
    }
    double* gradient = totals.gradient.data() + k * p;
    simd::kernels().column_dots2(x, {high.data(), low.data()}, {gradient, totals.gradient_low.data() + k * p});
    simd::kernels().column_abs_dots(x, high.data(), centre, totals.gradient_abs.data() + k * p);
    for (Index j = 0; centre && j < p; ++j) {
      const auto at = static_cast<std::size_t>(k * p + j);
      const DoubleDouble sum = DoubleDouble(totals.gradient[at], totals.gradient_low[at]) -
                               totals.sum[static_cast<std::size_t>(k)] * centre[j];
      totals.gradient[at] = sum.hi;
      totals.gradient_low[at] = sum.lo;
    }
  }
}

} // namespace

void add_extended(Totals& totals, const Predictor& predictor, const Batch& batch) {
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  if (!dense) return add_sparse(totals, predictor, batch);
  if (dense->low && predictor.precision != Precision::extended && all_present(batch))
    return add_with_low(totals, predictor, batch);
  for (Index i = 0; i < batch.rows(); ++i) {
    const double v = weight_of(batch, i);
    if (!(v > 0)) continue;
    count(totals, batch, i);
    const Row row = load(*dense, i);
    for (Index k = 0; k < predictor.targets; ++k) {
      const DoubleDouble r = residual_of(predictor, batch, row, i, k), vr = r * v;
      add_moments(totals, k, v, r);
      for (std::size_t s = 0; s < row.size(); ++s) {
        const double centre = predictor.centre.empty() ? 0 : predictor.centre[s];
        add_gradient(totals, static_cast<std::size_t>(k * predictor.cols) + s, vr * (row[s] - centre));
      }
    }
  }
}

} // namespace recta::residual
