#include "solver/neighbours/hnsw/graph.hpp"

#include "base/random.hpp"
#include "solver/neighbours/hnsw/walk.hpp"

#include <algorithm>

namespace recta::neighbours {
namespace {

constexpr Index kBatch = 256;  // nodes added together, at most; the earlier ones are all compared with the later
constexpr Index kHighest = 64; // layers
constexpr std::uint64_t kLevelStream = 1; // stream of random numbers

// Candidates are taken nearest first, and only those nearer to the new node than to all taken before: links then lead
// in different directions (algorithm 4 of the paper, without extensions).
class Selection {
public:
  explicit Selection(const Space& space) : space_(space) {}

  std::vector<NodeNumber> of(std::span<const Met> sorted, Index most) {
    std::vector<NodeNumber> chosen;
    for (const Met& one : sorted) {
      if (std::ssize(chosen) >= most) break;
      if (leads_elsewhere(one, chosen)) chosen.push_back(one.node);
    }
    return chosen;
  }

private:
  bool leads_elsewhere(const Met& one, std::span<const NodeNumber> chosen) {
    constexpr std::size_t kStep = 4; // measured together
    if (chosen.empty()) return true;
    space_.prepare(one.node, query_);
    double distance[kStep];
    for (std::size_t first = 0; first < chosen.size(); first += kStep) {
      const auto some = chosen.subspan(first, std::min(kStep, chosen.size() - first));
      space_.distances(query_, some, distance);
      for (std::size_t k = 0; k < some.size(); ++k)
        if (!(one.distance < distance[k])) return false;
    }
    return true;
  }

  const Space& space_;
  std::vector<double> query_;
};

// One thread's tools.
struct Worker {
  Walker walker;
  Selection selection;
  std::vector<double> query{}, distances{};
  std::vector<NodeNumber> list{};
};

// A link to be added from `node` in `layer`.
struct Back {
  Index layer;
  NodeNumber node, to;
  auto operator<=>(const Back&) const = default;
};

class GraphBuilder {
public:
  GraphBuilder(const Space& space, const GraphOptions& options, Pool& pool)
      : space_(space), options_(options), pool_(pool), graph_(drawn_levels(space.nodes(), options), options.links) {
    for (int k = 0; k < pool.threads(); ++k) workers_.push_back({Walker(graph_, space), Selection(space)});
  }

  Graph run() {
    for (Index first = 1; first < graph_.nodes();) { // node 0 is the whole graph at first
      const Index count = std::min(graph_.nodes() - first, std::clamp<Index>(first, 1, kBatch));
      add(first, count);
      first += count;
    }
    return std::move(graph_);
  }

private:
  void add(Index first, Index count) {
    pool_.run(count, [&](Index k, int worker) {
      link(static_cast<NodeNumber>(first + k), static_cast<NodeNumber>(first),
           workers_[static_cast<std::size_t>(worker)]);
    });
    link_back(first, count);
    for (Index v = first; v < first + count; ++v)
      if (graph_.level(static_cast<NodeNumber>(v)) > graph_.level(graph_.entry()))
        graph_.enter(static_cast<NodeNumber>(v));
  }

  // Finds the links of a new node in every layer it lies in.
  void link(NodeNumber node, NodeNumber first_of_batch, Worker& worker) {
    space_.prepare(node, worker.query);
    const Index top = graph_.level(graph_.entry()), level = graph_.level(node);
    std::vector<Met> near{worker.walker.descend(worker.query, std::min(level, top))};
    const std::vector<Met> beside = measured_nodes(first_of_batch, node, worker);
    for (Index layer = level; layer >= 0; --layer) {
      std::vector<Met> candidates;
      if (layer <= top) candidates = near = worker.walker.nearest(worker.query, near, options_.ef_construction, layer);
      for (const Met& one : beside)
        if (graph_.level(one.node) >= layer) candidates.push_back(one);
      std::sort(candidates.begin(), candidates.end());
      graph_.set_links(node, layer, worker.selection.of(candidates, options_.links));
    }
  }

  // The nodes from `first` up to `node`, which is prepared.
  std::vector<Met> measured_nodes(NodeNumber first, NodeNumber node, Worker& worker) const {
    worker.list.clear();
    for (NodeNumber v = first; v < node; ++v) worker.list.push_back(v);
    worker.distances.resize(worker.list.size());
    space_.distances(worker.query, worker.list, worker.distances.data());
    std::vector<Met> out;
    for (std::size_t k = 0; k < worker.list.size(); ++k) out.push_back({worker.distances[k], worker.list[k]});
    return out;
  }

  void link_back(Index first, Index count) {
    std::vector<Back> all;
    for (Index v = first; v < first + count; ++v)
      for (Index layer = 0; layer <= graph_.level(static_cast<NodeNumber>(v)); ++layer)
        for (const NodeNumber to : graph_.links(static_cast<NodeNumber>(v), layer))
          all.push_back({layer, to, static_cast<NodeNumber>(v)});
    std::ranges::sort(all);
    std::vector<std::size_t> start;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (k == 0 || all[k].node != all[k - 1].node || all[k].layer != all[k - 1].layer) start.push_back(k);
    start.push_back(all.size());
    pool_.run(std::ssize(start) - 1, [&](Index k, int worker) {
      const std::size_t from = start[at(k)], to = start[at(k + 1)];
      add_links(std::span(all).subspan(from, to - from), workers_[static_cast<std::size_t>(worker)]);
    });
  }

  // Adds links from one node; if there are too many, they are selected anew.
  void add_links(std::span<const Back> added, Worker& worker) {
    const NodeNumber node = added.front().node;
    const Index layer = added.front().layer, most = graph_.most_links(layer);
    const auto before = graph_.links(node, layer);
    worker.list.assign(before.begin(), before.end());
    for (const Back& one : added) worker.list.push_back(one.to);
    if (std::ssize(worker.list) > most) {
      space_.prepare(node, worker.query);
      worker.distances.resize(worker.list.size());
      space_.distances(worker.query, worker.list, worker.distances.data());
      std::vector<Met> candidates;
      for (std::size_t k = 0; k < worker.list.size(); ++k) candidates.push_back({worker.distances[k], worker.list[k]});
      std::sort(candidates.begin(), candidates.end());
      worker.list = worker.selection.of(candidates, most);
    }
    graph_.set_links(node, layer, worker.list);
  }

  const Space& space_;
  GraphOptions options_;
  Pool& pool_;
  Graph graph_;
  std::vector<Worker> workers_;
};

} // namespace

Graph::Graph(std::vector<std::uint8_t> levels, Index links) : Graph(std::move(levels), links, {}, {}) {
  const std::size_t lists = level_.empty() ? 0 : start_.back() + level_.back();
  layer0_.resize(level_.size() * at(1 + 2 * links));
  above_.resize(lists * at(1 + links));
}

Graph::Graph(std::vector<std::uint8_t> levels, Index links, CheckedArray<NodeNumber> layer0,
             std::vector<NodeNumber> above)
    : links_(links), level_(std::move(levels)), start_(level_.size()), above_(std::move(above)),
      stored_(std::move(layer0)) {
  std::uint32_t lists = 0;
  for (std::size_t v = 0; v < level_.size(); ++v) {
    start_[v] = lists;
    lists += level_[v];
  }
}

void Graph::set_links(NodeNumber node, Index layer, std::span<const NodeNumber> to) {
  NodeNumber* list = (layer == 0 ? layer0_ : above_).data() + slot(node, layer);
  std::fill_n(list, 1 + most_links(layer), NodeNumber{0}); // equal graphs are equal whatever links there were before
  list[0] = static_cast<NodeNumber>(to.size());
  std::ranges::copy(to, list + 1);
}

bool Graph::operator==(const Graph& other) const {
  return links_ == other.links_ && entry_ == other.entry_ && level_ == other.level_ && above_ == other.above_ &&
         std::ranges::equal(layer0(), other.layer0());
}

std::vector<std::uint8_t> drawn_levels(Index nodes, const GraphOptions& options) {
  std::vector<std::uint8_t> out;
  Random random(options.seed, kLevelStream);
  for (Index v = 0; v < nodes; ++v) {
    double u = random.uniform() * static_cast<double>(options.links);
    std::uint8_t level = 0;
    for (; u < 1 && level < kHighest; ++level) u *= static_cast<double>(options.links);
    out.push_back(level);
  }
  return out;
}

Graph build_graph(const Space& space, const GraphOptions& options, Pool& pool) {
  return GraphBuilder(space, options, pool).run();
}

} // namespace recta::neighbours
