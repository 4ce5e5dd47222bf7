// All rows at once from compressed columns: the residuals from the columns in use, the gradient column by column.
#include "design/csc/csc_columns.hpp"
#include "stats/residual/block.hpp"

#include <algorithm>
#include <cmath>

namespace recta::residual {
namespace {

std::vector<DoubleDouble> residuals(const Predictor& predictor, const Batch& columns, Index k) {
  std::vector<DoubleDouble> r;
  for (Index i = 0; i < columns.rows(); ++i) r.push_back(left_without_x(predictor, columns, i, k));
  for (Index j = 0; j < predictor.cols; ++j) {
    const DoubleDouble w = pair_of(predictor.w, predictor.w_low, k * predictor.cols + j);
    if (w.hi == 0 && w.lo == 0) continue;
    each_in_column(std::get<SparseView>(columns.x), j,
                   [&](Index i, double value) { r[static_cast<std::size_t>(i)] -= w * value; });
  }
  return r;
}

struct Weighted {
  std::vector<DoubleDouble> residual; // v r; 0 where v is 0
  std::vector<char> present;
  double absolute = 0; // sum v |r|
};

Weighted weigh(Totals& totals, std::vector<DoubleDouble> r, const Batch& columns, Index k) {
  Weighted out{std::move(r), std::vector<char>(static_cast<std::size_t>(columns.rows())), 0};
  for (Index i = 0; i < columns.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double v = weight_of(columns, i);
    DoubleDouble& one = out.residual[at];
    if (!(v > 0)) continue;
    out.present[at] = 1;
    if (k == 0) count(totals, columns, i);
    add_moments(totals, k, v, one);
    out.absolute += v * std::abs(one.hi);
    one = one * v;
  }
  return out;
}

void add_column(Totals& totals, const Predictor& predictor, const Batch& columns, const Weighted& vr, Index j,
                Index k) {
  const auto at = static_cast<std::size_t>(k * predictor.cols + j);
  const bool extended = predictor.precision == Precision::extended;
  each_in_column(std::get<SparseView>(columns.x), j, [&](Index i, double value) {
    const auto row = static_cast<std::size_t>(i);
    if (!vr.present[row]) return;
    if (extended)
      add_gradient(totals, at, vr.residual[row] * value);
    else
      add_term(totals, at, vr.residual[row].hi * value);
  });
  if (predictor.centre.empty()) return;
  const double centre = predictor.centre[static_cast<std::size_t>(j)];
  const double before = totals.gradient_abs[at];
  add_gradient(totals, at, -(totals.sum[static_cast<std::size_t>(k)] * centre));
  totals.gradient_abs[at] = before + vr.absolute * std::abs(centre);
}

} // namespace

void add_columns(Totals& totals, const Predictor& predictor, const Batch& columns, Pool& pool) {
  constexpr Index kColumns = 1024; // a task
  const Index p = predictor.cols;
  for (Index k = 0; k < predictor.targets; ++k) {
    const Weighted vr = weigh(totals, residuals(predictor, columns, k), columns, k);
    pool.run((p + kColumns - 1) / kColumns, [&](Index part, int) {
      for (Index j = part * kColumns; j < std::min(p, (part + 1) * kColumns); ++j)
        add_column(totals, predictor, columns, vr, j, k);
    });
  }
}

} // namespace recta::residual
