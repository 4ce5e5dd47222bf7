// All rows at once from compressed columns: the residuals from the columns in use, the gradient column by column.
#include "design/csc/csc_columns.hpp"
#include "stats/residual/block.hpp"

#include <algorithm>
#include <cmath>

namespace recta::residual {
namespace {

constexpr Index kColumns = 1024, kRows = 1024; // per task

std::vector<DoubleDouble> residuals(const Predictor& predictor, const Batch& columns, Index k) {
  std::vector<DoubleDouble> r(static_cast<std::size_t>(columns.rows()));
  for (Index i = 0; i < columns.rows(); ++i) r[static_cast<std::size_t>(i)] = left_without_x(predictor, columns, i, k);
  for (Index j = 0; j < predictor.cols; ++j) {
    const DoubleDouble w = pair_of(predictor.w, predictor.w_low, k * predictor.cols + j);
    if (w.hi == 0 && w.lo == 0) continue;
    each_in_column(std::get<SparseView>(columns.x), j,
                   [&](Index i, double value) { r[static_cast<std::size_t>(i)] -= w * value; });
  }
  return r;
}

struct Weighted {
  std::vector<DoubleDouble> residual; // v r if v is not 0
  std::vector<double> rounded;        // its high part
  std::vector<char> present;          // empty: all are
  double absolute = 0;                // sum v |r|
};

// Sums over some consecutive rows; their share of the totals is kept separately.
struct RowSums {
  Totals totals{0, 1};
  double absolute = 0;
};

RowSums weigh_rows(Weighted& out, const Batch& columns, Index first, Index end, bool counted) {
  RowSums sums;
  for (Index i = first; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double v = weight_of(columns, i);
    if (!out.present.empty()) out.present[at] = v > 0;
    if (!(v > 0)) continue;
    DoubleDouble& one = out.residual[at];
    if (counted) count(sums.totals, columns, i);
    add_moments(sums.totals, 0, v, one);
    sums.absolute += v * std::abs(one.hi);
    if (v != 1) one = one * v;
    out.rounded[at] = one.hi;
  }
  return sums;
}

Weighted weigh(Totals& totals, std::vector<DoubleDouble> r, const Batch& columns, Index k, Pool& pool) {
  const Index n = columns.rows(), parts = (n + kRows - 1) / kRows;
  Weighted out{std::move(r), std::vector<double>(static_cast<std::size_t>(n)), {}, 0};
  if (std::ranges::find(columns.weight, 0.0) != columns.weight.end()) out.present.resize(static_cast<std::size_t>(n));
  std::vector<RowSums> sums(static_cast<std::size_t>(parts));
  pool.run(parts, [&](Index part, int) {
    sums[static_cast<std::size_t>(part)] =
        weigh_rows(out, columns, part * kRows, std::min(n, (part + 1) * kRows), k == 0);
  });
  for (const RowSums& part : sums) {
    totals.rows += part.totals.rows;
    totals.weight += part.totals.weight;
    totals.log_weight += part.totals.log_weight;
    totals.sum[static_cast<std::size_t>(k)] += part.totals.sum[0];
    totals.squares[static_cast<std::size_t>(k)] += part.totals.squares[0];
    out.absolute += part.absolute;
  }
  return out;
}

void add_exact_column(Totals& totals, const Batch& columns, const Weighted& vr, Index j, std::size_t at) {
  each_in_column(std::get<SparseView>(columns.x), j, [&](Index i, double value) {
    const auto row = static_cast<std::size_t>(i);
    if (vr.present.empty() || vr.present[row]) add_gradient(totals, at, vr.residual[row] * value);
  });
}

// Does the same as add_term(), in registers.
template <bool kAll>
void add_rounded_column(Totals& totals, const Batch& columns, const Weighted& vr, Index j, std::size_t at) {
  const double* const rounded = vr.rounded.data();
  double high = 0, low = 0, absolute = 0;
  each_in_column(std::get<SparseView>(columns.x), j, [&](Index i, double value) {
    if (!kAll && !vr.present[static_cast<std::size_t>(i)]) return;
    const double term = rounded[i] * value;
    const DoubleDouble sum = two_sum(high, term);
    high = sum.hi;
    low += sum.lo;
    absolute += std::abs(term);
  });
  const DoubleDouble sum = two_sum(high, low);
  totals.gradient[at] = sum.hi;
  totals.gradient_low[at] = sum.lo;
  totals.gradient_abs[at] = absolute;
}

void add_column(Totals& totals, const Predictor& predictor, const Batch& columns, const Weighted& vr, Index j,
                Index k) {
  const auto at = static_cast<std::size_t>(k * predictor.cols + j);
  if (predictor.precision == Precision::extended)
    add_exact_column(totals, columns, vr, j, at);
  else if (vr.present.empty())
    add_rounded_column<true>(totals, columns, vr, j, at);
  else
    add_rounded_column<false>(totals, columns, vr, j, at);
  if (predictor.centre.empty()) return;
  const double centre = predictor.centre[static_cast<std::size_t>(j)];
  const double before = totals.gradient_abs[at];
  add_gradient(totals, at, -(totals.sum[static_cast<std::size_t>(k)] * centre));
  totals.gradient_abs[at] = before + vr.absolute * std::abs(centre);
}

} // namespace

void add_columns(Totals& totals, const Predictor& predictor, const Batch& columns, Pool& pool) {
  const Index p = predictor.cols;
  for (Index k = 0; k < predictor.targets; ++k) {
    const Weighted vr = weigh(totals, residuals(predictor, columns, k), columns, k, pool);
    pool.run((p + kColumns - 1) / kColumns, [&](Index part, int) {
      for (Index j = part * kColumns; j < std::min(p, (part + 1) * kColumns); ++j)
        add_column(totals, predictor, columns, vr, j, k);
    });
  }
}

} // namespace recta::residual
