// B-splines of one column (de Boor, A Practical Guide to Splines, 1978): with K knots and degree d there are K + d - 1
// functions, each a piecewise polynomial over d + 1 intervals, that sum to one between the first knot and the last.
// Further knots outside repeat the distance of the first and of the last two (Eilers and Marx 1996), as scikit-learn
// has them. Without the bias the last function is left out, so that a constant term is not made twice.
#pragma once

#include "feature/map/expression.hpp"

namespace recta::feature {

enum class Outside : std::uint8_t {
  constant, // as at the nearest end
  linear,   // the tangent there
  proceed,  // the polynomial of the nearest interval
  error
};

struct SplineShape {
  Index degree = 3;
  Outside outside = Outside::constant;
  bool bias = false;
};

class Spline {
public:
  Spline(std::vector<double> knots, SplineShape shape); // ascending, two or more

  Index count() const { return functions() - (shape_.bias ? 0 : 1); }
  double first() const { return knots_[degree()]; }
  double last() const { return knots_[knots_.size() - 1 - degree()]; }
  bool inside(double x) const { return x >= first() && x <= last(); }
  // All functions at x, those left out too; outside the knots by shape.outside, `error` like `proceed`.
  void values(double x, std::vector<double>& out) const;

private:
  std::size_t degree() const { return static_cast<std::size_t>(shape_.degree); }
  Index functions() const { return static_cast<Index>(knots_.size()) - shape_.degree - 1; }
  std::size_t interval(double x) const; // of the polynomial that holds at x
  void at_interval(double x, std::size_t interval, std::size_t degree, std::vector<double>& out) const;
  void slopes(double x, std::size_t interval, std::vector<double>& out) const;

  std::vector<double> knots_; // with those outside
  SplineShape shape_;
};

} // namespace recta::feature
