// Adds one block of rows to an empty Gram matrix (or, if dense, also to one that has rows already).
#pragma once

#include "base/double_double.hpp"
#include "stats/gram/gram.hpp"

namespace recta::gram {

// Calls task for every number, on the pool's threads if there is a pool.
template <class Task>
void spread(Pool* pool, Index tasks, const Task& task) {
  if (pool != nullptr && tasks > 1) return pool->run(tasks, [&](Index i, int) { task(i); });
  for (Index i = 0; i < tasks; ++i) task(i);
}

// The weights of the present rows of a batch, and their sum.
struct Weights {
  std::vector<Index> rows;    // present ones, by number inside the batch
  std::vector<double> weight; // of those rows; empty: all one
  DoubleDouble sum;
};
Weights present_weights(const Batch& batch);

// These add to a matrix without rows; there must be rows to add.
void add_narrow(Gram& gram, const Batch& batch, const Weights& present, Gram::Workspace& room); // in double, by tiles
void add_extended(Gram& gram, const Batch& batch, const Weights& present);                      // in double-double
void add_sparse(Gram& gram, const Batch& batch, const Weights& present); // stored numbers only, in double-double
// Adds stored numbers only, in double. False: that would lose digits, and nothing was added.
bool add_compressed(Gram& gram, const Batch& batch, const Weights& present);

// Adds to any matrix: tiles are shared among threads and added in double to what is there.
void add_wide(Gram& gram, const Batch& batch, const Weights& present, Pool& pool);

} // namespace recta::gram
