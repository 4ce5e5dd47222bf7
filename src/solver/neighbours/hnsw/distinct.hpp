// The distinct rows among points: equal rows would link to one another and to nothing else, so they share one node of a
// graph.
#pragma once

#include "objective/neighbours/metric.hpp"

namespace recta::neighbours {

struct DistinctRows {
  std::vector<Index> row;           // of each node: the first of its rows
  std::vector<Index> start, member; // the rows of node v are member[start[v]] to member[start[v + 1] - 1]

  std::span<const Index> rows_of(Index node) const {
    const auto first = static_cast<std::size_t>(start[static_cast<std::size_t>(node)]);
    const auto last = static_cast<std::size_t>(start[static_cast<std::size_t>(node) + 1]);
    return std::span(member).subspan(first, last - first);
  }
};

// Nodes in an order drawn by the seed, so that sorted data are added in no order of their own.
DistinctRows distinct_rows(const Points& points, std::uint64_t seed);

} // namespace recta::neighbours
