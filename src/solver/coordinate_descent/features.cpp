#include "solver/coordinate_descent/features.hpp"

#include "base/sums.hpp"

#include <algorithm>
#include <cmath>

namespace recta::descent {

double power_of_two_near(double length) {
  if (!(length > 0) || !std::isfinite(length)) return 1;
  int exponent = 0;
  std::frexp(length, &exponent);
  return std::ldexp(1.0, exponent);
}

void Features::resize(Index cols) {
  const auto p = static_cast<std::size_t>(cols);
  for (auto* each : {&mean, &length, &unit, &norm, &correlation}) each->assign(p, 0);
}

void Features::set_column(Index j, double column_length, double product) {
  constexpr double kRounding = 8 * 0x1p-53; // what the mean's own rounding leaves of a constant column
  if (column_length <= kRounding * std::abs(mean[j])) column_length = product = 0;
  length[j] = column_length;
  unit[j] = power_of_two_near(column_length);
  norm[j] = column_length / unit[j];
  correlation[j] = product / unit[j];
}

void Features::scale_target(std::span<const double> target, std::span<const double> weight, const Centring& centring,
                            std::vector<double>& root, std::vector<double>& y) {
  const std::size_t n = target.size();
  double total = 0, largest = 0;
  for (std::size_t i = 0; i < n; ++i) total += weight.empty() ? 1 : weight[i];
  for (const double value : target) largest = std::max(largest, std::abs(value));
  target_unit = power_of_two_near(largest);
  root.resize(n), y.resize(n);
  CompensatedSum mean_sum;
  for (std::size_t i = 0; i < n; ++i) {
    const double s = (weight.empty() ? 1 : weight[i]) / total;
    root[i] = std::sqrt(s);
    y[i] = target[i] / target_unit;
    mean_sum.add_product(s, y[i]);
  }
  const double centre = centring.target ? mean_sum.value() : 0;
  for (std::size_t i = 0; i < n; ++i) y[i] = root[i] * (y[i] - centre);
  target_mean = centre * target_unit;
  for (const double value : y) target_square += value * value;
  residual_square = target_square;
}

} // namespace recta::descent
