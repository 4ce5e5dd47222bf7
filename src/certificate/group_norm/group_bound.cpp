#include "certificate/group_norm/group_bound.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta {
namespace {

// Computed in a unit near the largest number, so that no square leaves the range of doubles.
double length_of(const std::vector<double>& x) {
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  if (largest == 0 || !std::isfinite(largest)) return largest;
  const int exponent = std::ilogb(largest);
  CompensatedSum sum;
  for (const double value : x) {
    const double scaled = std::ldexp(value, -exponent);
    sum.add_product(scaled, scaled);
  }
  return std::ldexp(std::sqrt(sum.value()), exponent);
}

// |u/|u| - g/|g||^2 / 2
double apart_of(const GroupTerm& term, double length, double size) {
  if (length == 0 || size == 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < term.u.size(); ++i) {
    const double rest = term.u[i] / length - term.g[i] / size;
    sum += rest * rest / 2;
  }
  return sum;
}

// One term of the sum at c, and what rounding can have done to it. P* has the derivative `best`, which changes by
// 1 / t of its argument.
GroupBound term_at(const GroupTerm& term, double c) {
  const double length = term.length(), size = term.size(), error = c * (term.error + 8 * kUnit * size);
  const double apart = apart_of(term, length, size), unsure = term.rounding + 16 * kUnit * term.a;
  const double reach = term.t == 0 ? std::min(c * size, term.a) : c * size;
  if (reach <= term.a) {
    const double gap = length * (term.a - reach + reach * apart + term.t * length / 2);
    const double beyond = term.t == 0 ? 0 : error * error / (2 * term.t);
    return {gap, (error + unsure) * length + beyond};
  }
  const double best = (reach - term.a) / term.t, between = length - best;
  const double square = between * between + 2 * length * best * apart; // |u - best g/|g||^2
  const double gap = term.a * length * apart + term.t * square / 2;
  // The difference of two lengths is known to the rounding of both.
  const double off = std::sqrt(square) + 16 * kUnit * (length + best) + unsure / term.t;
  return {gap, (error + unsure) * off + error * error / (2 * term.t)};
}

GroupBound bound_at(const std::vector<GroupTerm>& terms, double mean_square, double intercept, double c) {
  CompensatedSum gap, slack;
  gap.add(intercept);
  gap.add((1 - c) * (1 - c) * mean_square / 2);
  for (const GroupTerm& term : terms) {
    const GroupBound term_bound = term_at(term, c);
    gap.add(term_bound.gap);
    slack.add(term_bound.slack);
  }
  const double total = std::max(0.0, gap.value());
  return {total, slack.value() + 64 * kUnit * total};
}

} // namespace

double GroupTerm::length() const {
  return length_of(u);
}
double GroupTerm::size() const {
  return length_of(g);
}
double GroupTerm::value() const {
  const double norm = length();
  return a * norm + t * norm * norm / 2;
}

GroupBound bound_by_residual(const std::vector<GroupTerm>& terms, double mean_square, double intercept) {
  double tight = 1; // the largest c <= 1 at which no group is beyond its bound
  bool squares = true;
  for (const GroupTerm& term : terms) {
    squares = squares && term.t > 0;
    const double most = (1 + 16 * kUnit) * (term.size() + term.error);
    if (most > 0) tight = std::min(tight, (1 - 8 * kUnit) * (term.a - term.rounding) / most);
  }
  GroupBound least{std::numeric_limits<double>::infinity(), 0};
  for (const double c : {0.0, tight, squares ? 1 : tight}) {
    const GroupBound bound = bound_at(terms, mean_square, intercept, c);
    if (bound.gap + bound.slack < least.gap + least.slack) least = bound;
  }
  return least;
}

} // namespace recta
