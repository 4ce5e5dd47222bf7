#include "plot/pixel_grids.hpp"

#include "plot/columns.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::plot {
namespace {

constexpr double kTile = 0.45; // half the side of a tile; tiles are 1 apart

} // namespace

Result<Picture> pixel_picture(const Model& model, const std::vector<double>& expected) {
  const auto columns = std::ssize(number_columns(model));
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(columns))));
  const Index classes = model.schema.classes.count();
  if (side < 2 || side * side != columns || !model.schema.maps.empty())
    return fail(ErrorCode::usage, "pixels",
                fmt::format("{} columns of numbers are not the pixels of a square", columns),
                "a picture of 8 by 8 pixels has 64 columns");
  Picture picture{.title = fmt::format("What {} expects of each {}", model.word, model.schema.targets.at(0)),
                  .subtitle = fmt::format("{0} by {0} pixels, the largest value the darkest", side),
                  .same_unit = true};
  picture.x = {.label = model.schema.targets.at(0), .low = -0.55, .high = static_cast<double>(classes) - 0.45};
  picture.y = {.low = -0.55, .high = 0.55, .names = {""}};
  const auto [low, high] = std::ranges::minmax(expected);
  for (Index k = 0; k < classes; ++k) {
    picture.x.names.push_back(model.schema.classes.labels.at(k));
    const auto middle = static_cast<double>(k);
    Cells cells{.left = middle - kTile, .right = middle + kTile, .bottom = -kTile, .top = kTile};
    cells.columns = cells.rows = side;
    cells.low = low, cells.high = high;
    for (Index row = side; row-- > 0;) // from the bottom
      for (Index column = 0; column < side; ++column)
        cells.values.push_back(expected[static_cast<std::size_t>(k * columns + row * side + column)]);
    picture.layers.emplace_back(std::move(cells));
  }
  picture.width = std::clamp(80.0 * static_cast<double>(classes) + 90, 480.0, 4000.0);
  picture.height = 1.1 * (picture.width - 90) / static_cast<double>(classes) + 150;
  picture.height = std::clamp(picture.height, 200.0, 520.0);
  return picture;
}

} // namespace recta::plot
