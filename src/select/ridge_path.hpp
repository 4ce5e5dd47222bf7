// Ridge at many penalties from one decomposition: X'SX = V L V', w(lambda) = V (L + lambda)^-1 V' X'S y. A further
// penalty costs p times the rank. If there are more columns than rows, the products of rows are decomposed instead: K =
// X X', K = U L U', V = X'U L^-1/2.
#pragma once

#include "base/pool.hpp"
#include "objective/least_squares/objective.hpp"
#include "select/column_path.hpp"
#include "stats/fold_grams/fold_grams.hpp"
#include "stats/leave_one_out/leave_one_out.hpp"

#include <recta/path.hpp>

namespace recta::select {

// A decomposition in the units that the penalty sees.
class RidgeDecomposition {
public:
  RidgeDecomposition(const Gram& gram, Index target, const LeastSquaresObjective& objective);
  RidgeDecomposition(const ColumnProblem& data, std::span<const double> weight, const LeastSquaresObjective& objective);
  PathPoint at(double lambda) const; // coefficients, intercept, degrees of freedom
  // Whether at(lambda) is right to some six digits: eigenvalues are known to u of the largest.
  bool carries(double lambda) const { return lambda + smallest_ >= kCarried * largest(); }
  // F - F* of a point by its gradient g, of the mean loss and the penalty: g'(L + lambda)^-1 g / 2 in these directions.
  double above(const PathPoint& point, std::vector<double> gradient) const;
  double weight() const { return weight_; }
  double largest() const { return values_.empty() ? 0 : values_.back(); }
  std::shared_ptr<const RidgeDirections> directions(const std::vector<double>& lambdas, Index target) const;

private:
  static constexpr double kCarried = 1e-10;

  Index rank() const { return static_cast<Index>(values_.size()); }
  Index cols() const { return static_cast<Index>(mean_.size()); }

  LeastSquaresObjective objective_;
  std::vector<double> mean_, scale_; // p; scale 0: the column does not vary
  double target_mean_ = 0, weight_ = 0;
  double smallest_ = 0;                              // eigenvalue of the columns that vary; 0: that is not known
  std::vector<double> values_, vectors_, projected_; // L ascends; V, p x rank by column; V' X'S y
};

struct RidgePathProblem {
  LeastSquaresObjective objective = {};
  std::vector<double> lambdas = {}; // beside the mean loss of all rows
  bool summed = false;              // a fold's training rows share the strength beside the summed loss, not the mean
};

// Uses a factor of its own if the decomposition does not carry lambda and the Gram is in double-double.
PathPoint ridge_point(const RidgeDecomposition& ridge, const Gram& gram, Index target,
                      const LeastSquaresObjective& objective, double lambda);

// Points with the error on each fold. What the decomposition does not carry is solved by a factor of its own from a
// Gram in double-double; from any other, fold errors are NaN there, and a point's figures are not reliable: the caller
// must look at `carries`.
SolvedPath ridge_path(const RidgePathProblem& problem, const FoldGrams& grams, Index target, Pool& pool,
                      const Watch& watch = {});
SolvedPath ridge_path(const RidgePathProblem& problem, const ColumnProblem& data, std::span<const std::int32_t> fold_of,
                      Index folds, const Watch& watch = {});

} // namespace recta::select
