// Tibshirani's form of the lasso: minimises F without lambda1 subject to sum_j v_j |w_j| <= psi.
//
// The length sum v |w| of the answer to the penalised problem falls from its greatest value at lambda1 = 0 to zero at
// lambda1_max, continuously and linearly between the points where a column enters or leaves; so does w itself. The
// lambda1 that belongs to psi is first enclosed by halving from lambda1_max, then found by linear interpolation with
// a guard against one end that stays (Illinois). As soon as both ends use the same columns with the same signs the
// interpolation is no approximation: w is on the segment between the two answers, where its length is psi.
#pragma once

#include "solver/elastic_net.hpp"

namespace recta {

struct ConstrainedSolution {
  ElasticNetSolution solution;
  double lambda1 = 0; // 0: the bound is not active
  double lambda1_max = 0;
};

// `length` holds the v_j in the units of w (v_j sd_j if standardised); the objective's lambda1 is ignored.
ConstrainedSolution solve_constrained(ElasticNetSolver& solver, ElasticNetObjective objective, double psi,
                                      std::span<const double> length, double tolerance, const Watch& watch = {});

} // namespace recta
