// A machine over the few rows near its margin, which are here, beside all the others, which are on one side of it and
// stay there:
//
//   min over x = (w, b) of  1/2 x'Q x - <q, x> + sum_i k_i phi(1 - <a_i, x>),   a_i = t_i (u_i, 1),
//
// phi smoothed over a width m (margin_sums.hpp). The rows beyond the band are in q. It is solved by an interior point
// method on its dual, 0 <= alpha_i <= k_i with the ridge m / k_i, then by Newton's method from the rows that the first
// puts into the zone: exact as soon as these are the right ones, since the problem is a parabola on each piece.
#pragma once

#include <recta/error.hpp>

#include <vector>

namespace recta::svm {

struct HeldProblem {
  Index size = 0;             // p + 1
  std::vector<double> a;      // size numbers per row
  std::vector<double> k;      // > 0
  std::vector<double> q;      // size
  std::vector<double> square; // Q, size x size, lower triangle
  double width = 1;

  Index rows() const { return static_cast<Index>(k.size()); }
};

// From `start`, until the complementarity that is left is at most `tolerance`.
std::vector<double> solve_held(const HeldProblem& problem, const std::vector<double>& start, double tolerance);

} // namespace recta::svm
