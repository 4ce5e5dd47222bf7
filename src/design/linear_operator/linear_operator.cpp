#include "design/linear_operator/linear_operator.hpp"

#include "base/simd/kernels.hpp"

#include <algorithm>

namespace recta {

namespace {

void row_dots(const Batch& batch, const double* w, double* z) {
  const simd::Kernels& kernel = simd::kernels();
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return kernel.row_dots(*dense, w, z);
  kernel.sparse_row_dots(std::get<SparseView>(batch.x), w, z);
}

void column_dots(const Batch& batch, const double* r, double* g) {
  const simd::Kernels& kernel = simd::kernels();
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return kernel.column_dots(*dense, r, g);
  kernel.sparse_column_dots(std::get<SparseView>(batch.x), r, g);
}

std::unexpected<Error> too_many_rows(Index rows) {
  return fail(ErrorCode::bad_data, "row " + std::to_string(rows + 1),
              "there are more rows than in the first pass (" + std::to_string(rows) + ")",
              "do not change the data while a model is fitted");
}

} // namespace

SourceOperator::SourceOperator(RowSource& source, Index rows, Pool& pool) : source_(source), rows_(rows), pool_(pool) {
  for (Index k = 0; k < kWave; ++k) scratch_.push_back(source_.scratch());
}

// visit(batch, place in the wave) for every block, then join(blocks in the wave) after each wave.
template <class Visit, class Join>
Result<void> SourceOperator::pass(Visit visit, Join join) {
  if (const Result<void> back = source_.rewind(); !back) return back;
  while (true) {
    Index claimed = 0;
    for (; claimed < kWave; ++claimed) {
      const auto block = source_.claim(*scratch_[claimed]);
      if (!block) return std::unexpected(block.error());
      if (!*block) break;
    }
    if (claimed == 0) return {};
    std::vector<Result<void>> outcome(static_cast<std::size_t>(claimed));
    pool_.run(claimed, [&](Index k, int) {
      const Result<Batch> batch = source_.load(*scratch_[k]);
      if (!batch)
        outcome[k] = std::unexpected(batch.error());
      else if (batch->first_row + batch->rows() > rows_)
        outcome[k] = too_many_rows(rows_);
      else
        visit(*batch, k);
    });
    for (const Result<void>& one : outcome)
      if (!one) return one;
    join(claimed);
  }
}

Result<void> SourceOperator::apply(std::span<const double> w, std::span<double> z) {
  return pass([&](const Batch& batch, Index) { row_dots(batch, w.data(), z.data() + batch.first_row); }, [](Index) {});
}

Result<void> SourceOperator::apply_transposed(std::span<const double> r, std::span<double> g) {
  std::fill(g.begin(), g.end(), 0.0);
  sums_.resize(kWave);
  const auto visit = [&](const Batch& batch, Index k) {
    sums_[k].assign(g.size(), 0.0);
    column_dots(batch, r.data() + batch.first_row, sums_[k].data());
  };
  const auto join = [&](Index blocks) {
    for (Index k = 0; k < blocks; ++k)
      for (std::size_t j = 0; j < g.size(); ++j) g[j] += sums_[k][j];
  };
  return pass(visit, join);
}

Result<void> RowScaledOperator::apply(std::span<const double> w, std::span<double> z) {
  const Result<void> done = inner_.apply(w, z);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] *= scale_[i];
  return done;
}

Result<void> RowScaledOperator::apply_transposed(std::span<const double> r, std::span<double> g) {
  scaled_.resize(r.size());
  for (std::size_t i = 0; i < r.size(); ++i) scaled_[i] = r[i] * scale_[i];
  return inner_.apply_transposed(scaled_, g);
}

} // namespace recta
