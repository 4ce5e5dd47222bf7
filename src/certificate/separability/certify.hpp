// Whether a hyperplane separates two classes of rows: the judge of what solver/separation (or anybody) claims.
//
// Everything rests on multipliers a >= 0 that sum to 1 (to 1/2 in each class where the intercept is free) and on
// v = sum a_i y_i x_i. No hyperplane has a margin above |v|, for the margin of a unit normal q is at most
// sum a_i y_i <q, x_i> = <q, v>. So
//   v = 0                                      not separable (Gordan)
//   y_i (<w, x_i> + b) > 0 for every row       separable, with a margin between min_i y_i (<w, x_i> + b) / |w| and |v|
//
// Exact: whole numbers only. The rows that have multipliers are taken from the claim and their multipliers solved for
// anew, as fractions: with v = 0, or with |v| least. Rows that are clearly far are told by doubles with a bound on
// their rounding, the others by fractions. Where that is too much work, v is summed in double-double and every row's
// side is computed with a bound on its rounding; an answer that the bounds cannot tell is undecided.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"

#include <recta/separability.hpp>

#include <span>

namespace recta::separation {

struct Hyperplane {
  std::vector<double> w;
  double b = 0; // fixed where the intercept is not free
};

struct SeparationClaim {
  std::vector<Index> rows; // whose multipliers are not zero, ascending
  std::vector<double> multipliers;
  bool zero = false;                   // their sum is zero to rounding: not separable
  std::vector<Index> general = {};     // then: other rows that may cancel exactly, as many as there are equations
  std::vector<Hyperplane> hyperplanes; // to choose the better of; separable: along v
  std::vector<Index> on; // not separable: the first hyperplane passes through these, all others are on their sides
  std::vector<Index> forced_by; // rows that span those
  std::vector<Index> beyond =
      {}; // and of the others those nearest to it, all as near: it is at right angles to the first
  // Not separable: lists of rows, each with multipliers above zero whose v is in the span of the lists before it. All
  // lie on every hyperplane that has no row on its wrong side, and so does their span.
  std::vector<std::vector<Index>> layers = {};
};

struct LabelledRows {
  RowSource& source;
  std::span<const double> sign; // 1, -1; 0: the row is not there
  bool intercept = true;        // free
  bool constant = false;        // one more feature, 1 in every row, last
};

// Verdict, margins, hyperplane and multipliers; names are the caller's to add.
Result<Separability> certify(const SeparationClaim& claim, const LabelledRows& rows, const Watch& watch);

} // namespace recta::separation
