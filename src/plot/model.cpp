// Pictures of a fitted model: its curve with bands, its residuals. The cost around its weights is in model_cost.cpp, a
// model of classes in class_model.cpp.
//
// The band of the mean holds the true line with the model's confidence at each x, the wider one a new row of weight 1:
//   z(x) -+ q sigma sqrt(v(x))  and  z(x) -+ q sigma sqrt(1 + v(x)),
// with v from design_rows.hpp, sigma and the quantile q = (upper - value) / standard error from the model's own table.
// A penalised fit has no standard errors and so no band.
#include "model/linear/body.hpp"
#include "plot/class_model.hpp"
#include "plot/columns.hpp"
#include "plot/design_rows.hpp"
#include "plot/model_cost.hpp"
#include "plot/model_picture.hpp"
#include "plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::plot {
namespace {

constexpr Index kCurvePoints = 201;

Result<const Column*> numbers(const Dataset& data, const std::string& name) {
  const Column* column = data.find(name);
  if (column != nullptr && column->numeric()) return column;
  return fail(ErrorCode::bad_data, data.source,
              fmt::format("there is no column of numbers \"{}\", the model's target", name),
              "a picture shows rows that have their targets");
}

// Rows with a prediction, a target and a weight.
struct Rows {
  std::vector<std::size_t> used;
  std::vector<const Column*> targets;
  Values z;
  double target(std::size_t i, std::size_t t) const { return targets[t]->values[i]; }
  double fitted(std::size_t i, std::size_t t) const { return z[i * targets.size() + t]; }
};

Result<Rows> rows_of(const Model& model, const Dataset& data) {
  Rows rows;
  for (const std::string& name : model.schema.targets) {
    const auto column = numbers(data, name);
    if (!column) return std::unexpected(column.error());
    rows.targets.push_back(*column);
  }
  auto z = model.predict(data);
  if (!z) return std::unexpected(z.error());
  rows.z = *std::move(z);
  const Column* weights = model.schema.weights.empty() ? nullptr : data.find(model.schema.weights);
  for (std::size_t i = 0; i < static_cast<std::size_t>(data.rows); ++i) {
    bool whole = weights == nullptr || !weights->numeric() || weights->values[i] > 0;
    for (std::size_t t = 0; t < rows.targets.size(); ++t)
      whole = whole && std::isfinite(rows.target(i, t)) && std::isfinite(rows.fitted(i, t));
    if (whole) rows.used.push_back(i);
  }
  if (rows.used.empty())
    return fail(ErrorCode::bad_data, data.source, "no row has a target, a positive weight and all its features",
                "check the target column for missing values");
  return rows;
}

// q sigma, or NaN if the fit has no standard errors.
double unit_width(const TargetFit& fit) {
  for (const Coefficient& c : fit.coefficients)
    if (std::isfinite(c.standard_error) && c.standard_error > 0)
      return (c.upper - c.value) / c.standard_error * fit.sigma;
  return kFromData;
}

Result<void> add_bands(Picture& picture, const Model& model, const Dataset& data, const Dataset& grid,
                       const Line& line) {
  if (linear_or_none(model).targets.size() != 1) return {};
  const double width = unit_width(linear_or_none(model).targets[0]);
  if (!std::isfinite(width)) return {};
  const auto training = products(model, data);
  if (!training) return std::unexpected(training.error());
  const auto v = variances(model, *training, grid);
  if (!v) return std::unexpected(v.error());
  const std::string share = rounded(100 * linear_or_none(model).confidence, 3);
  Band mean{.x = line.x, .label = fmt::format("{} % band of the mean", share), .colour = 1};
  Band row{.x = line.x, .label = fmt::format("{} % band of a new row", share), .colour = kSoft};
  for (std::size_t k = 0; k < v->size(); ++k) {
    const double near = width * std::sqrt((*v)[k]), far = width * std::sqrt(1 + (*v)[k]);
    mean.low.push_back(line.y[k] - near), mean.high.push_back(line.y[k] + near);
    row.low.push_back(line.y[k] - far), row.high.push_back(line.y[k] + far);
  }
  picture.layers.emplace_back(std::move(row));
  picture.layers.emplace_back(std::move(mean));
  return {};
}

Result<Picture> curve(const Model& model, const Dataset& data) {
  const auto columns = number_columns(model);
  if (columns.size() != 1)
    return fail(ErrorCode::usage, "curve",
                fmt::format("the model reads {} columns, and a curve is that of one column of numbers",
                            static_cast<Index>(model.schema.columns.size()) + model.schema.sparse_cols),
                "draw residuals instead");
  const SchemaColumn* feature = columns[0];
  const auto rows = rows_of(model, data);
  if (!rows) return std::unexpected(rows.error());
  const Column& column = *data.find(feature->name);
  std::vector<double> x;
  for (const std::size_t i : rows->used)
    x.push_back(std::isfinite(column.values[i]) ? column.values[i] : feature->fill);
  const auto [low, high] = std::ranges::minmax(x);
  const Dataset grid = grid_over({{feature->name, evenly(low, high, kCurvePoints)}});
  const auto z = model.predict(grid);
  if (!z) return std::unexpected(z.error());

  const std::size_t k = rows->targets.size();
  Picture picture{.title = fmt::format("{} against {}", fmt::join(model.schema.targets, ", "), feature->name),
                  .subtitle = subtitle(model, rows->used.size())};
  picture.x.label = feature->name;
  if (k == 1) picture.y.label = model.schema.targets[0];
  std::vector<Layer> above;
  for (std::size_t t = 0; t < k; ++t) {
    const int colour = static_cast<int>(k == 1 ? 0 : t);
    Points points{.x = x, .label = k == 1 ? "rows" : "", .colour = colour};
    for (const std::size_t i : rows->used) points.y.push_back(rows->target(i, t));
    Line line{.x = {grid.columns[0].values.begin(), grid.columns[0].values.end()},
              .label = k == 1 ? "fit" : model.schema.targets[t],
              .colour = k == 1 ? 1 : colour};
    for (std::size_t i = 0; i < line.x.size(); ++i) line.y.push_back((*z)[i * k + t]);
    if (t == 0)
      if (auto good = add_bands(picture, model, data, grid, line); !good) return std::unexpected(good.error());
    above.emplace_back(std::move(points));
    above.emplace_back(std::move(line));
  }
  std::ranges::move(above, std::back_inserter(picture.layers));
  return picture;
}

Result<Picture> residuals(const Model& model, const Dataset& data) {
  const auto rows = rows_of(model, data);
  if (!rows) return std::unexpected(rows.error());
  const std::size_t k = rows->targets.size();
  Picture picture{.title = fmt::format("Residuals of {}", fmt::join(model.schema.targets, ", ")),
                  .subtitle = subtitle(model, rows->used.size())};
  picture.x.label = "fitted value";
  picture.y.label = "residual";
  const double sigma = model.is_linear() ? linear_or_none(model).targets[0].sigma : kFromData;
  if (k == 1 && std::isfinite(sigma) && sigma > 0)
    picture.layers = {Rule{.at = 2 * sigma, .text = "2 sigma", .dashed = true}, Rule{.at = -2 * sigma, .dashed = true}};
  picture.layers.emplace_back(Rule{.at = 0});
  for (std::size_t t = 0; t < k; ++t) {
    Points points{.label = k == 1 ? "" : model.schema.targets[t], .colour = static_cast<int>(t)};
    for (const std::size_t i : rows->used) {
      points.x.push_back(rows->fitted(i, t));
      points.y.push_back(rows->target(i, t) - rows->fitted(i, t));
    }
    picture.layers.emplace_back(std::move(points));
  }
  return picture;
}

} // namespace

std::string subtitle(const Model& model, std::size_t rows) {
  std::string text = model.word;
  for (const auto& [name, value] : model.params)
    if (const double* number = std::get_if<double>(&value); number != nullptr && std::isfinite(*number))
      text += fmt::format(", {} = {}", name, rounded(*number));
  text += fmt::format(", {} row{}", rows, rows == 1 ? "" : "s");
  if (linear_or_none(model).targets.size() == 1)
    text += fmt::format(", R² {} in training", rounded(linear_or_none(model).targets[0].r2, 3));
  return text;
}

const std::vector<PictureInfo>& pictures_of_any_model() {
  static const std::vector<PictureInfo> all = {
      {"curve", "one column against the target, or the probability of a class"},
      {"residuals", "against fitted values"},
      {"contours", "the cost over two weights"},
      {"regions", "where each class is predicted, over two columns"},
      {"probabilities", "how sure it is of the true class"}};
  return all;
}

Result<Picture> model_picture(const Model& model, const Dataset& data, const std::string& kind) {
  if (model.has_label_set())
    return fail(ErrorCode::usage, model.word, "rows with several labels have no picture",
                "fit the column of one label with --target");
  if (!model.has_target())
    return fail(ErrorCode::usage, model.word, "it has no target to draw",
                "draw its coordinates: recta transform MODEL DATA");
  if (model.classifies()) return class_picture(model, data, kind);
  const std::string what = !kind.empty() ? kind : number_columns(model).size() == 1 ? "curve" : "residuals";
  if (what == "curve") return curve(model, data);
  if (what == "residuals") return residuals(model, data);
  if (what == "contours") return contours_of(model, data);
  return fail(ErrorCode::usage, what, fmt::format("{} predicts numbers, which have no such picture", model.word),
              "draw curve, residuals or contours");
}

} // namespace recta::plot
