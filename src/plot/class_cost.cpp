// Over two weights the intercept is at its best for logistic regression, whose cost is convex, and at that of the model
// for the others.
#include "plot/class_cost.hpp"

#include "feature/table_source.hpp"
#include "model/linear/body.hpp"
#include "plot/text.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::plot {
namespace {

constexpr std::size_t kRowsSummed = 20'000; // if there are more, every k-th is summed

struct Plane {
  std::vector<double> x{}, u{}, sign{}, weight{}; // both features, or the first and nothing
  double total = 0;
  double (*cost)(double margin) = nullptr;
  bool over_intercept = false, free = false; // free: the intercept is found for every point
  double b = 0, lambda1 = 0, lambda2 = 0;

  double z(std::size_t i, double first, double second) const {
    return over_intercept ? first + second * x[i] : first * x[i] + second * u[i];
  }
  double mean(double first, double second, double at) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += weight[i] * cost(sign[i] * (z(i, first, second) + at));
    return sum / total;
  }
  // Newton's method for the intercept of logistic regression, whose slope grows with it: between what is below and
  // above.
  double best(double first, double second) const {
    double low = -1e3, high = 1e3, at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double span = std::abs(z(i, first, second)) + 50;
      low = std::min(low, -span), high = std::max(high, span);
    }
    for (int k = 0; k < 60 && high - low > 1e-9 * (1 + std::abs(at)); ++k) {
      double slope = 0, bend = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double m = sign[i] * (z(i, first, second) + at), e = std::exp(-std::abs(m));
        slope -= weight[i] * sign[i] * (m >= 0 ? e / (1 + e) : 1 / (1 + e));
        bend += weight[i] * e / ((1 + e) * (1 + e));
      }
      (slope > 0 ? high : low) = at;
      const double newton = at - slope / bend; // not finite if all curvature is lost
      const double next = newton > low && newton < high ? newton : (low + high) / 2;
      if (std::abs(next - at) < 1e-9 * (1 + std::abs(at))) break;
      at = next;
    }
    return at;
  }
  double operator()(double first, double second) const {
    const double size = over_intercept ? std::abs(second) : std::abs(first) + std::abs(second);
    const double square = over_intercept ? second * second : first * first + second * second;
    return mean(first, second,
                over_intercept ? 0
                : free         ? best(first, second)
                               : b) +
           lambda1 * size + lambda2 / 2 * square;
  }
};

std::string words_with_a_margin_cost() {
  std::vector<std::string> words;
  for (const ModelInfo& info : models())
    if (info.margin_cost) words.push_back(info.word);
  return fmt::format("{}", fmt::join(words, ", "));
}

// Whether the cost is convex in the intercept, which is then found for every point.
bool finds_intercept(const Model& model) {
  return linear_or_none(model).intercept && model_info(model.word)->probabilities;
}

Result<void> check_plane(const Model& model) {
  if (const ModelInfo* info = model_info(model.word); info == nullptr || !info->margin_cost)
    return fail(ErrorCode::usage, "contours",
                fmt::format("the cost of {} is another than these pictures show", model.word),
                fmt::format("of classes they are of {}; draw the cost", words_with_a_margin_cost()));
  if (!model.is_linear())
    return fail(ErrorCode::usage, "contours", "the model is made of others, and its cost is not that of one plane",
                "draw one class against the rest");
  const std::size_t p = model.linear()->targets.at(0).coefficients.size();
  if (p == 2 || (p == 1 && linear_or_none(model).intercept)) return {};
  return fail(ErrorCode::usage, "contours",
              fmt::format("the model has {} weights, and a plane shows the cost of two", p),
              "fit two features, or one and the intercept; draw the cost of more");
}

Result<void> gather(const Model& model, const Dataset& data, Plane& plane) {
  auto binding = feature::bind(model.schema, data, feature::Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  const feature::Encoder encoder(model.schema, *std::move(binding));
  feature::TableSource source(data, encoder);
  const LinearSummary& linear = linear_or_none(model);
  const auto value = [&](const MatrixView& x, Index i, Index j) {
    const double sd = linear.standardised ? linear.deviations[static_cast<std::size_t>(j)] : 0;
    return sd > 0 ? (element(x, i, j) - linear.means[static_cast<std::size_t>(j)]) / sd : element(x, i, j);
  };
  const std::size_t every = 1 + static_cast<std::size_t>(data.rows) / kRowsSummed;
  const auto read = for_each_batch(source, [&](const Batch& batch) -> Result<void> {
    const auto* dense = std::get_if<MatrixView>(&batch.x);
    if (dense == nullptr) return fail(ErrorCode::usage, data.source, "contours are drawn for dense features");
    for (Index i = 0; i < dense->rows; ++i) {
      const double v = batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
      if (!(v > 0) || static_cast<std::size_t>(batch.first_row + i) % every != 0) continue;
      plane.x.push_back(value(*dense, i, 0));
      plane.u.push_back(dense->cols > 1 ? value(*dense, i, 1) : 0);
      plane.sign.push_back(element(batch.target, i, 0));
      plane.weight.push_back(v);
      plane.total += v;
    }
    return {};
  });
  if (!read) return read;
  if (plane.x.empty())
    return fail(ErrorCode::bad_data, data.source, "no row has all its features and a positive weight");
  return {};
}

} // namespace

std::string class_cost_subtitle(const Model& model) {
  std::string text = fmt::format("{}, {} rows", model.word, linear_or_none(model).rows);
  if (linear_or_none(model).targets[0].coefficients.size() == 2 && linear_or_none(model).intercept)
    text += finds_intercept(model) ? ", the intercept at its best"
                                   : ", the intercept at " + rounded(linear_or_none(model).targets[0].intercept.value);
  return text;
}

Result<CostPicture> class_cost(const Model& model, const Dataset& data) {
  if (auto good = check_plane(model); !good) return std::unexpected(good.error());
  const LinearSummary& linear = linear_or_none(model);
  const TargetFit& fit = linear.targets[0];
  Plane plane{.cost = model_info(model.word)->margin_cost};
  plane.over_intercept = fit.coefficients.size() == 1;
  plane.free = finds_intercept(model);
  plane.lambda1 = linear.lambda1, plane.lambda2 = linear.lambda2;
  const auto number = [&](const Coefficient& c) { return linear.standardised ? c.standardised : c.value; };
  plane.b = linear.intercept ? number(fit.intercept) : 0;
  if (auto good = gather(model, data, plane); !good) return std::unexpected(good.error());
  CostPicture what;
  what.cost = {.x = number(plane.over_intercept ? fit.intercept : fit.coefficients[0]),
               .y = number(fit.coefficients[plane.over_intercept ? 0 : 1])};
  const std::string unit = linear.standardised ? ", standardised" : "";
  what.names = {plane.over_intercept ? "intercept" + unit : "weight of " + fit.coefficients[0].feature + unit,
                "weight of " + fit.coefficients[plane.over_intercept ? 0 : 1].feature + unit};
  what.known = std::holds_alternative<DualityGap>(model.certificate.claim);
  what.cost.least = what.known ? model.certificate.objective : 0;
  what.exact = std::move(plane);
  return what;
}

} // namespace recta::plot
