// The order in which rows are presented, and how often. A row of whole weight k is presented k times, one of weight 0
// never: weight 2 is the row twice. A weight that is not whole is one visit whose step it scales.
#pragma once

#include "solver/gradient_descent/settings.hpp"

#include <span>
#include <vector>

namespace recta {

class Visits {
public:
  static Result<Visits> plan(Index rows, const std::vector<double>& weight);
  // One visit per row; the weights, scaled to mean one, scale all steps.
  static Visits once_each(Index rows, const std::vector<double>& weight);

  Index count() const { return static_cast<Index>(rows_.size()); }                       // in a pass
  const double* factors() const { return factors_.empty() ? nullptr : factors_.data(); } // one per row; null: all one
  std::span<const Index> all() const { return rows_; }
  // The visits of pass number `pass`, in its order: a function of seed and pass alone.
  std::span<const Index> pass(RowOrder order, std::uint64_t seed, Index pass);

private:
  std::vector<Index> rows_, ordered_;
  std::vector<double> factors_;
};

} // namespace recta
