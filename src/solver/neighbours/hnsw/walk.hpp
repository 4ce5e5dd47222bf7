// Walks through one layer of a graph.
#pragma once

#include "solver/neighbours/hnsw/graph.hpp"

namespace recta::neighbours {

struct Met {
  double distance;
  NodeNumber node;
  bool operator==(const Met&) const = default;
  // Nearer first, then earlier; distances are numbers, so that no third answer slows down the heaps.
  friend bool operator<(const Met& a, const Met& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.node < b.node);
  }
  friend bool operator>(const Met& a, const Met& b) { return b < a; }
};

// One walk at a time, with buffers that are kept for the next. A walk reads memory at random places and waits for it
// most of the time, so it is cut into steps: each asks for what the next one reads, and whoever has several walks to do
// takes their steps in turn.
class Walker {
public:
  Walker(const Graph& graph, const Space& space) : graph_(graph), space_(space) {}

  // Begins a walk from the entry down, in every layer above 0 to the nearest node, and in layer 0 to the `count`
  // nearest. The query must outlive the walk.
  void start(const std::vector<double>& query, Index count);
  bool step();               // false: the walk has ended
  std::vector<Met> result(); // of a walk that has ended, nearest first

  // The node at which a query enters `layer`: from the entry down, in every layer above it to the nearest node.
  Met descend(const std::vector<double>& query, Index layer);
  // The `count` nearest nodes met from those in `from`, nearest first. A walk ends when the nearest node whose links
  // were not followed is farther than all that are kept.
  std::vector<Met> nearest(const std::vector<double>& query, std::span<const Met> from, Index count, Index layer);

private:
  Met entry(const std::vector<double>& query) const;
  void begin_layer(std::span<const Met> from, Index count, Index layer);
  bool first_visit(NodeNumber node);
  bool choose_next();
  void look_at_links();
  void measure_fresh();
  void keep(const Met& one);

  const Graph& graph_;
  const Space& space_;
  const std::vector<double>* query_ = nullptr;
  Index count_ = 0, layer_ = 0; // of the layer that is walked now: nodes to keep
  Index count_below_ = 0;       // nodes to keep in layer 0, if the walk goes on to it
  bool measuring_ = false;      // the next step measures; else it looks at the links of `next_`
  NodeNumber next_ = 0;
  std::vector<std::uint16_t> visited_; // the walk of a node's last visit
  std::uint16_t walk_ = 0;
  std::vector<Met> to_follow_, kept_; // heaps: the nearest and the farthest on top
  std::vector<NodeNumber> fresh_;
  std::vector<double> distances_;
};

} // namespace recta::neighbours
