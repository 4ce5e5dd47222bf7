// Backtracking along a step of Newton's method, from the whole step down (Armijo 1966). If the fall that the slope
// promises is so small that values no longer tell whether the step helps, it is taken on trust.
#pragma once

#include "solver/no_higher.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

class LineSearch {
public:
  // `value`: of the objective at the point. `fall`: by how much its slope says that a whole step lowers it.
  LineSearch(double value, double fall, double shortest = 1e-10)
      : value_(value), fall_(fall), shortest_(shortest), blind_(fall <= 1e-12 * std::abs(value)) {}

  double length() const { return t_; } // of the step to try
  bool goes_on() const { return t_ > shortest_; }
  // Whether a step is taken that ends at this value: if on trust, whatever the value, as long as it is a number.
  bool takes(double there) const { return falls(there) || (blind_ && std::isfinite(there)); }
  // If on trust, unless the value rises by more than rounding can explain.
  bool takes_no_higher(double there) const { return falls(there) || (blind_ && no_higher(there, value_)); }
  void halve() { t_ *= 0.5; }
  // To where the parabola through both values is least.
  void shorten(double there) {
    const double over = there - value_ + t_ * fall_; // the part that the tangent at the point did not predict
    t_ *= std::clamp(std::isfinite(over) && over > 0 ? t_ * fall_ / (2 * over) : 0.1, 0.1, 0.5);
  }

private:
  bool falls(double there) const { return there <= value_ - 1e-4 * t_ * fall_; }

  double value_, fall_, shortest_, t_ = 1;
  bool blind_;
};

} // namespace recta
