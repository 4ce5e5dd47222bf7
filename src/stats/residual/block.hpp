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
void add_extended(Totals& totals, const Predictor& predictor, const Batch& batch);

} // namespace recta::residual
