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

// Nodes are numbered in the order in which they were added. A list of links is its length, the links, and zeros up to
// the length that a list may have: those of layer 0 node by node, and those of the layers above node by node and layer
// by layer, which are few.
class Graph {
public:
  Graph() = default;
  Graph(std::vector<std::uint8_t> levels, Index links); // without links yet
  // With the links of layer 0 in memory or in a file.
  Graph(std::vector<std::uint8_t> levels, Index links, CheckedArray<NodeNumber> layer0, std::vector<NodeNumber> above);

  Index nodes() const { return static_cast<Index>(level_.size()); }
  Index level(NodeNumber node) const { return level_[node]; } // its highest layer
  Index most_links(Index layer) const { return layer == 0 ? 2 * links_ : links_; }
  std::span<const NodeNumber> links(NodeNumber node, Index layer) const {
    const NodeNumber* list = layer > 0         ? above_.data() + slot(node, layer)
                             : stored_.empty() ? layer0_.data() + slot(node, 0)
                                               : stored_.from(slot(node, 0), at(1 + 2 * links_));
    return {list + 1, list[0]};
  }
  // Brings the links of a node near, which are read soon.
  void expect(NodeNumber node, Index layer) const {
    const NodeNumber* lists = layer > 0 ? above_.data() : stored_.empty() ? layer0_.data() : stored_.view().address();
    const NodeNumber* list = lists + slot(node, layer);
    __builtin_prefetch(list);
    __builtin_prefetch(list + 16);
  }
  void set_links(NodeNumber node, Index layer, std::span<const NodeNumber> to); // of a graph in memory
  NodeNumber entry() const { return entry_; }                                   // the first of the highest nodes
  void enter(NodeNumber node) { entry_ = node; }
  bool operator==(const Graph& other) const;

  // The graph as a file holds it.
  std::span<const std::uint8_t> levels() const { return level_; }
  std::span<const NodeNumber> layer0() const { return stored_.empty() ? std::span(layer0_) : stored_.all(); }
  std::span<const NodeNumber> above() const { return above_; }

private:
  std::size_t slot(NodeNumber node, Index layer) const {
    return layer == 0 ? node * at(1 + 2 * links_) : at(1 + links_) * (start_[node] + at(layer - 1));
  }

  Index links_ = 0;
  NodeNumber entry_ = 0;
  std::vector<std::uint8_t> level_;
  std::vector<std::uint32_t> start_; // of a node's lists above layer 0: how many there are before
  std::vector<NodeNumber> layer0_, above_;
  CheckedArray<NodeNumber> stored_; // in place of layer0_
};

// The highest layers of the nodes, drawn by the seed: layer l or above with probability links^-l.
std::vector<std::uint8_t> drawn_levels(Index nodes, const GraphOptions& options);

// Nodes are added in batches whose sizes depend on their number alone. Those of a batch look for their links in the
// graph before it and among the earlier nodes of the batch, in parallel; links back are then added node by node. The
// graph has the same bits at any number of threads.
Graph build_graph(const Space& space, const GraphOptions& options, Pool& pool);

} // namespace recta::neighbours
