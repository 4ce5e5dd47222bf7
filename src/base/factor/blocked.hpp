// Operations on large triangles over the pool. Cholesky factorisation: LAPACK's own up to 1000 columns; above that,
// right-looking in panels of fixed width, whose updates are fixed tiles. The bits are the same at any number of
// threads. Ends with Interrupted when the calling thread is told to stop (base/listening.hpp).
#pragma once

#include "base/pool.hpp"

#include <vector>

namespace recta {

// Runs on the pool if there is one, otherwise one task after the other.
void run_over(Pool* pool, Index tasks, const std::function<void(Index task, int worker)>& task);

// The upper triangle by column becomes R with A = R'R; nothing below it is touched. False: not positive definite.
bool blocked_cholesky(double* a, Index size, Pool* pool);

// Squared norms of the rows of R^-1, by groups of columns of fixed width.
std::vector<double> inverse_row_squares(const double* r, Index size, Pool* pool);

} // namespace recta
