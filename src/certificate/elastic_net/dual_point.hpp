// Bounds on F - F* for one target, each by a dual point of its own.
//
// Let e = g - a sgn(w) - t w on the columns S, H = A_SS + T and eta^2 = e' H^-1 e. The point that an exact solve on S
// would reach leaves the residual r - X_S q, q = H^-1 e. As dual point it meets the penalties of S exactly, costs eta^2
// / 2, and moves any other g_j by at most sqrt(A_jj) eta (Cauchy and Schwarz): quadratic in the error, and exact if
// columns are not penalised at all. Scaled by c < 1, convexity gives at most
//   1/2 ((1 - c) |r| + c eta)^2 + c eta^2 / 2 + (1 - c) P_S(w)       beside the terms of the other columns.
// If S is empty: the residual itself.
#pragma once

#include "certificate/elastic_net/facts.hpp"
#include "certificate/elastic_net/products.hpp"
#include "objective/least_squares/exact_dependence.hpp"

namespace recta {

struct GapBound {
  double gap = 0;
  double slack = 0; // bound on what rounding did to it
};

// The answer for one target, and what a pass over the rows found.
struct TargetAnswer {
  std::vector<double> w;
  std::vector<DoubleDouble> g; // X'S r, about the means if centred
  std::vector<double> error;   // bound on what rounding did to g
  DoubleDouble mean_square;    // of r: about its mean if there is an intercept
  GapBound intercept;          // the cost of b: half its square if free, the distance to its value if tied
};

// The bound by the residual, scaled; no more than c = 0 gives, which is F itself.
GapBound bound_by_residual(const std::vector<Term>& terms, const TargetAnswer& answer);

// Columns for an exact solve, and their products, without which there are none. Those that depend on earlier ones among
// them are treated as the rest, except those without a penalty that are `implied`: these meet whatever the columns that
// make them up meet.
struct SolvedColumns {
  std::vector<Index> columns = {};
  std::vector<Combination> implied = {};
  const Products* products = nullptr;
};
bool solved_in_double_double(const Products& products, std::size_t columns);

GapBound bound_by_solve(const std::vector<Term>& terms, const ColumnFacts& facts, const TargetAnswer& answer,
                        const SolvedColumns& chosen, Pool& pool);

// The bound for the constrained form. `terms` have the weights v_j for a; `chosen` includes all columns without one
// and, for a bound that is quadratic in the error, those in use.
struct BallBound {
  GapBound bound;
  double multiplier = 0;
};
BallBound bound_by_ball(const std::vector<Term>& terms, double psi, const ColumnFacts& facts,
                        const TargetAnswer& answer, const SolvedColumns& chosen, Pool& pool);

} // namespace recta
