// The objective of a machine, as solvers and the proof both see it. With costs C_i = v_i C per row of weight v_i,
//
//   P(w, b) = 1/2 |w|^2 + sum_i C_i loss(t_i, z_i),   z_i = <w, phi(x_i)> + b
//
//   hinge          max(0, 1 - t z),           t = -1, 1
//   squared hinge  1/2 max(0, 1 - t z)^2
//   tube           max(0, |t - z| - epsilon)
//   squared tube   1/2 max(0, |t - z| - epsilon)^2
//
// and its dual in the coefficients beta of the rows, w = sum_i beta_i phi(x_i), k(x, z) = <phi(x), phi(z)>:
//
//   D(beta) = t'beta - epsilon |beta|_1 - 1/2 beta'K beta - sum_i r_i beta_i^2 / 2,   sum_i beta_i = 0 if b is free,
//
// low_i <= beta_i <= high_i; r_i = 1 / C_i for the squared losses, whose boxes are open at C_i. By Fenchel and Young
//
//   P - D = sum_i C_i FY(t_i, z_i, beta_i / C_i),   FY(t, z, d) = loss(t, z) + loss*(t, -d) + d z >= 0,
//
// a sum of terms that are not negative and written so that nothing cancels. Times lambda = 1 / (C W) this is the gap of
// Recta's objective F = 1/W sum v_i loss + (lambda / 2) |w|^2.
//
// A linear machine may have the sum of |w_j| in place of 1/2 |w|^2. Its dual is t'beta - epsilon |beta|_1 - sum_i r_i
// beta_i^2 / 2 over the beta that keep every |sum_i beta_i x_ij| <= 1, and P - D has sum_j (|w_j| - w_j sum_i beta_i
// x_ij) beside the terms above. An intercept that is penalised like the weights is the weight b / s of one more column,
// s in every row.
#pragma once

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace recta::svm {

enum class Loss : std::uint8_t { hinge, squared_hinge, tube, squared_tube };

inline bool labelled(Loss loss) {
  return loss == Loss::hinge || loss == Loss::squared_hinge;
}
inline bool squared(Loss loss) {
  return loss == Loss::squared_hinge || loss == Loss::squared_tube;
}

enum class Penalty : std::uint8_t { squares, absolutes };

struct RowTerms {
  Loss loss = Loss::hinge;
  double epsilon = 0; // of tubes

  double beyond(double t, double z) const { // the margin's lack, or the part of |t - z| beyond the tube; below 0: none
    return labelled(loss) ? 1 - t * z : std::abs(t - z) - epsilon;
  }
  double value(double t, double z) const {
    const double lack = std::max(0.0, beyond(t, z));
    return squared(loss) ? lack * lack / 2 : lack;
  }
  double low(double t, double cost) const {
    if (labelled(loss) && t > 0) return 0;
    return squared(loss) ? -kInfinity : -cost;
  }
  double high(double t, double cost) const {
    if (labelled(loss) && t < 0) return 0;
    return squared(loss) ? kInfinity : cost;
  }
  // For d within the box.
  double fenchel_young(double t, double z, double d) const {
    const double size = labelled(loss) ? t * d : std::abs(d); // a >= 0
    const double lack = beyond(t, z), short_of = std::max(0.0, lack);
    if (labelled(loss))
      return squared(loss) ? (short_of - size) * (short_of - size) / 2 + size * std::max(0.0, -lack)
             : lack > 0    ? (1 - size) * lack
                           : -size * lack;
    const double r = t - z, along = r < 0 ? -d : d; // d in the direction of the residual
    if (lack <= 0) return size * (along >= 0 ? -lack : std::abs(r) + epsilon) + (squared(loss) ? size * size / 2 : 0);
    const double against = along < 0 ? -2 * along * epsilon : 0;
    return (squared(loss) ? (lack - along) * (lack - along) / 2 : (1 - along) * lack) + against;
  }
  // |d FY / d z| is at most this, for z within `off` of the given one.
  double steepness(double t, double z, double d, double off) const {
    return squared(loss) ? std::max(0.0, beyond(t, z)) + off + std::abs(d) : 1 + std::abs(d);
  }
};

struct Problem {
  RowTerms terms;
  bool intercept = true;
  std::vector<double> target, cost; // t_i and C_i > 0
  Index rows() const { return std::ssize(target); }
  double low(Index i) const { return terms.low(target[at(i)], cost[at(i)]); }
  double high(Index i) const { return terms.high(target[at(i)], cost[at(i)]); }
  double ridge(Index i) const { return squared(terms.loss) ? 1 / cost[at(i)] : 0; }
};

// The intercepts of least cost for scores f_i: sum_i C_i loss(t_i, f_i + b), every b between low and high.
struct Intercepts {
  double low = 0, high = 0;
  double middle() const { return low + (high - low) / 2; }
};
Intercepts best_intercepts(const Problem& problem, std::span<const double> f);

// sum_i C_i loss(t_i, b) at w = 0 with the best b, or b = 0 if there is none.
double null_cost(const Problem& problem);

// P - D for scores f_i without the intercept, with w = w(beta).
double gap_of(const Problem& problem, std::span<const double> beta, std::span<const double> f, double b);

} // namespace recta::svm
