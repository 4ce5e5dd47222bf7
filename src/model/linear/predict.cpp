#include "model/linear/predict.hpp"

#include "base/double_double.hpp"
#include "base/simd/kernels.hpp"
#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace recta {
namespace {

void row_dots(const Batch& batch, const double* w, double* z) {
  if (const auto* dense = std::get_if<MatrixView>(&batch.x))
    simd::kernels().row_dots(*dense, w, z);
  else
    simd::kernels().sparse_row_dots(std::get<SparseView>(batch.x), w, z);
}

double largest_number(const Batch& batch) {
  const auto& largest = simd::kernels().largest_size;
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return largest(*dense);
  const auto& sparse = std::get<SparseView>(batch.x);
  if (sparse.rows == 0) return 0;
  const SparseRow first = sparse_row(sparse, 0), last = sparse_row(sparse, sparse.rows - 1);
  return largest(MatrixView::vector(first.value, last.value + last.count - first.value));
}

// Features with low parts, such as powers of a column, may cancel down to few digits: they and the intercept are
// summed in double-double and rounded once.
void careful_rows(const MatrixView& x, const double* w, double b, double* z) {
  std::vector<double> low(static_cast<std::size_t>(x.rows));
  simd::kernels().row_dots2(x, {w, nullptr}, {z, low.data()});
  for (std::size_t i = 0; i < low.size(); ++i) z[i] = (DoubleDouble(z[i], low[i]) + b).hi;
}

bool absent(const Batch& batch, Index i) {
  return !batch.weight.empty() && batch.weight[static_cast<std::size_t>(i)] == 0;
}

} // namespace

LinearPredictor::LinearPredictor(std::vector<Scorer> scorers, FeatureName feature, ScoresOf of)
    : scorers_(std::move(scorers)), feature_(std::move(feature)) {
  if (of == ScoresOf::classes) ties_.emplace(scorers_);
}

Result<void> LinearPredictor::predict(const Batch& batch, double* out) const {
  const auto n = static_cast<std::size_t>(batch.rows());
  const std::size_t targets = scorers_.size();
  const bool in_place = targets == 1;
  double largest = 0; // |x_ij|, if ties are asked for
  std::vector<double> z(in_place ? 0 : n);
  bool finite = true;
  for (std::size_t t = 0; t < targets; ++t) {
    double* column = in_place ? out : z.data();
    const double b = scorers_[t].b;
    const auto* dense = std::get_if<MatrixView>(&batch.x);
    const bool low = dense && dense->low;
    const double* const w = scorers_[t].w.data();
    if (low)
      careful_rows(*dense, w, b, column);
    else if (dense && ties_ && t == 0)
      largest = simd::kernels().row_dots_and_largest(*dense, w, column);
    else
      row_dots(batch, w, column);
    if ((low || !dense) && ties_ && t == 0) largest = largest_number(batch);
    for (std::size_t i = 0; i < n; ++i) {
      if (!low) column[i] += b;
      if (!batch.offset.empty()) column[i] += batch.offset[i];
      finite &= column[i] - column[i] == 0;
    }
    for (std::size_t i = 0; i < batch.weight.size(); ++i)
      if (absent(batch, static_cast<Index>(i))) column[i] = std::numeric_limits<double>::quiet_NaN();
    if (!finite)
      if (auto named = name_culprit(batch); !named) return named;
    if (!in_place)
      for (std::size_t i = 0; i < n; ++i) out[i * targets + t] = column[i];
  }
  // Numbers of rows that are not there need not be finite.
  if (ties_) ties_->settle(batch, finite ? largest : std::numeric_limits<double>::infinity(), out);
  return {};
}

// A number that is not finite makes its row's prediction not finite, so rows are searched only then. Sums that
// overflow by themselves are let through as what they are.
Result<void> LinearPredictor::name_culprit(const Batch& batch) const {
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  if (!dense) return {};
  for (Index i = 0; i < dense->rows; ++i)
    for (Index j = 0; j < dense->cols && !absent(batch, i); ++j) {
      const double x = element(*dense, i, j);
      if (std::isfinite(x)) continue;
      return fail(ErrorCode::bad_data, fmt::format("row {}, feature {}", batch.first_row + i + 1, feature_(j)),
                  fmt::format("the value is {}", std::isnan(x) ? "missing (NaN)" : "infinite"),
                  "remove the row or correct the value");
    }
  return {};
}

Result<void> predict_linear(std::vector<Scorer> scorers, ScoresOf of, RowSource& source, Pool& pool,
                            const Written& written) {
  if (auto begun = source.rewind(); !begun) return begun;
  const LinearPredictor predictor(std::move(scorers), [](Index j) { return std::to_string(j + 1); }, of);
  const auto score = [&](const Batch& rows, double* out) { return predictor.predict(rows, out); };
  return score_rows({predictor.targets(), score}, source, pool, written);
}

} // namespace recta
