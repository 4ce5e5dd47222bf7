#include "family/outlier_factor/body.hpp"

#include "stats/dense_copy.hpp"

#include <algorithm>
#include <numeric>

namespace recta::neighbours {
namespace {

constexpr std::size_t kShownOutliers = 10;

auto shown(const NeighbourBody& memory) {
  return [&metric = memory.settings().metric](double d) { return reported(metric, d); };
}

} // namespace

LocalDensity local_density(const NeighbourBody& memory, Pool& pool) {
  const Points& points = memory.points();
  std::vector<Index> self(at(points.rows));
  std::iota(self.begin(), self.end(), Index{0});
  const auto neighbours =
      memory.find(points.data.all(), {.k = memory.settings().k, .each_one_place = true}, self, pool);
  LocalDensity out;
  for (Index i = 0; i < points.rows; ++i) out.reach.push_back(shown(memory)(neighbours.of(i).back().distance));
  for (Index i = 0; i < points.rows; ++i) out.spread.push_back(spread_of(neighbours.of(i), out.reach, shown(memory)));
  for (Index i = 0; i < points.rows; ++i)
    out.factor.push_back(factor_of(neighbours.of(i), out.spread, out.spread[at(i)]));
  return out;
}

const std::vector<Neighbour>& DensityByDefinition::list_of(Index row) {
  const auto known = lists_.find(row);
  if (known != lists_.end()) return known->second;
  const Points points = counted(memory_.points(), true);
  const auto& settings = memory_.settings();
  return lists_.emplace(row, by_definition(settings.metric, points, {.k = settings.k}, points.row(row), row))
      .first->second;
}

double DensityByDefinition::reach_of(Index row) {
  return reported(memory_.settings().metric, list_of(row).back().distance);
}

double DensityByDefinition::spread_of_row(Index row) {
  double sum = 0;
  const std::vector<Neighbour>& list = list_of(row);
  for (const Neighbour& neighbour : list)
    sum += std::max(reach_of(neighbour.row), reported(memory_.settings().metric, neighbour.distance));
  return sum / static_cast<double>(list.size());
}

RowDensity DensityByDefinition::of(Index row) {
  RowDensity out{reach_of(row), spread_of_row(row), 0};
  double sum = 0;
  const std::vector<Neighbour>& list = list_of(row);
  for (const Neighbour& neighbour : list) {
    const double other = spread_of_row(neighbour.row);
    sum += out.spread == other ? 1 : std::min(out.spread / other, kLargestFactor);
  }
  out.factor = std::min(sum / static_cast<double>(list.size()), kLargestFactor);
  return out;
}

Result<void> OutlierBody::score(const Batch& rows, ScoresOf, double* out) const {
  DenseCopy copy;
  copy.take(rows);
  const Index n = rows.rows(), p = features();
  Pool pool(1); // batches are shared out already
  for (Index i = 0; i < n; ++i) {
    if (!rows.weight.empty() && !(rows.weight[at(i)] > 0)) {
      out[i] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    const std::span<double> row = std::span(copy.x).subspan(at(i * p), at(p));
    if (auto good = memory_->map(row, rows.first_row + i); !good) return good;
    const auto neighbours = memory_->find(row, {.k = memory_->settings().k, .each_one_place = true}, {}, pool);
    out[i] = factor_of(neighbours.of(0), density_.spread, spread_of(neighbours.of(0), density_.reach, shown(*memory_)));
  }
  return {};
}

Report OutlierBody::report(const Schema&) const {
  Report out;
  out.figures.push_back({"neighbours", "neighbours", memory_->settings().k});
  out.figures.push_back({"remembered_rows", "rows remembered", static_cast<double>(memory_->rows().rows)});
  std::vector<Index> order(density_.factor.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, [&](Index a, Index b) {
    const double x = density_.factor[at(a)], y = density_.factor[at(b)];
    return x != y ? x > y : a < b;
  });
  order.resize(std::min(order.size(), kShownOutliers));
  Report::Table table{"outliers", "Largest outlier factors, each row without itself", {"row", "outlier factor"}, {}};
  for (const Index i : order)
    table.rows.push_back({static_cast<double>(memory_->rows().number[at(i)] + 1), density_.factor[at(i)]});
  out.tables.push_back(std::move(table));
  out.fields.push_back({"outlier_factors", density_.factor});
  if (std::ranges::any_of(density_.spread, [](double m) { return m == 0; })) out.remarks.push_back({"lof.equal_rows"});
  return out;
}

void OutlierBody::write(TensorWriter& out) const {
  memory_->write(out);
  const Index n = std::ssize(density_.factor);
  out.add("outlier_factor.reach", density_.reach, {n});
  out.add("outlier_factor.spread", density_.spread, {n});
  out.add("outlier_factor.factor", density_.factor, {n});
}

} // namespace recta::neighbours
