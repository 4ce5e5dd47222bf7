// Settings of a descent: which rows a step sees, how far it moves, where it begins and when it ends.
//
// A step is one change of the weights: w <- w - eta(t) g. The clock t counts the rows presented before the step, never
// mistakes or passes:
//
//   constant   eta
//   inverse    eta / (t + 1)^power          1/t from t = 1 on
//   decay      eta c / (c + t)              from t = 0 on
//
// g is the gradient of the mean objective over the step's rows; under Reduction::sum it is that of the sum, so for all
// rows of weight one w <- w + eta sum_j (y_j - h(x_j)) x_j.
#pragma once

#include <recta/error.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace recta {

enum class DescentMethod : std::uint8_t { plain, accelerated, newton, svrg, saga };
enum class RateKind : std::uint8_t { constant, inverse, decay };
enum class Reduction : std::uint8_t { mean, sum };
enum class RowOrder : std::uint8_t { cyclic, shuffled, random };
enum class StartKind : std::uint8_t { zero, random, given };

struct RateSchedule {
  RateKind kind = RateKind::constant;
  double rate = 0.01, c = 1000, power = 1;

  double at(Index rows_presented) const {
    const auto t = static_cast<double>(rows_presented);
    if (kind == RateKind::constant) return rate;
    if (kind == RateKind::decay) return rate * (c / (c + t));
    return power == 1 ? rate / (t + 1) : rate / std::pow(t + 1, power);
  }
};

struct DescentSettings {
  DescentMethod method = DescentMethod::plain;
  Index batch = 0; // rows per step; 0: all
  double rate = 0; // 0: a safe one, from the curvature of the objective
  RateKind schedule = RateKind::constant;
  double c = 0; // of the decay; 0: the number of rows presented in a pass
  Reduction reduction = Reduction::mean;
  RowOrder order = RowOrder::cyclic;
  StartKind start = StartKind::zero; // random: every weight and the intercept uniform on [-1/2, 1/2)
  std::vector<double> given = {};    // the start: weights, and then the intercept or nothing (zero)
  std::uint64_t seed = 0;
  bool average = false; // Polyak and Ruppert: the mean of all points after the first pass

  // The descent ends at whichever comes first; 0: no such limit.
  Index steps = 0, passes = 0;
  double move = 0;      // |change of (w, b)| below this, tested after the step
  double gradient = 0;  // |gradient of the mean objective| at most this
  double tolerance = 0; // F - F* judged by the gradient and the least curvature, in units of F at zero

  bool every_row() const {
    return method == DescentMethod::accelerated || method == DescentMethod::newton ||
           (method == DescentMethod::plain && batch == 0);
  }
};

} // namespace recta
