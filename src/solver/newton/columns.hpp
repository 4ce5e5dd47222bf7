// Newton's method with a penalty on absolute values, for columns so many that p x p sums do not fit (Lee, Sun and
// Saunders 2014, over working sets): most coefficients are zero, and only columns that violate their condition enter
// the working set. Every step over it is an elastic net, which solver/coordinate_descent solves exactly, so the
// convergence at the end is quadratic.
//
// A look at the columns needs d = -loss': column j may stay zero while |<x_j, d>| <= lambda1 v_j. It is not looked at
// while its last product, and the distance d has moved since, prove that: |<x_j, d - d'>| <= sd_j ||d - d'||. It is
// discarded permanently once the gap G proves that it is zero at the optimum (gap-safe, Ndiaye et al. 2017): |<x_j, d>|
// + sd_j sqrt(2 L G) < lambda1 v_j, L the bound of the curvature. Products are weighted by s = v / sum v.
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

// For losses whose curvature is positive everywhere and bounded; the objective has positive lambda1. If the watch stops
// it, it returns the best answer so far.
ProximalSolution solve_by_column_newton(const NewtonProblem& problem, const ColumnRows& rows, Pool& pool,
                                        const Watch& watch = {});

} // namespace recta
