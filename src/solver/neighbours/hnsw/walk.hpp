// Walks through one layer of a graph.
#pragma once

#include "solver/neighbours/hnsw/graph.hpp"

#include <compare>

namespace recta::neighbours {

struct Met {
  double distance;
  NodeNumber node;
  auto operator<=>(const Met&) const = default; // nearer first, then earlier
};

// One thread's buffers, kept between queries.
class Walker {
public:
  Walker(const Graph& graph, const Space& space) : graph_(graph), space_(space) {}

  // The node at which a query enters `layer`: from the entry down, in every layer above it to the nearest node.
  Met descend(const std::vector<double>& query, Index layer);
  // The `count` nearest nodes met from those in `from`, nearest first. A walk ends when the nearest node whose links
  // were not followed is farther than all that are kept.
  std::vector<Met> nearest(const std::vector<double>& query, std::span<const Met> from, Index count, Index layer);
  double distance(const std::vector<double>& query, NodeNumber node) const;

private:
  bool first_visit(NodeNumber node);
  void look_at(const std::vector<double>& query, NodeNumber node, Index layer);
  void keep(const Met& one, Index count);

  const Graph& graph_;
  const Space& space_;
  std::vector<std::uint32_t> visited_; // the walk of a node's last visit
  std::uint32_t walk_ = 0;
  std::vector<Met> to_follow_, kept_; // heaps: the nearest and the farthest on top
  std::vector<NodeNumber> fresh_;
  std::vector<double> distances_;
};

} // namespace recta::neighbours
