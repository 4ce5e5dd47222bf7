// Whether a hyperplane separates two classes of rows: the judge of the claims of solver/separation (or of anybody).
//
// Everything rests on multipliers a >= 0 that sum to 1 (to 1/2 in each class if the intercept is free) and on v = sum
// a_i y_i x_i. No hyperplane has a margin above |v|, for the margin of a unit normal q is at most sum a_i y_i <q, x_i>
// = <q, v>. So
//   v = 0                                      not separable (Gordan)
//   y_i (<w, x_i> + b) > 0 for every row       separable, with a margin between min_i y_i (<w, x_i> + b) / |w| and |v|
//
// Exact: whole numbers only. The rows that have multipliers are taken from the claim and their multipliers solved for
// anew, as fractions: with v = 0, or with |v| least. Rows that are clearly far are told by doubles with a bound on
// their rounding, the others by fractions. If that is too much work, v is summed in double-double and every row's side
// is computed with a bound on its rounding; an answer that the bounds cannot tell is undecided.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "objective/separation/claim.hpp"

#include <recta/separability.hpp>

#include <span>

namespace recta::separation {

struct LabelledRows {
  RowSource& source;
  std::span<const double> sign; // 1, -1; 0: the row is not there
  bool intercept = true;        // free
  bool constant = false;        // one more feature, 1 in every row, last
};

// Verdict, margins, hyperplane and multipliers; names are the caller's to add.
Result<Separability> certify(const SeparationClaim& claim, const LabelledRows& rows, const Watch& watch);

} // namespace recta::separation
