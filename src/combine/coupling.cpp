#include "combine/coupling.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace recta::combine {
namespace {

constexpr double kLeast = 1e-7; // probabilities of pairs are kept this far from 0 and 1

// Solves a x = b in place by elimination with row pivots; a is by row.
void eliminate(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::abs(a[r * n + c]) > std::abs(a[pivot * n + c])) pivot = r;
    for (std::size_t j = 0; j < n; ++j) std::swap(a[c * n + j], a[pivot * n + j]);
    std::swap(b[c], b[pivot]);
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = a[r * n + c] / a[c * n + c];
      for (std::size_t j = c; j < n; ++j) a[r * n + j] -= factor * a[c * n + j];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t j = r + 1; j < n; ++j) b[r] -= a[r * n + j] * b[j];
    b[r] /= a[r * n + r];
  }
}

} // namespace

void couple(Index classes, const double* first, double* out) {
  const std::size_t k = at(classes), n = k + 1;
  std::vector<double> a(n * n), b(n);
  std::size_t pair = 0;
  for (std::size_t s = 0; s < k; ++s)
    for (std::size_t t = s + 1; t < k; ++t, ++pair) {
      const double of_first = std::clamp(first[pair], kLeast, 1 - kLeast), of_second = 1 - of_first;
      a[s * n + s] += of_second * of_second;
      a[t * n + t] += of_first * of_first;
      a[s * n + t] = a[t * n + s] = -of_first * of_second;
    }
  for (std::size_t s = 0; s < k; ++s) a[s * n + k] = a[k * n + s] = 1;
  b[k] = 1;
  eliminate(a, b);
  double sum = 0;
  for (std::size_t s = 0; s < k; ++s) sum += out[s] = std::max(b[s], 0.0);
  for (std::size_t s = 0; s < k; ++s) out[s] /= sum;
}

} // namespace recta::combine
