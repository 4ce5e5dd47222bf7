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
#pragma once

#include "solver/svm/linear_rows.hpp"
#include "solver/svm/state.hpp"

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

} // namespace recta::svm
