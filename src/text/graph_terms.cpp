#include "text/graph_terms.hpp"

#include "base/numbers.hpp"
#include "base/sha256.hpp"
#include "data/graph/graph.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace recta::text {
namespace {

constexpr Index kMostNodes = 5000;   // 12 million pairs have a distance
constexpr std::size_t kLongest = 60; // bytes of a name that is written out
constexpr std::size_t kDigits = 32;  // of the SHA-256 that stands for a longer one: 128 bits

std::string escaped(const std::u32string& label) {
  std::string out;
  for (const char c : utf8_of(label)) {
    if (std::string_view("\\(),:").contains(c)) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::vector<std::string> names_of(const Graph& graph) {
  std::vector<std::string> out;
  for (const std::u32string& label : graph.labels) out.push_back(escaped(label));
  return out;
}

// Terms one after the other, each kept once.
class Terms {
public:
  explicit Terms(TermScratch& scratch) : scratch_(scratch) {
    scratch_.begin.clear(), scratch_.end.clear(), scratch_.buffer.clear();
  }
  void add(const std::string& term) {
    const auto [place, fresh] = places_.emplace(term, scratch_.buffer.size());
    if (fresh) scratch_.buffer += term;
    scratch_.begin.push_back(place->second);
    scratch_.end.push_back(place->second + term.size());
  }
  void finish() { scratch_.buffer.append(kSpare, '\0'); }

private:
  TermScratch& scratch_;
  std::unordered_map<std::string, std::size_t> places_;
};

// The name of a node after one more round.
std::string relabelled(const std::string& node, std::vector<std::string_view>& around) {
  std::ranges::sort(around);
  std::string out = "(" + node;
  for (const std::string_view name : around) out.append(",").append(name);
  out += ")";
  return out.size() <= kLongest ? out : hex(sha256(out)).substr(0, kDigits);
}

void neighbourhoods(const Graph& graph, Index rounds, Terms& out) {
  std::vector<std::string> names = names_of(graph), next(names.size());
  std::vector<std::string_view> around;
  for (Index round = 0;; ++round) {
    for (const std::string& name : names) out.add(fmt::format("{}:{}", round, name));
    if (round == rounds) return;
    for (std::size_t v = 0; v < names.size(); ++v) {
      around.clear();
      for (const Index u : graph.edges[v]) around.push_back(names[at(u)]);
      next[v] = relabelled(names[v], around);
    }
    names.swap(next);
  }
}

void paths(const Graph& graph, Terms& out) {
  const std::vector<std::string> names = names_of(graph);
  for (Index u = 0; u < graph.nodes(); ++u) {
    const std::vector<Index> steps = graph.distances(u);
    for (Index v = u + 1; v < graph.nodes(); ++v) {
      if (steps[at(v)] < 0) continue;
      const auto& [low, high] = std::minmax(names[at(u)], names[at(v)]);
      out.add(fmt::format("({},{}):{}", low, high, steps[at(v)]));
    }
  }
}

} // namespace

std::string graph_fault(std::string_view document, TermUnit unit) {
  Graph graph;
  std::string out = read_graph(codes_of(document), graph);
  if (out.empty() && unit == TermUnit::graph_shortest_path && graph.nodes() > kMostNodes)
    out = fmt::format("the graph has {} nodes, and all distances are computed for up to {}", graph.nodes(), kMostNodes);
  return out;
}

void read_graph_terms(std::string_view document, TermUnit unit, Index rounds, TermScratch& scratch) {
  Graph graph;
  read_graph(codes_of(document), graph);
  Terms out(scratch);
  if (unit == TermUnit::graph_wl)
    neighbourhoods(graph, rounds, out);
  else
    paths(graph, out);
  out.finish();
}

} // namespace recta::text
