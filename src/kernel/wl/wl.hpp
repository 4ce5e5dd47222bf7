// The Weisfeiler-Lehman kernel (Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt 2011): in every round the
// label of a node becomes the pair of its own label and the sorted labels of its neighbours; features are the labels of
// all rounds, and how many nodes have each. Pairs are numbered by an exact dictionary.
#pragma once

#include "data/graph/graph.hpp"
#include "kernel/texts.hpp"

#include <fmt/format.h>

namespace recta::kernel::wl {

struct Leaf {
  static constexpr std::string_view kWord = "graph:wl";
  static constexpr std::string_view kSummary = "neighbourhoods that two graphs have in common (Weisfeiler-Lehman)";
  static constexpr std::string_view kFormula = "sum over labels of rounds 0 ... rounds of count(in x) count(in z)";
  static constexpr std::array<std::string_view, 2> kTakes{"rounds", "unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;

  Index rounds;

  explicit Leaf(const Settings& settings) : rounds(settings.rounds) {}
  void features(std::u32string_view text, Words& words, Counts& out) const {
    Graph graph;
    read_graph(text, graph);
    constexpr char32_t kRound = 0x80000000; // no character
    std::vector<std::int64_t> label, next(graph.labels.size()), around;
    for (const std::u32string& name : graph.labels) label.push_back(words.number(kRound + name));
    for (const std::int64_t one : label) out.push_back({one});
    std::u32string key;
    const auto put = [&](std::int64_t number) {
      key.push_back(static_cast<char32_t>(number >> 31)), key.push_back(static_cast<char32_t>(number & 0x7FFFFFFF));
    };
    for (Index round = 1; round <= rounds; ++round) {
      for (std::size_t v = 0; v < label.size(); ++v) {
        around.clear();
        for (const Index u : graph.edges[v]) around.push_back(label[at(u)]);
        std::ranges::sort(around);
        key.assign(1, kRound + static_cast<char32_t>(round));
        put(label[v]);
        for (const std::int64_t one : around) put(one);
        next[v] = words.number(key);
      }
      label.swap(next);
      for (const std::int64_t one : label) out.push_back({one});
    }
  }
  std::string fault(std::u32string_view text) const {
    Graph graph;
    return read_graph(text, graph);
  }
  std::string text() const { return fmt::format("labels of {} rounds in common", rounds); }
};

} // namespace recta::kernel::wl
