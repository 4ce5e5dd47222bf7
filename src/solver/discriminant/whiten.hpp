// A covariance as coordinates in which it is the identity.
//
// With d the standard deviations of the columns and R = D^-1 S D^-1 their correlations, T'ST = I and S^+ = TT' for
//   T = D^-1 L^-T          if R = LL' has full rank (Cholesky)
//   T = D^-1 V E^(-1/2)    otherwise, over the eigenvectors of R with a root of their eigenvalue above the tolerance
// The second is the pseudo-inverse in units of the columns, so that the rank does not depend on units. The first needs
// no eigenvalues to know the rank: the least of them is at least 1 / |L^-1|^2.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta::discriminant {

struct Whitening {
  Index size = 0, rank = 0;
  std::vector<double> t;      // size x rank, by column
  bool triangular = true;     // upper
  double log_determinant = 0; // of S on the space of T
  double condition = 1;       // a bound on that of R on that space

  std::vector<double> coordinates(const double* x) const;               // T'x
  std::vector<double> weights(const std::vector<double>& inside) const; // T inside
};

// `covariance`: size x size, both triangles. `least`: of each column, the variance that rounding alone can leave; a
// column with no more has none.
Whitening whiten(const double* covariance, const std::vector<double>& least, double tolerance);

} // namespace recta::discriminant
