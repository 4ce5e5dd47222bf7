// One group of columns over all targets, as a block of coordinates u (m x k by target), and its share of the cost apart
// from the squares: h(u) = l1 |u| + l2 |u|^2 / 2.
#pragma once

#include <recta/error.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace recta::descent {

struct Block {
  double l1 = 0, l2 = 0;
  double norm = 0; // of the block's columns as one vector: at least the norm of the map u -> Z u
};

inline double norm_of(std::span<const double> u) {
  double sum = 0;
  for (const double value : u) sum += value * value;
  return std::sqrt(sum);
}

// The distance of g from the subdifferential of h at u: zero at an optimum.
inline double violation(const Block& block, std::span<const double> u, std::span<const double> g) {
  const double length = norm_of(u);
  if (length == 0) return std::max(0.0, norm_of(g) - block.l1);
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double rest = g[i] - (block.l2 + block.l1 / length) * u[i];
    sum += rest * rest;
  }
  return std::sqrt(sum);
}

// h(u) + h*(c g) - <c g, u>, as a sum of non-negative terms: |u| - <u, v> for a unit vector v is |u| |u/|u| - v|^2 / 2,
// in which nothing cancels. If l2 = 0, |c g| is at most l1, except for a rounding of c.
inline double slack(const Block& block, std::span<const double> u, std::span<const double> g, double c) {
  const double length = norm_of(u), size = norm_of(g);
  const double reach = block.l2 == 0 ? std::min(c * size, block.l1) : c * size;
  double apart = 0; // |u/|u| - g/|g||^2 / 2
  for (std::size_t i = 0; i < u.size() && length > 0 && size > 0; ++i) {
    const double rest = u[i] / length - g[i] / size;
    apart += rest * rest / 2;
  }
  if (reach <= block.l1) return length * (block.l1 - reach + reach * apart + block.l2 * length / 2);
  const double best = (reach - block.l1) / block.l2; // the length at which h*(c g) is attained
  return (block.l1 + block.l2 * best) * length * apart + block.l2 * (length - best) * (length - best) / 2;
}

} // namespace recta::descent
