// The objective as a quadratic in w alone, read off the statistics of the rows in double-double:
//
//   W F = 1/2 w'Hw - c'w + 1/2 q,   H = A + T,   T = diag(W lambda2 u_j)  (u_j sd_j^2 when standardised)
//
// with A, c, q the sums of products about the means if the objective is centred, and about zero otherwise; the best
// intercept for given w is mean(y) - <w, mean(x)>. Constant columns play no part: their row, column and c are 0.
#pragma once

#include "base/double_double.hpp"
#include "objective/least_squares/objective.hpp"
#include "objective/least_squares/rounding.hpp"
#include "stats/gram/gram.hpp"

namespace recta {

class Quadratic {
public:
  Quadratic(const LeastSquaresObjective& objective, const Gram& gram);

  Index cols() const { return gram_->cols; }
  Index targets() const { return gram_->targets; }
  Index rows() const { return gram_->rows; }
  bool extended() const { return gram_->precision == Precision::extended; }
  const LeastSquaresObjective& objective() const { return *objective_; }

  DoubleDouble weight() const { return {gram_->weight, gram_->weight_low}; }
  DoubleDouble mean(Index z) const { return {gram_->mean[z], gram_->mean_low[z]}; } // targets follow the features
  double deviation(Index j) const { return deviation_[j]; }   // sqrt(C_jj / W); 0 for a constant column
  bool constant(Index j) const { return constant_[j]; }       // or zero, if the objective is not centred; to rounding
  DoubleDouble penalty(Index j) const { return penalty_[j]; } // T_jj

  DoubleDouble product(Index i, Index j) const;              // A_ij
  DoubleDouble cross(Index j, Index t) const;                // c_j of target t
  DoubleDouble square(Index t) const;                        // q of target t, with the best intercept
  double null_objective() const;                             // F at w = 0, summed over targets
  double rounding_floor(const std::vector<double>& w) const; // the effect on F of rounding y, w and b to doubles
  RowSizes sizes(bool merged) const;

  template <class T>
  std::vector<T> hessian() const;      // H: upper triangle by column
  double dependence_tolerance() const; // share of a column's square below which it counts as a combination of others

private:
  DoubleDouble scatter(Index i, Index j) const;
  DoubleDouble moment(Index i, Index j) const; // about zero

  const LeastSquaresObjective* objective_;
  const Gram* gram_;
  std::vector<double> deviation_;
  std::vector<char> constant_;
  std::vector<DoubleDouble> penalty_;
};

} // namespace recta
