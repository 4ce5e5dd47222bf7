// The cost of a least-squares fit of a table here, before it is started, by the solver that its shape chooses. For the
// solvers by products (gram, dual):
//   time    n d^2 flops for the Gram matrix and 10 d^3 for factor, inverse and singular values, at the speed of a short
//           trial on one core, times the cores; never less than two passes over the rows at kBandwidth; and the start
//   memory  the Gram matrix in two parts of 8 d^2 bytes, once a thread and once a level of the merge tree, and the
//           blocks of rows being encoded
// with d = p + k features and targets, or n if there are fewer rows than features.
// For lsmr, which sparse rows of many columns and dense ones of very many take:
//   time    kProducts products, each of which reads the numbers stored and a few vectors of p and of n numbers
//   memory  names, statistics and coefficients of the columns, a few numbers per row, and the blocks being encoded
#pragma once

#include <recta/error.hpp>

namespace recta::checkup {

struct Cost {
  double seconds = 0;
  std::uint64_t bytes = 0;
};
struct FitShape {
  Index rows = 0, features = 0, targets = 1;
  Index stored = 0; // numbers of all rows that are not zero by the layout
  bool sparse = false;
};
Cost fit_cost(const FitShape& shape, int threads);
// Memory of the solvers by products alone.
std::uint64_t fit_bytes(Index rows, Index features, Index targets, int threads);

} // namespace recta::checkup
