// The search through a graph. The nodes met are measured as every other index measures, so distances are the true ones
// and only rows may be missing. Where the walk meets too few rows, all are compared.
#include "solver/neighbours/hnsw/hnsw.hpp"

#include "solver/neighbours/hnsw/distinct.hpp"
#include "solver/neighbours/hnsw/walk.hpp"
#include "solver/neighbours/nearest.hpp"

#include <algorithm>

namespace recta::neighbours {
namespace {

constexpr Index kQueriesOfAWalk = 32;
constexpr Index kLanes = 2; // walks that a thread takes in turn: more wait for room in the cache

class Hnsw final : public GraphSearch {
public:
  // `space`: of the parts, whose floats it keeps.
  Hnsw(const Metric& metric, const Points& points, const GraphOptions& options, GraphParts parts,
       std::unique_ptr<Space> space)
      : measure_(measure_of(metric, points)), points_(points), options_(options), parts_(std::move(parts)),
        space_(std::move(space)) {}

  const GraphParts& parts() const override { return parts_; }

  Neighbourhoods find(const double* queries, Index count, const Wanted& wanted, std::span<const Index> self,
                      Pool& pool) const override {
    const Points points = counted(points_, wanted.each_one_place);
    Answers answers{points, queries, wanted, self, std::vector<std::vector<Neighbour>>(at(count))};
    std::vector<std::vector<Lane>> lanes(static_cast<std::size_t>(pool.threads()));
    pool.run((count + kQueriesOfAWalk - 1) / kQueriesOfAWalk, [&](Index task, int worker) {
      const Index first = task * kQueriesOfAWalk;
      answer(answers, first, std::min(count, first + kQueriesOfAWalk), lanes[static_cast<std::size_t>(worker)]);
    });
    return joined(std::move(answers.lists));
  }

private:
  // What is asked, and a list of neighbours per query.
  struct Answers {
    const Points& points;
    const double* queries;
    const Wanted& wanted;
    std::span<const Index> self;
    std::vector<std::vector<Neighbour>> lists;

    const double* query(Index q) const { return queries + q * points.cols; }
    Index self_of(Index q) const { return self.empty() ? -1 : self[at(q)]; }
  };
  // A walk of those that one thread takes in turn.
  struct Lane {
    Walker walker;
    std::vector<double> prepared{};
    Index query = -1; // that it answers now
  };

  // Answers the queries from `first` up to `last`.
  void answer(Answers& answers, Index first, Index last, std::vector<Lane>& lanes) const {
    while (std::ssize(lanes) < std::min(kLanes, last - first)) lanes.push_back({Walker(parts_.graph, *space_)});
    Index next = first, walking = 0;
    for (Lane& lane : lanes) {
      lane.query = -1; // an error may have ended a walk before
      if (next == last) continue;
      start(answers, next++, lane);
      ++walking;
    }
    while (walking > 0)
      for (Lane& lane : lanes) {
        if (lane.query < 0 || lane.walker.step()) continue;
        answers.lists[at(lane.query)] = refined(answers, lane.query, lane.walker.result());
        lane.query = -1;
        if (next < last)
          start(answers, next++, lane);
        else
          --walking;
      }
  }

  void start(const Answers& answers, Index query, Lane& lane) const {
    const double self = answers.self_of(query) < 0 ? 0 : 1;
    const auto keep = static_cast<Index>(std::min(answers.wanted.k + self, static_cast<double>(answers.points.rows)));
    space_->prepare(answers.query(query), lane.prepared);
    lane.query = query;
    lane.walker.start(lane.prepared, std::max(keep, options_.ef_search));
  }

  // The nearest rows of the nodes met.
  std::vector<Neighbour> refined(const Answers& answers, Index q, std::span<const Met> met) const {
    const auto& [points, queries, wanted, selves, lists] = answers;
    const double* query = answers.query(q);
    const Index self = answers.self_of(q);
    const Order order(points, measure_, query);
    Nearest nearest(points, wanted, self, order);
    double places = 0;
    for (const Met& one : met) { // nearest first: most need not be measured again
      if (places >= wanted.k && space_->least_measured(one.distance) > nearest.limit()) break;
      for (const Index row : parts_.rows.rows_of(one.node)) {
        if (row != self) places += points.places_of(row);
        offer(query, row, nearest);
      }
    }
    if (places >= wanted.k) return nearest.sorted();
    Nearest all(points, wanted, self, order);
    for (Index i = 0; i < points.rows; ++i) offer(query, i, all);
    return all.sorted();
  }

  void offer(const double* query, Index row, Nearest& nearest) const {
    const double distance = std::visit(
        [&](const auto& measure) { return measured(measure, query, points_.row(row), points_.cols); }, measure_);
    nearest.offer(distance, row);
  }

  Measure measure_;
  Points points_;
  GraphOptions options_;
  GraphParts parts_;
  std::unique_ptr<Space> space_;
};

// A space, and the parts without a graph.
std::pair<GraphParts, std::unique_ptr<Space>> without_graph(const Metric& metric, const Points& points,
                                                            const GraphOptions& options) {
  GraphParts parts;
  parts.rows = distinct_rows(points, options.seed);
  auto space = make_space(metric, points, parts.rows);
  if (const FloatNodes* floats = space->floats()) parts.floats = *floats;
  return {std::move(parts), std::move(space)};
}

} // namespace

std::unique_ptr<GraphSearch> make_hnsw(const Metric& metric, const Points& points, const GraphOptions& options,
                                       Pool& pool) {
  auto [parts, space] = without_graph(metric, points, options);
  parts.graph = build_graph(*space, options, pool);
  return std::make_unique<Hnsw>(metric, points, options, std::move(parts), std::move(space));
}

std::unique_ptr<GraphSearch> make_hnsw(const Metric& metric, const Points& points, const GraphOptions& options,
                                       GraphParts parts) {
  if (parts.rows.nodes() == 0) {
    auto [made, space] = without_graph(metric, points, options);
    made.graph = std::move(parts.graph);
    return std::make_unique<Hnsw>(metric, points, options, std::move(made), std::move(space));
  }
  auto space = make_space(metric, points, parts.rows, parts.floats);
  return std::make_unique<Hnsw>(metric, points, options, std::move(parts), std::move(space));
}

} // namespace recta::neighbours
