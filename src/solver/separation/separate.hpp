// Can a hyperplane separate two classes? Candidates for either answer, for the certificate to judge:
//
//   separable       multipliers a of the point of least norm v = sum a_i y_i x_i, and the hyperplane along v
//   not separable   multipliers with v = 0: Gordan's witness
//   all but some    rows on which every hyperplane that has no row on its wrong side must pass, and one that does
//
// A working set of rows is solved exactly by NearestPoint; all rows are then looked at, and those that lie below join
// it. The answer rests on a handful of rows whatever the number of rows, and a set that is not separable is usually
// recognised from a few hundred of them. Columns are first brought to one scale, which does not change whether rows are
// separable; the widest margin is then sought in the units of the data.
#pragma once

#include "base/pool.hpp"
#include "objective/separation/claim.hpp"
#include "solver/gradient_descent/held_rows.hpp"

#include <span>
#include <vector>

namespace recta::separation {

struct Labelled {
  const SeenRows& rows;
  std::span<const double> sign; // 1, -1; 0: the row is absent
  bool intercept = true;        // a free one; false: through the origin
  bool constant = false;        // one more feature that is 1 in every row: the intercept counts in the norm
};

struct Candidate {
  SeparationClaim claim;
  Index looks = 0; // passes over the rows
};

Candidate separate(const Labelled& problem, Pool& pool);

} // namespace recta::separation
