// out_k = sum_j (query_j - x_ij)^2 for the rows i of a list, lane j mod 8: the rows are floats, widened, and the query
// and the sums are doubles. The rows of a list lie anywhere, so those that come next are prefetched meanwhile.
#pragma once

#include "base/simd/body/exact.hpp"
#include "base/simd/body/layout.hpp"

namespace recta::simd {
namespace {

void list_distances(const double* query, const float* x, Index cols, const std::uint32_t* list, Index count,
                    double* out) {
  constexpr Index kAhead = 2, kFloatsOfALine = 16;
  for (Index k = 0; k < count; ++k) {
    if (k + kAhead < count) {
      const float* next = x + static_cast<Index>(list[k + kAhead]) * cols;
      for (Index j = 0; j < cols; j += kFloatsOfALine) __builtin_prefetch(next + j);
    }
    const float* row = x + static_cast<Index>(list[k]) * cols;
    Pack acc[kParts];
    for (Index h = 0; h < kParts; ++h) acc[h] = zero();
    Index j = 0;
    for (; j + kLanes <= cols; j += kLanes)
      for (Index h = 0; h < kParts; ++h) {
        const Pack apart = load(query + j + h * kWidth) - load(row + j + h * kWidth);
        acc[h] = fma(apart, apart, acc[h]);
      }
    if (j < cols)
      for (Index h = 0; h < kParts; ++h) {
        const Index place = j + h * kWidth, left = cols - place;
        const Pack apart = take(query + place, 1, left) - take(row + place, 1, left);
        acc[h] = fma(apart, apart, acc[h]);
      }
    out[k] = lane_sum(acc);
  }
}

} // namespace
} // namespace recta::simd
