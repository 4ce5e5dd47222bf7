// Weights and intercept as a descent moves them.
#pragma once

#include <cmath>
#include <vector>

namespace recta {

struct Point {
  std::vector<double> w;
  double b = 0;

  double square() const { return weight_square() + b * b; }
  double weight_square() const {
    double sum = 0;
    for (const double x : w) sum += x * x;
    return sum;
  }
  double norm() const { return std::sqrt(square()); }
  bool finite() const { return std::isfinite(square()); }
  void add(double a, const Point& other) {
    for (std::size_t j = 0; j < w.size(); ++j) w[j] += a * other.w[j];
    b += a * other.b;
  }
};

inline double dot(const Point& a, const Point& c) {
  double sum = a.b * c.b;
  for (std::size_t j = 0; j < a.w.size(); ++j) sum += a.w[j] * c.w[j];
  return sum;
}

} // namespace recta
