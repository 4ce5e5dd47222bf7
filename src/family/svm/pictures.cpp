#include "family/svm/pictures.hpp"

#include "params/params.hpp"
#include "plot/columns.hpp"
#include "plot/model_picture.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numbers>

namespace recta::svm {
namespace {

using namespace plot;

std::unexpected<Error> other_rows(const Dataset& data) {
  return fail(ErrorCode::bad_data, data.source, "these are not the rows that the machine was fitted on",
              "its support vectors are among those: draw the training data, or the kind regions");
}

// From the least to the largest, with the air that axes have.
double span_of(const Values& values) {
  double low = kInfinity, high = -kInfinity;
  for (const double value : values)
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  return high > low ? 1.1 * (high - low) : 1;
}

// A number of a row as the picture shows it.
double shown(const Dataset& data, const SchemaColumn& column, Index row) {
  const double value = data.find(column.name)->values[at(row)];
  return std::isfinite(value) ? value : column.fill;
}

// Rings around the points that are support vectors, so large that they are circles on the usual plane.
Region rings(const Machine& machine, const Dataset& data, const std::vector<const SchemaColumn*>& columns,
             const std::string& target, const std::array<double, 2>& spans) {
  constexpr double kRadius = 7, kPlaneWidth = 640, kPlaneHeight = 390; // pixels
  Region out{.label = "support vectors", .colour = kInk};
  for (const Index row : machine.vectors.rows) {
    const double x = shown(data, *columns[0], row);
    const double y = columns.size() > 1 ? shown(data, *columns[1], row) : data.find(target)->values[at(row)];
    add_ring(out, x, y, kRadius / kPlaneWidth * spans[0], kRadius / kPlaneHeight * spans[1]);
  }
  return out;
}

// The lines f = 0 and f = -1, 1 of two classes, in place of the one that regions have.
void draw_lines(Picture& picture) {
  const auto scores = std::ranges::find_if(picture.layers, [](const Layer& layer) {
    const auto* field = std::get_if<Field>(&layer);
    return field != nullptr && !field->shaded;
  });
  if (scores == picture.layers.end()) return;
  Field border = std::get<Field>(*scores), beside = border;
  border.levels = {0}, border.label = "f = 0", border.colour = kInk;
  beside.levels = {-1, 1}, beside.label = "margins, f = -1 and 1", beside.colour = kSoft;
  *scores = std::move(beside);
  picture.layers.insert(scores, std::move(border));
}

Result<Picture> of_classes(const Machine& machine, const Model& model, const Dataset& data) {
  const auto columns = number_columns(model);
  if (columns.size() != 2)
    return refuse("margins", "they lie in the plane of two columns of numbers, which are all that the machine reads",
                  "fit it on two columns");
  auto picture = model_picture(model, data, "regions");
  if (!picture) return picture;
  if (machine.classes == 2) {
    if (auto same = check_margins(machine, model, data); !same) return std::unexpected(same.error());
    draw_lines(*picture);
  }
  picture->title = fmt::format("Margins of {}", model.schema.targets.at(0));
  picture->layers.emplace_back(
      rings(machine, data, columns, {}, {picture->x.high - picture->x.low, picture->y.high - picture->y.low}));
  return picture;
}

Result<Picture> of_numbers(const Machine& machine, const Model& model, const Dataset& data) {
  const auto columns = number_columns(model);
  if (columns.size() != 1)
    return refuse("margins", "a tube is drawn about the curve over one column of numbers", "draw residuals");
  auto picture = model_picture(model, data, "curve");
  if (!picture) return picture;
  const double epsilon = machine.finds_tube ? machine.parts[0].epsilon : number(model.params, "epsilon");
  const auto line =
      std::ranges::find_if(picture->layers, [](const Layer& layer) { return layer.index() == Layer(Line{}).index(); });
  if (line != picture->layers.end()) {
    const Line& curve = std::get<Line>(*line);
    Band tube{.x = curve.x, .label = fmt::format("tube, epsilon = {:.4g}", epsilon), .colour = curve.colour};
    for (const double z : curve.y) tube.low.push_back(z - epsilon), tube.high.push_back(z + epsilon);
    picture->layers.insert(picture->layers.begin(), std::move(tube));
  }
  const Values &x = data.find(columns[0]->name)->values, &y = data.find(model.schema.targets.at(0))->values;
  picture->layers.emplace_back(rings(machine, data, columns, model.schema.targets.at(0), {span_of(x), span_of(y)}));
  return picture;
}

Result<Picture> margins_picture(const Machine& machine, const Model& model, const Dataset& data) {
  return machine.classes > 0 ? of_classes(machine, model, data) : of_numbers(machine, model, data);
}

struct MachinePicture {
  PictureInfo info;
  Result<Picture> (*draw)(const Machine& machine, const Model& model, const Dataset& data);
};

const std::vector<MachinePicture>& machine_pictures() {
  static const std::vector<MachinePicture> all = {
      {{"margins", "a machine's line between classes or its curve, the margins or the tube, support vectors ringed"},
       margins_picture},
      {{"space", "a linear machine over three features: the plane between two classes, the margins beside it"},
       space_picture}};
  return all;
}

} // namespace

void add_ring(Region& rings, double x, double y, double x_radius, double y_radius) {
  constexpr int kCorners = 24;
  for (int k = 0; k < kCorners; ++k) {
    const double angle = 2 * std::numbers::pi * k / kCorners;
    rings.x.push_back(x + x_radius * std::cos(angle));
    rings.y.push_back(y + y_radius * std::sin(angle));
  }
  rings.x.push_back(kFromData), rings.y.push_back(kFromData); // a break between rings
}

Result<void> check_margins(const Machine& machine, const Model& model, const Dataset& data) {
  const auto scores = model.predict(data, 0, Answer::decision);
  if (!scores) return std::unexpected(scores.error());
  const Part& part = machine.parts[0];
  for (std::size_t k = 0; k < part.support.size(); ++k) {
    const double f = (*scores)[at(machine.vectors.rows[at(part.support[k])])];
    if (!(f * (part.beta[k] < 0 ? -1 : 1) <= 1 + 1e-3)) return other_rows(data);
  }
  return {};
}

std::vector<PictureInfo> pictures() {
  std::vector<PictureInfo> all;
  for (const MachinePicture& one : machine_pictures()) all.push_back(one.info);
  return all;
}

Result<Picture> picture(const std::string& kind, const Model& model, const Dataset& data) {
  const auto* body = dynamic_cast<const MachineBody*>(model.body.get());
  if (body == nullptr) return refuse(kind, "the model is made of several", "draw regions");
  const Machine& machine = body->machine();
  for (const Index row : machine.vectors.rows)
    if (row >= data.rows) return other_rows(data);
  const auto& all = machine_pictures();
  return std::ranges::find(all, kind, [](const MachinePicture& one) { return one.info.word; })
      ->draw(machine, model, data);
}

} // namespace recta::svm
