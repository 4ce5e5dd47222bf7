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

namespace recta::neighbours {

// Sums term(j) over the columns.
template <class Term>
inline double lane_sum(Index p, const Term& term) {
  double lane[4] = {};
  Index j = 0;
  for (; j + 4 <= p; j += 4)
    for (Index l = 0; l < 4; ++l) lane[l] += term(j + l);
  for (Index l = 0; j < p; ++j, ++l) lane[l] += term(j);
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

// A measure without boxes, whose reduced number is the distance.
template <class Own>
struct Direct {
  static constexpr bool boxes = false, triangle = true;
  static constexpr double rounding = 0;
  double finish(double r, const double*, const double*, Index) const { return r; }
  double bound(double d) const { return d; }
};

// The share of columns that differ.
struct Hamming : Direct<Hamming> {
  double reduced(const double* a, const double* b, Index p) const {
    Index differing = 0;
    for (Index j = 0; j < p; ++j) differing += a[j] != b[j] ? 1 : 0;
    return p > 0 ? static_cast<double>(differing) / static_cast<double>(p) : 0;
  }
};

// Rows as sets of the columns that are not zero: the share of their union that only one of them has.
struct Jaccard : Direct<Jaccard> {
  double reduced(const double* a, const double* b, Index p) const {
    Index both = 0, either = 0;
    for (Index j = 0; j < p; ++j) {
      both += a[j] != 0 && b[j] != 0 ? 1 : 0;
      either += a[j] != 0 || b[j] != 0 ? 1 : 0;
    }
    return either > 0 ? static_cast<double>(either - both) / static_cast<double>(either) : 0;
  }
};

// sum |a_j - b_j| / (|a_j| + |b_j|), 0/0 = 0.
struct Canberra : Direct<Canberra> {
  double reduced(const double* a, const double* b, Index p) const {
    return lane_sum(p, [=](Index j) {
      const double size = std::fabs(a[j]) + std::fabs(b[j]);
      return size > 0 ? std::fabs(a[j] - b[j]) / size : 0.0;
    });
  }
};

// sum |a_j - b_j| / sum |a_j + b_j|, 0/0 = 0.
struct BrayCurtis : Direct<BrayCurtis> {
  static constexpr bool triangle = false;
  double reduced(const double* a, const double* b, Index p) const {
    const double apart = lane_sum(p, [=](Index j) { return std::fabs(a[j] - b[j]); });
    const double size = lane_sum(p, [=](Index j) { return std::fabs(a[j] + b[j]); });
    return apart > 0 ? apart / size : 0;
  }
};

// The angle between two points of a sphere, given as latitude and longitude in radians:
// 2 asin sqrt(sin^2((a_0 - b_0) / 2) + cos a_0 cos b_0 sin^2((a_1 - b_1) / 2)).
struct Haversine : Direct<Haversine> {
  static constexpr double rounding = 0x1p-20; // near half a turn asin turns one rounding into the root of it
  double reduced(const double* a, const double* b, Index) const {
    const double across = std::sin((a[0] - b[0]) / 2), along = std::sin((a[1] - b[1]) / 2);
    return 2 * std::asin(std::min(1.0, std::sqrt(across * across + std::cos(a[0]) * std::cos(b[0]) * along * along)));
  }
};

// The distance of two rows; the order of neighbours is by this number.
template <class M>
inline double measured(const M& measure, const double* a, const double* b, Index p) {
  return measure.finish(measure.reduced(a, b, p), a, b, p);
}

} // namespace recta::neighbours
