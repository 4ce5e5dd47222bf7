// Ridge at many penalties from one decomposition of the Gram: X'SX = V L V', w(lambda) = V (L + lambda)^-1 V' X'S y.
// A further penalty costs p^2.
#pragma once

#include "base/pool.hpp"
#include "certificate/least_squares/objective.hpp"
#include "stats/fold_grams/fold_grams.hpp"
#include "stats/leave_one_out/leave_one_out.hpp"

#include <recta/path.hpp>

namespace recta::select {

// The eigenvalues and vectors of one Gram in the units the penalty sees.
class RidgeDecomposition {
public:
  RidgeDecomposition(const Gram& gram, Index target, const LeastSquaresObjective& objective);
  PathPoint at(double lambda) const; // coefficients, intercept, degrees of freedom
  double largest() const { return values_.empty() ? 0 : values_.back(); }
  std::shared_ptr<const RidgeDirections> directions(const std::vector<double>& lambdas) const;

private:
  Index p_, target_;
  LeastSquaresObjective objective_;
  std::vector<double> mean_, scale_; // p; scale 0: the column does not vary
  double target_mean_ = 0, weight_ = 0;
  std::vector<double> values_, vectors_, projected_; // L; V by column; V' X'S y
};

// Points for `lambdas` with the error on each fold.
std::vector<PathPoint> ridge_path(const LeastSquaresObjective& objective, const std::vector<double>& lambdas,
                                  const FoldGrams& grams, Index target, Pool& pool);

} // namespace recta::select
