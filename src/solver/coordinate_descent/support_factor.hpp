// The Cholesky factor of G + diag(l2) over a changing set of coordinates, kept in the order in which they came. A
// coordinate that leaves is removed by rotations in O(s^2), and a new one is appended in O(s^2), as the steps of an
// active-set method need. If many leave at once, the factor is recomputed from the first of them on.
#pragma once

#include <recta/error.hpp>

#include <span>
#include <vector>

namespace recta::descent {

class SupportFactor {
public:
  // l2 is by coordinate. False: not positive definite even after a small shift of the diagonal.
  bool update(std::span<const Index> support, const double* gram, Index stride, std::span<const double> l2);
  // rhs and result are by coordinate; those outside the support are neither read nor written.
  void solve(std::span<const double> rhs, std::span<double> result) const;
  void forget() { order_.clear(); }

private:
  Index size() const { return static_cast<Index>(order_.size()); }
  Index leave(std::span<const Index> support, std::span<const double> l2); // returns how much of it is still valid
  void take_out(Index place);
  void make_room(Index kept);
  bool extend(Index kept, const double* gram, Index stride, double shift);

  std::vector<Index> order_;
  std::vector<double> diagonal_; // l2 with which each coordinate was factored
  double shift_ = 0;             // of the diagonal
  std::vector<double> l_;        // lower triangle by column, room_ apart
  Index room_ = 0;
  mutable std::vector<double> work_;
};

} // namespace recta::descent
