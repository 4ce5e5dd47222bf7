#include "family/neighbours/pictures.hpp"

#include "plot/columns.hpp"
#include "plot/many_classes.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::neighbours {
namespace {

constexpr double kRoom = 0.08; // around the rows, as a share of their range

void widen(double& low, double& high) {
  const double room = high > low ? kRoom * (high - low) : 1;
  low -= room, high += room;
}

} // namespace

std::vector<plot::PictureInfo> pictures() {
  return {{"voronoi", "nearest neighbours, k = 1: the cell of every training row, over two columns"},
          {"neighbours", "the training rows that answer for the first row of the data, over two columns"},
          {"errors-over-k", "nearest neighbours: the error in training, of rows left out and of new rows"},
          {"concentration", "how much nearer the nearest row is than others, over the number of columns"}};
}

Result<plot::Picture> picture(const std::string& kind, const Model& model, const Dataset& data) {
  if (kind == "voronoi") return voronoi_picture(model);
  if (kind == "neighbours") return neighbours_picture(model, data);
  if (kind == "errors-over-k") return errors_picture(model, data);
  return concentration_picture(model);
}

Result<PlaneOfRows> plane_of(const std::string& kind, const Model& model) {
  const auto& body = dynamic_cast<const NeighbourBody&>(*model.body);
  const std::size_t columns = plot::number_columns(model).size();
  if (columns != 2 || body.features() != 2 || !model.schema.maps.empty())
    return fail(ErrorCode::usage, kind,
                fmt::format("it is drawn in the plane of two columns of numbers, and the model has {} feature{}",
                            body.features(), body.features() == 1 ? "" : "s"),
                "fit two columns (--ignore leaves the others out), or let recta explain list the neighbours of a row");
  PlaneOfRows plane{
      .body = body, .model = model, .left = kInfinity, .right = -kInfinity, .bottom = kInfinity, .top = -kInfinity};
  for (Index i = 0; i < body.rows().rows; ++i) {
    plane.left = std::min(plane.left, plane.x(i)), plane.right = std::max(plane.right, plane.x(i));
    plane.bottom = std::min(plane.bottom, plane.y(i)), plane.top = std::max(plane.top, plane.y(i));
  }
  widen(plane.left, plane.right);
  widen(plane.bottom, plane.top);
  return plane;
}

plot::Picture framed(const PlaneOfRows& plane) {
  const auto columns = plot::number_columns(plane.model);
  plot::Picture picture;
  picture.x = {.label = columns[0]->name, .low = plane.left, .high = plane.right};
  picture.y = {.label = columns[1]->name, .low = plane.bottom, .high = plane.top};
  picture.height = 520;
  return picture;
}

void add_rows(const PlaneOfRows& plane, plot::Picture& picture) {
  const auto& labels = plane.model.schema.classes.labels;
  const bool many = static_cast<Index>(labels.size()) > plot::kInLegend;
  const std::string& target = plane.model.schema.targets.at(0);
  for (std::size_t k = 0; k < std::max<std::size_t>(labels.size(), 1); ++k) {
    plot::Points points{.label = labels.empty() ? "training rows"
                                 : many         ? labels[k]
                                                : fmt::format("{} {}", target, labels[k]),
                        .colour = labels.empty() ? plot::kSoft : static_cast<int>(k)};
    for (Index i = 0; i < plane.body.rows().rows; ++i)
      if (labels.empty() || plane.body.target(i, 0) == static_cast<double>(k))
        points.x.push_back(plane.x(i)), points.y.push_back(plane.y(i));
    if (!points.x.empty()) picture.layers.emplace_back(std::move(points));
  }
  if (many) plot::name_inside(picture);
}

} // namespace recta::neighbours
