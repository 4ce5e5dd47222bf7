// The residual moments of one block.
#pragma once

#include "base/double_double.hpp"
#include "stats/residual/residual.hpp"

namespace recta::residual {

struct Totals {
  Index rows = 0;
  DoubleDouble weight, log_weight;
  std::vector<DoubleDouble> sum, squares;
  std::vector<double> gradient, gradient_low, gradient_abs;

  Totals(Index p, Index k)
      : sum(static_cast<std::size_t>(k)), squares(static_cast<std::size_t>(k)),
        gradient(static_cast<std::size_t>(p * k)), gradient_low(gradient.size()), gradient_abs(gradient.size()) {}
};

void add_dense(Totals& totals, const Predictor& predictor, const Batch& batch, Pool* pool); // no pool: this thread
void add_sparse(Totals& totals, const Predictor& predictor, const Batch& batch);
void add_columns(Totals& totals, const Predictor& predictor, const Batch& columns, Pool& pool); // compressed columns
void add_extended(Totals& totals, const Predictor& predictor, const Batch& batch);

// Parts of the above.
inline double weight_of(const Batch& batch, Index i) {
  return batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
}
inline DoubleDouble pair_of(const std::vector<double>& hi, const std::vector<double>& lo, Index at) {
  const auto i = static_cast<std::size_t>(at);
  return {hi[i], lo.empty() ? 0 : lo[i]};
}
DoubleDouble left_without_x(const Predictor& predictor, const Batch& batch, Index i, Index k); // y - offset - b
void count(Totals& totals, const Batch& batch, Index i);
void add_moments(Totals& totals, Index k, double v, DoubleDouble r);
void add_gradient(Totals& totals, std::size_t at, DoubleDouble value);
void add_term(Totals& totals, std::size_t at, double term); // in double, its sum in double-double

} // namespace recta::residual
