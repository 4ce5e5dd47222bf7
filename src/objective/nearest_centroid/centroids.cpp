#include "objective/nearest_centroid/centroids.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::nearest_centroid {
namespace {

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace

Spread spread_of(const std::vector<double>& weight, const std::vector<double>& mean, const std::vector<double>& scatter,
                 const std::vector<double>& centroid) {
  const std::size_t classes = weight.size(), p = mean.size() / classes;
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0);
  const double freedom = total - static_cast<double>(classes);
  Spread out{std::vector<double>(p), std::vector<double>(p)};
  for (std::size_t j = 0; j < p; ++j) {
    double squares = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      const std::size_t i = k * p + j;
      const double off = mean[i] - centroid[i];
      out.middle[j] += weight[k] / total * (mean[i] - mean[j]);
      squares += scatter[i] + weight[k] * off * off;
    }
    out.middle[j] += mean[j];
    out.deviation[j] = freedom > 0 ? std::sqrt(squares / freedom) : kNaN;
  }
  return out;
}

std::vector<double> shrunken(const std::vector<double>& centroid, const std::vector<double>& weight,
                             const Spread& spread, double threshold) {
  const std::size_t p = spread.middle.size();
  const double total = std::accumulate(weight.begin(), weight.end(), 0.0), middle = median_of(spread.deviation);
  std::vector<double> out = centroid;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    const double m = std::sqrt(1 / weight[k] - 1 / total);
    for (std::size_t j = 0; j < p; ++j) {
      const double unit = m * (spread.deviation[j] + middle), apart = centroid[k * p + j] - spread.middle[j];
      if (!(unit > 0)) continue;
      const double left = std::max(0.0, std::abs(apart) / unit - threshold);
      out[k * p + j] = spread.middle[j] + std::copysign(unit * left, apart);
    }
  }
  return out;
}

} // namespace recta::nearest_centroid
