// Newton steps over non-zero blocks, where the cost is smooth. With u_g = v_g n_g, |n_g| = 1, its Hessian is
//
//   H = M x I_k - sum_g c_g n_g n_g',    M = A + diag(l2 + c_g),   c_g = l1 / v_g
//
// with A the products of the columns. For one target H is factored as it stands. For more it would be k times as wide;
// but it differs from M x I_k by one direction per block, and by the Woodbury formula
//
//   H^-1 = M^-1 + M^-1 N K^-1 N' M^-1,   K_gh = [g = h] / c_g - <n_g, M^-1_gh n_h>
//
// which costs two factors as wide as the columns, however many targets there are. The step goes to the minimum along
// the direction, 1 at most: the root of an increasing derivative. If that is less than 1, the blocks that are near zero
// there were in the way: they are set to zero if that lowers the cost too, and the next step goes without them. If
// several columns are nearly the same, all except one are left behind in this way, which sweeps would take very long to
// do.
#pragma once

#include "base/blas.hpp"
#include "solver/block_descent/block.hpp"

#include <cstdint>
#include <vector>

namespace recta::descent {

struct SmoothBlock {
  Index start = 0, size = 0; // its columns
  const Block* block = nullptr;
};

class Newton {
public:
  enum class Taken : std::uint8_t { none, shortened, landed, full }; // landed: some blocks are zero now

  // gram: products of all `columns` columns.
  Newton(std::vector<SmoothBlock> blocks, blas::ConstMatrix gram, Index targets);

  // u and q, columns x k by target, move together. A block that ends at zero is exactly zero; no further step follows
  // one that landed.
  Taken step(std::vector<double>& u, std::vector<double>& q);

private:
  Index size() const { return static_cast<Index>(places_.size()); }
  void look(const std::vector<double>& u, const std::vector<double>& q);
  std::vector<double> system(double shift) const; // M
  bool solve();                                   // solves for the direction; false: no factor
  bool solve_one(double shift);
  bool solve_many(double shift);
  std::vector<double> capacitance(std::vector<double> factor) const; // K, from the factor of M
  template <class Visit>
  void each(const Visit& visit) const; // visit(block, place among s x k, place among columns x k)
  double step_length(const std::vector<double>& image) const;
  std::vector<double> multiply(const std::vector<double>& d) const; // by the products: columns x k
  // The decrease of the cost at u + d.
  double gain(const std::vector<double>& d, const std::vector<double>& image) const;
  // The direction, except that blocks of which it leaves at most this share go all the way to zero.
  std::vector<double> to_zero(double near) const;
  bool land(); // sets blocks that the direction takes to zero, to rounding, exactly to zero; true: there are some

  std::vector<SmoothBlock> blocks_;
  std::vector<Index> first_;    // of each block among the s columns in use, and s
  std::vector<Index> places_;   // s: of these among all columns
  std::vector<double> product_; // all columns x s
  Index columns_, targets_;
  // At the point, s x k by target.
  std::vector<double> u_, normal_, down_, direction_; // down: minus the gradient
  std::vector<double> length_;                        // one per block
};

} // namespace recta::descent
