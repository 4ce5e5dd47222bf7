#include "solver/svm/margin_tally.hpp"

#include <cmath>

namespace recta::svm {
namespace {

std::size_t bin_of(double l) {
  const double size = std::max(std::abs(l), 1e-300);
  const auto place = static_cast<int>(std::floor(MarginTally::kBinsPerFactor * std::log2(size))) - MarginTally::kLowest;
  return static_cast<std::size_t>(std::clamp(place, 0, MarginTally::kBins - 1));
}

} // namespace

void MarginTally::add(double t, double v, double l, const SmoothedHinge& hinge) {
  const std::size_t side = t > 0;
  const double d = hinge.slope(l), exact = hinge.exact(l);
  weight[side] += v, mass[side] += v * d, heaviest = std::max(heaviest, v);
  loss += v * exact, side_loss[side] += v * exact, smooth += v * hinge.value(l);
  if (!hinge.squared) excess += v * (l > 0 ? (1 - d) * l : 0);
  bins[bin_of(l)] += 1, short_of[bin_of(l)] += l > 0 ? 1 : 0;
  if (hinge.in_zone(l)) zone_mass[side] += v * d, zone_loss[side] += v * exact;
}

void MarginTally::add_on_way(double t, double v, double z0, double z, const SmoothedHinge& hinge) {
  for (std::size_t s = 0; s < kShares.size(); ++s) {
    const double on_way = 1 - t * (z0 + kShares[s] * (z - z0));
    loss_on_way[s] += v * hinge.exact(on_way), smooth_on_way[s] += v * hinge.value(on_way);
  }
}

double MarginTally::rows() const {
  double all = 0;
  for (const double count : bins) all += count;
  return all;
}

double MarginTally::short_within(double width) const {
  double within = 0;
  for (std::size_t k = 0; k <= bin_of(width); ++k) within += short_of[k];
  return within;
}

double MarginTally::width_of(double count) const {
  double within = 0;
  for (int k = 0; k < kBins; ++k) {
    within += short_of[static_cast<std::size_t>(k)];
    if (within >= count) return std::exp2(static_cast<double>(k + 1 + kLowest) / kBinsPerFactor);
  }
  return kInfinity;
}

double MarginTally::band_of(double count) const {
  double within = 0, widest = 0;
  for (int k = 0; k < kBins; ++k) {
    within += bins[static_cast<std::size_t>(k)];
    if (within > count) break;
    widest = std::exp2(static_cast<double>(k + 1 + kLowest) / kBinsPerFactor);
  }
  return within > 0 ? widest : 0;
}

double MarginObjective::penalty(std::span<const double> at) const {
  double sum = 0;
  for (std::size_t j = 0; j < at.size(); ++j) sum += square[j] * at[j] * at[j] / 2;
  return sum;
}

std::vector<double> on_way(std::span<const double> from, std::span<const double> to, double share) {
  std::vector<double> out(from.begin(), from.end());
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += share * (to[j] - out[j]);
  return out;
}

double MarginObjective::best_share(std::span<const double> from, std::span<const double> to,
                                   const std::array<double, MarginTally::kShares.size()>& losses) const {
  std::size_t best = 0;
  double least = kInfinity;
  for (std::size_t s = 0; s < losses.size(); ++s) {
    const double value = penalty(on_way(from, to, MarginTally::kShares[s])) + cost * losses[s];
    if (value < least) least = value, best = s;
  }
  return MarginTally::kShares[best];
}

double MarginObjective::gap(std::span<const double> at, const MarginTally& s, bool free_intercept) const {
  double short_of_balance = 0, share = 0;
  const std::size_t larger = s.mass[1] > s.mass[0];
  const double surplus = s.mass[larger] - s.mass[1 - larger];
  const bool enough = s.zone_mass[larger] >= surplus;
  const std::vector<double>& scaled = (enough ? s.zone : s.pull)[larger];
  if (free_intercept && surplus > 0) {
    share = surplus / (enough ? s.zone_mass : s.mass)[larger];
    short_of_balance = share * (enough ? s.zone_loss : s.side_loss)[larger];
  }
  double residual = 0;
  for (std::size_t j = 0; j < at.size(); ++j) {
    double pull = s.pull[0][j] + s.pull[1][j];
    if (share > 0) pull -= share * scaled[j];
    const double short_of = square[j] * at[j] - cost * pull;
    if (square[j] > 0) residual += short_of * short_of / (2 * square[j]);
  }
  return cost * (s.excess + short_of_balance) + residual;
}

} // namespace recta::svm
