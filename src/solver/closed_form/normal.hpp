// Solves H w = c by a factor of H, in double or double-double. If columns are combinations of others, the answer is the
// one of least norm: with V the null vectors, each read off a dependent column's combination of the others,
//
//   w <- w - V (V'MV)^-1 V'M w,     M = 1, or sd^2 if the features are standardised
#pragma once

#include "base/factor/cholesky.hpp"
#include "objective/least_squares/quadratic.hpp"
#include "solver/least_squares.hpp"

namespace recta {

template <class T>
class NormalSolver {
public:
  NormalSolver(const Quadratic& quadratic, Pool& pool);
  NormalSolver(const Quadratic& quadratic, Cholesky<T> factor); // of H, or of the rows

  const Cholesky<T>& factor() const { return factor_; }
  const std::vector<Index>& dependent() const { return dependent_; } // varying columns without a row of R
  double condition() const { return condition_; }                    // of the scaled H, estimated
  double unit() const;                                               // relative error of one operation

  std::vector<T> solve(const std::vector<T>& rhs) const; // H^-1, or a step of least norm
  std::vector<T> least_norm(std::vector<T> w) const;

  std::vector<AliasedColumn> aliased() const;
  bool determined(Index column) const { return determined_[column]; } // no null vector reaches it
  bool intercept_determined() const { return intercept_determined_; }

private:
  void find_null_vectors();

  const Quadratic& q_;
  Cholesky<T> factor_;
  double condition_;
  std::vector<Index> dependent_;
  std::vector<std::vector<T>> null_; // one per dependent column, p numbers
  Cholesky<T> null_products_;        // V'MV
  std::vector<char> determined_;
  bool intercept_determined_ = true;
};

extern template class NormalSolver<double>;
extern template class NormalSolver<DoubleDouble>;

} // namespace recta
