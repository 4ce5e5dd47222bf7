#include "held/column_data.hpp"

#include "base/simd/kernels.hpp"
#include "stats/kernels/kernels.hpp"
#include "stats/rows.hpp"

#include <atomic>
#include <mutex>

namespace recta {
namespace {

bool is_by_column(const MatrixView& x) {
  return x.row_stride == 1 && x.low == nullptr;
}

} // namespace

// Blocks are claimed one by one and copied by any thread: every row has its place, so threads leave no trace.
class ColumnReader {
public:
  ColumnReader(const Rows& rows, ColumnData& out, Pool& pool)
      : rows_(rows), out_(out), pool_(pool), n_(out.rows_), p_(rows.source.cols()) {
    out.y_.resize(static_cast<std::size_t>(n_ * rows.source.targets()));
    if (rows.sparse)
      lines_.resize(static_cast<std::size_t>(n_));
    else
      out.dense_.resize(static_cast<std::size_t>(n_ * p_));
  }

  // If there are fewer blocks than threads, the columns of a block are shared out.
  Result<void> read(const Watch& watch) {
    if (auto again = rows_.source.rewind(); !again) return again;
    if (n_ <= (pool_.threads() - 1) * block_rows(p_))
      work(0, watch);
    else
      pool_.run(pool_.threads(), [&](Index, int worker) { work(worker, watch); });
    if (error_) return std::unexpected(*error_);
    if (rows_.sparse)
      compress();
    else
      out_.x_ = MatrixView::col_major(out_.dense_.data(), n_, p_);
    return {};
  }

private:
  struct Line {
    std::vector<Index> column;
    std::vector<double> value;
  };

  void work(int worker, const Watch& watch) {
    const auto scratch = rows_.source.scratch();
    while (claim(*scratch)) {
      const auto batch = rows_.source.load(*scratch);
      if (!batch) return fail_with(batch.error());
      copy(*batch);
      done_ += batch->rows();
      const double fraction = n_ > 0 ? static_cast<double>(done_) / static_cast<double>(n_) : 1;
      if (worker == 0 && watch && !watch({.stage = "reading columns", .fraction = fraction}))
        return fail_with({ErrorCode::interrupted, rows_.name, "stopped while reading the rows", {}});
    }
  }
  bool claim(BlockScratch& scratch) {
    const std::lock_guard lock(mutex_);
    if (error_) return false;
    const auto block = rows_.source.claim(scratch);
    if (!block) error_ = block.error();
    return block && *block;
  }
  void fail_with(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = error;
  }

  void copy(const Batch& batch) {
    for (Index i = 0; i < batch.rows(); ++i) {
      const Index row = batch.first_row + i;
      const double offset = batch.offset.empty() ? 0 : batch.offset[i];
      for (Index t = 0; t < batch.target.cols; ++t) out_.y_[row + t * n_] = element(batch.target, i, t) - offset;
    }
    if (!batch.weight.empty()) {
      {
        const std::lock_guard lock(mutex_);
        if (out_.weight_.empty()) out_.weight_.assign(static_cast<std::size_t>(n_), 1.0);
      }
      for (Index i = 0; i < batch.rows(); ++i) out_.weight_[batch.first_row + i] = batch.weight[i];
    }
    if (const auto* dense = std::get_if<MatrixView>(&batch.x)) return copy_dense(batch, *dense);
    copy_sparse(batch, std::get<SparseView>(batch.x));
  }
  // A few columns at a time, so that the lines of memory written to stay in the cache.
  void copy_dense(const Batch& batch, const MatrixView& x) {
    constexpr Index kColumns = 64;
    if (rows_.sparse) return compress_rows(batch, x);
    pool_.run((p_ + kColumns - 1) / kColumns, [&](Index tile, int) {
      const Index first = tile * kColumns;
      copy_columns(columns_of(x, first, std::min(kColumns, p_ - first)), &out_.dense_[batch.first_row + first * n_]);
    });
  }
  void copy_columns(const MatrixView& x, double* out) const {
    if (x.scalar == Scalar::float64 && x.col_stride == 1) // a row is a column of the transpose
      return stats_kernels().rows_of_columns(static_cast<const double*>(x.data), x.row_stride, x.cols, x.rows, out, n_);
    simd::kernels().centred_copy(x, nullptr, nullptr, out, 1, n_);
  }
  void compress_rows(const Batch& batch, const MatrixView& x) {
    for (Index i = 0; i < batch.rows(); ++i)
      for (Index j = 0; j < p_; ++j) {
        const double value = element(x, i, j);
        if (value == 0) continue;
        lines_[batch.first_row + i].column.push_back(j);
        lines_[batch.first_row + i].value.push_back(value);
      }
  }
  void copy_sparse(const Batch& batch, const SparseView& x) {
    for (Index i = 0; i < batch.rows(); ++i) {
      const SparseRow row = sparse_row(x, i);
      Line line;
      for (Index s = 0; s < row.count; ++s) {
        if (!rows_.sparse) {
          out_.dense_[batch.first_row + i + row.column(s) * n_] = row.value[s];
          continue;
        }
        line.column.push_back(row.column(s));
        line.value.push_back(row.value[s]);
      }
      if (rows_.sparse) lines_[batch.first_row + i] = std::move(line);
    }
  }

  // Counting sort by column; rows come out in order because they are visited in order.
  void compress() {
    out_.start_.assign(static_cast<std::size_t>(p_) + 1, 0);
    for (const Line& line : lines_)
      for (const Index j : line.column) ++out_.start_[j + 1];
    for (std::size_t j = 1; j < out_.start_.size(); ++j) out_.start_[j] += out_.start_[j - 1];
    out_.index_.resize(static_cast<std::size_t>(out_.start_.back()));
    out_.value_.resize(out_.index_.size());
    std::vector<Index> next(out_.start_.begin(), out_.start_.end() - 1);
    for (std::size_t i = 0; i < lines_.size(); ++i)
      for (std::size_t s = 0; s < lines_[i].column.size(); ++s) {
        const Index at = next[lines_[i].column[s]]++;
        out_.index_[at] = static_cast<Index>(i);
        out_.value_[at] = lines_[i].value[s];
      }
    SparseView x{n_, p_, out_.start_.data(), out_.index_.data(), out_.value_.data()};
    x.compressed = Compressed::by_column;
    out_.x_ = x;
  }

  const Rows& rows_;
  ColumnData& out_;
  Pool& pool_;
  Index n_, p_;
  std::vector<Line> lines_;
  std::mutex mutex_;
  std::optional<Error> error_;
  std::atomic<Index> done_ = 0;
};

// Takes the values that stand beside the columns, which stay where they are.
void ColumnData::take_outcome(const Arrays& arrays) {
  for (Index t = 0; t < arrays.y.cols; ++t)
    for (Index i = 0; i < rows_; ++i)
      y_.push_back(element(arrays.y, i, t) - (arrays.offset != nullptr ? arrays.offset[i] : 0));
  if (arrays.weights != nullptr) weight_.assign(arrays.weights, arrays.weights + rows_);
}

Result<ColumnData> ColumnData::make(const Rows& rows, Pool& pool, const Watch& watch) {
  ColumnData out;
  out.rows_ = rows.source.rows().value_or(0);
  const bool columns = rows.arrays && (rows.sparse ? rows.arrays->sparse.compressed == Compressed::by_column
                                                   : is_by_column(rows.arrays->dense));
  if (columns && rows.sparse)
    out.x_ = rows.arrays->sparse;
  else if (columns)
    out.x_ = rows.arrays->dense;
  if (columns)
    out.take_outcome(*rows.arrays);
  else if (auto done = ColumnReader(rows, out, pool).read(watch); !done)
    return std::unexpected(done.error());
  out.passes_ = columns ? 0 : 1;
  if (out.weight_.empty()) out.weight_sum_ = static_cast<double>(out.rows_);
  for (const double v : out.weight_) out.weight_sum_ += v;
  return out;
}

DoubleDouble ColumnData::mean(Index j) const {
  DoubleDouble sum = 0.0;
  if (const auto* dense = std::get_if<MatrixView>(&x_)) {
    for (Index i = 0; i < rows_; ++i) sum += two_prod(weight_of(i), element(*dense, i, j));
  } else {
    const SparseRow column = sparse_row(std::get<SparseView>(x_), j); // by column: a line is a column
    for (Index s = 0; s < column.count; ++s) sum += two_prod(weight_of(column.column(s)), column.value[s]);
  }
  return sum / weight_sum_;
}

DoubleDouble ColumnData::target_mean(Index target) const {
  DoubleDouble sum = 0.0;
  for (Index i = 0; i < rows_; ++i) sum += two_prod(weight_of(i), y_[i + target * rows_]);
  return sum / weight_sum_;
}

std::span<const double> ColumnData::y(Index target) const {
  return {y_.data() + target * rows_, static_cast<std::size_t>(rows_)};
}

} // namespace recta
