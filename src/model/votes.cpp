#include "model/votes.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace recta {

void count_votes(std::span<const PairVote> pairs, Index classes, double* out) {
  std::vector<double> sum(at(classes));
  std::fill_n(out, classes, 0.0);
  for (const PairVote& pair : pairs) {
    ++out[pair.margin >= 0 ? pair.first : pair.second];
    sum[at(pair.first)] += pair.margin;
    sum[at(pair.second)] -= pair.margin;
  }
  for (Index k = 0; k < classes; ++k) {
    const double m = std::clamp(sum[at(k)], -1e300, 1e300); // an infinite margin is a large one
    out[k] += m / (3 * (std::abs(m) + 1));
  }
}

} // namespace recta
