#include "objective/neighbours/order.hpp"

#include "stats/exact_sum.hpp"

#include <algorithm>
#include <cmath>

namespace recta::neighbours {
namespace {

constexpr double kRound = 0x1p-106;                                // u^2 of double-double
constexpr double kLeastTerms = 0x1p-800, kLargestTerms = 0x1p1000; // between these no product loses digits

int sign(double value) {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

// |x - q|^m, as a double-double off by at most 5 u^2 of it, and added to an exact sum.
struct Square {
  static DoubleDouble of(DoubleDouble difference) { return difference * difference; }
  static void add(DoubleDouble difference, double factor, ExactSum& sum) {
    sum.add_product(factor * difference.hi, difference.hi);
    sum.add_product(factor * difference.hi, 2 * difference.lo);
    sum.add_product(factor * difference.lo, difference.lo);
  }
};

struct Size {
  static DoubleDouble of(DoubleDouble difference) { return abs(difference); }
  static void add(DoubleDouble difference, double factor, ExactSum& sum) {
    const DoubleDouble size = abs(difference);
    sum.add(factor * size.hi);
    sum.add(factor * size.lo);
  }
};

// The sign also of a sum below the range of doubles: it is taken in units of the least product of two doubles.
int sign_of(const ExactSum& sum) {
  constexpr double kLeast = 0x1p-1074;
  ExactSum unit;
  unit.add_product(kLeast, kLeast);
  return sign(sum.over(unit));
}

} // namespace

Order::Order(const Points& points, const Measure& measure, const double* query) : points_(points), query_(query) {
  if (std::holds_alternative<Euclidean>(measure)) by_ = By::squares;
  if (std::holds_alternative<Manhattan>(measure)) by_ = By::sizes;
  if (std::holds_alternative<Chebyshev>(measure)) by_ = By::largest;
  // Four times the rounding of a sum of so many terms and of its root (measures.hpp).
  if (by_ != By::measured) room_ = static_cast<double>(points.cols + 32) * 0x1p-52;
}

bool Order::operator()(const Neighbour& a, const Neighbour& b) const {
  const double apart = std::fabs(a.distance - b.distance), farther = std::max(a.distance, b.distance);
  if (by_ == By::measured || !(apart <= room_ * farther) || farther == 0) return nearer(points_, a, b);
  const int sign = side(a.row, b.row);
  return sign != 0 ? sign < 0 : points_.before(a.row, b.row);
}

int Order::side(Index a, Index b) const {
  const double *row_a = points_.row(a), *row_b = points_.row(b);
  if (by_ == By::largest) return side_of_largest(row_a, row_b);
  return by_ == By::squares ? side_of_sums(row_a, row_b, Square{}) : side_of_sums(row_a, row_b, Size{});
}

// Columns in which the rows agree add nothing. Each of the others brings two terms, rounded by 5 u^2 of them, and two
// additions, rounded by 3 u^2 of all terms before. Nothing is rounded if no low part is there.
template <class Term>
int Order::side_of_sums(const double* a, const double* b, const Term&) const {
  DoubleDouble sum;
  double terms = 0;
  Index count = 0;
  bool exact = true;
  for (Index j = 0; j < points_.cols; ++j) {
    if (a[j] == b[j]) continue;
    const DoubleDouble of_a = Term::of(two_sum(a[j], -query_[j])), of_b = Term::of(two_sum(b[j], -query_[j]));
    sum += of_a;
    sum -= of_b;
    exact = exact && of_a.lo == 0 && of_b.lo == 0 && sum.lo == 0;
    terms += of_a.hi + of_b.hi;
    ++count;
  }
  if (count == 0) return 0;
  if (terms > kLeastTerms && terms < kLargestTerms) {
    if (exact || std::fabs(sum.hi) > static_cast<double>(8 * count + 8) * kRound * terms) return sign(sum.hi);
  }
  ExactSum whole;
  for (Index j = 0; j < points_.cols; ++j) {
    if (a[j] == b[j]) continue;
    Term::add(two_sum(a[j], -query_[j]), 1, whole);
    Term::add(two_sum(b[j], -query_[j]), -1, whole);
  }
  return sign_of(whole);
}

int Order::side_of_largest(const double* a, const double* b) const {
  DoubleDouble of_a, of_b;
  for (Index j = 0; j < points_.cols; ++j) {
    const DoubleDouble from_a = abs(two_sum(a[j], -query_[j])), from_b = abs(two_sum(b[j], -query_[j]));
    if (of_a < from_a) of_a = from_a;
    if (of_b < from_b) of_b = from_b;
  }
  return of_a < of_b ? -1 : of_b < of_a ? 1 : 0;
}

void never_falling(std::vector<Neighbour>& in_order) {
  for (std::size_t i = 1; i < in_order.size(); ++i)
    in_order[i].distance = std::max(in_order[i].distance, in_order[i - 1].distance);
}

} // namespace recta::neighbours
