#include "family/kernel_kmeans/cluster_picture.hpp"

#include "base/numbers.hpp"
#include "family/kernel_kmeans/body.hpp"
#include "plot/columns.hpp"
#include "plot/many_classes.hpp"

#include <recta/explain.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::kernel_kmeans {
namespace {

constexpr Index kColumns = 121, kRows = 81; // of the grid

void widen(double& low, double& high) {
  const double room = high > low ? 0.08 * (high - low) : 1;
  low -= room, high += room;
}

// How much farther than the nearest other mean this one is; below zero: the row is of this cluster.
double behind(const double* distance, Index clusters, Index cluster) {
  double others = kInfinity;
  for (Index c = 0; c < clusters; ++c)
    if (c != cluster) others = std::min(others, distance[c]);
  return distance[cluster] - others;
}

// The distances from all means at the points of a grid.
Result<Values> over_grid(const Model& model, const plot::Field& field,
                         const std::vector<const SchemaColumn*>& columns) {
  std::vector<double> x, y;
  const std::vector<double> across = plot::evenly(field.left, field.right, field.columns);
  for (const double up : plot::evenly(field.bottom, field.top, field.rows))
    for (const double place : across) x.push_back(place), y.push_back(up);
  return transform(model, plot::grid_over({{columns[0]->name, std::move(x)}, {columns[1]->name, std::move(y)}}));
}

} // namespace

Result<plot::Picture> cluster_picture(const Model& model, const Dataset& data) {
  const auto& body = dynamic_cast<const ClustersBody&>(*model.body);
  const Index clusters = body.learned().clusters();
  const auto columns = plot::number_columns(model);
  if (columns.size() != 2 || body.features() != 2 || !model.schema.maps.empty())
    return fail(ErrorCode::usage, "clusters",
                fmt::format("they are drawn in the plane of two columns of numbers, and the model has {} features",
                            body.features()),
                "fit two columns, or draw the components of kernel-pca");
  const auto distances = transform(model, data);
  if (!distances) return std::unexpected(distances.error());
  const Values &x = data.find(columns[0]->name)->values, &y = data.find(columns[1]->name)->values;
  plot::Field field{.left = kInfinity,
                    .right = -kInfinity,
                    .bottom = kInfinity,
                    .top = -kInfinity,
                    .columns = kColumns,
                    .rows = kRows};
  for (Index i = 0; i < data.rows; ++i) {
    if (!std::isfinite(x[at(i)]) || !std::isfinite(y[at(i)])) continue;
    field.left = std::min(field.left, x[at(i)]), field.right = std::max(field.right, x[at(i)]);
    field.bottom = std::min(field.bottom, y[at(i)]), field.top = std::max(field.top, y[at(i)]);
  }
  if (!(field.left <= field.right))
    return fail(ErrorCode::bad_data, data.source, "no row has both columns", "give rows to draw");
  widen(field.left, field.right), widen(field.bottom, field.top);
  const auto grid = over_grid(model, field, columns);
  if (!grid) return std::unexpected(grid.error());
  plot::Picture out{.title = fmt::format("{} clusters", clusters),
                    .subtitle =
                        fmt::format("by the kernel {}; shaded: where a new row would belong", body.kernel().text())};
  out.x = {.label = columns[0]->name, .low = field.left, .high = field.right};
  out.y = {.label = columns[1]->name, .low = field.bottom, .high = field.top};
  out.height = 520;
  for (Index c = 0; c < clusters && clusters > 1; ++c) {
    plot::Field cluster_field = field;
    for (Index g = 0; g < kColumns * kRows; ++g)
      cluster_field.values.push_back(behind(grid->data() + g * clusters, clusters, c));
    cluster_field.levels = {0}, cluster_field.colour = static_cast<int>(c), cluster_field.shaded = true;
    out.layers.emplace_back(std::move(cluster_field));
  }
  for (Index c = 0; c < clusters; ++c) {
    plot::Points points{.label = fmt::format("cluster {}", c + 1), .colour = static_cast<int>(c)};
    for (Index i = 0; i < data.rows; ++i) {
      const double* const row_distances = distances->data() + i * clusters;
      if (std::ranges::min_element(row_distances, row_distances + clusters) - row_distances != c) continue;
      points.x.push_back(x[at(i)]), points.y.push_back(y[at(i)]);
    }
    if (!points.x.empty()) out.layers.emplace_back(std::move(points));
  }
  if (clusters > plot::kInLegend) plot::name_inside(out);
  return out;
}

} // namespace recta::kernel_kmeans
