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

// Products in double, by tiles; adds to what is there, in double.
void add_dense(Gram& gram, const Batch& batch, Pool* pool);
// Everything in double-double. Only into an empty one.
void add_extended(Gram& gram, const Batch& batch);
// Outer products of the stored numbers about zero in double-double. Only into an empty one.
void add_sparse(Gram& gram, const Batch& batch);

// The batch's weights of the present rows, and their sum.
struct Weights {
  std::vector<Index> rows;    // present ones, by number inside the batch
  std::vector<double> weight; // theirs; empty: all one
  DoubleDouble sum;
};
Weights present_weights(const Batch& batch);

} // namespace recta::gram
