#include "certificate/neighbours/recall.hpp"

#include "base/random.hpp"
#include "objective/neighbours/order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr Index kQueries = 400;
constexpr std::uint64_t kStream = 3; // of random numbers

double divergence(double a, double b) {
  const double near = a > 0 ? a * std::log(a / b) : 0, far = a < 1 ? (1 - a) * std::log((1 - a) / (1 - b)) : 0;
  return near + far;
}

// The share of the true neighbours among those found. A row as near as the last true one counts as one of them.
double recall_of(const Metric& metric, const Points& points, std::span<const Neighbour> truth, const double* query,
                 std::span<const Neighbour> neighbours) {
  if (truth.empty()) return 1;
  std::vector<Index> rows;
  for (const Neighbour& neighbour : neighbours) rows.push_back(neighbour.row);
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  Index right = 0;
  for (const Index row : rows) {
    const double distance =
        std::visit([&](const auto& measure) { return measured(measure, query, points.row(row), points.cols); },
                   measure_of(metric, points));
    right += distance <= truth.back().distance ? 1 : 0;
  }
  return std::min(1.0, static_cast<double>(right) / static_cast<double>(truth.size()));
}

} // namespace

double least_mean(double mean, Index queries, double confidence) {
  const double most = std::log(1 / (1 - confidence)) / static_cast<double>(queries);
  double out = 0, inside = mean; // kl(mean, .) falls from infinity at 0 to 0 at the mean
  for (int step = 0; step < 200; ++step) {
    const double middle = out + (inside - out) / 2;
    (divergence(mean, middle) > most ? out : inside) = middle;
  }
  return out;
}

// A list that is too long is cut from time to time, so that most rows are compared with its last one alone.
std::vector<Neighbour> by_definition(const Metric& metric, const Points& points, const Wanted& wanted,
                                     const double* query, Index self) {
  std::vector<Neighbour> near;
  double limit = wanted.radius;
  const Measure known = measure_of(metric, points);
  const Order order(points, known, query);
  double places = 0;
  const auto first_that_fill = [&] {
    places = 0;
    std::size_t count = 0;
    while (count < near.size() && (wanted.k == 0 || places < wanted.k)) places += points.places_of(near[count++].row);
    return count;
  };
  const auto cut = [&] { // by measured distances at first, which costs less where many rows are as far
    std::ranges::sort(near, [&](const Neighbour& a, const Neighbour& b) { return nearer(points, a, b); });
    if (const std::size_t count = first_that_fill(); count > 0) {
      const double farthest = order.reach(near[count - 1].distance);
      std::erase_if(near, [&](const Neighbour& one) { return one.distance > farthest; });
    }
    std::ranges::sort(near, order);
    near.resize(first_that_fill());
    if (wanted.k > 0 && places >= wanted.k) limit = std::min(wanted.radius, order.reach(near.back().distance));
  };
  std::size_t room = 1024;
  std::visit(
      [&](const auto& measure) {
        const double* row = points.rows_from(0, points.rows);
        double bound = measure.bound(limit);
        for (Index i = 0; i < points.rows; ++i, row += points.cols) {
          const double reduced = measure.reduced(query, row, points.cols);
          if (i == self || reduced > bound) continue;
          const double distance = measure.finish(reduced, query, row, points.cols);
          if (!(distance <= limit)) continue;
          near.push_back({distance, i});
          if (near.size() < room) continue;
          cut();
          room = std::max(room, 2 * near.size());
          bound = measure.bound(limit);
        }
      },
      known);
  cut();
  never_falling(near);
  return near;
}

Recall measure_recall(const Metric& metric, const Points& points, const Wanted& wanted, std::uint64_t seed,
                      const RowFinder& find, Pool& pool) {
  Recall out{.queries = std::min(points.rows, kQueries), .all = points.rows <= kQueries};
  std::vector<Index> rows(at(out.queries));
  std::iota(rows.begin(), rows.end(), Index{0});
  Random random(seed, kStream);
  if (!out.all)
    for (Index& row : rows) row = static_cast<Index>(random.below(static_cast<std::uint64_t>(points.rows)));
  const Neighbourhoods neighbours = find(rows);
  if (std::ssize(neighbours.start) != out.queries + 1) return out;
  std::vector<double> recalls(at(out.queries));
  pool.run(out.queries, [&](Index q, int) {
    const double* query = points.row(rows[at(q)]);
    const auto truth = by_definition(metric, points, wanted, query, rows[at(q)]);
    recalls[at(q)] = recall_of(metric, points, truth, query, neighbours.of(q));
  });
  out.measured = std::accumulate(recalls.begin(), recalls.end(), 0.0) / static_cast<double>(out.queries);
  out.at_least = out.all ? out.measured : least_mean(out.measured, out.queries, kRecallConfidence);
  return out;
}

} // namespace recta::neighbours
