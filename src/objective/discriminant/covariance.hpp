// Gaussian classes: what their covariances are, given sums over the rows.
//
//   p(x | k) = N(x; m_k, S_k),   m_k = 1/W_k sum_(i in k) v_i x_i,   S_k = 1/W_k sum_(i in k) v_i (x_i - m_k)(x_i -
//   m_k)'
//
// are the maximum likelihood estimates. lda has one covariance for all classes, S = sum_k a_k S_k, where a_k is the
// share of the weight that class k has (then S is the maximum likelihood estimate too) or its prior.
//
// Shrinkage by a share g moves a covariance towards a multiple of the identity. Given as a number:
//   (1 - g) S + g tr(S)/p I
// Learned, every class has its own, in units of its standard deviations (R its correlations, z = (x - m_k) / sd_k, a
// column without variance has sd 1):
//   ledoit_wolf: g = min(1, b / d),  d = |R - mu I|^2 / p,  mu = tr R / p,  b = (1/(n p)) (1/n sum |z_i|^4 - |R|^2)
//   oas:         g = min(1, ((1 - 2/p) |R|^2 + tr^2 R) / ((n + 1 - 2/p) (|R|^2 - tr^2 R / p)))
// (Ledoit and Wolf 2004, eq. 14; Chen, Wiesel, Eldar, Hero 2010, eq. 23). sum |z_i|^4 costs O(n p).
// qda can then mix in the covariance of all classes and the identity:
//   S_k <- (1 - t) S_k + t sum_l (W_l / W) S_l,   S_k <- (1 - r) S_k + r I        (Friedman 1989, in the first step)
// If a class still varies in fewer directions than all rows do, it has no density to compare, and a small share of the
// variances of all rows is added to its own: a row off the plane that it lies in is then not of this class.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta::discriminant {

enum class Shrinkage : std::uint8_t { none, fixed, ledoit_wolf, oas };

// What is estimated, as the user asked for it.
struct Shape {
  bool quadratic = false; // a covariance of its own for every class
  Shrinkage shrinkage = Shrinkage::none;
  double share = 0;                              // if fixed
  double towards_pooled = 0, regularisation = 0; // qda: t, r
  bool by_priors = false;                        // lda: a_k is the prior
  double tolerance = 1e-6; // directions whose standard deviation, in units of the columns', is no larger have none

  bool learned_share() const { return shrinkage == Shrinkage::ledoit_wolf || shrinkage == Shrinkage::oas; }
  // Whether the products of the rows are kept for each class, and not only their sum over the classes.
  bool by_class() const { return quadratic || learned_share(); }
  bool operator==(const Shape&) const = default;
};

// Sums over the rows.
struct Sums {
  Index classes = 0, columns = 0;
  std::vector<double> weight;     // W_k
  std::vector<double> count;      // n of the formulas above: rows of the class, or their weight if weights are counts
  std::vector<double> mean;       // classes x columns
  std::vector<double> covariance; // of each class or one for all, columns x columns each, both triangles
  std::vector<double> quartic;    // 1/W_k sum v_i |z_i|^4, if the share is learned
};

// `by_class`: the sums have a matrix for each class even if the shape does without.
// One matrix for lda, one per class for qda, columns x columns each; and the share of each class if it is learned.
struct Covariances {
  std::vector<double> matrices;
  std::vector<double> shares;
};
Covariances covariances(const Shape& shape, const Sums& sums, const std::vector<double>& prior, bool by_class = false);

// qda: adds to the variances of class k the share added[k] of those of all rows.
void widen(const Sums& sums, const std::vector<double>& added, std::vector<double>& matrices);

// For each column, the variance that rounding alone can leave inside the classes, given their means: a column whose
// variance is no larger is constant inside every class.
std::vector<double> least_variances(const std::vector<double>& mean, Index columns);

// a_k of lda.
std::vector<double> class_shares(const Shape& shape, const std::vector<double>& weight,
                                 const std::vector<double>& prior);

} // namespace recta::discriminant
