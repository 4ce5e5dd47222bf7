#include "objective/penalised/mean_loss.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <cmath>

namespace recta::penalised {

double mean_loss(const Targets& targets, const std::vector<double>& z, std::vector<double>* slope,
                 std::vector<double>* curvature) {
  const loss::LossRows rows{std::ssize(z), targets.y.data(), z.data(), targets.share.data()};
  if (!slope) return targets.loss.total(rows);
  std::vector<double> unused;
  std::vector<double>& bent = curvature ? *curvature : unused;
  slope->resize(z.size()), bent.resize(z.size());
  return targets.loss.slopes(rows, slope->data(), bent.data());
}

// Newton's method on a slope that only rises, held between the nearest points to either side of its root.
double best_intercept(const Targets& targets, std::span<const double> z, double start) {
  constexpr int kSteps = 200;
  double low = -kInfinity, high = kInfinity, b = start, stride = 1;
  std::vector<double> moved(z.size()), slope, curvature;
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < z.size(); ++i) moved[i] = z[i] + b;
    mean_loss(targets, moved, &slope, &curvature);
    CompensatedSum sum, size, bend;
    for (std::size_t i = 0; i < z.size(); ++i) {
      sum.add_product(targets.share[i], slope[i]);
      size.add_product(targets.share[i], std::abs(slope[i]));
      bend.add_product(targets.share[i], curvature[i]);
    }
    if (std::abs(sum.value()) <= 0x1p-52 * size.value()) return b;
    (sum.value() > 0 ? high : low) = b;
    double next = b - sum.value() / bend.value();
    if (!(next > low && next < high)) { // no curvature, or too far
      const bool open = std::isinf(low) || std::isinf(high);
      next = !open ? low + (high - low) / 2 : sum.value() > 0 ? b - stride : b + stride;
      stride *= 2;
    }
    if (next == b || next == low || next == high) return b;
    b = next;
  }
  return b;
}

} // namespace recta::penalised
