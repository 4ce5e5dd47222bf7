// The Cholesky factor of G + diag(l2) over a changing set of coordinates, kept in the order in which they came. One
// that leaves is taken out by rotations in O(s^2), one that comes is appended in O(s^2): what a step of an active-set
// method needs. Where many leave at once, the factor is made anew from the first of them.
#pragma once

#include <recta/error.hpp>

#include <span>
#include <vector>

namespace recta::descent {

class SupportFactor {
public:
  // l2 is by coordinate. False: not positive definite even after a small shift of the diagonal.
  bool update(std::span<const Index> support, const double* gram, Index stride, std::span<const double> l2);
  // rhs and result by coordinate; those outside the support are not read and not written.
  void solve(std::span<const double> rhs, std::span<double> result) const;
  void forget() { order_.clear(); }

private:
  Index size() const { return static_cast<Index>(order_.size()); }
  Index leave(std::span<const Index> support, std::span<const double> l2); // how much of the factor is still right
  void take_out(Index place);
  void make_room(Index kept);
  bool extend(Index kept, const double* gram, Index stride, double shift);

  std::vector<Index> order_;
  std::vector<double> diagonal_; // l2 each was factored with
  double shift_ = 0;             // of the diagonal
  std::vector<double> l_;        // lower triangle by column, room_ apart
  Index room_ = 0;
  mutable std::vector<double> work_;
};

} // namespace recta::descent
