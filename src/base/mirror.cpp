#include "base/mirror.hpp"

#include <algorithm>

namespace recta {

// Square by square, so that either side stays in the cache. The longest strips come first, so that threads end
// together.
void mirror_upper(double* a, Index n, Pool& pool) {
  constexpr Index kSquare = 32;
  const Index strips = (n + kSquare - 1) / kSquare;
  pool.run(strips, [&](Index task, int) {
    const Index j0 = (strips - 1 - task) * kSquare, j1 = std::min(n, j0 + kSquare);
    for (Index i0 = 0; i0 <= j0; i0 += kSquare)
      for (Index i = i0; i < std::min(j1, i0 + kSquare); ++i)
        for (Index j = std::max(j0, i + 1); j < j1; ++j) a[i * n + j] = a[j * n + i];
  });
}

} // namespace recta
