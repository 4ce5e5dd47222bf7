// A dense block at the speed of memory. By row: 32 rows at a time, read once for the dot products and once more, from
// the nearest cache, for the gradient. By column: the columns with a weight for the dot products, then all of them for
// the gradient, transposed a few at a time, so that every sum has the order and the bits it has over rows.
#include "base/sums.hpp"
#include "stats/kernels/kernels.hpp"
#include "stats/residual/block.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta::residual {

namespace {

constexpr Index kNarrow = 500;      // up to this many columns a block stays in cache and is transposed as a whole
constexpr Index kStrip = 32;        // columns transposed at a time
constexpr Index kTaskColumns = 256; // columns per task

struct Weights {
  const double *w, *w_low; // w_low may be null
  std::vector<Index> used; // columns whose weight is not zero
};
struct Columns {
  Index begin, end;
};

// Rows of positive weight as doubles, contiguous by row or by column: the caller's own memory if it is so already.
class Lines {
public:
  Lines(const MatrixView& x, const std::vector<Index>& present) : cols_(x.cols) {
    const auto count = static_cast<Index>(present.size());
    const bool whole = count == x.rows && x.scalar == Scalar::float64;
    by_column_ = whole && stands_by_column(x) && x.cols > kNarrow;
    if (by_column_ || (whole && x.col_stride == 1)) {
      view_ = {static_cast<const double*>(x.data), by_column_ ? x.col_stride : x.row_stride, count};
      return;
    }
    copy_.resize(present.size() * static_cast<std::size_t>(x.cols));
    gather(x, present, copy_.data(), x.cols);
    view_ = {copy_.data(), x.cols, count};
  }

  // Writes <x_i, w> of `count` rows starting at `first` to dot[0..count).
  void dots(Index first, Index count, const Weights& weights, double* dot, double* dot_low) const {
    const StatsKernels& kernels = stats_kernels();
    if (!by_column_) return kernels.row_dots(rows(first, count), cols_, weights.w, weights.w_low, dot, dot_low);
    kernels.row_dots_by_column({view_.x + first, view_.stride, count},
                               {weights.used.data(), static_cast<Index>(weights.used.size())}, weights.w, weights.w_low,
                               dot, dot_low);
  }

  // Adds the rows starting at `first`, at most kRun, to the gradient of some columns.
  void gradient(Index first, Index count, Columns columns, const double* centre, const double* vr,
                const GradientSums& to) const {
    const auto [begin, end] = columns;
    const auto from = [&](Index j) { return GradientSums{to.high + j, to.low + j, to.abs + j}; };
    const StatsKernels& kernels = stats_kernels();
    if (!by_column_) {
      RowsView some = rows(first, count);
      some.x += begin;
      return kernels.gradient(some, end - begin, centre + begin, vr, from(begin));
    }
    alignas(64) double turned[kRun * kStrip];
    for (Index j = begin; j < end; j += kStrip) {
      const Index width = std::min(kStrip, end - j);
      kernels.rows_of_columns(view_.x + first + j * view_.stride, view_.stride, count, width, turned, kStrip);
      kernels.gradient({turned, kStrip, count}, width, centre + j, vr, from(j));
    }
  }

  // The number of columns whose rows are best read completely before those of the next columns.
  Index strip() const { return by_column_ ? kStrip : kTaskColumns; }

private:
  RowsView rows(Index first, Index count) const { return {view_.x + first * view_.stride, view_.stride, count}; }

  Index cols_;
  bool by_column_ = false;
  RowsView view_;
  std::vector<double> copy_;
};

class DenseBlock {
public:
  DenseBlock(Totals& totals, const Predictor& predictor, const Batch& batch)
      : totals_(totals), predictor_(predictor), batch_(batch), present_(present_rows(batch)),
        lines_(std::get<MatrixView>(batch.x), present_), lanes_(totals.sum.size()) {
    const auto k = static_cast<std::size_t>(predictor.targets), room = static_cast<std::size_t>(runs() * kRun);
    if (predictor.centre.empty()) zeros_.resize(static_cast<std::size_t>(predictor.cols));
    for (auto* each : {&v_, &offset_}) each->resize(room);
    for (auto* each : {&y_, &dot_, &dot_low_, &vr_}) each->resize(room * k);
    for (Index t = 0; t < predictor.targets; ++t) weights_.push_back(weights_of(t));
    fill();
  }

  void add() {
    for (Index run = 0; run < runs(); ++run)
      for (Index t = 0; t < predictor_.targets; ++t) {
        dots(run, t);
        residuals(run, t);
        gradient(run, t, {0, predictor_.cols});
      }
    finish();
  }

  // Gives the same bits: rows are shared among threads for the dot products, columns for the gradient.
  void add(Pool& pool) {
    const Index k = predictor_.targets;
    pool.run(runs() * k, [&](Index task, int) { dots(task / k, task % k); });
    for (Index run = 0; run < runs(); ++run)
      for (Index t = 0; t < k; ++t) residuals(run, t);
    pool.run((predictor_.cols + kTaskColumns - 1) / kTaskColumns, [&](Index task, int) {
      const Index begin = task * kTaskColumns, end = std::min(predictor_.cols, begin + kTaskColumns);
      for (Index j = begin; j < end; j += lines_.strip())
        for (Index t = 0; t < k; ++t)
          for (Index run = 0; run < runs(); ++run) gradient(run, t, {j, std::min(end, j + lines_.strip())});
    });
    finish();
  }

private:
  Index rows() const { return static_cast<Index>(present_.size()); }
  Index runs() const { return (rows() + kRun - 1) / kRun; }
  Index count(Index run) const { return std::min(kRun, rows() - run * kRun); }
  Index at(Index run, Index t) const { return (run + t * runs()) * kRun; }

  // Numbers of the rows; zero beyond the last.
  void fill() {
    for (Index i = 0; i < rows(); ++i) {
      const auto from = static_cast<std::size_t>(present_[static_cast<std::size_t>(i)]);
      v_[static_cast<std::size_t>(i)] = batch_.weight.empty() ? 1 : batch_.weight[from];
      offset_[static_cast<std::size_t>(i)] = batch_.offset.empty() ? 0 : batch_.offset[from];
      for (Index t = 0; t < predictor_.targets; ++t)
        y_[static_cast<std::size_t>(at(0, t) + i)] = element(batch_.target, static_cast<Index>(from), t);
    }
  }
  Weights weights_of(Index t) const {
    const Index p = predictor_.cols;
    Weights out{predictor_.w.data() + t * p, predictor_.w_low.empty() ? nullptr : predictor_.w_low.data() + t * p, {}};
    for (Index j = 0; j < p; ++j)
      if (out.w[j] != 0 || (out.w_low != nullptr && out.w_low[j] != 0)) out.used.push_back(j);
    return out;
  }

  void dots(Index run, Index t) {
    const Index to = at(run, t);
    lines_.dots(run * kRun, count(run), weights_[static_cast<std::size_t>(t)], dot_.data() + to, dot_low_.data() + to);
  }
  void residuals(Index run, Index t) {
    const auto target = static_cast<std::size_t>(t);
    const Index from = at(run, t), row = run * kRun;
    const ResidualRows in{y_.data() + from,
                          offset_.data() + row,
                          dot_.data() + from,
                          dot_low_.data() + from,
                          v_.data() + row,
                          predictor_.b.empty() ? 0 : predictor_.b[target],
                          predictor_.b_low.empty() ? 0 : predictor_.b_low[target]};
    stats_kernels().residuals((count(run) + kPanel - 1) / kPanel * kPanel, in, vr_.data() + from, lanes_[target]);
  }
  void gradient(Index run, Index t, Columns columns) {
    const Index p = predictor_.cols;
    const double* centre = predictor_.centre.empty() ? zeros_.data() : predictor_.centre.data();
    lines_.gradient(
        run * kRun, count(run), columns, centre, vr_.data() + at(run, t),
        {totals_.gradient.data() + t * p, totals_.gradient_low.data() + t * p, totals_.gradient_abs.data() + t * p});
  }

  void finish() {
    CompensatedSum weight, log_weight;
    for (Index i = 0; !batch_.weight.empty() && i < rows(); ++i) {
      weight.add(v_[static_cast<std::size_t>(i)]);
      log_weight.add(std::log(v_[static_cast<std::size_t>(i)]));
    }
    totals_.rows = rows();
    totals_.weight = batch_.weight.empty() ? DoubleDouble(static_cast<double>(rows())) : weight.total();
    totals_.log_weight = log_weight.total();
    for (std::size_t t = 0; t < lanes_.size(); ++t) {
      totals_.sum[t] = lane_sum(lanes_[t].sum, lanes_[t].sum_error);
      totals_.squares[t] = lane_sum(lanes_[t].squares, lanes_[t].squares_error);
    }
  }
  static DoubleDouble lane_sum(const double (&sum)[8], const double (&error)[8]) {
    CompensatedSum total;
    for (std::size_t lane = 0; lane < 8; ++lane) {
      total.add(sum[lane]);
      total.add(error[lane]);
    }
    return total.total();
  }

  Totals& totals_;
  const Predictor& predictor_;
  const Batch& batch_;
  std::vector<Index> present_;
  Lines lines_;
  std::vector<Weights> weights_;
  std::vector<ResidualLanes> lanes_;
  std::vector<double> zeros_, v_, offset_;     // by row
  std::vector<double> y_, dot_, dot_low_, vr_; // by row, target after target
};

} // namespace

void add_dense(Totals& totals, const Predictor& predictor, const Batch& batch, Pool* pool) {
  DenseBlock block(totals, predictor, batch);
  return pool != nullptr ? block.add(*pool) : block.add();
}

} // namespace recta::residual
