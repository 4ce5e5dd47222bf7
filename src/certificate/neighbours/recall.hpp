// The recall of an approximate search: the share of the true neighbours that it finds, measured on training rows drawn
// by the seed, each without itself.
//
// The recall of one query is a number from 0 to 1 of any distribution, and those of several queries drawn with
// replacement are independent. If their mean is m, Chernoff's bound with the Kullback-Leibler divergence (Hoeffding,
// Probability inequalities for sums of bounded random variables, 1963, theorem 1) gives for the mean r over all
// training rows
//   P(queries * kl(m, r) > ln(1 / delta), m > r) <= delta,    kl(a, b) = a ln(a / b) + (1 - a) ln((1 - a) / (1 - b)).
// So r is at least the root below m of queries * kl(m, r) = ln(1 / delta), with confidence 1 - delta. The k places of
// one query are not independent of one another, and are not counted as if they were.
#pragma once

#include "base/pool.hpp"
#include "objective/neighbours/metric.hpp"

#include <functional>

namespace recta::neighbours {

inline constexpr double kRecallConfidence = 0.95;

struct Recall {
  Index queries = 0; // 0: none was measured
  bool all = false;  // every training row was asked, and nothing is left to chance
  double measured = 0, at_least = 0;
  bool operator==(const Recall&) const = default;
};

// The least mean that `queries` independent numbers from 0 to 1 with this mean leave, with this confidence.
double least_mean(double mean, Index queries, double confidence);

// What the index is asked: rows of the points by their numbers, none of which is its own neighbour.
using RowFinder = std::function<Neighbourhoods(std::span<const Index> rows)>;
Recall measure_recall(const Metric& metric, const Points& points, const Wanted& wanted, std::uint64_t seed,
                      const RowFinder& find, Pool& pool);

// The first rows of the order, from the distances to all of them but `self`: the definition.
std::vector<Neighbour> by_definition(const Metric& metric, const Points& points, const Wanted& wanted,
                                     const double* query, Index self = -1);

} // namespace recta::neighbours
