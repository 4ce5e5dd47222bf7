#include "family/neighbours/graph_file.hpp"

#include "family/neighbours/settings.hpp"

#include <algorithm>

namespace recta::neighbours {

namespace {

constexpr std::uint8_t kHighest = 64; // layers

FieldReader::Rule<NodeNumber> lists_of(Index most, Index nodes) {
  return {[width = at(1 + most), most, nodes](std::span<const NodeNumber> part, std::size_t first) {
            std::size_t place = first % width;
            for (const NodeNumber one : part) {
              if (place == 0 ? one > most : one >= nodes) return false;
              if (++place == width) place = 0;
            }
            return true;
          },
          "a link of its graph leads nowhere"};
}

// Links above layer 0 lead to nodes that lie in their layer.
void check_above(FieldReader& in, const Graph& graph) {
  for (Index v = 0; v < graph.nodes(); ++v)
    for (Index layer = 1; layer <= graph.level(static_cast<NodeNumber>(v)); ++layer)
      for (const NodeNumber to : graph.links(static_cast<NodeNumber>(v), layer))
        in.require(graph.level(to) >= layer, "a link of its graph leads nowhere");
}

Graph read_links(FieldReader& in, std::vector<std::uint8_t> levels, Index links) {
  const Index nodes = std::ssize(levels);
  Index lists = 0;
  for (const std::uint8_t level : levels) lists += level;
  in.require(std::ranges::all_of(levels, [](std::uint8_t level) { return level <= kHighest; }) &&
                 in.shape("neighbours.graph.layer0") == std::vector<Index>{nodes, 1 + 2 * links} &&
                 (lists == 0 || in.shape("neighbours.graph.above") == std::vector<Index>{lists, 1 + links}),
             "its graph does not have the lists of its layers");
  if (!in.ok()) return {};
  auto layer0 = in.large_numbers("neighbours.graph.layer0", lists_of(2 * links, nodes));
  auto above =
      lists > 0 ? in.large_numbers("neighbours.graph.above", lists_of(links, nodes)).copy() : std::vector<NodeNumber>{};
  if (!in.ok()) return {};
  Graph graph(std::move(levels), links, std::move(layer0), std::move(above));
  check_above(in, graph);
  return graph;
}

DistinctRows read_node_rows(FieldReader& in, Index nodes, Index rows) {
  DistinctRows out{in.large_counts("neighbours.graph.start", rows + 1), in.large_counts("neighbours.graph.rows", rows)};
  in.require(out.nodes() == nodes && out.member.size() == at(rows), "the nodes of its graph do not have all rows");
  return out;
}

FloatNodes read_floats(FieldReader& in, Index nodes, Index cols) {
  FloatNodes out;
  if (!in.has("neighbours.graph.points")) return out;
  const auto scale = in.doubles("neighbours.graph.scale");
  out.centre = in.doubles("neighbours.graph.centre");
  in.require(scale.size() == 1 && scale[0] > 0 && out.centre.size() == at(cols) &&
                 in.shape("neighbours.graph.points") == std::vector<Index>{nodes, cols},
             "its graph does not have one point per node");
  if (!in.ok()) return out;
  out.scale = scale[0];
  out.x = in.large_floats("neighbours.graph.points");
  return out;
}

// Format 6: links as one list, with the lengths of the parts of it that belong to each node and layer.
Graph read_links_of_format_6(FieldReader& in, const std::vector<std::uint8_t>& levels, const GraphOptions& options) {
  const auto counts = in.counts("neighbours.graph.counts"), links = in.counts("neighbours.graph.links");
  const Index nodes = std::ssize(levels);
  Index lists = 0;
  for (const std::uint8_t level : levels) lists += 1 + level;
  in.require(levels == drawn_levels(nodes, options) && std::ssize(counts) == lists,
             "the layers of its graph are not those of its seed");
  if (!in.ok()) return {};
  Graph graph(levels, options.links);
  std::size_t list = 0, next = 0;
  std::vector<NodeNumber> to;
  for (Index v = 0; v < nodes; ++v)
    for (Index layer = 0; layer <= levels[at(v)]; ++layer, ++list) {
      const auto count = static_cast<std::size_t>(counts[list]);
      in.require(counts[list] <= graph.most_links(layer) && count <= links.size() - next,
                 "a node of its graph has too many links");
      if (!in.ok()) return {};
      to.clear();
      for (std::size_t k = 0; k < count; ++k) {
        const Index other = links[next++];
        in.require(other < nodes && levels[at(other)] >= layer, "a link of its graph leads nowhere");
        to.push_back(static_cast<NodeNumber>(other));
      }
      if (!in.ok()) return {};
      graph.set_links(static_cast<NodeNumber>(v), layer, to);
    }
  in.require(next == links.size(), "its graph has more links than nodes");
  return graph;
}

} // namespace

void write_graph(TensorWriter& out, const GraphOptions& options, const GraphParts& parts, const Recall& recall) {
  const Graph& graph = parts.graph;
  const Index nodes = graph.nodes(), wide = 1 + graph.most_links(0), narrow = 1 + graph.most_links(1);
  write_graph_options(out, options);
  out.add("neighbours.graph.entry", std::vector<Index>{graph.entry()}, {1});
  out.add("neighbours.graph.levels", graph.levels(), {nodes});
  const auto floats = parts.floats.x.all();
  if (!floats.empty()) { // before the links, so that they can begin at a cache line (tensor_file.cpp)
    out.add_large("neighbours.graph.points", floats, {nodes, std::ssize(floats) / nodes});
    out.add("neighbours.graph.centre", parts.floats.centre, {std::ssize(parts.floats.centre)});
    out.add("neighbours.graph.scale", std::vector<double>{parts.floats.scale}, {1});
  }
  out.add_large("neighbours.graph.layer0", graph.layer0(), {nodes, wide});
  if (!graph.above().empty())
    out.add_large("neighbours.graph.above", graph.above(), {std::ssize(graph.above()) / narrow, narrow});
  out.add_large("neighbours.graph.rows", parts.rows.member.all(), {std::ssize(parts.rows.member.all())});
  if (!parts.rows.start.empty()) out.add_large("neighbours.graph.start", parts.rows.start.all(), {nodes + 1});
  out.add("neighbours.graph.queries", std::vector<Index>{recall.queries, recall.all ? 1 : 0}, {2});
  out.add("neighbours.graph.recall", std::vector<double>{recall.measured, recall.at_least}, {2});
}

StoredGraph read_graph(FieldReader& in, Index rows, Index cols) {
  StoredGraph out;
  out.options = read_graph_options(in);
  const auto entry = in.counts("neighbours.graph.entry"), queries = in.counts("neighbours.graph.queries");
  auto levels = in.codes("neighbours.graph.levels");
  const auto recall = in.doubles("neighbours.graph.recall");
  const Index nodes = std::ssize(levels);
  in.require(nodes > 0 && nodes <= rows && entry.size() == 1 && entry[0] < nodes, "its graph has no entry");
  in.require(queries.size() == 2 && queries[1] < 2 && recall.size() == 2, "it states no recall");
  if (!in.ok()) return out;
  out.recall = {queries[0], queries[1] == 1, recall[0], recall[1]};
  if (in.has("neighbours.graph.layer0")) {
    out.parts = {read_links(in, std::move(levels), out.options.links), read_node_rows(in, nodes, rows),
                 read_floats(in, nodes, cols)};
  } else {
    out.parts.graph = read_links_of_format_6(in, levels, out.options);
  }
  if (in.ok()) out.parts.graph.enter(static_cast<NodeNumber>(entry[0]));
  return out;
}

} // namespace recta::neighbours
