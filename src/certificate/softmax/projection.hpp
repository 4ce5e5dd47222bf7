// Newton's step of the dual point of a softmax regression, and how far an exact one can be from it.
//
// With tau = t + Q'(x - m), the move p' - P = -S tau, S = diag P - P P', changes G by H (q, t), where H is the Hessian
// of the loss over the weights and constants that take part. One class is left out: d sums to zero over the classes, so
// its constraints are met if those of the others are. For the same reason one constant is left out of every set of
// classes that share no row with others. With squares, G may fall short by e at the price of e^2 / (2 lambda2 u); the
// sum of that price and KL is least near (H + lambda2 U) q = -(G - lambda2 U w).
#pragma once

#include "base/factor/cholesky.hpp"
#include "certificate/softmax/certify.hpp"
#include "certificate/softmax/simplex_sums.hpp"
#include "stats/softmax/class_hessian.hpp"

namespace recta {

// The error of the probabilities meant against those of the scores, relative to them: twice what follows from scores
// off by u of themselves and `blur`, differences of two by u of 2 |z|, exp by 2 ulp (base/elementary.hpp), the sum of K
// of them by K u and the quotient by u. The largest share, one less the others, is off by K times as much at most.
double rounding_of(const SimplexSums& sums);

class Projection {
public:
  // `hessian` and `sums` are of the same point, and outlive this. `exact`: the products of its columns must vanish, and
  // not only be near what is due.
  Projection(const SoftmaxClaimed& claimed, const ClassHessian& hessian, const SimplexSums& sums, bool exact,
             Pool& pool);
  bool any_bound() const { return least_ > 0; }

  // Adds to (t, q) of the target what the sums lack.
  void move(const SimplexSums& sums, SimplexTarget& target) const;
  // The shortfall is met by a further step of at most this much in every score; infinite: no bound was found.
  double further(const SimplexSums& sums) const;
  // An upper bound on the length of that step in the Hessian's norm.
  double energy(const SimplexSums& sums) const;
  // At least the root of the Hessian's diagonal entry for the constant of class k.
  double curvature(std::size_t k) const { return curvature_[k]; }

private:
  struct Unknown {
    Index class_of, column, place; // column -1: the constant; place: in the Hessian
    double scale;                  // one over the root of the Hessian's diagonal entry
    bool exact;
  };
  double squares(Index j) const; // lambda2 u_j; 0 of a constant
  double shortfall(const Unknown& u, const SimplexSums& sums) const;
  double shortfall(const SimplexSums& sums) const;
  double least_eigenvalue(const ClassHessian& hessian, double off) const;

  const SoftmaxClaimed* claimed_;
  std::vector<Unknown> unknowns_;
  std::vector<Unknown> flat_; // no row is in doubt, no step can mend them: they are met, or there is no proof
  std::vector<double> unit_;  // for SimplexTarget
  std::vector<double> curvature_;
  Cholesky<double> factor_;
  double least_ = 0; // eigenvalue over the exact ones, each in its own scale: a lower bound; 0: none was found
};

} // namespace recta
