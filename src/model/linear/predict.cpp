#include "model/linear/predict.hpp"

#include "base/double_double.hpp"
#include "base/simd/kernels.hpp"
#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <mutex>

namespace recta {
namespace {

using FeatureName = std::function<std::string(Index)>;

class LinearPredictor {
public:
  LinearPredictor(std::vector<Scorer> scorers, FeatureName feature, ScoresOf scores)
      : scorers_(std::move(scorers)), feature_(std::move(feature)) {
    if (scores == ScoresOf::classes) ties_.emplace(scorers_);
  }
  LinearPredictor(const LinearPredictor&) = delete; // ties look at the scorers
  LinearPredictor& operator=(const LinearPredictor&) = delete;

  Index targets() const { return std::ssize(scorers_); }

  Result<void> predict(const Batch& batch, std::vector<double>& z, double* out) const {
    const auto n = static_cast<std::size_t>(batch.rows());
    const std::size_t targets = scorers_.size();
    const bool in_place = targets == 1;
    double largest = 0; // |x_ij|, if ties are asked for
    if (!in_place) z.resize(n);
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

  // Features with low parts, such as powers of a column, may cancel down to few digits: they and the intercept are
  // summed in double-double and rounded once.
  static void careful_rows(const MatrixView& x, const double* w, double b, double* z) {
    std::vector<double> low(static_cast<std::size_t>(x.rows));
    simd::kernels().row_dots2(x, {w, nullptr}, {z, low.data()});
    for (std::size_t i = 0; i < low.size(); ++i) z[i] = (DoubleDouble(z[i], low[i]) + b).hi;
  }

  static bool absent(const Batch& batch, Index i) {
    return !batch.weight.empty() && batch.weight[static_cast<std::size_t>(i)] == 0;
  }

  // A number that is not finite makes its row's prediction not finite, so rows are searched only then. Sums that
  // overflow by themselves are let through as what they are.
  Result<void> name_culprit(const Batch& batch) const {
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

  std::vector<Scorer> scorers_; // one per target
  FeatureName feature_;
  std::optional<Ties> ties_;
};

// Blocks are claimed one at a time and predicted in parallel; the first error by block number is kept.
class BlockLoop {
public:
  BlockLoop(RowSource& source, const LinearPredictor& predictor, const Written& written, Index first_row)
      : source_(source), predictor_(predictor), written_(written), first_row_(first_row) {}

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
      if (written_.finish) scores.resize(static_cast<std::size_t>(batch->rows() * predictor_.targets()));
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
  const Written& written_;
  Index first_row_;
  std::mutex mutex_;
  std::optional<Error> error_;
  Index error_block_ = 0;
};

Result<void> predict_all(const LinearPredictor& predictor, RowSource& source, Pool& pool, const Written& written,
                         Index first_row) {
  BlockLoop loop(source, predictor, written, first_row);
  pool.run(pool.threads(), [&](Index, int) { loop.work(); });
  return loop.outcome();
}

} // namespace

Result<void> predict_linear(const LinearSummary& model, RowSource& source, Pool& pool, const Written& written,
                            Index first_row) {
  std::vector<Scorer> scorers;
  for (const TargetFit& target : model.targets) {
    Scorer& scorer = scorers.emplace_back(Scorer{.b = target.intercept.value});
    for (const Coefficient& coefficient : target.coefficients) scorer.w.push_back(coefficient.value);
  }
  const auto feature = [&](Index j) { return model.targets[0].coefficients[static_cast<std::size_t>(j)].feature; };
  return predict_all({std::move(scorers), feature, written.scores_of}, source, pool, written, first_row);
}

Result<void> predict_linear(std::vector<Scorer> scorers, RowSource& source, Pool& pool, const Written& written) {
  if (auto begun = source.rewind(); !begun) return begun;
  const auto number = [](Index j) { return std::to_string(j + 1); };
  return predict_all({std::move(scorers), number, written.scores_of}, source, pool, written, 0);
}

} // namespace recta
