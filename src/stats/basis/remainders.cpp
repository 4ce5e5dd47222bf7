#include "stats/basis/remainders.hpp"

#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// For every column k of x, the u_j it is part of: u_j += x_k times the factor.
using Parts = std::vector<std::vector<std::pair<std::size_t, DoubleDouble>>>;

Parts parts_of(const Basis& basis) {
  Parts parts(static_cast<std::size_t>(basis.cols));
  for (std::size_t s = 0; s < basis.columns.size(); ++s) {
    parts[basis.columns[s].column].emplace_back(s, 1.0);
    for (const auto& [k, c] : basis.columns[s].terms) parts[k].emplace_back(s, -c);
  }
  return parts;
}

} // namespace

Remainders::Remainders(std::shared_ptr<const Basis> of)
    : basis(std::move(of)), sum(basis->columns.size()), squares(basis->columns.size()) {}

double Remainders::spread(std::size_t s, bool centred) const {
  const DoubleDouble about = centred ? sum[s] * sum[s] / weight : DoubleDouble(0.0);
  return std::sqrt(std::max(0.0, ((squares[s] - about) / weight).hi));
}

void Remainders::accumulate(const Batch& batch) {
  const Parts parts = parts_of(*basis);
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  std::vector<DoubleDouble> u(sum.size());
  const auto add = [&](Index k, DoubleDouble x) {
    for (const auto& [s, factor] : parts[k]) u[s] += factor * x;
  };
  for (const Index i : present_rows(batch)) {
    for (std::size_t s = 0; s < u.size(); ++s) u[s] = -basis->columns[s].constant;
    const SparseRow row = dense ? SparseRow{} : sparse_row(std::get<SparseView>(batch.x), i);
    for (Index s = 0; s < row.count; ++s) add(row.column(s), row.value[s]);
    for (Index k = 0; dense && k < basis->cols; ++k)
      if (!parts[k].empty()) add(k, DoubleDouble(element(*dense, i, k), element_low(*dense, i, k)));
    const double v = batch.weight.empty() ? 1 : batch.weight[i];
    weight += v;
    for (std::size_t s = 0; s < u.size(); ++s) {
      const DoubleDouble weighted = u[s] * v;
      sum[s] += weighted;
      squares[s] += weighted * u[s];
    }
  }
}

void Remainders::merge(const Remainders& other) {
  weight += other.weight;
  for (std::size_t s = 0; s < sum.size(); ++s) sum[s] += other.sum[s], squares[s] += other.squares[s];
}

} // namespace recta
