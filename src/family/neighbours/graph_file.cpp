#include "family/neighbours/graph_file.hpp"

#include "family/neighbours/settings.hpp"

#include <algorithm>

namespace recta::neighbours {

void write_graph(TensorWriter& out, const GraphOptions& options, const Graph& graph, const Recall& recall) {
  std::vector<std::uint8_t> levels;
  std::vector<Index> counts, links; // layer after layer of every node
  for (Index v = 0; v < graph.nodes(); ++v) {
    const auto node = static_cast<NodeNumber>(v);
    levels.push_back(static_cast<std::uint8_t>(graph.level(node)));
    for (Index layer = 0; layer <= graph.level(node); ++layer) {
      const auto list = graph.links(node, layer);
      counts.push_back(std::ssize(list));
      links.insert(links.end(), list.begin(), list.end());
    }
  }
  write_graph_options(out, options);
  out.add("neighbours.graph.entry", std::vector<Index>{graph.entry()}, {1});
  out.add("neighbours.graph.levels", levels, {std::ssize(levels)});
  out.add("neighbours.graph.counts", counts, {std::ssize(counts)});
  out.add("neighbours.graph.links", links, {std::ssize(links)});
  out.add("neighbours.graph.queries", std::vector<Index>{recall.queries, recall.all ? 1 : 0}, {2});
  out.add("neighbours.graph.recall", std::vector<double>{recall.measured, recall.at_least}, {2});
}

StoredGraph read_graph(FieldReader& in, Index rows) {
  StoredGraph out;
  out.options = read_graph_options(in);
  const auto entry = in.counts("neighbours.graph.entry"), counts = in.counts("neighbours.graph.counts"),
             links = in.counts("neighbours.graph.links"), queries = in.counts("neighbours.graph.queries");
  const auto levels = in.codes("neighbours.graph.levels");
  const auto recall = in.doubles("neighbours.graph.recall");
  const Index nodes = std::ssize(levels);
  Index lists = 0;
  for (const std::uint8_t level : levels) lists += 1 + level;
  in.require(nodes > 0 && nodes <= rows && levels == drawn_levels(nodes, out.options) && std::ssize(counts) == lists,
             "the layers of its graph are not those of its seed");
  in.require(entry.size() == 1 && entry[0] < nodes, "its graph has no entry");
  in.require(queries.size() == 2 && queries[1] < 2 && recall.size() == 2, "it states no recall");
  if (!in.ok()) return out;
  out.graph = Graph(levels, out.options.links);
  out.graph.enter(static_cast<NodeNumber>(entry[0]));
  out.recall = {queries[0], queries[1] == 1, recall[0], recall[1]};
  std::size_t list = 0, next = 0;
  std::vector<NodeNumber> to;
  for (Index v = 0; v < nodes; ++v)
    for (Index layer = 0; layer <= levels[at(v)]; ++layer, ++list) {
      const auto count = static_cast<std::size_t>(counts[list]);
      in.require(counts[list] <= out.graph.most_links(layer) && count <= links.size() - next,
                 "a node of its graph has too many links");
      if (!in.ok()) return out;
      to.clear();
      for (std::size_t k = 0; k < count; ++k) {
        const Index other = links[next++];
        in.require(other < nodes && levels[at(other)] >= layer, "a link of its graph leads nowhere");
        to.push_back(static_cast<NodeNumber>(other));
      }
      if (!in.ok()) return out;
      out.graph.set_links(static_cast<NodeNumber>(v), layer, to);
    }
  in.require(next == links.size(), "its graph has more links than nodes");
  return out;
}

} // namespace recta::neighbours
