#include "family/kernel_density/kernels.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace recta::density {
namespace {

enum Kind : std::size_t { gaussian, tophat, epanechnikov, exponential, linear, cosine };

double log_ball(double p) {
  return p / 2 * std::log(std::numbers::pi) - std::lgamma(p / 2 + 1);
}

// The integral of cos(pi u / 2) u^(p - 1) from 0 to 1, by parts: I_m = a^-1 - m (m - 1) a^-2 I_(m-2) with a = pi / 2, m
// = p - 1, I_0 = 1 / a, I_1 = 1 / a - 1 / a^2. For m above 12 the steps lose digits, and Simpson's rule on 4096 parts
// has them all.
double cosine_moment(Index m) {
  constexpr double a = std::numbers::pi / 2;
  if (m == 0) return 1 / a;
  if (m == 1) return 1 / a - 1 / (a * a);
  const auto n = static_cast<double>(m);
  if (m <= 12) return 1 / a - n * (n - 1) / (a * a) * cosine_moment(m - 2);
  constexpr int kParts = 4096;
  double sum = 0;
  for (int k = 0; k <= kParts; ++k) {
    const double u = static_cast<double>(k) / kParts;
    sum += (k == 0 || k == kParts ? 1.0 : k % 2 == 1 ? 4.0 : 2.0) * std::cos(a * u) * std::pow(u, n);
  }
  return sum / (3.0 * kParts);
}

} // namespace

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> kNames = {"gaussian",    "tophat", "epanechnikov",
                                                  "exponential", "linear", "cosine"};
  return kNames;
}

DensityKernel::DensityKernel(const std::string& name, Index cols)
    : kind_(static_cast<std::size_t>(std::ranges::find(kernel_names(), name) - kernel_names().begin())) {
  const auto p = static_cast<double>(cols);
  const double integrals[] = {
      p / 2 * std::log(2 * std::numbers::pi), log_ball(p),
      log_ball(p) + std::log(2 / (p + 2)),    log_ball(p) + std::lgamma(p + 1),
      log_ball(p) - std::log(p + 1),          log_ball(p) + std::log(p * cosine_moment(cols - 1))};
  log_integral_ = integrals[kind_];
}

double DensityKernel::log_value(double u) const {
  switch (kind_) {
  case gaussian:
    return -u * u / 2;
  case exponential:
    return -u;
  default:
    break;
  }
  if (!(u < 1)) return -kInfinity;
  switch (kind_) {
  case epanechnikov:
    return std::log1p(-u * u);
  case linear:
    return std::log1p(-u);
  case cosine:
    return std::log(std::cos(std::numbers::pi / 2 * u));
  default:
    return 0;
  }
}

} // namespace recta::density
