// What a calibration minimises, as its solver and its proof both see it.
//
//   platt, beta   sum_i w_i (t_i ln(1 + e^-z_i) + (1 - t_i) ln(1 + e^z_i)),  z = a f + c,  or  a u + b v + c with a, b
//   >= 0,
//                 u = ln p = -ln(1 + e^-f),  v = -ln(1 - p) = ln(1 + e^f)
//   temperature   sum_i w_i (ln sum_k e^(a f_ik) - a f_i,y),  a = 1 / T between e^-10 and e^10; of two classes f_i =
//   (0, f) isotonic      1/2 sum_i w_i (y_i - v(f_i))^2,  v not decreasing
//
// The targets t of platt and beta are Platt's: (N+ + 1) / (N+ + 2) for rows of the class and 1 / (N- + 2) for the
// others, N+ and N- their weights. With them every minimum is at a finite place, also where the evidence separates the
// classes. (Platt 1999; Lin, Lin and Weng 2007; Kull, Silva Filho and Flach 2017; Guo et al. 2017.)
#pragma once

#include "base/numbers.hpp"

#include <recta/calibrate.hpp>

#include <cmath>

namespace recta::calibration {

inline constexpr double kLeastSlope = 4.5399929762484854e-05, kMostSlope = 22026.465794806718; // e^-10, e^10

inline double softplus(double z) { // ln(1 + e^z)
  return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z));
}
inline double logistic(double z) {
  const double e = std::exp(-std::abs(z));
  return z < 0 ? e / (1 + e) : 1 / (1 + e);
}

// The evidence of one class against the rest, by row.
struct Column {
  const CalibrationRows& rows;
  Index map; // which of the maps

  double evidence(Index i) const { return rows.evidence[i * width() + (width() == 1 ? 0 : map)]; }
  bool is_of_class(Index i) const { return rows.truth[at(i)] == (rows.classes == 2 ? rows.positive : map); }
  double weight(Index i) const { return rows.weights.empty() ? 1 : rows.weights[at(i)]; }
  Index width() const { return rows.classes == 2 ? 1 : rows.classes; }
};

struct Targets {
  double of_class = 1, of_others = 0;
};
Targets platt_targets(const Column& column);

// The logarithm of the odds that a map of platt or beta gives.
double log_odds(const CalibrationMap& map, Calibrator method, double evidence);
// The probability that a map of isotonic gives.
double stepped(const CalibrationMap& map, double evidence);

// Evidence, weight and weighted sum of {0, 1} targets of rows with the same evidence, ascending.
struct Pooled {
  std::vector<double> evidence, weight, sum;
};
Pooled pooled_ties(const Column& column);

} // namespace recta::calibration
