#include "solver/gradient_descent/held_rows.hpp"

#include "stats/rows.hpp"

#include <bit>
#include <numeric>

namespace recta {
namespace {

template <class I>
SparseRows<I> sparse_blocks(const std::vector<Batch>& batches, int shift, Index cols) {
  SparseRows<I> rows;
  rows.shift = shift;
  rows.cols = cols;
  for (const Batch& batch : batches) {
    const auto& x = std::get<SparseView>(batch.x);
    rows.blocks.push_back({static_cast<const I*>(x.start), static_cast<const I*>(x.index), x.value});
  }
  return rows;
}

void append(std::vector<double>& all, std::span<const double> some, Index before, Index count, double otherwise) {
  if (some.empty() && all.empty()) return;
  all.resize(static_cast<std::size_t>(before), otherwise);
  if (some.empty())
    all.resize(static_cast<std::size_t>(before + count), otherwise);
  else
    all.insert(all.end(), some.begin(), some.end());
}

bool is_by_row(const MatrixView& x) {
  return x.scalar == Scalar::float64 && (x.col_stride == 1 || x.cols <= 1);
}

// Dense numbers by row, if they lie otherwise and are wanted so; empty: they may stay where they are.
Values copied_by_row(const Batch& batch, Dense dense) {
  const auto* x = std::get_if<MatrixView>(&batch.x);
  if (!x || dense == Dense::as_it_lies || is_by_row(*x)) return {};
  std::vector<Index> all(static_cast<std::size_t>(x->rows));
  std::iota(all.begin(), all.end(), Index{0});
  Values copy(static_cast<std::size_t>(x->rows * x->cols));
  gather(*x, all, copy.data(), x->cols);
  return copy;
}

struct LoadedBlock {
  std::unique_ptr<BlockScratch> scratch;
  Result<Batch> batch;
  Values copy;
};

} // namespace

Result<std::unique_ptr<HeldRows>> HeldRows::hold(RowSource& source, Dense dense, Pool* pool) {
  auto held = std::make_unique<HeldRows>();
  held->cols_ = source.cols();
  held->targets_ = source.targets();
  if (auto begun = source.rewind(); !begun) return std::unexpected(begun.error());
  const Index some = pool ? 4 * pool->threads() : 1; // blocks at a time
  for (bool more = true; more;) {
    std::vector<LoadedBlock> blocks;
    while (more && std::ssize(blocks) < some) {
      auto scratch = source.scratch();
      const auto block = source.claim(*scratch);
      if (!block) return std::unexpected(block.error());
      more = block->has_value();
      if (more) blocks.push_back({std::move(scratch), {}, {}});
    }
    const auto load = [&](Index k, int) {
      LoadedBlock& one = blocks[static_cast<std::size_t>(k)];
      one.batch = source.load(*one.scratch);
      if (one.batch) one.copy = copied_by_row(*one.batch, dense);
    };
    for (Index k = 0; !pool && k < std::ssize(blocks); ++k) load(k, 0);
    if (pool) pool->run(std::ssize(blocks), load);
    for (LoadedBlock& one : blocks) {
      if (!one.batch) return std::unexpected(one.batch.error());
      held->keep(std::move(one.scratch), *one.batch, std::move(one.copy));
    }
  }
  held->see();
  return held;
}

std::unique_ptr<HeldRows> HeldRows::one(const Batch& batch) {
  auto held = std::make_unique<HeldRows>();
  held->cols_ = batch.cols();
  held->targets_ = batch.target.cols;
  held->keep(nullptr, batch, copied_by_row(batch, Dense::by_row));
  held->see();
  return held;
}

void HeldRows::keep(std::unique_ptr<BlockScratch> scratch, const Batch& batch, Values copy) {
  const Index count = batch.rows();
  append(weight_, batch.weight, rows_, count, 1);
  append(offset_, batch.offset, rows_, count, 0);
  Batch kept = batch;
  if (!copy.empty()) {
    copies_.push_back(std::move(copy));
    kept.x = MatrixView::row_major(copies_.back().data(), count, batch.cols());
  }
  rows_ += count;
  batches_.push_back(kept);
  scratches_.push_back(std::move(scratch));
}

void HeldRows::see() {
  const int shift = std::countr_zero(static_cast<std::uint64_t>(block_rows(cols_)));
  if (!batches_.empty() && std::holds_alternative<SparseView>(batches_.front().x)) {
    if (std::get<SparseView>(batches_.front().x).width == IndexWidth::bits32)
      seen_ = sparse_blocks<std::int32_t>(batches_, shift, cols_);
    else
      seen_ = sparse_blocks<std::int64_t>(batches_, shift, cols_);
    return;
  }
  DenseRows rows;
  rows.shift = shift;
  rows.cols = cols_;
  for (const Batch& batch : batches_) {
    const auto& x = std::get<MatrixView>(batch.x);
    if (is_by_row(x))
      rows.blocks.push_back({static_cast<const double*>(x.data), x.row_stride});
    else
      rows.blocks.push_back({nullptr, x.row_stride, x.data, x.col_stride, x.scalar == Scalar::float32});
  }
  seen_ = std::move(rows);
}

std::vector<double> HeldRows::target(Index t) const {
  std::vector<double> y;
  y.reserve(static_cast<std::size_t>(rows_));
  for (const Batch& batch : batches_)
    for (Index i = 0; i < batch.rows(); ++i) y.push_back(element(batch.target, i, t));
  return y;
}

} // namespace recta
