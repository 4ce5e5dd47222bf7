// The plane f = 0 of a linear machine and the planes f = -1 and 1 beside it, in the space of its three features.
#include "family/svm/pictures.hpp"
#include "feature/table_source.hpp"
#include "params/params.hpp"
#include "plot/class_rows.hpp"
#include "plot/columns.hpp"
#include "plot/space.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::svm {
namespace {

using plot::InSpace;

// Two columns can be lifted to three features by a map; others must be chosen.
std::string three_features(const Model& model) {
  const auto columns = plot::number_columns(model);
  const bool two = columns.size() == 2;
  return fmt::format("fit it on three columns of numbers, or lift two to three: --basis \"ring({}, {})\"",
                     two ? columns[0]->name : "A", two ? columns[1]->name : "B");
}

Result<void> check_space(const Machine& machine, const Model& model) {
  if (machine.classes == 0)
    return refuse("space", fmt::format("{} predicts numbers, and the plane is between two classes", model.word),
                  "draw residuals, or margins of one column");
  if (!machine.linear())
    return refuse(
        "space",
        fmt::format("the machine has the kernel {}, whose border is not a plane", word(model.params, "kernel")),
        "fit it with --kernel linear, or draw margins of two columns");
  if (const auto names = model.feature_names(); names.size() != 3)
    return refuse("space",
                  fmt::format("the machine has {} feature{}{}, and space has three dimensions", names.size(),
                              names.size() == 1 ? "" : "s",
                              names.size() > 8 ? "" : fmt::format(" ({})", fmt::join(names, ", "))),
                  three_features(model));
  if (machine.classes > 2)
    return refuse("space", fmt::format("{} classes have a plane for every pair", machine.classes),
                  "fit the rows of two classes");
  return {};
}

// The rows as the machine sees them.
Result<std::vector<InSpace>> features_of(const Model& model, const Dataset& data) {
  auto binding = feature::bind(model.schema, data, feature::Need::features);
  if (!binding) return std::unexpected(binding.error());
  const feature::Encoder encoder(model.schema, *std::move(binding));
  feature::TableSource source(data, encoder);
  std::vector<InSpace> points;
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    const auto* x = std::get_if<MatrixView>(&batch.x);
    if (x == nullptr) return refuse("space", "it is drawn of dense features", "fit columns of numbers");
    for (Index i = 0; i < x->rows; ++i) points.push_back({element(*x, i, 0), element(*x, i, 1), element(*x, i, 2)});
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return points;
}

// The outline of the plane f = `score` inside the box, closed.
void add_outline(const Part& part, double score, const plot::Box& box, std::vector<double>& x, std::vector<double>& y) {
  auto corners = plot::corners_of_plane(box, {part.w[0], part.w[1], part.w[2]}, score - part.b);
  if (corners.empty()) return;
  corners.push_back(corners[0]);
  for (const InSpace& corner : corners) {
    const auto [across, up] = plot::on_paper(box, corner);
    x.push_back(across), y.push_back(up);
  }
  x.push_back(plot::kFromData), y.push_back(plot::kFromData);
}

void draw_planes(plot::Picture& picture, const Part& part, const plot::Box& box) {
  plot::Region border{.label = "f = 0", .colour = 2};
  add_outline(part, 0, box, border.x, border.y);
  plot::Line beside{.label = "margins, f = -1 and 1", .colour = plot::kSoft, .dashed = true};
  for (const double score : {-1.0, 1.0}) add_outline(part, score, box, beside.x, beside.y);
  if (!border.x.empty()) picture.layers.emplace_back(std::move(border));
  if (!beside.x.empty()) picture.layers.emplace_back(std::move(beside));
}

void draw_rows(plot::Picture& picture, const Machine& machine, const Model& model, const plot::ClassRows& rows,
               const std::vector<plot::OnPaper>& places) {
  for (Index k = 0; k < machine.classes; ++k) {
    plot::Points points{.label = plot::class_name(model, k), .colour = static_cast<int>(k)};
    for (std::size_t i = 0; i < rows.used.size(); ++i)
      if (rows.place[i] == k)
        points.x.push_back(places[rows.used[i]].across), points.y.push_back(places[rows.used[i]].up);
    picture.layers.emplace_back(std::move(points));
  }
  constexpr double kRadius = 0.022; // of the side of the cube: 7 pixels or so
  plot::Region rings{.label = "support vectors", .colour = plot::kInk};
  for (const Index row : machine.vectors.rows)
    add_ring(rings, places[at(row)].across, places[at(row)].up, kRadius, kRadius);
  if (!rings.x.empty()) picture.layers.emplace_back(std::move(rings));
}

} // namespace

Result<plot::Picture> space_picture(const Machine& machine, const Model& model, const Dataset& data) {
  if (auto good = check_space(machine, model); !good) return std::unexpected(good.error());
  if (auto same = check_margins(machine, model, data); !same) return std::unexpected(same.error());
  const auto points = features_of(model, data);
  if (!points) return std::unexpected(points.error());
  const auto scores = model.predict(data, 0, Answer::decision);
  if (!scores) return std::unexpected(scores.error());
  const auto rows = plot::class_rows(model, data, *scores, 1);
  if (!rows) return std::unexpected(rows.error());
  std::vector<InSpace> drawn;
  for (const std::size_t i : rows->used) drawn.push_back((*points)[i]);
  const plot::Box box = plot::box_around(drawn);
  std::vector<plot::OnPaper> places;
  for (const InSpace& point : *points) places.push_back(plot::on_paper(box, point));

  plot::Picture picture{.title = fmt::format("{} over three features", model.schema.targets.at(0)),
                        .subtitle = plot::class_subtitle(model, rows->used.size()),
                        .height = 560};
  plot::draw_box(picture, box, model.feature_names());
  draw_planes(picture, machine.parts[0], box);
  draw_rows(picture, machine, model, *rows, places);
  return picture;
}

} // namespace recta::svm
