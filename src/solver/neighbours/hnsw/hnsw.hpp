// Approximate search through a graph. It finds most of the nearest rows, with a measured recall
// (certificate/neighbours) and no promise; the k nearest alone, not all within a radius.
#pragma once

#include "solver/neighbours/hnsw/graph.hpp"
#include "solver/neighbours/search.hpp"

namespace recta::neighbours {

class GraphSearch : public Search {
public:
  virtual const Graph& graph() const = 0;
};

std::unique_ptr<GraphSearch> make_hnsw(const Metric& metric, const Points& points, const GraphOptions& options,
                                       Pool& pool);
// With a graph built before, over the same points and with the same options.
std::unique_ptr<GraphSearch> make_hnsw(const Metric& metric, const Points& points, const GraphOptions& options,
                                       Graph known, Pool& pool);

} // namespace recta::neighbours
