#include "data/graph/graph.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta {
namespace {

bool blank(char32_t c) {
  return c == U' ' || c == U'\t' || c == U'\r';
}

std::u32string_view trimmed(std::u32string_view text) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

constexpr std::u32string_view kBetween = U" \t\r,;"; // names of a line

// The end of the name before a label; npos: the part is no label. A name of a line may have colons: http://a http://b.
std::size_t label_in(std::u32string_view part, bool lines) {
  const std::size_t colon = part.find(U':'), gap = lines ? part.find_first_of(kBetween) : part.npos;
  if (gap == part.npos || colon == part.npos) return colon;
  return colon + 1 == gap ? colon : part.npos;
}

bool is_comment(std::u32string_view line) {
  return line.empty() || line.front() == U'#';
}

// Whether a line of the text is an edge of two names with a blank or a comma between them.
bool parts_by_blanks(std::u32string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(U'\n'), text.size());
    const std::u32string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!is_comment(line) && label_in(line, true) == line.npos && line.find_first_of(kBetween) != line.npos)
      return true;
  }
  return false;
}

class GraphReader {
public:
  explicit GraphReader(Graph& graph) : graph_(graph) {}
  NodeNumbers& numbers() { return numbers_; }

  std::string read(std::u32string_view text) {
    lines_ = text.find(U'\n') != text.npos;
    between_ = lines_ && parts_by_blanks(text) ? kBetween : U"-";
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(lines_ ? U'\n' : U';'), text.size());
      const std::u32string_view part = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      ++place_;
      if (part.empty() || (lines_ && is_comment(part))) continue;
      if (std::string fault = add(part); !fault.empty()) return fault;
    }
    for (auto& neighbours : graph_.edges) {
      std::ranges::sort(neighbours);
      neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
    }
    return "";
  }

private:
  std::string add(std::u32string_view part) {
    if (const std::size_t colon = label_in(part, lines_); colon != part.npos) {
      const std::u32string_view name = trimmed(part.substr(0, colon));
      if (name.empty()) return where() + " labels no node; write a:C for a node a of label C";
      graph_.labels[at(node(name))] = trimmed(part.substr(colon + 1));
      return "";
    }
    const std::size_t gap = part.find_first_of(between_);
    if (gap == part.npos) return node(part), "";
    const std::size_t next = between_ == U"-" ? gap + 1 : part.find_first_not_of(between_, gap);
    const std::u32string_view from = trimmed(part.substr(0, gap)),
                              to = trimmed(part.substr(std::min(next, part.size())));
    const bool more = to.find_first_of(between_) != to.npos;
    if (from.empty() || to.empty() || more)
      return where() + (lines_ ? " is not an edge between two nodes; write \"a b\""
                               : " is not an edge between two nodes; write a-b;b-c");
    const Index a = node(from), b = node(to);
    graph_.edges[at(a)].push_back(b);
    if (a != b) graph_.edges[at(b)].push_back(a);
    return "";
  }
  std::string where() const { return fmt::format("{} {} of the graph", lines_ ? "line" : "part", place_); }
  Index node(std::u32string_view name) {
    name_.assign(name);
    const auto [place, fresh] = numbers_.try_emplace(name_, graph_.nodes());
    if (fresh) graph_.labels.emplace_back(), graph_.edges.emplace_back();
    return place->second;
  }

  Graph& graph_;
  bool lines_ = false;
  std::u32string_view between_; // what parts the names of an edge
  Index place_ = 0;             // of the part or line
  NodeNumbers numbers_;
  std::u32string name_; // of the node that is looked up: one string for all
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

std::string read_graph(std::u32string_view text, Graph& graph, NodeNumbers* numbers) {
  graph = {};
  GraphReader reader(graph);
  std::string fault = reader.read(text);
  if (numbers) *numbers = std::move(reader.numbers());
  return fault;
}

} // namespace recta
