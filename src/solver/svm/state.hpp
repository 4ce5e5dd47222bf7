// What every search for the dual point of a machine keeps: the coefficients of the rows and their scores, and how far
// both are from the conditions of the optimum.
#pragma once

#include "objective/svm/objective.hpp"

#include <string>

namespace recta::svm {

struct State {
  std::vector<double> beta, f; // f_i = sum_j beta_j k(x_i, x_j), without the intercept
};

struct Solution {
  State state;
  std::vector<double> w; // linear machines
  Intercepts intercepts;
  Index steps = 0, rounds = 0;
  Index narrowed = 0;       // searches among some of the rows
  Index interior_steps = 0; // of an interior point method, taken where working sets came no nearer
  double gap = 0;           // P - D as the search saw it
  bool interrupted = false; // by the caller
  bool gave_up = false;     // it came no nearer
  bool exact_end = false;   // the coefficients within their boxes were solved for together
  double intercept() const { return intercepts.middle(); }
};

// The slopes of -D along a coefficient that grows, and along one that shrinks. At the optimum the first is at least -b
// in every row that may grow, and the second at most -b in every row that may shrink.
class Slopes {
public:
  explicit Slopes(const Problem& problem) : problem_(problem) {}
  double smooth(Index i, const State& s) const {
    return s.f[at(i)] + problem_.ridge(i) * s.beta[at(i)] - problem_.target[at(i)];
  }
  bool may_grow(Index i, double beta) const { return beta < problem_.high(i); }
  bool may_shrink(Index i, double beta) const { return beta > problem_.low(i); }
  double up(Index i, const State& s) const { return smooth(i, s) + (s.beta[at(i)] >= 0 ? tube() : -tube()); }
  double down(Index i, const State& s) const { return smooth(i, s) + (s.beta[at(i)] > 0 ? tube() : -tube()); }
  double tube() const { return labelled(problem_.terms.loss) ? 0 : problem_.terms.epsilon; }

private:
  const Problem& problem_;
};

struct Extremes {
  double least_up = kInfinity, largest_down = -kInfinity;
  Index grows = -1, shrinks = -1;
};
inline Extremes extremes(const Problem& problem, const State& s) {
  const Slopes slopes(problem);
  Extremes out;
  for (Index i = 0; i < problem.rows(); ++i) {
    const double beta = s.beta[at(i)];
    if (slopes.may_grow(i, beta))
      if (const double up = slopes.up(i, s); up < out.least_up) out.least_up = up, out.grows = i;
    if (slopes.may_shrink(i, beta))
      if (const double down = slopes.down(i, s); down > out.largest_down) out.largest_down = down, out.shrinks = i;
  }
  return out;
}

// How far the conditions of the optimum are from being met; without an intercept b = 0.
inline double violation(const Problem& problem, const Extremes& e) {
  return problem.intercept ? std::max(0.0, e.largest_down - e.least_up) : std::max({0.0, -e.least_up, e.largest_down});
}

// The unit of slopes.
inline double slope_scale(const Problem& problem) {
  const auto [low, high] = std::ranges::minmax(problem.target);
  const double half = problem.intercept ? (high - low) / 2 : std::max(std::abs(low), std::abs(high));
  return half > 0 ? half : 1;
}

} // namespace recta::svm
