#include "solver/coordinate_descent/features.hpp"

#include "base/sums.hpp"
#include "solver/coordinate_descent/gram_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace recta::descent {

double power_of_two_near(double length) {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 52; // of the exponent
  if (length >= 0x1p-1000 && length <= 0x1p1000)         // the same, without a call
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(length) & ~(kOne - 1)) + kOne);
  if (!(length > 0) || !std::isfinite(length)) return 1;
  int exponent = 0;
  std::frexp(length, &exponent);
  return std::ldexp(1.0, exponent);
}

std::unique_ptr<WorkingSet> Features::products_set() {
  return std::make_unique<GramSet>(
      [this](std::span<const Index> ids, Index from, double* out, Index stride) { products(ids, from, out, stride); });
}

void Features::resize(Index cols) {
  const auto p = static_cast<std::size_t>(cols);
  for (auto* each : {&mean, &length, &unit, &norm}) each->assign(p, 0);
  correlation.assign(p * target_mean.size(), 0);
}

void Features::set_column(Index j, double column_length, std::span<const double> products) {
  constexpr double kRounding = 8 * 0x1p-53; // share of a constant column that remains from rounding its mean
  const bool constant = column_length <= kRounding * std::abs(mean[j]);
  if (constant) column_length = 0;
  length[j] = column_length;
  unit[j] = power_of_two_near(column_length);
  norm[j] = column_length / unit[j];
  for (std::size_t t = 0; t < products.size(); ++t)
    correlation[j + static_cast<Index>(t) * cols()] = constant ? 0 : products[t] / unit[j];
}

void Features::scale_target(std::span<const double> target, Index rows, std::span<const double> weight,
                            const Centring& centring, std::vector<double>& root, std::vector<double>& y) {
  const auto n = static_cast<std::size_t>(rows);
  double total = 0, largest = 0;
  for (std::size_t i = 0; i < n; ++i) total += weight.empty() ? 1 : weight[i];
  for (const double value : target) largest = std::max(largest, std::abs(value));
  target_unit = power_of_two_near(largest);
  y.resize(target.size());
  root.assign(n, std::sqrt(1 / total));
  for (std::size_t i = 0; i < weight.size(); ++i) root[i] = std::sqrt(weight[i] / total);
  for (std::size_t first = 0; first < target.size(); first += n) {
    CompensatedSum mean_sum;
    for (std::size_t i = 0; i < n; ++i) {
      y[first + i] = target[first + i] / target_unit;
      mean_sum.add_product((weight.empty() ? 1 : weight[i]) / total, y[first + i]);
    }
    const double centre = centring.target ? mean_sum.value() : 0;
    for (std::size_t i = 0; i < n; ++i) y[first + i] = root[i] * (y[first + i] - centre);
    target_mean.push_back(centre * target_unit);
  }
  for (const double value : y) target_square += value * value;
  residual_square = target_square;
}

} // namespace recta::descent
