#include "stats/shifted_rows.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kFar = 16; // deviations; up to there at most four bits are lost

} // namespace

double shift_of(double mean, double deviation) {
  if (!(std::abs(mean) > kFar * deviation) || !(deviation > 0) || !std::isfinite(mean)) return 0;
  const double grid = std::exp2(std::floor(std::log2(deviation)));
  const double shift = std::round(mean / grid) * grid;
  return std::isfinite(shift) ? shift : 0;
}

DoubleDouble constant_about(std::span<const double> shift, std::span<const double> w, double b, double sign) {
  DoubleDouble sum = b;
  for (std::size_t j = 0; j < shift.size(); ++j) sum += two_prod(sign * shift[j], w[j]);
  return sum;
}

// Products are exact, and a sum is off by 3 u^2 of its result.
double constant_about_error(std::span<const double> shift, std::span<const double> w, double b) {
  double terms = shift.empty() ? 0 : std::abs(b);
  for (std::size_t j = 0; j < shift.size(); ++j) terms += std::abs(shift[j] * w[j]);
  return 4 * 0x1p-106 * static_cast<double>(shift.size()) * terms;
}

std::vector<double> shifts_of(std::span<const double> mean, std::span<const double> deviation) {
  std::vector<double> out;
  for (std::size_t j = 0; j < mean.size(); ++j) out.push_back(shift_of(mean[j], deviation[j]));
  if (std::ranges::all_of(out, [](double m) { return m == 0; })) out.clear();
  return out;
}

bool ShiftedRows::replace(double* x, double* low) const {
  bool rest = false;
  for (std::size_t j = 0; j < shift_.size(); ++j) {
    const DoubleDouble shifted = two_sum(x[j], -shift_[j]) + low[j];
    x[j] = shifted.hi;
    low[j] = shifted.lo;
    rest = rest || shifted.lo != 0;
  }
  return rest;
}

} // namespace recta
