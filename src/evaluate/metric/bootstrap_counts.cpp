#include "base/numbers.hpp"
#include "base/random.hpp"

#include <recta/metrics.hpp>

namespace recta::metric {

// Every resample is a stream of random numbers of its own, so that they can be drawn in any order.
std::vector<double> bootstrap_counts(Index rows, std::uint64_t seed, std::uint64_t resample) {
  Random random(seed, resample);
  std::vector<double> counts(at(rows), 0.0);
  for (Index i = 0; i < rows; ++i) ++counts[random.below(static_cast<std::uint64_t>(rows))];
  return counts;
}

} // namespace recta::metric
