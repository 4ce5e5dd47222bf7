// The shortest-path kernel (Borgwardt, Kriegel 2005): features are the triples of the labels of two nodes and the steps
// between them, and how many pairs of nodes have each. Pairs without a way between them are left out.
#pragma once

#include "data/graph/graph.hpp"
#include "kernel/texts.hpp"

#include <fmt/format.h>

namespace recta::kernel::shortest_path {

struct Leaf {
  static constexpr std::string_view kWord = "graph:shortest-path";
  static constexpr std::string_view kSummary = "distances between labelled nodes that two graphs have in common";
  static constexpr std::string_view kFormula =
      "sum over triples of two labels and a distance of count(in x) count(in z)";
  static constexpr std::array<std::string_view, 1> kTakes{"unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;
  static constexpr Index kMostNodes = 5000; // 25 million pairs

  explicit Leaf(const Settings&) {}
  void features(std::u32string_view text, Words& words, Counts& out) const {
    Graph graph;
    read_graph(text, graph);
    constexpr char32_t kBetween = 0x80000000; // no character
    std::u32string key;
    for (Index u = 0; u < graph.nodes(); ++u) {
      const std::vector<Index> steps = graph.distances(u);
      for (Index v = u + 1; v < graph.nodes(); ++v) {
        if (steps[at(v)] < 0) continue;
        const auto& [low, high] = std::minmax(graph.labels[at(u)], graph.labels[at(v)]);
        key = low;
        key.push_back(kBetween);
        key += high;
        key.push_back(kBetween + static_cast<char32_t>(steps[at(v)]));
        out.push_back({words.number(key)});
      }
    }
  }
  std::string fault(std::u32string_view text) const {
    Graph graph;
    std::string out = read_graph(text, graph);
    if (out.empty() && graph.nodes() > kMostNodes)
      out =
          fmt::format("the graph has {} nodes, and all distances are computed for up to {}", graph.nodes(), kMostNodes);
    return out;
  }
  std::string text() const { return "distances between labels in common"; }
};

} // namespace recta::kernel::shortest_path
