// Matrices turned over square by square, so that either side stays in the cache.
#pragma once

#include "base/pool.hpp"

namespace recta {

// The numbers of a matrix by column, written by row.
void write_by_row(const double* by_column, Index rows, Index cols, double* by_row);

// A symmetric matrix of which the upper triangle is there, by column: the lower one becomes its copy.
void mirror_upper(double* a, Index n, Pool& pool);

} // namespace recta
