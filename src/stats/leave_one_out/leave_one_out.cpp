#include "stats/leave_one_out/leave_one_out.hpp"

#include "base/blas.hpp"
#include "stats/leave_one_out/left_out_sum.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <limits>

namespace recta {
namespace {

// The rows that count, centred and scaled, row after row.
std::vector<double> scaled_rows(const RidgeDirections& d, const Batch& batch, const std::vector<Index>& rows) {
  std::vector<double> out(rows.size() * static_cast<std::size_t>(d.cols));
  if (const auto* dense = std::get_if<MatrixView>(&batch.x))
    gather(*dense, rows, out.data(), d.cols);
  else
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SparseRow row = sparse_row(std::get<SparseView>(batch.x), rows[i]);
      for (Index s = 0; s < row.count; ++s) out[i * static_cast<std::size_t>(d.cols) + row.column(s)] = row.value[s];
    }
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (Index j = 0; j < d.cols; ++j) {
      double& x = out[i * static_cast<std::size_t>(d.cols) + j];
      x = (x - d.mean[j]) / d.scale[j];
    }
  return out;
}

} // namespace

LeaveOneOut::LeaveOneOut(std::shared_ptr<const RidgeDirections> of)
    : directions(std::move(of)), sum(static_cast<std::size_t>(directions->lambdas)), sum_low(sum.size()) {}

void LeaveOneOut::accumulate(const Batch& batch) {
  const RidgeDirections& d = *directions;
  const std::vector<Index> rows = present_rows(batch);
  if (rows.empty()) return;
  const auto n = static_cast<Index>(rows.size());
  const Index p = d.cols, r = d.rank, lambdas = d.lambdas;
  const std::vector<double> x = scaled_rows(d, batch, rows);
  std::vector<double> z(static_cast<std::size_t>(n * r)), fitted(static_cast<std::size_t>(n * lambdas)),
      leverage(fitted.size());
  if (r > 0) {
    blas::gemm(1, blas::transposed({d.vectors.data(), p, r}), {x.data(), p, n}, 0, {z.data(), r, n}); // columns: rows
    blas::gemm(1, blas::transposed({d.coefficients.data(), r, lambdas}), {z.data(), r, n}, 0,
               {fitted.data(), lambdas, n});
    for (double& value : z) value *= value;
    blas::gemm(1, blas::transposed({d.shrunk.data(), r, lambdas}), {z.data(), r, n}, 0, {leverage.data(), lambdas, n});
  }
  for (Index i = 0; i < n; ++i) {
    const Index row = rows[static_cast<std::size_t>(i)];
    const double offset = batch.offset.empty() ? 0 : batch.offset[static_cast<std::size_t>(row)];
    const double y = element(batch.target, row, d.target) - offset - d.centre;
    const double s = (batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(row)]) / d.weight;
    for (Index l = 0; l < lambdas; ++l) {
      const double left = 1 - s * ((d.intercept ? 1 : 0) + leverage[i * lambdas + l]);
      const double e = (y - fitted[i * lambdas + l]) / left;
      add_left_out(sum[l], sum_low[l], left > kOwnFit ? s * e * e : std::numeric_limits<double>::infinity());
    }
  }
}

void LeaveOneOut::merge(const LeaveOneOut& other) {
  for (std::size_t l = 0; l < sum.size(); ++l) add_left_out(sum[l], sum_low[l], {other.sum[l], other.sum_low[l]});
}

} // namespace recta
