// The row space of a wide matrix: A' = Q R, R' = U S V', so that A^+ = Q V S^+ U'.
#pragma once

#include "solver/least_squares.hpp"

namespace recta {

class RowSpace {
public:
  RowSpace(const std::vector<double>& a, Index n, Index p); // n x p by rows

  Index rank() const { return rank_; }
  std::vector<double> singular_values() const { return {values_.begin(), values_.begin() + rank_}; }
  double condition() const { return rank_ > 0 ? values_[0] / values_[rank_ - 1] : 1; }
  std::vector<double> solve(const std::vector<double>& y) const; // A^+ y: p numbers

private:
  Index n_, p_, inner_; // inner = min(n, p)
  Index rank_ = 0;
  std::vector<double> q_, tau_; // reflections
  std::vector<double> values_, u_, vt_;
};

// Singular values and shrinkage of A from A A' (upper triangle by column).
void spectrum_of_products(std::vector<double> products, Index n, double tau, LeastSquaresSolution& solution);

} // namespace recta
