// Kernel ridge regression at many strengths from one eigendecomposition: with D = S^1/2 and Q the projection that takes
// out the weighted mean (Q = I without an intercept), Q D K D Q = V L V'. Then for every lambda
//
//   alpha = D V (L + lambda)^-1 V' Q D y,   residual of row i = lambda (D^-1 V (L + lambda)^-1 V' Q D y)_i,
//   1 - h_i = lambda (V (L + lambda)^-1 V')_ii - s_i    (without an intercept, no s_i),
//
// and a row left out has the residual r_i / (1 - h_i). About 9 n^3 once, and 2 n^2 for every lambda.
#pragma once

#include "solver/kernel_ridge/solve.hpp"

namespace recta::kernel_ridge {

class Decomposition {
public:
  explicit Decomposition(const Problem& problem, Pool& pool);

  double largest() const { return values_.empty() ? 0 : values_.back(); }

  double spread() const; // the mean square of the first target about its mean, or about zero without an intercept

  struct Point {
    std::vector<double> alpha;     // as in Solution
    std::vector<double> b;         // one per target
    std::vector<double> residual;  // as alpha
    std::vector<double> left_out;  // as alpha, if asked for
    double degrees_of_freedom = 0; // sum L / (L + lambda), the intercept not counted
  };
  Point point(double lambda, bool leave_one_out) const;

private:
  double shrunk(std::size_t k, double lambda) const; // 1 / (L_k + lambda), or 0 where that is lost in rounding

  const Problem& problem_;
  std::vector<double> root_, border_;    // D; D K D applied to the root of s
  std::vector<double> values_, vectors_; // L ascends; V by column
  std::vector<double> mean_, centred_;   // of every target; Q D y, as alpha
};

} // namespace recta::kernel_ridge
