// Graphs written as text: "a-b;b-c;d;a:C" has the edges a-b and b-c, the node d beside them, and the label C at a.
// Nodes without a label share the empty one. An edge that is written twice is one edge; a-a is a loop at a.
//
// A text of several lines is a file of edges: one edge per line, "a b" or "a,b" (names may have dashes; only if no line
// is such an edge, "a-b" is one), the label "a: C" or "a:C", a node alone; a line that begins with # is a comment.
#pragma once

#include <recta/error.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace recta {

struct Graph {
  std::vector<std::u32string> labels;      // by node, in the order in which nodes are first named
  std::vector<std::vector<Index>> edges{}; // neighbours of every node, ascending; a loop names the node itself

  Index nodes() const { return static_cast<Index>(labels.size()); }
  Index largest_degree() const;
  // Steps from a node to every other one; -1: there is no way.
  std::vector<Index> distances(Index from) const;
};

using NodeNumbers = std::unordered_map<std::u32string, Index>; // by name

// What is wrong with the text of a graph; empty: nothing, and `graph` is it.
std::string read_graph(std::u32string_view text, Graph& graph, NodeNumbers* numbers = nullptr);

} // namespace recta
