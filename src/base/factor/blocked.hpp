// Cholesky factorisation of a large matrix over the pool: LAPACK's own up to 1000 columns, above that right-looking in
// panels of fixed width, whose updates are fixed tiles. The same bits at any number of threads.
#pragma once

#include "base/pool.hpp"

namespace recta {

// The upper triangle by column becomes R with A = R'R; what lies below is not touched. False: not positive definite.
bool blocked_cholesky(double* a, Index size, Pool* pool);

} // namespace recta
