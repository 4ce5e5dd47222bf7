// Rows near the margin of a linear machine of many columns, as the numbers that they store, and the machine that they
// make beside all other rows, which are on one side of the margin and stay there:
//
//   min over x = (w, b) of  1/2 sum_j s_j x_j^2 - <q, x> + sum_i C v_i phi(1 - t_i <u_i, x>),
//
// phi smoothed over a width (margin_tally.hpp), the rows beyond the band in q. A small width makes Newton's method
// slow, so the method of multipliers comes first: with coefficients d_i (in units of C v_i) it goes to the minimum of
// the same objective with the lacks moved by d_i times a large width, takes the coefficients of this minimum, and goes
// on from there (Li, Sun and Toh 2018 solve the lasso in this way). Then the rows with 0 < d_i < 1 are the zone of the
// small width, and one step ends there. Steps of Newton's method are found by conjugate gradients, so that nothing is
// larger than the rows; their lengths are exact, since along a line the objective is made of parabolas.
#pragma once

#include "base/factor/cholesky.hpp"
#include "solver/svm/margin_tally.hpp"
#include "stats/state_bytes.hpp"

#include <cstdint>

namespace recta::svm {

struct MarginRows {
  std::vector<double> side, weight;
  std::vector<Index> start{0}; // of each row among its numbers
  std::vector<std::int32_t> column;
  std::vector<double> value;

  Index rows() const { return std::ssize(side); }
  double score(std::size_t i, const std::vector<double>& x, bool constant) const; // <u_i, x>
  void append(const MarginRows& other);
  void put(StateWriter& out) const;
  static MarginRows read(StateReader& in, Index cols);
};

// The factor of S + sum_i c_i u_i u_i', S a diagonal: a Hessian of these rows. So many columns at most have one, u's
// constant among them: it takes 8 p^2 bytes.
constexpr Index kMostFactored = 6000;
Cholesky<double> factor_of(const MarginRows& rows, const std::vector<double>& curvature,
                           const std::vector<double>& square, bool constant);

struct MarginRowsProblem {
  const MarginRows& rows;
  const MarginObjective& objective;
  bool constant = true;       // u ends with the constant 1; otherwise with 0
  std::vector<double> q = {}; // p + 1
  double width = 1;           // at the end
};

struct MarginRowsWidths {
  double rule = 1;  // that gives the coefficients at the start
  double first = 1; // to take steps at
};

// From `start`, until the objective and that of the coefficients differ by less than `tolerance`.
std::vector<double> solve_margin_rows(const MarginRowsProblem& problem, std::vector<double> start,
                                      MarginRowsWidths widths, double tolerance);

} // namespace recta::svm
