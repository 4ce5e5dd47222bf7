// What a least-squares fit of a table would take here, before it is started.
//
//   time    n d^2 flops for the Gram matrix and 10 d^3 for factor, inverse and singular values, at the speed of a short
//           trial on one core, times the cores; never less than two passes over the rows at kBandwidth; and the start
//   memory  the Gram matrix in two parts of 8 d^2 bytes, once a thread and once a level of the merge tree, and the
//           blocks of rows being encoded
// with d = p + k features and targets, or n where there are fewer rows than features.
#pragma once

#include <recta/error.hpp>

namespace recta::checkup {

struct Cost {
  double seconds = 0;
  std::uint64_t bytes = 0;
};
Cost fit_cost(Index rows, Index features, Index targets, int threads);
std::uint64_t fit_bytes(Index rows, Index features, Index targets, int threads);

} // namespace recta::checkup
