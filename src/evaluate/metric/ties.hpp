// Rows of two classes in the order of their scores, and a walk over them, one stop per distinct score.
//
// Without weights the keys of positive rows and of the others are sorted apart, eight bytes per row, and the walk
// merges them. With weights key and weight are sorted together, and the sign bit of the weight tells the classes apart.
#pragma once

#include "evaluate/metric/sort.hpp"

#include <recta/metrics.hpp>

#include <cmath>

namespace recta::metric {

struct OrderedRows {
  Unset<std::uint64_t> positive, negative; // without weights
  Unset<WeightedKey> weighted;             // with them
  bool has_weights = false;
};

// Refuses lengths that differ, scores that are not finite and bad weights. Rows of weight zero are left out.
Result<OrderedRows> order(const Ranked& rows, int threads);

struct Tie { // rows of one score
  std::uint64_t key = 0;
  double positive = 0, negative = 0;                 // weights
  double positive_squares = 0, negative_squares = 0; // sums of squared weights
};

// Calls visit(const Tie&) from the highest score to the lowest.
template <class Visit>
void visit_counts(const OrderedRows& rows, Visit&& visit) {
  Index p = std::ssize(rows.positive) - 1, n = std::ssize(rows.negative) - 1;
  const std::uint64_t *const positive = rows.positive.data(), *const negative = rows.negative.data();
  while (p >= 0 || n >= 0) {
    const std::uint64_t key = n < 0 || (p >= 0 && positive[p] > negative[n]) ? positive[p] : negative[n];
    const Index before_p = p, before_n = n;
    while (p >= 0 && positive[p] == key) --p;
    while (n >= 0 && negative[n] == key) --n;
    const auto ones = static_cast<double>(before_p - p), zeros = static_cast<double>(before_n - n);
    visit(Tie{key, ones, zeros, ones, zeros});
  }
}

template <class Visit>
void visit_weights(const OrderedRows& rows, Visit&& visit) {
  for (Index i = std::ssize(rows.weighted) - 1; i >= 0;) {
    Tie tie{.key = rows.weighted[static_cast<std::size_t>(i)].key};
    for (; i >= 0 && rows.weighted[static_cast<std::size_t>(i)].key == tie.key; --i) {
      const double weight = rows.weighted[static_cast<std::size_t>(i)].weight, size = std::abs(weight);
      (weight > 0 ? tie.positive : tie.negative) += size;
      (weight > 0 ? tie.positive_squares : tie.negative_squares) += size * size;
    }
    visit(tie);
  }
}

template <class Visit>
void visit_ties(const OrderedRows& rows, Visit&& visit) {
  rows.has_weights ? visit_weights(rows, visit) : visit_counts(rows, visit);
}

} // namespace recta::metric
