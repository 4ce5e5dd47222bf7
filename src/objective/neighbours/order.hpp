// The order of rows as neighbours of one query: by exact distance, then as Points::before says.
//
// Measured distances are rounded, so two that agree but for rounding do not tell which row is nearer. There the
// coordinates decide, as the doubles they are: of sums of squares or sizes the sign of
//   sum_j (|a_j - q_j|^m - |b_j - q_j|^m),   m = 2 or 1
// is taken in double-double if that is clear of its error bound, else from an exact sum; of largest differences, which
// are exact as pairs of doubles, by comparing these. Powers, and distances that are no norms, have no such sum: they
// are ordered as measured.
#pragma once

#include "objective/neighbours/metric.hpp"

namespace recta::neighbours {

class Order {
public:
  // All must outlive it.
  Order(const Points& points, const Measure& measure, const double* query);

  // Whether a comes before b.
  bool operator()(const Neighbour& a, const Neighbour& b) const;
  // No row that is measured farther than this comes before one at this distance.
  double reach(double distance) const { return distance * (1 + room_); }

private:
  enum class By : std::uint8_t { squares, sizes, largest, measured };
  template <class Term>
  int side_of_sums(const double* a, const double* b, const Term& term) const;
  int side_of_largest(const double* a, const double* b) const;
  int side(Index a, Index b) const; // below zero: a is nearer

  const Points& points_;
  const double* query_;
  By by_ = By::measured;
  double room_ = 0; // distances that differ by no more than this share of the larger may be in the other order
};

// Distances of rows in order: where rounding would let them fall, the one before is taken again.
void never_falling(std::vector<Neighbour>& in_order);

} // namespace recta::neighbours
