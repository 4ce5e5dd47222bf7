// The exact minimum over one block: argmin_u  tr(u'Hu) / 2 - <rho, u> + l1 |u| + l2 |u|^2 / 2, H = Z_g'Z_g.
//
// It is zero if |rho| <= l1. Otherwise its length v solves, with H = Q diag(h) Q' and c = Q'rho,
//   phi(v) = sum_i |c_i|^2 / ((h_i + l2) v + l1)^2 = 1,
// and u = Q diag(v / ((h + l2) v + l1)) c. 1 / sqrt(phi) - 1 is concave and rises (More and Sorensen 1983), so Newton's
// method from v = 0 climbs to the root without ever passing it.
#pragma once

#include "solver/block_descent/block.hpp"

#include <vector>

namespace recta::descent {

class BlockStep {
public:
  // gram: m x m, `stride` apart.
  BlockStep(Index size, const double* gram, Index stride);

  // rho and u: m x k by target.
  void minimise(const Block& block, std::span<const double> rho, std::span<double> u) const;

private:
  double length(const Block& block, std::span<const double> squares) const;

  Index size_;
  std::vector<double> values_, vectors_; // of H; no vectors if m = 1
};

} // namespace recta::descent
