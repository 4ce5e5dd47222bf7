#include "path_report.hpp"

#include <recta/learning_curve.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {
namespace {

using report::Sentence;
using report::Value;

// For softmax, one list per class.
std::pair<Value, Value> coefficients(const Path& path, const PathPoint& point) {
  if (path.classes.empty()) return {point.intercept, point.coefficients};
  const auto p = static_cast<std::ptrdiff_t>(path.features.size());
  Value::List each;
  for (auto at = point.coefficients.begin(); at != point.coefficients.end(); at += p)
    each.emplace_back(std::vector<double>(at, at + p));
  return {point.intercepts, std::move(each)};
}

std::vector<Value> row_of(const Path& path, const PathPoint& point, std::string best) {
  const bool labels = path.measure == "log-loss";
  auto [intercept, weights] = coefficients(path, point);
  return {point.lambda,
          point.nonzero,
          point.degrees_of_freedom,
          point.objective,
          point.gap,
          labels ? point.log_loss : point.mse,
          labels ? point.d2 : point.r2,
          point.cv_error,
          point.cv_standard_error,
          point.fold_error,
          point.loo_mse,
          point.gcv,
          point.aic,
          point.bic,
          point.cp,
          labels || point.checked ? Value(point.proved) : Value(),
          point.conditions.empty() ? Value() : Value(point.conditions),
          std::move(intercept),
          std::move(weights),
          std::move(best)};
}

// Titles are those of the columns that people see, if they were measured.
report::Table points_table(const Path& path, const std::vector<Chosen>& chosen) {
  const bool labels = path.measure == "log-loss", ridge = path.l1_share == 0 && !labels;
  const auto title = [&](std::string text, double PathPoint::* value) {
    const bool measured = std::ranges::any_of(path.points, [&](auto& point) { return !std::isnan(point.*value); });
    return measured ? std::move(text) : "";
  };
  report::Table out{.columns = {{"lambda", "lambda"},
                                {"nonzero", ridge ? "" : "features"},
                                {"degrees_of_freedom", ridge ? "freedom" : ""},
                                {"objective"},
                                {"gap"},
                                {labels ? "log_loss" : "mse"},
                                {labels ? "d2" : "r2", labels ? "d2" : "r2"},
                                {labels ? "cv_log_loss" : "cv_mse", title("cv " + path.measure, &PathPoint::cv_error)},
                                {"cv_standard_error", title("std err", &PathPoint::cv_standard_error)},
                                {labels ? "fold_log_loss" : "fold_mse"},
                                {"loo_mse", title("loo mse", &PathPoint::loo_mse)},
                                {"gcv", title("gcv", &PathPoint::gcv)},
                                {"aic", title("aic", &PathPoint::aic)},
                                {"bic", title("bic", &PathPoint::bic)},
                                {"cp"},
                                {"proved"},
                                {"conditions"},
                                {"intercept"},
                                {"coefficients"},
                                {"", "best by"}},
                    .left = 0,
                    .prose = true};
  for (const PathPoint& point : path.points) {
    std::vector<std::string> best;
    for (const Chosen& one : chosen)
      if (one.point == std::ssize(out.rows)) best.push_back(one.criterion);
    out.rows.push_back(row_of(path, point, fmt::format("{}", fmt::join(best, " "))));
  }
  return out;
}

// The distance of every point to its optimum, and who says so.
Sentence gap_sentence(const Path& path) {
  const auto proved = std::ranges::count(path.points, true, &PathPoint::proved);
  const auto checked = std::ranges::count(path.points, true, &PathPoint::checked);
  double gap = 0;
  for (const PathPoint& point : path.points) gap = std::max(gap, point.gap);
  const char* key = path.measure != "log-loss"          ? "path.gap"
                    : proved == std::ssize(path.points) ? "path.gap.proved"
                                                        : "path.gap.some";
  return {key,
          {{"gap", gap},
           {"checked", checked > 0 ? Value(checked) : Value()},
           {"proved", proved},
           {"points", path.points.size()}}};
}

Value stopped_data(const PathStop& stopped) {
  const char* stages[] = {"points", "folds", "rows left out"};
  return report::Group{{"reason", stopped.reason.text()},
                       {"stage", stages[static_cast<int>(stopped.stage)]},
                       {"lambda", stopped.lambda},
                       {"points", stopped.points},
                       {"sentence", stopped.sentence()}};
}

} // namespace

std::vector<Chosen> choices(const Path& path) {
  std::vector<Chosen> out;
  for (const std::string& criterion : path_criteria())
    if (const auto point = path.choose(criterion)) out.push_back({criterion, *point});
  return out;
}

report::Document path_document(const Path& path, const std::vector<Chosen>& chosen, const std::string& source,
                               const std::optional<Model>& model) {
  const auto points = shared(points_table(path, chosen));
  report::Section lines = {Sentence{"objective", {{"objective", path.objective}}}, gap_sentence(path)};
  for (const PathPoint& point : path.points)
    if (!point.conditions.empty())
      lines.push_back(
          Sentence{"path.condition",
                   {{"lambda", point.lambda}, {"conditions", fmt::format("{}", fmt::join(point.conditions, "; "))}}});
  if (path.stopped)
    lines.push_back(Sentence{path.stopped->stage == PathStop::Stage::points ? "path.stopped.points" : "path.stopped",
                             {{"sentence", path.stopped->sentence().substr(std::string_view("stopped ").size())},
                              {"points", path.points.size()}}});
  report::Document out{{{"schema", "recta/path/2"},
                        {"model", path.word},
                        {"source", source},
                        {"target", path.target},
                        {"objective", path.objective},
                        {"rows", path.rows},
                        {"l1_share", path.l1_share},
                        {"lambda_max", path.lambda_max},
                        {"passes", path.passes},
                        {"features", path.features},
                        {"classes", path.classes.empty() ? Value() : Value(path.classes)},
                        {"stopped", path.stopped ? stopped_data(*path.stopped) : Value(nullptr)}},
                       {{report::Heading{{"path.title",
                                          {{"model", path.word},
                                           {"target", path.target},
                                           {"source", source},
                                           {"rows", path.rows},
                                           {"features", path.features.size()}}}}},
                        {report::Shown{points}},
                        std::move(lines)}};
  report::Group best;
  for (const Chosen& one : chosen) best.add(one.criterion, one.point);
  out.data.add({{"best", std::move(best)}, {"points", points}});
  if (!model) return out;
  out.data.add("chosen", report::parts_of(*model).data);
  out.page.push_back({Sentence{"path.chosen",
                               {{"lambda", report::shortest(std::get<double>(model->params.at("lambda")))},
                                {"certificate", model->certificate.sentence()}}}});
  return out;
}

namespace {

// Weights of standardised columns are those of the data times the columns' deviations.
std::vector<double> shown_weights(const Path& path, const std::vector<double>& deviations) {
  std::vector<double> weights;
  for (const PathPoint& point : path.points)
    for (std::size_t at = 0; at < point.coefficients.size(); ++at)
      weights.push_back(point.coefficients[at] * (deviations.empty() ? 1 : deviations[at % deviations.size()]));
  return weights;
}

} // namespace

Result<plot::Picture> path_picture(const Path& path, const PathLook& look) {
  if (look.kind == "errors") return validation_picture(path);
  std::vector<double> lambdas;
  for (const PathPoint& point : path.points) lambdas.push_back(point.lambda);
  std::vector<std::string> names;
  for (const std::string& label : path.classes)
    for (const std::string& feature : path.features) names.push_back(fmt::format("{}: {}", label, feature));
  auto picture =
      plot::path_picture(lambdas, shown_weights(path, look.deviations), path.classes.empty() ? path.features : names);
  if (!picture) return picture;
  picture->title = fmt::format("Weights of {} for {} against the penalty", path.word, path.target);
  picture->y.label = look.deviations.empty() ? "weight, in the units of the data" : "weight of the standardised column";
  if (look.chosen) {
    const double lambda = path.points[static_cast<std::size_t>(look.chosen->point)].lambda;
    picture->layers.emplace_back(
        plot::Rule{.at = lambda,
                   .upright = true,
                   .text = fmt::format("lambda = {} by {}", report::number_text(lambda, 3), look.chosen->criterion),
                   .dashed = true});
  }
  return picture;
}

} // namespace recta::cli
