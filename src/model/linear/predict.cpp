#include "model/linear/predict.hpp"

#include "base/double_double.hpp"
#include "base/simd/kernels.hpp"
#include "model/linear/ties.hpp"
#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <mutex>

namespace recta {
namespace {

class LinearPredictor {
public:
  LinearPredictor(const LinearSummary& model, ScoresOf scores) : model_(model), targets_(model.targets.size()) {
    if (scores == ScoresOf::classes) ties_.emplace(model);
    for (const TargetFit& target : model.targets) {
      auto& w = w_.emplace_back();
      for (const Coefficient& coefficient : target.coefficients) w.push_back(coefficient.value);
    }
  }

  Result<void> predict(const Batch& batch, std::vector<double>& z, double* out) const {
    const auto n = static_cast<std::size_t>(batch.rows());
    const bool in_place = targets_ == 1;
    double largest = 0; // |x_ij|, where ties are asked for
    if (!in_place) z.resize(n);
    for (std::size_t t = 0; t < targets_; ++t) {
      double* column = in_place ? out : z.data();
      const double b = model_.targets[t].intercept.value;
      const auto* dense = std::get_if<MatrixView>(&batch.x);
      const bool low = dense && dense->low;
      if (low)
        careful_rows(*dense, w_[t].data(), b, column);
      else if (dense && ties_ && t == 0)
        largest = simd::kernels().row_dots_and_largest(*dense, w_[t].data(), column);
      else
        row_dots(batch, w_[t].data(), column);
      if ((low || !dense) && ties_ && t == 0) largest = largest_number(batch);
      bool finite = true;
      for (std::size_t i = 0; i < n; ++i) {
        if (!low) column[i] += b;
        if (!batch.offset.empty()) column[i] += batch.offset[i];
        finite &= column[i] - column[i] == 0;
      }
      for (std::size_t i = 0; i < batch.weight.size(); ++i)
        if (batch.weight[i] == 0) column[i] = std::numeric_limits<double>::quiet_NaN();
      if (!finite)
        if (auto named = name_culprit(batch); !named) return named;
      if (!in_place)
        for (std::size_t i = 0; i < n; ++i) out[i * targets_ + t] = column[i];
    }
    if (ties_) ties_->settle(batch, largest, out);
    return {};
  }

private:
  static void row_dots(const Batch& batch, const double* w, double* z) {
    if (const auto* dense = std::get_if<MatrixView>(&batch.x))
      simd::kernels().row_dots(*dense, w, z);
    else
      simd::kernels().sparse_row_dots(std::get<SparseView>(batch.x), w, z);
  }

  static double largest_number(const Batch& batch) {
    const auto& largest = simd::kernels().largest_size;
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return largest(*dense);
    const auto& sparse = std::get<SparseView>(batch.x);
    if (sparse.rows == 0) return 0;
    const SparseRow first = sparse_row(sparse, 0), last = sparse_row(sparse, sparse.rows - 1);
    return largest(MatrixView::vector(first.value, last.value + last.count - first.value));
  }

  // Features with low parts, powers of a column say, may cancel down to few digits: they and the intercept are summed
  // in double-double and rounded once.
  static void careful_rows(const MatrixView& x, const double* w, double b, double* z) {
    std::vector<double> low(static_cast<std::size_t>(x.rows));
    simd::kernels().row_dots2(x, {w, nullptr}, {z, low.data()});
    for (std::size_t i = 0; i < low.size(); ++i) z[i] = (DoubleDouble(z[i], low[i]) + b).hi;
  }

  // A number that is not finite makes its row's prediction not finite, so rows are searched only then. Sums that
  // overflow by themselves are let through as what they are.
  Result<void> name_culprit(const Batch& batch) const {
    const auto* dense = std::get_if<MatrixView>(&batch.x);
    if (!dense) return {};
    for (Index i = 0; i < dense->rows; ++i)
      for (Index j = 0; j < dense->cols; ++j) {
        const double x = element(*dense, i, j);
        if (std::isfinite(x)) continue;
        const auto& feature = model_.targets[0].coefficients[static_cast<std::size_t>(j)].feature;
        return fail(ErrorCode::bad_data, fmt::format("row {}, feature {}", batch.first_row + i + 1, feature),
                    fmt::format("the value is {}", std::isnan(x) ? "missing (NaN)" : "infinite"),
                    "remove the row or correct the value");
      }
    return {};
  }

  const LinearSummary& model_;
  std::size_t targets_;
  std::vector<std::vector<double>> w_; // one a target
  std::optional<Ties> ties_;
};

// Blocks are claimed one at a time and predicted in parallel; the first error by block number is kept.
class BlockLoop {
public:
  BlockLoop(RowSource& source, const LinearPredictor& predictor, Index targets, const Written& written, Index first_row)
      : source_(source), predictor_(predictor), targets_(targets), written_(written), first_row_(first_row) {}

  void work() {
    const auto scratch = source_.scratch();
    std::vector<double> z, scores;
    while (const auto block = claim(*scratch)) {
      const Result<Batch> batch = source_.load(*scratch);
      if (!batch) {
        failed(*block, batch.error());
        continue;
      }
      double* const out = written_.out + (batch->first_row - first_row_) * written_.columns;
      if (written_.finish) scores.resize(static_cast<std::size_t>(batch->rows() * targets_));
      const auto done = predictor_.predict(*batch, z, written_.finish ? scores.data() : out);
      if (!done)
        failed(*block, done.error());
      else if (written_.finish)
        written_.finish(*batch, scores.data(), out);
    }
  }
  Result<void> outcome() const { return error_ ? Result<void>(std::unexpected(*error_)) : Result<void>{}; }

private:
  std::optional<Index> claim(BlockScratch& scratch) {
    const std::lock_guard lock(mutex_);
    if (error_) return {};
    const auto block = source_.claim(scratch);
    if (block) return *block;
    error_ = block.error();
    error_block_ = -1;
    return {};
  }
  void failed(Index block, Error error) {
    const std::lock_guard lock(mutex_);
    if (error_ && error_block_ <= block) return;
    error_ = std::move(error);
    error_block_ = block;
  }

  RowSource& source_;
  const LinearPredictor& predictor_;
  Index targets_;
  const Written& written_;
  Index first_row_;
  std::mutex mutex_;
  std::optional<Error> error_;
  Index error_block_ = 0;
};

} // namespace

Result<void> predict_linear(const LinearSummary& model, RowSource& source, Pool& pool, const Written& written,
                            Index first_row) {
  const LinearPredictor predictor(model, written.scores_of);
  BlockLoop loop(source, predictor, static_cast<Index>(model.targets.size()), written, first_row);
  pool.run(pool.threads(), [&](Index, int) { loop.work(); });
  return loop.outcome();
}

} // namespace recta
