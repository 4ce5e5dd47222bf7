// Newton's method under a penalty on absolute values where p x p sums are too many (Lee, Sun and Saunders 2014, over
// working sets): most coefficients are zero, and only columns that break their condition come into play. Over these
// every step is an elastic net, which solver/coordinate_descent ends exactly, so the end is quadratic.
//
// d = -loss' is what a look at the columns needs: column j may stay zero while |<x_j, d>| <= lambda1 v_j. It is not
// looked at while its last product, and the way d has gone since, prove that: |<x_j, d - d'>| <= sd_j ||d - d'||. And
// it is discarded for good once the gap G proves that it is zero at the optimum (gap-safe, Ndiaye et al. 2017):
// |<x_j, d>| + sd_j sqrt(2 L G) < lambda1 v_j, L the bound of the curvature. Products are weighted, by s = v / sum v.
#pragma once

#include "solver/newton/proximal.hpp"

#include <recta/matrix.hpp>

#include <span>
#include <variant>

namespace recta {

struct ColumnRows {
  std::variant<MatrixView, SparseView> x;    // sparse: by column
  std::span<const double> y, weight, offset; // weight empty: all one; offset empty: all zero
};

// For losses whose curvature is positive everywhere and bounded; the objective has lambda1 above zero. Stopped by the
// watch: the best so far.
ProximalSolution solve_by_column_newton(const NewtonProblem& problem, const ColumnRows& rows, Pool& pool,
                                        const Watch& watch = {});

} // namespace recta
