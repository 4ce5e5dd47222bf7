// (I + X'T X, X'T 1; ., 1'T 1) for weights T of the rows, factored: the system of an interior point's steps and of
// Newton's. Sums run over a fixed number of parts, which are added in order.
#pragma once

#include "solver/svm/linear_rows.hpp"

namespace recta::svm {

// (X'T X, X'T 1; ., 1'T 1), in one triangle; the other is zero. Without an intercept X'T X alone.
std::vector<double> weighted_products(const LinearRows& rows, bool intercept, std::span<const double> weight,
                                      Pool& pool);

class WeightedSystem {
public:
  WeightedSystem(const LinearRows& rows, bool intercept, Pool& pool)
      : rows_(rows), pool_(pool), size_(rows.cols() + (intercept ? 1 : 0)) {}

  Index size() const { return size_; }
  bool factor(std::span<const double> weight);  // false: not positive definite to rounding
  void solve(std::vector<double>& right) const; // size() numbers, the intercept's last

private:
  const LinearRows& rows_;
  Pool& pool_;
  Index size_;
  std::vector<double> system_;
};

} // namespace recta::svm
