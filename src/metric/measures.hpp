// Measures of the difference of two rows. Each has three steps, so that a search can leave out most of the work:
//   reduced(a, b, p)   a cheap number that grows with the distance: a sum of squares, no root yet
//   finish(r, a, b, p) the distance; where r over- or underflowed, from scaled differences
//   bound(d)           no row with a larger reduced number has a distance of d or less
// and says what trees may rely on:
//   boxes     it adds up or compares |a_j - b_j| column by column
//   triangle  no way over a third row is shorter
//   rounding  how far a distance may be off, beside 2^-32 of itself
// Sums keep four lanes, j mod 4, and add them as (0 + 2) + (1 + 3): the same bits on every processor. The relative
// error of a sum is at most (p / 4 + 4) u, u = 2^-53.
#pragma once

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace recta::neighbours {

// Sums term(j) over the columns.
template <class Term>
inline double lane_sum(Index p, const Term& term) {
  double lane[4] = {};
  Index j = 0;
  for (; j + 4 <= p; j += 4)
    for (Index l = 0; l < 4; ++l) lane[l] += term(j + l);
  const Index left = p - j; // one by one, so that the lanes stay in registers
  if (left > 0) lane[0] += term(j);
  if (left > 1) lane[1] += term(j + 1);
  if (left > 2) lane[2] += term(j + 2);
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

inline double largest_difference(const double* a, const double* b, Index p) {
  double largest = 0;
  for (Index j = 0; j < p; ++j) largest = std::max(largest, std::fabs(a[j] - b[j]));
  return largest;
}

// Reduced numbers from which a distance may be taken: sums of squares between these have lost no digits.
inline constexpr double kLeastSum = 0x1p-900, kLargestSum = 0x1p1000;
// Reduced numbers may be rounded, and so may the bound: 64 roundings more than a sum of a million columns has.
inline constexpr double kSlack = 1 + 0x1p-32;

struct Euclidean {
  static constexpr bool boxes = true, triangle = true;
  static constexpr double rounding = 0;
  double reduced(const double* a, const double* b, Index p) const {
    return lane_sum(p, [=](Index j) { return (a[j] - b[j]) * (a[j] - b[j]); });
  }
  double finish(double r, const double* a, const double* b, Index p) const {
    if (r >= kLeastSum && r <= kLargestSum) return std::sqrt(r);
    const double unit = largest_difference(a, b, p);
    if (!(unit > 0) || !std::isfinite(unit)) return unit;
    return unit * std::sqrt(lane_sum(p, [=](Index j) {
             const double share = (a[j] - b[j]) / unit;
             return share * share;
           }));
  }
  double bound(double d) const { return std::max(d * d * kSlack, 2 * kLeastSum); }
  double side(double difference) const { return difference * difference; } // what one column adds to a reduced number
  double joined(double total, double before, double after) const { return total - before + after; }
};

struct Manhattan {
  static constexpr bool boxes = true, triangle = true;
  static constexpr double rounding = 0;
  double reduced(const double* a, const double* b, Index p) const {
    return lane_sum(p, [=](Index j) { return std::fabs(a[j] - b[j]); });
  }
  double finish(double r, const double*, const double*, Index) const { return r; }
  double bound(double d) const { return d * kSlack; }
  double side(double difference) const { return std::fabs(difference); }
  double joined(double total, double before, double after) const { return total - before + after; }
};

struct Chebyshev {
  static constexpr bool boxes = true, triangle = true;
  static constexpr double rounding = 0;
  double reduced(const double* a, const double* b, Index p) const {
    double lane[4] = {};
    Index j = 0;
    for (; j + 4 <= p; j += 4)
      for (Index l = 0; l < 4; ++l) lane[l] = std::max(lane[l], std::fabs(a[j + l] - b[j + l]));
    for (; j < p; ++j) lane[0] = std::max(lane[0], std::fabs(a[j] - b[j]));
    return std::max(std::max(lane[0], lane[1]), std::max(lane[2], lane[3]));
  }
  double finish(double r, const double*, const double*, Index) const { return r; }
  double bound(double d) const { return d; }
  double side(double difference) const { return std::fabs(difference); }
  double joined(double total, double, double after) const { return std::max(total, after); }
};

// (sum |a_j - b_j|^power)^(1 / power), power from 1 up.
struct Minkowski {
  static constexpr bool boxes = true, triangle = true;
  static constexpr double rounding = 0;
  double power = 2;
  double reduced(const double* a, const double* b, Index p) const {
    return lane_sum(p, [=, this](Index j) { return std::pow(std::fabs(a[j] - b[j]), power); });
  }
  double finish(double r, const double* a, const double* b, Index p) const {
    if (r >= kLeastSum && r <= kLargestSum) return std::pow(r, 1 / power);
    const double unit = largest_difference(a, b, p);
    if (!(unit > 0) || !std::isfinite(unit)) return unit;
    return unit * std::pow(lane_sum(p, [=, this](Index j) { return std::pow(std::fabs(a[j] - b[j]) / unit, power); }),
                           1 / power);
  }
  // The power of a rounded distance is off by `power` roundings.
  double bound(double d) const {
    return std::max(std::pow(d, power) * (1 + 0x1p-32 * std::max(1.0, power)), 2 * kLeastSum);
  }
  double side(double difference) const { return std::pow(std::fabs(difference), power); }
  double joined(double total, double before, double after) const { return total - before + after; }
};

// What a distance of its own knows beside two rows.
struct OwnNumbers {
  std::vector<double> weights;   // of the features; empty: all one
  std::vector<double> learned;   // from the training rows
  const double* first = nullptr; // of the rows searched, which lie one after another
};

// A distance that is no norm of differences: its reduced number is the distance. A call per pair of rows.
struct Own {
  static constexpr bool boxes = false;
  bool triangle = false;
  double rounding = 0;
  double (*distance)(const double* a, const double* b, Index p, const OwnNumbers& numbers) = nullptr;
  std::function<double(std::span<const double>, std::span<const double>)> users{}; // in place of `distance`
  OwnNumbers numbers{};

  double reduced(const double* a, const double* b, Index p) const {
    return users ? called(a, b, p) : distance(a, b, p, numbers);
  }
  double finish(double r, const double*, const double*, Index) const { return r; }
  double bound(double d) const { return d; }

private:
  double called(const double* a, const double* b, Index p) const; // throws if it is no distance
};

// The distance of two rows; the order of neighbours is by this number.
template <class M>
inline double measured(const M& measure, const double* a, const double* b, Index p) {
  return measure.finish(measure.reduced(a, b, p), a, b, p);
}

} // namespace recta::neighbours
