#include "certificate/loss/proof_rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// Roots of sum v x_j^2 about the shift.
std::vector<double> sizes(const LossFacts& facts, std::span<const double> shift) {
  std::vector<double> out;
  for (Index j = 0; j < facts.sums.cols; ++j) {
    const DoubleDouble mean = facts.sums.mean(j), from = mean - (shift.empty() ? 0.0 : shift[j]);
    const double square = (facts.sums.squares[j] - facts.sums.weight * mean * mean).hi;
    out.push_back(std::sqrt(std::max(0.0, square) + (facts.sums.weight * from * from).hi) * (1 + 1e-9));
  }
  return out;
}

} // namespace

// With S_j = sum v x_j^2 a number of the rows is at most sqrt(S_j / v), and by Cauchy and Schwarz sum v |d x_j| is at
// most sqrt(S_j sum v d^2). A u_j is off by `rounding` of the sizes of what it is the sum of; so are the weights v, and
// products with them.
ProofRows rows_in_basis(const LossClaimed& claimed, std::span<const double> shift, DoubleDouble b, const Basis& basis,
                        RowSource& based, RowSource& plain) {
  ProofRows out{.rows = based, .plain = plain, .answer = basis.into(claimed.w, b), .basis = &basis};
  const std::vector<double> size = sizes(*claimed.facts, shift);
  const double root = std::sqrt(claimed.facts->weight());
  out.error.resize(size.size());
  double constants = std::abs(b.hi) + std::abs(out.answer.b.hi);
  for (const Basis::Column& each : basis.columns) {
    double reach = size[each.column] + root * std::abs(each.constant.hi);
    for (const auto& [k, c] : each.terms) reach += std::abs(c.hi) * size[k];
    out.error[each.column] = basis.rounding() * reach;
    constants += std::abs(each.constant.hi * out.answer.w[each.column].hi);
  }
  const std::vector<double> absolute = basis.absolute(out.answer.w);
  double scores = root * constants;
  for (std::size_t j = 0; j < size.size(); ++j) scores += absolute[j] * size[j];
  out.z_error = (static_cast<double>(size.size()) + 16) * 0x1p-100 * scores;
  return out;
}

DroppedColumn written_out(const Basis& basis, Index column) {
  DroppedColumn out{column, {}};
  const auto at = std::ranges::find(basis.columns, column, &Basis::Column::column);
  if (at == basis.columns.end() || !at->left_out) return out;
  out.factors.resize(static_cast<std::size_t>(basis.cols));
  for (const auto& [k, c] : at->terms) out.factors[k] = c.hi;
  return out;
}

// b = b' - sum m_j v_j - <shift, w>, and w = v less the terms of the columns replaced.
std::vector<double> intercept_means(const Basis& basis, std::span<const double> shift, std::span<const double> mean) {
  std::vector<double> out(mean.begin(), mean.end());
  for (std::size_t j = 0; j < shift.size(); ++j) out[j] += shift[j];
  for (const Basis::Column& each : basis.columns) {
    out[each.column] += each.constant.hi;
    for (const auto& [k, c] : each.terms) out[each.column] -= shift.empty() ? 0 : c.hi * shift[k];
  }
  return out;
}

} // namespace recta
