// Weights by class, and constants about the means of the columns: z_k = <w_k, x - m> + c_k.
#pragma once

#include <recta/matrix.hpp>

#include <vector>

namespace recta {

struct ClassVector {
  std::vector<double> w, c;

  ClassVector() = default;
  ClassVector(Index cols, Index classes)
      : w(static_cast<std::size_t>(cols * classes)), c(static_cast<std::size_t>(classes)) {}

  void add(double t, const ClassVector& other) {
    for (std::size_t s = 0; s < w.size(); ++s) w[s] += t * other.w[s];
    for (std::size_t k = 0; k < c.size(); ++k) c[k] += t * other.c[k];
  }
};

inline double dot(const ClassVector& a, const ClassVector& b) {
  double sum = 0;
  for (std::size_t s = 0; s < a.w.size(); ++s) sum += a.w[s] * b.w[s];
  for (std::size_t k = 0; k < a.c.size(); ++k) sum += a.c[k] * b.c[k];
  return sum;
}

} // namespace recta
