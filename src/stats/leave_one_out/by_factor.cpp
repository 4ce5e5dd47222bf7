#include "stats/leave_one_out/by_factor.hpp"

#include "stats/leave_one_out/left_out_sum.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

namespace recta {
namespace {

// A row about the means.
std::vector<DoubleDouble> centred_row(const RidgeFactors& f, const Batch& batch, Index row) {
  std::vector<DoubleDouble> x(static_cast<std::size_t>(f.cols), DoubleDouble(0.0));
  if (const auto* dense = std::get_if<MatrixView>(&batch.x)) {
    for (Index j = 0; j < f.cols; ++j) x[j] = DoubleDouble(element(*dense, row, j), element_low(*dense, row, j));
  } else {
    const SparseRow sparse = sparse_row(std::get<SparseView>(batch.x), row);
    for (Index s = 0; s < sparse.count; ++s) x[sparse.column(s)] = sparse.value[s];
  }
  for (Index j = 0; j < f.cols; ++j) x[j] = f.constant[j] ? DoubleDouble(0.0) : x[j] - f.mean[j];
  return x;
}

} // namespace

LeaveOneOutByFactor::LeaveOneOutByFactor(std::shared_ptr<const RidgeFactors> of)
    : factors(std::move(of)), sum(factors->each.size()), sum_low(sum.size()) {}

void LeaveOneOutByFactor::accumulate(const Batch& batch) {
  const RidgeFactors& f = *factors;
  for (const Index row : present_rows(batch)) {
    const std::vector<DoubleDouble> x = centred_row(f, batch, row);
    const double offset = batch.offset.empty() ? 0 : batch.offset[static_cast<std::size_t>(row)];
    const double v = batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(row)];
    const DoubleDouble target(element(batch.target, row, f.target), element_low(batch.target, row, f.target));
    const DoubleDouble y = target - offset - f.centre;
    for (std::size_t l = 0; l < f.each.size(); ++l) {
      DoubleDouble e = y, leverage = f.intercept ? DoubleDouble(1.0) / f.weight : DoubleDouble(0.0);
      for (Index j = 0; j < f.cols; ++j) e -= x[j] * f.each[l].w[j];
      for (const DoubleDouble& z : f.each[l].factor.forward(x)) leverage += z * z;
      const DoubleDouble left = DoubleDouble(1.0) - leverage * v;
      const DoubleDouble error = e / left;
      add_left_out(sum[l], sum_low[l],
                   left.hi > kOwnFit ? error * error * (v / f.weight) : std::numeric_limits<double>::infinity());
    }
  }
}

void LeaveOneOutByFactor::merge(const LeaveOneOutByFactor& other) {
  for (std::size_t l = 0; l < sum.size(); ++l) add_left_out(sum[l], sum_low[l], {other.sum[l], other.sum_low[l]});
}

} // namespace recta
