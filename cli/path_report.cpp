#include "path_report.hpp"

#include "json.hpp"
#include "report.hpp"
#include "table.hpp"

#include <recta/learning_curve.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {
namespace {

bool measured(const Path& path, double PathPoint::* value) {
  return std::ranges::any_of(path.points, [&](const PathPoint& point) { return !std::isnan(point.*value); });
}

std::string table_text(const Path& path, const std::vector<Chosen>& chosen, int digits) {
  const bool labels = path.measure == "log-loss", ridge = path.l1_share == 0 && !labels;
  std::vector<std::string> heading{"lambda", ridge ? "freedom" : "features", labels ? "d2" : "r2"};
  const std::string cv = "cv " + path.measure;
  struct Column {
    const char* name;
    double PathPoint::* value;
  };
  std::vector<Column> columns;
  for (const Column& column :
       {Column{cv.c_str(), &PathPoint::cv_error}, Column{"std err", &PathPoint::cv_standard_error},
        Column{"loo mse", &PathPoint::loo_mse}, Column{"gcv", &PathPoint::gcv}, Column{"aic", &PathPoint::aic},
        Column{"bic", &PathPoint::bic}})
    if (measured(path, column.value)) {
      columns.push_back(column);
      heading.emplace_back(column.name);
    }
  heading.emplace_back("best by");
  Table table(heading, 0);
  table.last_left();
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    const PathPoint& point = path.points[k];
    std::vector<std::string> row{number_text(point.lambda, digits),
                                 ridge ? number_text(point.degrees_of_freedom, digits) : std::to_string(point.nonzero),
                                 number_text(labels ? point.d2 : point.r2, digits)};
    for (const Column& column : columns) row.push_back(number_text(point.*column.value, digits));
    std::vector<std::string> best;
    for (const Chosen& one : chosen)
      if (one.point == static_cast<Index>(k)) best.push_back(one.criterion);
    row.push_back(fmt::format("{}", fmt::join(best, " ")));
    table.add(row);
  }
  return table.text();
}

// For softmax, one list per class.
void coefficient_fields(Json& json, const Path& path, const PathPoint& point) {
  if (path.classes.empty()) {
    json.field("intercept", point.intercept).list("coefficients", point.coefficients);
    return;
  }
  json.list("intercept", point.intercepts).key("coefficients").array();
  const std::size_t p = path.features.size();
  for (std::size_t k = 0; k < path.classes.size(); ++k) {
    json.line();
    for (std::size_t j = 0; j < p; ++j) json.value(point.coefficients[k * p + j]);
    json.end();
  }
  json.end();
}

void point_value(Json& json, const Path& path, const PathPoint& point) {
  const bool labels = path.measure == "log-loss";
  json.object().field("lambda", point.lambda).field("nonzero", point.nonzero);
  json.field("degrees_of_freedom", point.degrees_of_freedom).field("objective", point.objective);
  json.field("gap", point.gap).field(labels ? "log_loss" : "mse", labels ? point.log_loss : point.mse);
  json.field(labels ? "d2" : "r2", labels ? point.d2 : point.r2);
  json.field(labels ? "cv_log_loss" : "cv_mse", point.cv_error);
  json.field("cv_standard_error", point.cv_standard_error);
  json.list(labels ? "fold_log_loss" : "fold_mse", point.fold_error);
  json.field("loo_mse", point.loo_mse).field("gcv", point.gcv).field("aic", point.aic).field("bic", point.bic);
  json.field("cp", point.cp);
  if (labels || point.checked) json.field("proved", point.proved);
  if (!point.conditions.empty()) json.list("conditions", point.conditions);
  coefficient_fields(json, path, point);
  json.end();
}

// Says how many points do not come from the decomposition that all share.
std::string checked_text(const Path& path) {
  const auto checked = std::ranges::count(path.points, true, &PathPoint::checked);
  if (checked == 0) return "";
  return fmt::format("; {} under a small penalty solved alone, {} proved in a fresh pass over the rows",
                     count_text(checked, "point", "points"), std::ranges::count(path.points, true, &PathPoint::proved));
}

std::string stopped_text(const Path& path) {
  if (!path.stopped) return "";
  const bool missing = path.stopped->stage == PathStop::Stage::points;
  return fmt::format("stopped    {}{}\n", path.stopped->sentence().substr(std::string_view("stopped ").size()),
                     missing ? fmt::format("; {} {} there, and none is chosen: the best may be among those missing",
                                           path.points.size(), path.points.size() == 1 ? "is" : "are")
                             : "; what was not finished chooses none");
}

void stopped_field(Json& json, const Path& path) {
  if (!path.stopped) {
    json.key("stopped").null();
    return;
  }
  const char* stages[] = {"points", "folds", "rows left out"};
  json.key("stopped").object().field("reason", path.stopped->reason.text());
  json.field("stage", stages[static_cast<int>(path.stopped->stage)]).field("lambda", path.stopped->lambda);
  json.field("points", path.stopped->points).field("sentence", path.stopped->sentence()).end();
}

} // namespace

std::vector<Chosen> choices(const Path& path) {
  std::vector<Chosen> out;
  for (const std::string& criterion : path_criteria())
    if (const auto point = path.choose(criterion)) out.push_back({criterion, *point});
  return out;
}

std::string path_text(const Path& path, const std::vector<Chosen>& chosen, const std::string& source,
                      const Voice& voice) {
  std::string text = voice.bold(fmt::format("path of {} of {} on {}", path.word, path.target, source)) +
                     fmt::format(", {}, {}\n\n", count_text(path.rows, "row", "rows"),
                                 count_text(static_cast<Index>(path.features.size()), "feature", "features"));
  text += table_text(path, chosen, voice.digits);
  text += "\nobjective  " + path.objective + "\n";
  double gap = 0;
  for (const PathPoint& point : path.points) gap = std::max(gap, point.gap);
  const auto proved = std::ranges::count(path.points, true, &PathPoint::proved);
  if (path.measure == "log-loss" && proved == std::ssize(path.points))
    text += fmt::format("gap        at most {} at every point, each proved in a fresh pass over the rows\n",
                        number_text(gap, 3));
  else if (path.measure == "log-loss")
    text += fmt::format("gap        at most {} at every point, in a fresh pass over the rows; proved to the tolerance "
                        "at {} of {} points\n",
                        number_text(gap, 3), proved, path.points.size());
  else
    text += fmt::format("gap        at most {} at every point, by the solver's own count{}\n", number_text(gap, 3),
                        checked_text(path));
  for (const PathPoint& point : path.points)
    if (!point.conditions.empty())
      text += fmt::format("condition  at lambda {}: {}\n", number_text(point.lambda, voice.digits),
                          fmt::join(point.conditions, "; "));
  return text + stopped_text(path);
}

std::string path_json(const Path& path, const std::vector<Chosen>& chosen, const std::string& source,
                      const std::optional<Model>& model) {
  Json json;
  json.object().field("schema", "recta/path/2").field("model", path.word).field("source", source);
  json.field("target", path.target).field("objective", path.objective).field("rows", path.rows);
  json.field("l1_share", path.l1_share).field("lambda_max", path.lambda_max).field("passes", path.passes);
  json.list("features", path.features);
  if (!path.classes.empty()) json.list("classes", path.classes);
  stopped_field(json, path);
  json.key("best").object();
  for (const Chosen& one : chosen) json.field(one.criterion, one.point);
  json.end().key("points").array();
  for (const PathPoint& point : path.points) point_value(json, path, point);
  json.end();
  if (model) {
    json.key("chosen").object();
    model_fields(json, *model);
    json.end();
  }
  return json.end().text();
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
                   .text = fmt::format("lambda = {} by {}", number_text(lambda, 3), look.chosen->criterion),
                   .dashed = true});
  }
  return picture;
}

} // namespace recta::cli
