// Approximate search through a graph. It finds most of the nearest rows, with a measured recall
// (certificate/neighbours) and no promise; the k nearest alone, not all within a radius.
#pragma once

#include "solver/neighbours/hnsw/graph.hpp"
#include "solver/neighbours/search.hpp"

namespace recta::neighbours {

// A graph and what it is walked with. With these nothing need be built again.
struct GraphParts {
  Graph graph;
  DistinctRows rows; // of the nodes
  FloatNodes floats; // of the nodes, if the space has them
  bool operator==(const GraphParts&) const = default;
};

class GraphSearch : public Search {
public:
  virtual const GraphParts& parts() const = 0;
};

std::unique_ptr<GraphSearch> make_hnsw(const Metric& metric, const Points& points, const GraphOptions& options,
                                       Pool& pool);
// With parts made before, over the same points and with the same options; what there is beside the graph may be
// missing.
std::unique_ptr<GraphSearch> make_hnsw(const Metric& metric, const Points& points, const GraphOptions& options,
                                       GraphParts parts);

} // namespace recta::neighbours
