#include "kernel/graph.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace recta::kernel {
namespace {

std::u32string_view trimmed(std::u32string_view text) {
  const auto blank = [](char32_t c) { return c == U' ' || c == U'\t' || c == U'\n' || c == U'\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

class Reader {
public:
  explicit Reader(Graph& graph) : graph_(graph) {}

  std::string read(std::u32string_view text) {
    Index item = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(U';'), text.size());
      const std::u32string_view own = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      ++item;
      if (own.empty()) continue;
      if (std::string fault = add(own, item); !fault.empty()) return fault;
    }
    for (auto& neighbours : graph_.edges) {
      std::ranges::sort(neighbours);
      neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    }
    return "";
  }

private:
  std::string add(std::u32string_view own, Index item) {
    if (const std::size_t colon = own.find(U':'); colon != std::u32string_view::npos) {
      const std::u32string_view name = trimmed(own.substr(0, colon));
      if (name.empty())
        return fmt::format("part {} of the graph labels no node; write a:C for a node a of label C", item);
      graph_.labels[at(node(name))] = trimmed(own.substr(colon + 1));
      return "";
    }
    const std::size_t dash = own.find(U'-');
    if (dash == std::u32string_view::npos) return node(own), "";
    const std::u32string_view from = trimmed(own.substr(0, dash)), to = trimmed(own.substr(dash + 1));
    if (from.empty() || to.empty() || to.find(U'-') != std::u32string_view::npos)
      return fmt::format("part {} of the graph is no edge of two nodes; write a-b;b-c", item);
    const Index a = node(from), b = node(to);
    graph_.edges[at(a)].push_back(b);
    if (a != b) graph_.edges[at(b)].push_back(a);
    return "";
  }
  Index node(std::u32string_view name) {
    const auto [place, fresh] = numbers_.emplace(name, graph_.nodes());
    if (fresh) graph_.labels.emplace_back(), graph_.edges.emplace_back();
    return place->second;
  }

  Graph& graph_;
  std::unordered_map<std::u32string, Index> numbers_;
};

} // namespace

Index Graph::largest_degree() const {
  Index most = 0;
  for (const auto& neighbours : edges) most = std::max(most, std::ssize(neighbours));
  return most;
}

std::vector<Index> Graph::distances(Index from) const {
  std::vector<Index> out(labels.size(), -1), next{from};
  out[at(from)] = 0;
  for (std::size_t k = 0; k < next.size(); ++k)
    for (const Index to : edges[at(next[k])])
      if (out[at(to)] < 0) {
        out[at(to)] = out[at(next[k])] + 1;
        next.push_back(to);
      }
  return out;
}

std::string read_graph(std::u32string_view text, Graph& graph) {
  graph = {};
  return Reader(graph).read(text);
}

} // namespace recta::kernel
