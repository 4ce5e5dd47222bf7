#include "solver/coordinate_descent/gap.hpp"

namespace recta::descent {
namespace {

// The gap with c times the residual as dual point.
double with_scale(std::span<const Term> terms, const Point& point, std::span<const Index> looked,
                  double residual_square, double c) {
  double sum = (1 - c) * (1 - c) * residual_square / 2;
  for (std::size_t at = 0; at < looked.size(); ++at) {
    const Term& term = terms[at];
    const double t = point.t[looked[at]];
    double g = c * point.g[looked[at]];
    if (term.l1 == 0 && term.unbounded(g)) { // unpenalised: g is zero at the end, and until then this can be gained
      sum += std::abs(g) * (std::abs(t) + 4 * std::abs(g));
      continue;
    }
    if (term.unbounded(g)) g = std::clamp(g, -term.l1, term.l1); // outside by at most a rounding of c
    sum += term.slack(t, g);
  }
  return sum;
}

// The gap with the squares of the penalty as rows of the data: z = g - l2 t must stay within l1, and c scales those
// rows too.
double with_rows(std::span<const Term> terms, const Point& point, std::span<const Index> looked,
                 double residual_square) {
  double c = 1, square = residual_square, rest = 0;
  for (std::size_t at = 0; at < looked.size(); ++at) {
    const Term& term = terms[at];
    const double z = std::abs(point.g[looked[at]] - term.l2 * point.t[looked[at]]);
    if (term.l1 > 0 && z > term.l1) c = std::min(c, term.l1 / z);
    if (term.l1 == 0 && z > 0) return std::numeric_limits<double>::infinity();
  }
  for (std::size_t at = 0; at < looked.size(); ++at) {
    const Term& term = terms[at];
    const double t = point.t[looked[at]];
    square += term.l2 * t * t;
    rest += std::max(0.0, term.l1 * std::abs(t) - c * (point.g[looked[at]] - term.l2 * t) * t);
  }
  return (1 - c) * (1 - c) * square / 2 + rest;
}

} // namespace

Gap measure_gap(std::span<const Term> terms, const Point& point, std::span<const Index> looked,
                double residual_square) {
  double c = 1;
  bool squares = false, bounds = false;
  for (std::size_t at = 0; at < looked.size(); ++at) {
    const Term& term = terms[at];
    squares = squares || term.l2 > 0;
    bounds = bounds || !std::isinf(term.low) || !std::isinf(term.high);
    const double slope = point.g[looked[at]], g = std::abs(slope);
    if (term.l1 > 0 && g > term.l1 && term.unbounded(slope)) c = std::min(c, term.l1 / g);
  }
  const double gap = with_scale(terms, point, looked, residual_square, c);
  if (!squares || bounds) return {gap, gap};
  return {std::min(gap, with_rows(terms, point, looked, residual_square)), gap};
}

} // namespace recta::descent
