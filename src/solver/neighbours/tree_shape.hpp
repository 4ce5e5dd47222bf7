// The shape of a tree whose nodes halve their rows, which the number of rows decides alone: node 0 is the root, the
// first child follows its node, and the second one follows the first one's nodes.
#pragma once

#include "base/numbers.hpp"

#include <vector>

namespace recta::neighbours {

class TreeShape {
public:
  // `leaf`: rows of a leaf, at most. `centres`: rows that a node keeps for itself before it halves the others.
  TreeShape(Index rows, Index leaf, Index centres) : leaf_(leaf), centres_(centres) {
    // Halving s and s + 1 rows gives h and h + 1 rows, with h as below: there are two sizes at every depth.
    for (Index size = rows;; size = first_half(size)) {
      levels_.push_back({size, {1, 1}});
      if (size + 1 <= leaf) break;
    }
    for (std::size_t depth = levels_.size() - 1; depth-- > 0;)
      for (const Index more : {0, 1}) {
        const Index size = levels_[depth].size + more;
        if (is_leaf(size)) continue;
        const Index first = first_half(size), second = size - centres_ - first;
        levels_[depth].nodes[at(more)] = 1 + nodes(first, depth + 1) + nodes(second, depth + 1);
      }
  }

  bool is_leaf(Index rows) const { return rows <= leaf_; }
  Index first_half(Index rows) const { return (rows - centres_) / 2; }
  // The nodes of a subtree that has so many rows and begins at this depth; the root is at depth 0.
  Index nodes(Index rows, std::size_t depth) const {
    const Level& level = levels_[depth];
    return level.nodes[rows == level.size ? 0 : 1];
  }
  Index all_nodes() const { return levels_.front().nodes[0]; }

  // A node, as a walk from the root knows it.
  struct Node {
    Index number = 0, first = 0, last = 0; // rows [first, last), in the order of the tree
    std::size_t depth = 0;
    Index rows() const { return last - first; }
  };
  Node root(Index rows) const { return {0, 0, rows, 0}; }
  Node first_child(const Node& node) const {
    const Index from = node.first + centres_;
    return {node.number + 1, from, from + first_half(node.rows()), node.depth + 1};
  }
  Node second_child(const Node& node) const {
    const Index half = first_half(node.rows());
    return {node.number + 1 + nodes(half, node.depth + 1), node.first + centres_ + half, node.last, node.depth + 1};
  }

private:
  struct Level {
    Index size;     // of the smaller subtrees at this depth
    Index nodes[2]; // of those with `size` rows, and of those with one more
  };

  Index leaf_, centres_;
  std::vector<Level> levels_;
};

} // namespace recta::neighbours
