// Whether a matrix of doubles that somebody gave as a kernel is positive semidefinite: shown, not estimated, since one
// eigenvalue below zero, however small, makes the objective of a kernel machine unbounded below.
//
// Scaled by powers of two so that its diagonal is near 1, K is positive definite if the Cholesky factorisation of
// K - c I runs through with c >= 2 (n + 3) u tr K (Rump 2006), in double-double up to 300 rows. Where some rows are
// combinations of others, K is congruent to the block of the others beside zeros if that block is definite and the rank
// of K is its size, which exact_span.hpp shows modulo primes. Numbers across the diagonal may differ by their rounding
// if every matrix between K and its transpose is shown to be definite with it.
#pragma once

#include "base/pool.hpp"
#include "design/row_source.hpp"
#include "kernel/kernel.hpp"

#include <recta/matrix.hpp>

namespace recta {

// False: it is not, or it could not be shown.
Result<bool> shown_definite(const MatrixView& k, Pool& pool);

// Whether the kernel matrix of the rows is known to be positive semidefinite: by what the kernel is, or shown for a
// matrix that was given, which the rows are.
Result<bool> is_definite(const kernel::Kernel& kernel, RowSource& source, Pool& pool);

} // namespace recta
