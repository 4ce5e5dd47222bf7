// Sums over the lacks of rows at one point of a linear machine, whatever the number of columns: losses,
// coefficients and where rows stand. u is a row about the centre and a constant 1, t = -1 or 1 its side, v its weight,
// and its lack is l = 1 - t (<w, u> + b). The loss is smoothed over a width m:
//
//   phi(l) = 0 below 0, l^2 / (2 m) up to m (the zone), l - m/2 beyond,   d = phi'(l) = l / m between 0 and 1.
//
// The squared hinge is l^2 / 2 above 0, smooth as it is: m = 1, d = l, and all of l > 0 is the zone. C d v t is the
// coefficient of the row in a dual point.
#pragma once

#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace recta::svm {

struct SmoothedHinge {
  bool squared;
  double width;

  double value(double l) const {
    if (l <= 0) return 0;
    if (squared) return l * l / 2;
    return l < width ? l * (l / width) / 2 : l - width / 2;
  }
  double slope(double l) const { return l <= 0 ? 0 : squared ? l : std::min(1.0, l / width); }
  bool in_zone(double l) const { return l > 0 && (squared || l < width); }
  double exact(double l) const { return l <= 0 ? 0 : squared ? l * l / 2 : l; }
};

struct MarginTally {
  static constexpr std::array<double, 7> kShares{0, 0x1p-1, 0x1p-2, 0x1p-3, 0x1p-5, 0x1p-8, 0x1p-12}; // of the way
  static constexpr int kBins = 128, kBinsPerFactor = 2, kLowest = -100; // of |l|, by half powers of two
  using Pair = std::array<double, 2>;                                   // of the sides -1 and 1

  double loss = 0, smooth = 0, excess = 0, heaviest = 0;        // excess: sum v FY(l, d)
  Pair weight{}, mass{}, side_loss{}, zone_mass{}, zone_loss{}; // mass: sum v d
  std::array<double, kShares.size()> loss_on_way{}, smooth_on_way{};
  std::vector<double> pull[2];  // sum v d t u, by side
  std::vector<double> zone[2];  // the same over the zone
  std::vector<double> bins;     // rows by the size of |l|
  std::vector<double> short_of; // the same of rows with l > 0

  MarginTally() = default;
  explicit MarginTally(Index size) : bins(kBins), short_of(kBins) {
    for (auto* sums : {&pull[0], &pull[1], &zone[0], &zone[1]}) sums->resize(at(size));
  }
  // One row, without its numbers.
  void add(double t, double v, double l, const SmoothedHinge& hinge);
  void add_on_way(double t, double v, double z0, double z, const SmoothedHinge& hinge);

  double rows() const;
  double band_of(double count) const;      // the widest, by the bins, with at most so many rows; 0: none
  double short_within(double width) const; // rows with 0 < l < width, by the bins
  double width_of(double count) const;     // the least, by the bins, with so many rows 0 < l < width; infinite: none
};

// The point at a share of the way.
std::vector<double> on_way(std::span<const double> from, std::span<const double> to, double share);

// The penalty 1/2 sum_j square_j x_j^2 and the cost of a row of weight 1, of x = (w, b). A free b has no square.
struct MarginObjective {
  std::vector<double> square;
  double cost = 0;

  double penalty(std::span<const double> at) const;
  // The share of the way from one point to another (MarginTally::kShares) at which the objective is least, by the
  // losses there.
  double best_share(std::span<const double> from, std::span<const double> to,
                    const std::array<double, MarginTally::kShares.size()>& losses) const;
  // P - D at the point and the coefficients that its width gives. If b is free the sum of the coefficients must be
  // zero: those of the larger side within the zone are scaled down, or all of that side if the zone is not enough.
  double gap(std::span<const double> at, const MarginTally& tally, bool free_intercept) const;
};

} // namespace recta::svm
