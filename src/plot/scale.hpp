// From numbers to places along an axis, and the numbers worth writing beside it.
//
// Ticks are k * step with step = {1, 2, 5} * 10^e, the smallest that leaves them `apart` pixels from each other; on a
// logarithmic axis whole decades, or 1, 2, 5 of each, or steps as above where the axis is shorter than that. A label is
// made from the integers k * {1, 2, 5} and e, so it is exact.
#pragma once

#include <recta/plot.hpp>

namespace recta::plot {

struct Range {
  double low = 0, high = 0;
  bool empty = true;
  void take(double value);
};

struct Tick {
  double at = 0;
  std::string label{}; // empty: a small one
};

struct Ticks {
  std::vector<Tick> all{};
  std::string unit{}; // belongs to the axis label: "− 10⁹", "in 10⁵"
};

class Place {
public:
  // The range of the data with a little room around it, or exactly what the axis asks for.
  Place(const Axis& axis, Range data, double length);

  double operator()(double value) const; // in pixels from the low end
  bool holds(double value) const;        // has a place at all
  double low() const { return low_; }
  double high() const { return high_; }
  double length() const { return length_; }
  Ticks ticks(double apart) const;
  // Wider to both sides, until one pixel is worth `unit`. Linear axes only.
  void widen(double unit);

private:
  Scale scale_;
  bool falling_;
  double low_, high_, length_;
};

Ticks named_ticks(const std::vector<std::string>& names); // at 0, 1, 2, ...
Ticks linear_ticks(double low, double high, int most);
Ticks log_ticks(double low, double high, int most);

} // namespace recta::plot
