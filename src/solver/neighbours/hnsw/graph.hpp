// The graph of an approximate search: hierarchical navigable small worlds (Malkov and Yashunin, Efficient and robust
// approximate nearest neighbor search using hierarchical navigable small world graphs, 2018).
//
// A node is linked to nodes near it, in layers: every node lies in layer 0, one in M of them in layer 1 too, one in M^2
// in layer 2, and so on. A query walks greedily down from the top, and in layer 0 keeps the `ef_search` nearest nodes
// met.
#pragma once

#include "base/pool.hpp"
#include "solver/neighbours/hnsw/options.hpp"
#include "solver/neighbours/hnsw/space.hpp"

namespace recta::neighbours {

// Nodes are numbered in the order in which they were added.
class Graph {
public:
  Graph() = default;
  Graph(std::vector<std::uint8_t> levels, Index links); // without links yet

  Index nodes() const { return static_cast<Index>(level_.size()); }
  Index level(NodeNumber node) const { return level_[node]; } // its highest layer
  Index most_links(Index layer) const { return layer == 0 ? 2 * links_ : links_; }
  std::span<const NodeNumber> links(NodeNumber node, Index layer) const {
    const NodeNumber* list = slots_.data() + slot(node, layer);
    return {list + 1, list[0]};
  }
  // Brings the links of a node near, which are read soon.
  void expect(NodeNumber node, Index layer) const {
    const NodeNumber* list = slots_.data() + slot(node, layer);
    __builtin_prefetch(list);
    __builtin_prefetch(list + 16);
  }
  void set_links(NodeNumber node, Index layer, std::span<const NodeNumber> to);
  NodeNumber entry() const { return entry_; } // the first of the highest nodes
  void enter(NodeNumber node) { entry_ = node; }
  bool operator==(const Graph&) const = default;

private:
  std::size_t slot(NodeNumber node, Index layer) const {
    return start_[node] + (layer == 0 ? 0 : at(1 + 2 * links_ + (layer - 1) * (1 + links_)));
  }

  Index links_ = 0;
  NodeNumber entry_ = 0;
  std::vector<std::uint8_t> level_;
  std::vector<std::size_t> start_; // of a node's lists in `slots_`, layer after layer, each after its length
  std::vector<NodeNumber> slots_;
};

// The highest layers of the nodes, drawn by the seed: layer l or above with probability links^-l.
std::vector<std::uint8_t> drawn_levels(Index nodes, const GraphOptions& options);

// Nodes are added in batches whose sizes depend on their number alone. Those of a batch look for their links in the
// graph before it and among the earlier nodes of the batch, in parallel; links back are then added node by node. The
// graph has the same bits at any number of threads.
Graph build_graph(const Space& space, const GraphOptions& options, Pool& pool);

} // namespace recta::neighbours
