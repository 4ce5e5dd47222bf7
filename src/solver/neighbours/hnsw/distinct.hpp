// The distinct rows among points: equal rows would link to one another and to nothing else, so they share one node of a
// graph.
#pragma once

#include "objective/neighbours/metric.hpp"

namespace recta::neighbours {

// The rows of node v are member[start[v]] to member[start[v + 1] - 1], in order; without `start` every node has one
// row.
struct DistinctRows {
  CheckedArray<Index> start, member;

  Index nodes() const { return static_cast<Index>(start.empty() ? member.size() : start.size() - 1); }
  std::span<const Index> rows_of(Index node) const;
  Index row_of(Index node) const { return rows_of(node).front(); } // the first of them
  bool operator==(const DistinctRows&) const = default;
};

// Nodes in an order drawn by the seed, so that sorted data are added in no order of their own.
DistinctRows distinct_rows(const Points& points, std::uint64_t seed);

} // namespace recta::neighbours
