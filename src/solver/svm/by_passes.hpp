// Linear machines of rows that are only read in passes: they stream past, or stand in parts on other machines. Every
// pass gathers sums (margin_sums.hpp) at one point per machine; memory does not grow with the rows.
//
// 1. Newton's method on the loss smoothed over a width m, which falls as the steps settle (the squared hinge needs no
//    smoothing, and this is all). The zone 0 < l < m must hold many more rows than there are columns for this to go
//    well.
// 2. As soon as all rows in a band around the margin, wider than m, are few enough to be held, they come with the sums.
//    The machine of these rows, with all others fixed on their sides, is a lower bound that is exact where no other row
//    crosses the margin. It is solved here, without a pass (held_problem.hpp), at a width so small that smoothing costs
//    less than the tolerance. If its answer would move rows outside the band by more than half of it, a penalty on
//    their moves is added. One or two such steps end the search; 10 to 15 passes are usual in all.
//
// A point and its width are a dual point too: the coefficient of a row is C v d t, so that the gap is known at every
// pass. The answer is the best point with the rule of the best dual point, which need not be the same: if no hyperplane
// is better than none, w = 0 is the answer, and the rule is that of a point near it. What the search says is proved
// elsewhere (certificate/svm/by_rule.hpp).
#pragma once

#include "design/row_source.hpp"
#include "solver/svm/margin_sums.hpp"

#include <recta/trace.hpp>

#include <functional>

namespace recta::svm {

struct PassesProblem {
  Loss loss = Loss::hinge; // or the squared hinge
  bool intercept = true;
  double intercept_scale = 0; // b divided by this counts in the penalty like a weight; 0: b is free
  std::vector<double> centre; // zeros unless b is free
  std::vector<Sides> machines;
  std::function<double(double weight)> cost; // C of a row of weight 1, for rows of this weight
  double tolerance = 1e-10;                  // of P - P*, in units of the null cost
  Index most_numbers = 4'000'000;            // of rows of many columns that are held, for all machines together
};

struct PassesMachine {
  std::vector<double> at;      // w, then b about the centre
  std::vector<double> rule;    // the same of the point whose coefficients are the best dual point
  double width = 1;            // of the rule
  double cost = 1, weight = 0; // C, and the weight of its rows
  bool gave_up = false;
};

struct PassesSolution {
  std::vector<PassesMachine> machines;
  Index passes = 0;
  bool interrupted = false;
};

// If interrupted before there is an answer, it returns an error of that name; afterwards the best so far.
Result<PassesSolution> solve_by_passes(const PassesProblem& problem, RowSource& rows, Pool& pool, const Watch& watch);

// Columns that it can take: a pass sums the products of all pairs of them.
inline constexpr Index kPassesColumns = 1500;

} // namespace recta::svm
