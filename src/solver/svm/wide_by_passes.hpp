// Linear machines of rows that are only read in passes, with more columns than products of pairs of them can be summed.
// Every pass gathers a few numbers per column (margin_products.hpp), and memory does not grow with the rows.
//
// Newton's method goes down the smoothed loss at widths that fall as its steps settle, as in by_passes.hpp. Its steps
// are found by conjugate gradients, a pass for every product with the Hessian; the squared hinge needs nothing else. As
// soon as the rows in a band around the margin are few enough to be held, they come with the sums, as the numbers that
// they store. The machine of these rows, all others fixed on their sides, is solved here without a pass
// (margin_rows.hpp), at a width so small that smoothing costs less than the tolerance. If its answer lets other rows
// cross the margin, the best point on the way to it is the next to hold rows around.
#pragma once

#include "solver/svm/by_passes.hpp"

namespace recta::svm {

// Ends as solve_by_passes does.
Result<PassesSolution> solve_wide_by_passes(const PassesProblem& problem, RowSource& rows, Pool& pool,
                                            const Watch& watch);

} // namespace recta::svm
