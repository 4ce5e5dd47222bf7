// If the penalty is part of the cost, as it is for a descent, lambda is added to the curvature of each weight and the
// centre is the model itself; the disc of ridge and the diamond of lasso stand in the cost without it.
#include "plot/model_cost.hpp"

#include "data/checked_table.hpp"
#include "model/linear/body.hpp"
#include "plot/class_cost.hpp"
#include "plot/design_rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::plot {
namespace {

// Models whose cost is squares, with penalties that have the shape of a ball.
Result<void> check_squares(const Model& model) {
  std::vector<std::string> words;
  for (const ModelInfo& info : models()) {
    if (info.squared_error) words.push_back(info.word);
    if (info.squared_error && info.word == model.word) return {};
  }
  return fail(ErrorCode::usage, "contours",
              fmt::format("the cost of {} is another than these pictures show", model.word),
              fmt::format("they are of {}", fmt::join(words, ", ")));
}

// The mean squared loss over two weights, the intercept at its best; over intercept and weight if there is one weight.
Result<CostPicture> cost_of(const Model& model, const Dataset& data) {
  if (auto good = check_squares(model); !good) return std::unexpected(good.error());
  const TargetFit& fit = linear_or_none(model).targets.at(0);
  const std::size_t p = fit.coefficients.size();
  const bool with_intercept = p == 1 && linear_or_none(model).intercept;
  if (linear_or_none(model).targets.size() != 1 || (p != 2 && !with_intercept))
    return fail(
        ErrorCode::usage, "contours",
        fmt::format("the model has {} weights and {} targets, and a plane shows the cost of two weights for one target",
                    p, linear_or_none(model).targets.size()),
        "fit two features, or one and the intercept");
  const auto g = products(model, data);
  if (!g) return std::unexpected(g.error());
  const auto d = static_cast<std::size_t>(g->size());
  const auto mean_product = [&](std::size_t i, std::size_t j, bool centred) { // i <= j
    return g->scatter[i * d + j] / g->weight + (centred ? 0 : g->mean[i] * g->mean[j]);
  };
  CostPicture what;
  Quadratic& q = what.cost;
  if (with_intercept) {
    q = {1, g->mean[0], mean_product(0, 0, false)};
    what.names = {"intercept", "weight of " + fit.coefficients[0].feature};
    q.y = g->scatter[1] / g->scatter[0];
    q.x = g->mean[1] - q.y * g->mean[0];
    q.least = (mean_product(1, 1, true) - q.y * mean_product(0, 1, true)) / 2;
    return what;
  }
  const bool centred = linear_or_none(model).intercept;
  q = {mean_product(0, 0, centred), mean_product(0, 1, centred), mean_product(1, 1, centred)};
  const double right = mean_product(0, 2, centred), up = mean_product(1, 2, centred);
  const double determinant = q.xx * q.yy - q.xy * q.xy;
  q.x = (q.yy * right - q.xy * up) / determinant, q.y = (q.xx * up - q.xy * right) / determinant;
  q.least = (mean_product(2, 2, centred) - q.x * right - q.y * up) / 2;
  what.names = {"weight of " + fit.coefficients[0].feature, "weight of " + fit.coefficients[1].feature};
  return what;
}

// Converts to units of the columns' deviations, if the penalty is on those.
void standardise(CostPicture& what, const LinearSummary& linear) {
  Quadratic& q = what.cost;
  const double a = linear.deviations.at(0), b = linear.deviations.at(1);
  q = {q.xx / (a * a), q.xy / (a * b), q.yy / (b * b), q.x * a, q.y * b, q.least};
  for (std::string& name : what.names) name += ", standardised";
}

// + lambda (x^2 + y^2) / 2
void add_squares(Quadratic& q, double lambda) {
  if (!(lambda > 0)) return;
  const double right = q.xx * q.x + q.xy * q.y, up = q.xy * q.x + q.yy * q.y; // H c stays
  const double rest = q.least + (q.x * right + q.y * up) / 2;                 // the cost at zero
  q.xx += lambda, q.yy += lambda;
  const double determinant = q.xx * q.yy - q.xy * q.xy;
  q.x = (q.yy * right - q.xy * up) / determinant, q.y = (q.xx * up - q.xy * right) / determinant;
  q.least = rest - (q.x * right + q.y * up) / 2;
}

// Factors and bounds make another shape than a diamond.
bool plain_penalty(const Model& model) {
  for (const char* name : {"penalty-factors", "lower", "upper"})
    if (const auto entry = model.params.find(name); entry != model.params.end())
      if (const auto* text = std::get_if<std::string>(&entry->second); text && !text->empty()) return false;
  const auto non_negative = model.params.find("non-negative");
  return non_negative == model.params.end() || !std::get<bool>(non_negative->second);
}

// Least squares no farther out than the model's own weights is the model: in a disc for ridge, in a diamond for lasso,
// and for elastic net in a diamond with the squares in the cost.
void add_ball(const Model& model, CostPicture& what) {
  const auto& w = linear_or_none(model).targets[0].coefficients;
  const bool scaled = linear_or_none(model).standardised, absolute = linear_or_none(model).targets[0].lambda1 > 0;
  if (!absolute && !(linear_or_none(model).lambda2 > 0)) return;
  if (scaled) standardise(what, linear_or_none(model));
  if (!plain_penalty(model)) return;
  const double x = scaled ? w[0].standardised : w[0].value, y = scaled ? w[1].standardised : w[1].value;
  what.ball = absolute ? Ball::diamond : Ball::disc;
  what.radius = absolute ? std::abs(x) + std::abs(y) : std::hypot(x, y);
  if (absolute) add_squares(what.cost, linear_or_none(model).lambda2);
}

// The objective that the model minimises, in the units in which it was fitted.
Result<CostPicture> objective_of(const Model& model, const Dataset& data) {
  auto what = cost_of(model, data);
  if (!what) return what;
  const LinearSummary& linear = linear_or_none(model);
  const TargetFit& fit = linear.targets[0];
  const bool one = fit.coefficients.size() == 1, scaled = linear.standardised;
  const auto value = [&](const Coefficient& c) { return scaled ? c.standardised : c.value; };
  Quadratic& q = what->cost;
  if (one && scaled) q = {.xx = 1, .xy = 0, .yy = 1}; // of a column with mean 0 and deviation 1
  if (!one && scaled) standardise(*what, linear);
  q.x = value(one ? fit.intercept : fit.coefficients[0]), q.y = value(fit.coefficients[one ? 0 : 1]);
  q.yy += linear.lambda2;
  if (!one) q.xx += linear.lambda2;
  q.least = model.certificate.objective;
  return what;
}

} // namespace

Result<Picture> contours_of(const Model& model, const Dataset& data) {
  auto what = cost_of(model, data);
  if (!what) return std::unexpected(what.error());
  if (linear_or_none(model).targets[0].coefficients.size() == 2) add_ball(model, *what);
  auto picture = cost_picture(*what);
  if (!picture) return picture;
  picture->subtitle = subtitle(model, static_cast<std::size_t>(linear_or_none(model).rows));
  return picture;
}

Result<Picture> descent_picture(const Model& model, const Dataset& data, const std::vector<Way>& ways) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Picture> {
    auto what = model.classifies() ? class_cost(model, data) : objective_of(model, data);
    if (!what) return std::unexpected(what.error());
    what->ways = ways;
    auto picture = cost_picture(*what);
    if (picture && !model.classifies())
      picture->subtitle = subtitle(model, static_cast<std::size_t>(linear_or_none(model).rows));
    if (picture && model.classifies()) picture->subtitle = class_cost_subtitle(model);
    return picture;
  });
}

} // namespace recta::plot
