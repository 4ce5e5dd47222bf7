// How one block of rows enters an empty Gram matrix (or, the dense way, one that has rows already).
#pragma once

#include "base/double_double.hpp"
#include "stats/gram/gram.hpp"

namespace recta::gram {

// Calls task for every number, on the pool's threads where there is a pool.
template <class Task>
void spread(Pool* pool, Index tasks, const Task& task) {
  if (pool != nullptr && tasks > 1) return pool->run(tasks, [&](Index i, int) { task(i); });
  for (Index i = 0; i < tasks; ++i) task(i);
}

// The batch's weights of the present rows, and their sum.
struct Weights {
  std::vector<Index> rows;    // present ones, by number inside the batch
  std::vector<double> weight; // theirs; empty: all one
  DoubleDouble sum;
};
Weights present_weights(const Batch& batch);

// Into a matrix without rows; there are rows to add.
void add_narrow(Gram& gram, const Batch& batch, const Weights& present, Gram::Workspace& room); // in double, by tiles
void add_extended(Gram& gram, const Batch& batch, const Weights& present);                      // in double-double
void add_sparse(Gram& gram, const Batch& batch, const Weights& present); // stored numbers only, in double-double
// Stored numbers only, in double. False: that would lose digits, and nothing was added.
bool add_compressed(Gram& gram, const Batch& batch, const Weights& present);

// Into any matrix: tiles shared out among threads, added in double to what is there.
void add_wide(Gram& gram, const Batch& batch, const Weights& present, Pool& pool);

} // namespace recta::gram
