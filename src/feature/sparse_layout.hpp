// When encoded rows are kept sparse.
#pragma once

#include <recta/error.hpp>

namespace recta::feature {

// Above this many features, with at most this share of them non-zero. `full`: features of a row that are rarely zero.
inline bool keeps_sparse(Index features, Index full) {
  constexpr Index kSparseFrom = 256;
  constexpr double kSparseShare = 0.1;
  return features >= kSparseFrom && static_cast<double>(full) <= kSparseShare * static_cast<double>(features);
}

} // namespace recta::feature
