#include "objective/least_squares/rounding.hpp"

#include "base/numbers.hpp"
#include "design/row_source.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta {
namespace {

constexpr double kUnit2 = kUnit * kUnit;

double square(double x) {
  return x * x;
}

} // namespace

Rounding::Rounding(RowSizes sizes) : sizes_(std::move(sizes)), n_(std::min(block_rows(sizes_.cols), sizes_.rows)) {
  const Index used = sizes_.merged ? static_cast<Index>(sizes_.square.size()) : sizes_.cols; // targets: only if merged
  double least = std::numeric_limits<double>::infinity();
  for (Index z = 0; z < used; ++z)
    if (sizes_.spread[z] > 0) {
      ratio_ = std::max(ratio_, sizes_.square[z] / sizes_.spread[z]);
      least = std::min(least, sizes_.spread[z]);
    }
  products_ = sizes_.sums == Precision::extended ? 64 * chain() * kUnit2 * ratio_
                                                 : 96 * chain() * kUnit + 16 * chain() * kUnit2 * ratio_ * ratio_;
  products_ += 0x1p-1070 * static_cast<double>(sizes_.rows) / sizes_.weight / least / least;
  // The weights are so small that residuals times them have lost their low parts: nothing is known.
  if (sizes_.weight < 0x1p-900 * static_cast<double>(sizes_.rows)) products_ = std::numeric_limits<double>::infinity();
  penalty_ = sizes_.rounded_deviations ? products_ + 8 * kUnit : 32 * kUnit2;
}

double Rounding::mean(Index z) const {
  const double fine = 4 * chain() * kUnit2 * sizes_.square[z];
  return sizes_.sums == Precision::extended ? fine : fine + 4 * chain() * kUnit * sizes_.spread[z];
}

Rounding::Target Rounding::target(const double* w, double b, const Residual& r, Index t) const {
  const Index p = sizes_.cols;
  double whole = sizes_.square[p + t] + std::abs(b), means = mean(p + t);
  Target out;
  out.terms = sizes_.spread[p + t];
  bool plain = true; // all coefficients are zero
  for (Index j = 0; j < p; ++j) {
    const double size = std::abs(w[j]);
    plain = plain && size == 0;
    whole += size * sizes_.square[j];
    means += size * mean(j);
    out.terms += size * sizes_.spread[j];
  }
  const double rms = std::sqrt(std::max(0.0, r.squares[t]) / sizes_.weight), terms = static_cast<double>(p) + 4;
  out.zero = plain && r.squares[t] == 0 && r.sum[t] == 0 && !sizes_.merged;
  out.residual = out.zero ? 0 : 2 * terms * terms * kUnit2 * whole;
  const double sums = (128 + square(static_cast<double>(n_) / 8 + 8)) * kUnit2;
  const double smallest = out.zero ? 0 : 0x1p-1070 * static_cast<double>(sizes_.rows) / sizes_.weight;
  out.mean_residual = out.residual + sums * rms + smallest;
  out.objective = out.residual * (rms + out.residual) + sums * rms * rms;
  if (sizes_.merged) {
    out.mean_residual += means;
    out.objective += products_ * out.terms * out.terms + square(means) + means * std::abs(r.sum[t]) / sizes_.weight;
  }
  return out;
}

double Rounding::gradient(const Target& target, const Residual& r, Index t, Index j, double penalty) const {
  const Index at = j + t * sizes_.cols;
  const double unit = sizes_.gradient == Precision::extended || sizes_.merged ? 16 * chain() * kUnit2
                                                                              : Residual::kGradientRounding * kUnit;
  double error = unit * r.gradient_abs[at] + penalty_ * std::abs(penalty) + std::abs(r.sum[t]) * mean(j);
  // r itself, against x - centre; and what takes the place of the rounded centre.
  error += sizes_.weight * target.residual * (sizes_.spread[j] + kUnit * sizes_.square[j]);
  error += sizes_.weight * target.mean_residual * kUnit * sizes_.square[j];
  if (!target.zero) error += 0x1p-1070 * static_cast<double>(sizes_.rows) * (1 + sizes_.square[j]);
  if (sizes_.merged) error += products_ * sizes_.weight * sizes_.spread[j] * target.terms;
  return error;
}

double last_bits(double figure) {
  return 64 * kUnit * figure + 0x1p-1022;
}

} // namespace recta
