// The Gram of curvatures as the check uses it: Newton's step, and how far a dual point must be moved at most.
#pragma once

#include "base/factor/cholesky.hpp"
#include "objective/least_squares/optimality.hpp"
#include "objective/loss/facts.hpp"
#include "stats/basis/basis.hpp"
#include "stats/gram/gram.hpp"

namespace recta {

// The shortfall of a dual point: sums over the rows, not divided by their weight.
struct Shortfall {
  double intercept = 0;
  std::vector<double> columns; // about the centre; less W lambda2 u_j w_j
  double scale = 0;            // (sum v d^2 - W) / 2
};

struct DualStep {
  std::vector<double> q;
  double q_b = 0, rho = 0;
};

constexpr double kWeakCurvature = 1e-6; // eigenvalue below which a small shortfall moves a dual point far

class Geometry {
public:
  // `w`: the answer. With a penalty on absolute values only its coefficients that are not zero are in the factor.
  // `basis`: the one that the rows of the Gram are in; null: none. Columns left out of it are not in the factor.
  Geometry(const LossObjective& objective, const LossFacts& facts, const Gram& gram, const std::vector<double>& w,
           Pool& pool, const Basis* basis = nullptr);

  bool any() const { return weight_ > 0; }                      // some row is curved
  const std::vector<double>& centre() const { return centre_; } // empty without an intercept
  double scale_mean() const { return scale_mean_; }             // of d0, with a fitted scale
  double penalty(Index j) const { return penalty_[j]; }         // lambda2 u_j
  double absolute(Index j) const { return absolute_[j]; }       // lambda1 v_j
  double square(Index j) const { return product(j, j); }        // M_jj, about the centre
  Index rank() const { return rank_; }
  const std::vector<Index>& dependent() const { return dependent_; } // columns that others determine, to rounding
  DroppedColumn dropped(Index j) const;                              // the combination that determines one of these
  bool constant(Index j) const { return constant_[j] != 0; }

  DualStep step(const Shortfall& e) const;

  // D of what must be met exactly: columns without a penalty, and the intercept.
  const std::vector<double>& unit() const { return unit_; }
  std::vector<Index> met() const; // these columns
  double unit_intercept() const { return unit_intercept_; }
  double least_eigenvalue() const { return least_; } // of D M D, a lower bound; 0: none was found

private:
  double product(Index i, Index j) const;
  double bound(const std::vector<Index>& exact, Pool& pool) const;

  const Gram& gram_;
  bool centred_, scaled_, based_;
  double weight_ = 0, scale_mean_ = 0, unit_intercept_ = 0, least_ = 0;
  std::vector<double> centre_, penalty_, absolute_, unit_;
  std::vector<char> constant_;
  std::vector<Index> used_; // columns in the factor; the scale's comes last
  Cholesky<double> factor_;
  Index rank_ = 0;
  std::vector<Index> dependent_;
};

} // namespace recta
