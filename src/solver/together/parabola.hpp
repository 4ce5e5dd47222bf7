// The minimum of a parabola with a penalty on absolute values,
//
//   <slope, x - from> + (x - from)' H (x - from) / 2 + sum_u size_u |x_u|
//
// by coordinate descent: over all coordinates, then over those that are not zero until they settle, and again.
#pragma once

#include <recta/matrix.hpp>

#include <vector>

namespace recta::together {

struct Parabola {
  const std::vector<double>& hessian; // by column, both triangles; the diagonal above zero
  const std::vector<double>& from;
  const std::vector<double>& slope;
  const std::vector<double>& size; // of the penalty, times strength
  double strength = 0;
};

// As exactly as `enough`: the fall that a sweep over the coordinates may still bring.
std::vector<double> minimum_of(const Parabola& parabola, double enough);

} // namespace recta::together
