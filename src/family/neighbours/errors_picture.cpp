// Errors against k: of the training rows with themselves among their neighbours, of the same rows each left out, and of
// the rows of a table that is not the training one.
#include "family/neighbours/pictures.hpp"
#include "feature/table_source.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta::neighbours {
namespace {

constexpr double kMostNeighbours = 50;

Result<TrainingRows> labelled_rows(const Model& model, const Dataset& data) {
  auto binding = feature::bind(model.schema, data, feature::Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  const feature::Encoder encoder(model.schema, *std::move(binding));
  feature::TableSource source(data, encoder);
  return remembered({source, data.source}, model.schema.classes, data.rows);
}

// The greatest k for which every row that is left out has neighbours.
Index largest_k(const TrainingRows& rows) {
  const double heaviest = rows.weight.empty() ? 1 : *std::ranges::max_element(rows.weight);
  return static_cast<Index>(std::floor(std::min(kMostNeighbours, total_weight(rows) - heaviest)));
}

void add_line(plot::Picture& picture, const std::vector<double>& errors, std::string label, bool dashed) {
  plot::Line line{.y = errors, .label = std::move(label), .dashed = dashed, .dotted = !dashed && errors.size() <= 60};
  for (std::size_t k = 1; k <= errors.size(); ++k) line.x.push_back(static_cast<double>(k));
  picture.layers.emplace_back(std::move(line));
}

} // namespace

Result<plot::Picture> errors_picture(const Model& model, const Dataset& data) {
  const auto& body = dynamic_cast<const NeighbourBody&>(*model.body);
  if (body.settings().k == 0)
    return fail(ErrorCode::usage, "errors-over-k", "all rows within a radius answer, and there is no k",
                "fit with --k instead of --radius");
  auto rows = labelled_rows(model, data);
  if (!rows) return std::unexpected(rows.error());
  const Index most = largest_k(body.rows());
  if (most < 1)
    return fail(ErrorCode::usage, "errors-over-k", "with one row left out, no other row is there to answer",
                "it takes at least two training rows");
  Pool pool;
  const ErrorsByK errors = body.errors_by_k(most, pool);
  const bool classes = model.classifies();
  plot::Picture picture{.title = fmt::format("Error of {} against k", model.schema.targets.at(0)),
                        .subtitle = fmt::format("{}, {} training rows; least left-out error at k = {}", model.word,
                                                body.rows().rows, errors.best())};
  picture.x.label = "k, the number of neighbours";
  picture.y = {.label = classes ? "error rate" : "mean squared error", .low = 0};
  add_line(picture, errors.training, "training, each row among its own neighbours", true);
  add_line(picture, errors.left_out, "left out, each row by the others", false);
  const TrainingRows& known = body.rows();
  if (rows->rows > 0 && !(rows->x == known.x && rows->y == known.y && rows->weight == known.weight)) {
    const auto other = body.errors_of(*rows, most, pool);
    if (!other) return std::unexpected(other.error());
    add_line(picture, *other, fmt::format("rows of {}", data.source), false);
  }
  const double k = body.settings().k;
  if (k <= static_cast<double>(most))
    picture.layers.emplace_back(plot::Rule{.at = k, .upright = true, .text = fmt::format("k = {}", k), .dashed = true});
  return picture;
}

} // namespace recta::neighbours
