// A dense block at the speed of memory: 32 rows at a time, read once for the dot products and once more, from the
// nearest cache, for the gradient.
#include "base/sums.hpp"
#include "stats/kernels/kernels.hpp"
#include "stats/residual/block.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace recta::residual {

namespace {

// Rows of positive weight, one after the other as doubles: the caller's own memory where it is so already.
class Rows {
public:
  Rows(const MatrixView& x, const std::vector<Index>& present) {
    const auto count = static_cast<Index>(present.size());
    if (x.col_stride == 1 && x.scalar == Scalar::float64 && count == x.rows) {
      view_ = {static_cast<const double*>(x.data), x.row_stride, count};
      return;
    }
    copy_.resize(present.size() * static_cast<std::size_t>(x.cols));
    gather(x, present, copy_.data(), x.cols);
    view_ = {copy_.data(), x.cols, count};
  }
  RowsView part(Index first, Index n) const { return {view_.x + first * view_.stride, view_.stride, n}; }

private:
  RowsView view_;
  std::vector<double> copy_;
};

using Run = std::array<double, kRun>;

// Weights and offsets of up to kRun rows; zero beyond the last.
struct RowNumbers {
  Run v{}, offset{};
};

class DenseBlock {
public:
  DenseBlock(Totals& totals, const Predictor& predictor, const Batch& batch)
      : totals_(totals), predictor_(predictor), batch_(batch), present_(present_rows(batch)),
        rows_(std::get<MatrixView>(batch.x), present_), lanes_(totals.sum.size()), zeros_(zero_centre()) {}

  void add() {
    const auto n = static_cast<Index>(present_.size());
    CompensatedSum weight, log_weight;
    for (Index first = 0; first < n; first += kRun) {
      const Index count = std::min(kRun, n - first);
      const RowNumbers numbers = row_numbers(first, count);
      for (Index i = 0; !batch_.weight.empty() && i < count; ++i) {
        weight.add(numbers.v[static_cast<std::size_t>(i)]);
        log_weight.add(std::log(numbers.v[static_cast<std::size_t>(i)]));
      }
      for (Index k = 0; k < predictor_.targets; ++k) add_target(first, count, k, numbers);
    }
    totals_.rows = n;
    totals_.weight = batch_.weight.empty() ? DoubleDouble(static_cast<double>(n)) : weight.total();
    totals_.log_weight = log_weight.total();
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      totals_.sum[k] = lane_sum(lanes_[k].sum, lanes_[k].sum_error);
      totals_.squares[k] = lane_sum(lanes_[k].squares, lanes_[k].squares_error);
    }
  }

private:
  std::vector<double> zero_centre() const {
    return predictor_.centre.empty() ? std::vector<double>(static_cast<std::size_t>(predictor_.cols))
                                     : std::vector<double>();
  }
  static DoubleDouble lane_sum(const double (&sum)[8], const double (&error)[8]) {
    CompensatedSum total;
    for (std::size_t lane = 0; lane < 8; ++lane) {
      total.add(sum[lane]);
      total.add(error[lane]);
    }
    return total.total();
  }
  Index row(Index i) const { return present_[static_cast<std::size_t>(i)]; }

  RowNumbers row_numbers(Index first, Index count) const {
    RowNumbers numbers;
    for (Index i = 0; i < count; ++i) {
      const auto to = static_cast<std::size_t>(i), from = static_cast<std::size_t>(row(first + i));
      numbers.v[to] = batch_.weight.empty() ? 1 : batch_.weight[from];
      numbers.offset[to] = batch_.offset.empty() ? 0 : batch_.offset[from];
    }
    return numbers;
  }

  void add_target(Index first, Index count, Index k, const RowNumbers& numbers) {
    const Index p = predictor_.cols;
    const RowsView x = rows_.part(first, count);
    Run y{}, dot{}, dot_low{}, vr{};
    for (Index i = 0; i < count; ++i) y[static_cast<std::size_t>(i)] = element(batch_.target, row(first + i), k);
    const double* w_low = predictor_.w_low.empty() ? nullptr : predictor_.w_low.data() + k * p;
    stats_kernels().row_dots(x, p, predictor_.w.data() + k * p, w_low, dot.data(), dot_low.data());
    const auto at = static_cast<std::size_t>(k);
    const ResidualRows in{y.data(),
                          numbers.offset.data(),
                          dot.data(),
                          dot_low.data(),
                          numbers.v.data(),
                          predictor_.b.empty() ? 0 : predictor_.b[at],
                          predictor_.b_low.empty() ? 0 : predictor_.b_low[at]};
    stats_kernels().residuals((count + kPanel - 1) / kPanel * kPanel, in, vr.data(), lanes_[at]);
    const double* centre = predictor_.centre.empty() ? zeros_.data() : predictor_.centre.data();
    stats_kernels().gradient(x, p, centre, vr.data(), totals_.gradient.data() + k * p,
                             totals_.gradient_low.data() + k * p, totals_.gradient_abs.data() + k * p);
  }

  Totals& totals_;
  const Predictor& predictor_;
  const Batch& batch_;
  std::vector<Index> present_;
  Rows rows_;
  std::vector<ResidualLanes> lanes_;
  std::vector<double> zeros_;
};

} // namespace

void add_dense(Totals& totals, const Predictor& predictor, const Batch& batch) {
  DenseBlock(totals, predictor, batch).add();
}

} // namespace recta::residual
