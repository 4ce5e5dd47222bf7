#include "certificate/loss/said_constant.hpp"

#include "objective/loss/facts.hpp"
#include "stats/rows.hpp"

namespace recta {

std::vector<SaidConstant> said_constant(const LossObjective& objective, const LossFacts& facts) {
  std::vector<SaidConstant> out;
  for (Index j = 0; j < facts.sums.cols; ++j)
    if (facts.sums.constant(j, objective.intercept))
      out.emplace_back(j, objective.intercept ? facts.sums.mean(j).hi : 0.0);
  return out;
}

void count_varying(const PresentBlock& block, std::span<const SaidConstant> said, std::vector<Index>& varying) {
  if (said.empty()) return;
  if (const auto* dense = std::get_if<MatrixView>(&block.x())) {
    for (std::size_t s = 0; s < said.size(); ++s) {
      const auto [j, only] = said[s];
      for (Index i = 0; i < block.rows(); ++i)
        varying[s] += element(*dense, i, j) == only && element_low(*dense, i, j) == 0 ? 0 : 1;
    }
    return;
  }
  std::vector<std::size_t> place(static_cast<std::size_t>(block.cols()), said.size());
  for (std::size_t s = 0; s < said.size(); ++s) {
    place[said[s].first] = s;
    varying[s] += said[s].second == 0 ? 0 : block.rows(); // until each of them is found
  }
  for (Index i = 0; i < block.rows(); ++i) {
    const SparseRow row = sparse_row(std::get<SparseView>(block.x()), i);
    for (Index k = 0; k < row.count; ++k) {
      const std::size_t s = place[row.column(k)];
      if (s == said.size()) continue;
      const double only = said[s].second;
      varying[s] += (row.value[k] == only ? 0 : 1) - (only == 0 ? 0 : 1);
    }
  }
}

std::vector<Index> varying_columns(std::span<const SaidConstant> said, const std::vector<Index>& varying) {
  std::vector<Index> out;
  for (std::size_t s = 0; s < said.size(); ++s)
    if (varying[s] > 0) out.push_back(said[s].first);
  return out;
}

} // namespace recta
