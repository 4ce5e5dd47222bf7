// The operations that a column-by-column solver needs from a design.
#pragma once

#include <recta/matrix.hpp>

#include <concepts>

namespace recta {

template <class X>
concept ColumnDesign = requires(const X& x, Index j, double a, const double* r, double* out) {
  { x.rows() } -> std::same_as<Index>;
  { x.cols() } -> std::same_as<Index>;
  { x.column_dot(j, r) } -> std::same_as<double>; // sum_i x_ij r_i
  x.column_axpy(j, a, out);                       // out_i += a x_ij
};

} // namespace recta
