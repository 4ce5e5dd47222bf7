// The search through a graph. The nodes met are measured as every other index measures, so distances are the true ones
// and only rows may be missing. Where the walk meets too few rows, all are compared.
#include "solver/neighbours/hnsw/hnsw.hpp"

#include "solver/neighbours/hnsw/distinct.hpp"
#include "solver/neighbours/hnsw/walk.hpp"
#include "solver/neighbours/nearest.hpp"

#include <algorithm>

namespace recta::neighbours {
namespace {

constexpr Index kQueriesOfATask = 16;

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
    std::vector<std::vector<Neighbour>> lists(at(count));
    std::vector<Walker> walkers(static_cast<std::size_t>(pool.threads()), Walker(parts_.graph, *space_));
    pool.run((count + kQueriesOfATask - 1) / kQueriesOfATask, [&](Index task, int worker) {
      std::vector<double> prepared;
      for (Index q = task * kQueriesOfATask; q < std::min(count, (task + 1) * kQueriesOfATask); ++q)
        lists[at(q)] = near(points, queries + q * points.cols, wanted, self.empty() ? -1 : self[at(q)],
                            walkers[static_cast<std::size_t>(worker)], prepared);
    });
    return joined(std::move(lists));
  }

private:
  std::vector<Neighbour> near(const Points& points, const double* query, const Wanted& wanted, Index self,
                              Walker& walker, std::vector<double>& prepared) const {
    Nearest nearest(points, wanted, self);
    const auto keep = static_cast<Index>(std::min(wanted.k + (self < 0 ? 0 : 1), static_cast<double>(points.rows)));
    space_->prepare(query, prepared);
    const Met from = walker.descend(prepared, 0);
    const auto met = walker.nearest(prepared, {&from, 1}, std::max(keep, options_.ef_search), 0);
    double places = 0;
    for (const Met& one : met) { // nearest first: most need not be measured again
      if (places >= wanted.k && space_->least_measured(one.distance) > nearest.limit()) break;
      for (const Index row : parts_.rows.rows_of(one.node)) {
        if (row != self) places += points.places_of(row);
        offer(query, row, nearest);
      }
    }
    if (places >= wanted.k) return nearest.sorted();
    Nearest all(points, wanted, self);
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
