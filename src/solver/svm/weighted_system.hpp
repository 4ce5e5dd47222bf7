// (I + X'T X, X'T 1; ., 1'T 1) for weights T of the rows, factored: the system of an interior point's steps and of
// Newton's. Sums run over a fixed number of parts, which are added in order.
#pragma once

#include "solver/svm/linear_rows.hpp"

namespace recta::svm {

// (X'T X, X'T 1; ., 1'T 1), in one triangle; the other is zero. Without an intercept X'T X alone.
std::vector<double> weighted_products(const LinearRows& rows, bool intercept, std::span<const double> weight,
                                      Pool& pool);

// The row and column of a level, which some rows have as others have an intercept.
struct LevelWeights {
  std::vector<double> by_row; // t of (., X't; ., own)
  double own = 0;
};

class WeightedSystem {
public:
  WeightedSystem(const LinearRows& rows, Index levels, Pool& pool)
      : rows_(rows), pool_(pool), size_(rows.cols() + levels) {}

  Index size() const { return size_; }
  bool factor(std::span<const double> weight); // with an intercept or without; false: not positive definite to rounding
  // The same, by what changed since the last call if that is little. Rounding of both remains: fit for steps that
  // measure afresh where they are.
  bool factor_near(std::span<const double> weight);
  bool factor(std::span<const double> weight, std::span<const LevelWeights> levels); // one for each level
  void solve(std::vector<double>& right) const; // size() numbers, the intercept's last

private:
  static constexpr Index kSerial = 1000; // unknowns; blocked_cholesky is LAPACK's own up to here

  static constexpr Index kFew = 2; // changed rows among all rows of weight: one in so many

  bool factor();
  bool factor_sums(std::vector<double> products);
  bool change_products(std::span<const double> weight);

  const LinearRows& rows_;
  Pool& pool_;
  Index size_;
  std::vector<double> system_;
  std::vector<double> products_, last_weight_; // of factor_near
};

} // namespace recta::svm
