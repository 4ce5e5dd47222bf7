// Linear machines with many more rows than columns, by a primal-dual interior point method whose steps solve one
// system of p + 1 equations (Ferris and Munson 2003; Mehrotra 1992 for the predictor and corrector).
//
// Every row has one piece (hinges) or two (tubes): sigma z >= theta - slack, sigma = t and theta = 1, or sigma = 1 and
// -1 with theta = sigma t - epsilon. With a piece's coefficient 0 < a < C, beta = sum sigma a, and r = 1 / C for the
// squared losses, which have no upper end,
//
//   s - xi = sigma z - theta + r a,   a s = mu,   (C - a) xi = mu,   w = X'beta,   sum beta = 0.
//
// Eliminating all but w and b leaves (I + X'T X, X'T 1; ., 1'T 1), T the sum over a row's pieces of 1 / (s / a + xi /
// (C - a) + r). It costs n p^2 per step, of which there are 10 to 30 whatever the units of the columns.
//
// Machines that find their margin or tube (objective/svm/groups.hpp) have a level r_g per group of pieces in place of
// b: s - xi = sigma z - theta - r_g, and the coefficients of a group add up to its mass.
#pragma once

#include "objective/svm/groups.hpp"
#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

#include <functional>

namespace recta::svm {

struct InteriorSettings {
  double gap = 0; // of P - D, by its complementarity
  Index steps = 60;
};

struct InteriorPoint {
  std::vector<double> beta;     // coefficients that go to an end of their box are there
  std::vector<double> w, inner; // the weights, and the coefficients as they were beside them, inside their boxes
  Index steps = 0;
};

InteriorPoint solve_by_interior_point(const Problem& problem, const LinearRows& rows, const InteriorSettings& settings,
                                      Pool& pool);

struct GroupedInteriorSettings {
  std::function<double(const std::vector<double>& levels)> gap = {}; // of P - D, at these levels
  Index steps = 100;
};

// As above, with the coefficients of the terms in place of those of the rows. Every mass must be less than the costs of
// its group together.
InteriorPoint solve_by_interior_point(const GroupedProblem& problem, const LinearRows& rows,
                                      const GroupedInteriorSettings& settings, Pool& pool);

} // namespace recta::svm
