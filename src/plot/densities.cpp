// The ellipse that holds a share q of a Gaussian class is where (x - m)' S^-1 (x - m) = -2 log(1 - q), a circle of that
// radius times the Cholesky factor of S.
#include "plot/densities.hpp"

#include "plot/class_model.hpp"
#include "plot/columns.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace recta::plot {
namespace {

constexpr Index kDensityPoints = 401, kEllipsePoints = 121;
constexpr double kInner = 0.5, kOuter = 0.95; // shares of a class inside its ellipses

Line ellipse(const ClassDensity& of, double share, int colour) {
  const double a = std::sqrt(of.covariance[0]), b = a > 0 ? of.covariance[1] / a : 0;
  const double c = std::sqrt(std::max(0.0, of.covariance[3] - b * b));
  const double radius = std::sqrt(-2 * std::log(1 - share));
  Line line{.colour = colour, .dashed = share > kInner};
  for (Index k = 0; k < kEllipsePoints; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / (kEllipsePoints - 1);
    const double u = radius * std::cos(angle), v = radius * std::sin(angle);
    line.x.push_back(of.mean[0] + a * u);
    line.y.push_back(of.mean[1] + b * u + c * v);
  }
  return line;
}

Result<Picture> ellipses(const Model& model, const Dataset& data, const std::vector<ClassDensity>& classes) {
  auto picture = class_picture(model, data, "regions");
  if (!picture) return picture;
  picture->title = fmt::format("Gaussian classes of {}", model.schema.targets.at(0));
  picture->subtitle += fmt::format("; inside its ellipses each class has {:g} % and {:g} % of its probability",
                                   100 * kInner, 100 * kOuter);
  for (std::size_t k = 0; k < classes.size(); ++k)
    for (const double share : {kInner, kOuter})
      picture->layers.emplace_back(ellipse(classes[k], share, static_cast<int>(k)));
  for (std::size_t k = 0; k < classes.size(); ++k)
    picture->layers.emplace_back(Mark{.x = classes[k].mean[0], .y = classes[k].mean[1], .colour = static_cast<int>(k)});
  return picture;
}

double joint_density(const ClassDensity& of, double x) {
  const double apart = x - of.mean[0], variance = of.covariance[0];
  return of.prior * std::exp(-0.5 * apart * apart / variance) / std::sqrt(2 * std::numbers::pi * variance);
}

// The logarithm of the same, without terms that all classes share. Far from every class the densities themselves round
// to zero.
double joint_score(const ClassDensity& of, double x) {
  const double apart = x - of.mean[0];
  return std::log(of.prior) - 0.5 * (apart * apart / of.covariance[0] + std::log(of.covariance[0]));
}

std::size_t winner(const std::vector<ClassDensity>& classes, double x) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < classes.size(); ++k)
    if (joint_score(classes[k], x) > joint_score(classes[best], x)) best = k;
  return best;
}

// Finds the place between two others where the most probable class changes, by bisection.
double boundary(const std::vector<ClassDensity>& classes, double low, double high) {
  const std::size_t left = winner(classes, low);
  for (int step = 0; step < 60; ++step) {
    const double middle = low + (high - low) / 2;
    (winner(classes, middle) == left ? low : high) = middle;
  }
  return high;
}

Result<Picture> curves(const Model& model, const std::string& column, const std::vector<ClassDensity>& classes) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const ClassDensity& of : classes) {
    const double wide = 3.5 * std::sqrt(of.covariance[0]);
    low = std::min(low, of.mean[0] - wide);
    high = std::max(high, of.mean[0] + wide);
  }
  const std::vector<double> over = evenly(low, high, kDensityPoints);
  Picture picture{.title = fmt::format("Gaussian classes of {}", model.schema.targets.at(0)),
                  .subtitle = fmt::format("{}; dashed: where the most probable class changes", model.word)};
  picture.x.label = column;
  picture.y = {.label = "prior times density", .low = 0};
  for (std::size_t k = 0; k < classes.size(); ++k) {
    Band area{.x = over, .low = std::vector<double>(over.size(), 0.0), .colour = static_cast<int>(k)};
    for (const double x : over) area.high.push_back(joint_density(classes[k], x));
    Line line{.x = over,
              .y = area.high,
              .label = fmt::format("{} {}", model.schema.targets.at(0), model.schema.classes.labels.at(k)),
              .colour = static_cast<int>(k)};
    picture.layers.emplace_back(std::move(area));
    picture.layers.emplace_back(std::move(line));
  }
  for (std::size_t i = 1; i < over.size(); ++i)
    if (winner(classes, over[i - 1]) != winner(classes, over[i]))
      picture.layers.emplace_back(Rule{.at = boundary(classes, over[i - 1], over[i]), .upright = true, .dashed = true});
  return picture;
}

} // namespace

Result<void> check_density_columns(const Model& model) {
  const std::size_t columns = number_columns(model).size();
  if ((columns == 1 || columns == 2) && model.schema.maps.empty()) return {};
  return fail(ErrorCode::usage, "densities",
              "they are drawn over one or two columns of numbers, which are all it reads",
              "fit it to one or two columns, or draw probabilities instead");
}

Result<Picture> density_picture(const Model& model, const Dataset& data, const std::vector<ClassDensity>& classes) {
  if (auto good = check_density_columns(model); !good) return std::unexpected(good.error());
  const std::vector<const SchemaColumn*> columns = number_columns(model);
  if (columns.size() == 2) return ellipses(model, data, classes);
  for (std::size_t k = 0; k < classes.size(); ++k)
    if (!(classes[k].covariance[0] > 0) || !(classes[k].prior > 0))
      return fail(
          ErrorCode::usage, "densities",
          fmt::format("class {} has no density: its variance or its prior is zero", model.schema.classes.labels.at(k)),
          "draw probabilities instead");
  return curves(model, columns[0]->name, classes);
}

} // namespace recta::plot
