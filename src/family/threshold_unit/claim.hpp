// The claim of a perceptron or of a delta rule that has learned.
#pragma once

#include "certificate/threshold_unit/certify.hpp"
#include "classes/two_classes.hpp"
#include "driver/work.hpp"
#include "solver/perceptron/perceptron.hpp"

#include <recta/model.hpp>

#include <limits>

namespace recta {

// A unit that has learned, before it is judged.
struct Learned {
  Point point{};
  std::string solver{}, reason{};
  Stop stop{};
  bool interrupted = false;
  Index passes = 0, steps = 0; // steps: changes of the weights
  std::vector<std::string> conditions{};
  std::vector<TraceStep> trace{};
  std::vector<CurvePoint> curve{};
  double rate = 0, safe_rate = std::numeric_limits<double>::quiet_NaN();
  ClassFit counts{}; // mistakes and their bound
  bool diverged = false;
};

// The scores of prediction.
Result<Score> score_of(const TwoClasses& two, const Point& at, Pool& pool);

// A hyperplane separates, as bounds on every rounding show; or nothing does, as multipliers show; or neither was found.
// For a delta rule it is the gradient in a fresh pass: the cost is not convex, so that is all there is to say.
Result<Certificate> judge_unit(Work& work, const Learned& learned, const Score& score, const TwoClasses& two);

} // namespace recta
