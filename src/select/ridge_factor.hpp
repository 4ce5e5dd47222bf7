// Ridge at one penalty by a factor of its own in double-double, for penalties that one decomposition for all cannot
// carry: eigenvalues are known to u of the largest, a factor of columns scaled to unit length to u^2 of their
// condition. It costs p^3 / 3 per penalty.
#pragma once

#include "solver/closed_form/normal.hpp"
#include "stats/leave_one_out/by_factor.hpp"

#include <recta/path.hpp>

namespace recta::select {

class RidgeFactor {
public:
  RidgeFactor(const Gram& gram, Index target, const LeastSquaresObjective& objective, double lambda);
  RidgeFactor(const RidgeFactor&) = delete;
  RidgeFactor& operator=(const RidgeFactor&) = delete;

  PathPoint point() const; // coefficients, intercept, degrees of freedom
  const std::vector<DoubleDouble>& weights() const { return w_; }
  const Cholesky<DoubleDouble>& factor() const { return normal_.factor(); }

private:
  Index target_;
  LeastSquaresObjective objective_;
  Quadratic quadratic_;
  NormalSolver<DoubleDouble> normal_;
  std::vector<DoubleDouble> w_;
};

// Everything that leaving rows out needs of every penalty.
std::shared_ptr<const RidgeFactors> ridge_factors(const Gram& gram, Index target,
                                                  const LeastSquaresObjective& objective,
                                                  const std::vector<double>& lambdas);

} // namespace recta::select
