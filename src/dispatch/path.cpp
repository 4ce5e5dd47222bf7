// path(): from each kind of data to rows, and on to the path of the model's family.
#include "data/checked_table.hpp"
#include "dispatch/path_models.hpp"
#include "family/checked_request.hpp"
#include "family/family.hpp"
#include "feature/schema.hpp"
#include "model/linear/body.hpp"
#include "params/params.hpp"
#include "rows/class_target.hpp"
#include "rows/schemas.hpp"
#include "rows/sources.hpp"

#include <recta/path.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

Result<void> check_how(const PathOptions& how, const ModelInfo& info) {
  const std::string& word = info.word;
  if (how.count < 1 || how.count > 100000) return refuse(word, "a path has from 1 to 100000 points", "100 is usual");
  if (!(how.ratio >= 0 && how.ratio <= 1))
    return refuse(word, fmt::format("{} is not the share of the largest lambda a path can end at", how.ratio),
                  "0.001 is usual");
  if (how.folds < 0 || (how.folds == 1 && how.fold_of.empty()))
    return refuse(word, "a cross-validation has at least two folds", "10 is usual");
  if (how.folds > 0 && !how.fold_of.empty()) {
    const auto [least, most] = std::ranges::minmax(how.fold_of);
    if (least < -1 || most >= how.folds)
      return refuse(word, fmt::format("a row is in fold {}", least < -1 ? least : most),
                    fmt::format("folds are numbered from 0 to {}; -1 is always trained on", how.folds - 1));
  }
  for (const double lambda : how.lambdas)
    if (!(lambda >= 0) || std::isinf(lambda))
      return refuse(word, fmt::format("{} is not a lambda", lambda), "a strength is a number from zero up");
  return {};
}

Result<void> check_strength(const Request& request) {
  for (const char* name : {"lambda", "lambda1", "lambda2", "tau", "psi"})
    if (request.params.contains(name) && !std::isnan(number(request.params, name)))
      return refuse(request.info->word,
                    fmt::format("a path has a strength of its own at every point, and {} was given", name),
                    "leave it out, or give the lambdas of the path");
  return {};
}

Result<Request> path_request(const std::string& word, const FitOptions& options, const PathOptions& how) {
  auto request = checked_request(word, options);
  if (!request) return request;
  if (auto good = check_how(how, *request->info); !good) return std::unexpected(good.error());
  if (auto good = check_strength(*request); !good) return std::unexpected(good.error());
  return request;
}

Result<Path> path_of_rows(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                          const Clock& clock) {
  return family_of(request.info->word).path(request, schema, rows, how, clock);
}

} // namespace

Result<Path> path(const std::string& word, const Dataset& data, const FitOptions& options, const PathOptions& how,
                  const Watch& watch) {
  return guarded(data, cure::kStream, [&]() -> Result<Path> {
    const Clock clock(watch, options.time_limit);
    const auto request = path_request(word, options, how);
    if (!request) return std::unexpected(request.error());
    auto schema = learn_from_table(data, *request, options);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = TableRows::make(*schema, data);
    if (!rows) return std::unexpected(rows.error());
    return path_of_rows(*request, *schema, (*rows)->rows(), how, clock);
  });
}

Result<Path> path(const std::string& word, const Arrays& arrays, const FitOptions& given, const PathOptions& how,
                  const Watch& watch) {
  return guarded("arrays", cure::kStream, [&]() -> Result<Path> {
    const auto named = array_options(arrays, given);
    if (!named) return std::unexpected(named.error());
    const FitOptions& options = *named;
    const Clock clock(watch, options.time_limit);
    const auto request = path_request(word, options, how);
    if (!request) return std::unexpected(request.error());
    if (request->info->classes)
      return with_class_rows(arrays, options, [&](const Schema& schema, const Rows& rows) {
        return path_of_rows(*request, schema, rows, how, clock);
      });
    const auto schema = checked_schema(arrays, options);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = ArrayRows::make_checked(arrays, *schema);
    if (!rows) return std::unexpected(rows.error());
    return path_of_rows(*request, *schema, (*rows)->rows(), how, clock);
  });
}

Result<Path> path_stream(const std::string& word, const std::string& file, const ReadOptions& read,
                         const FitOptions& options, const PathOptions& how, const Watch& watch) {
  return guarded(file, cure::kStream, [&]() -> Result<Path> {
    const Clock clock(watch, options.time_limit);
    const auto request = path_request(word, options, how);
    if (!request) return std::unexpected(request.error());
    auto stream = open_kept_watched(file, read, clock);
    if (!stream) return std::unexpected(stream.error());
    auto schema = learn_from_stream(*stream, *request, options, clock);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = StreamRows::make(*schema, std::move(stream->rows));
    if (!rows) return std::unexpected(rows.error());
    return path_of_rows(*request, *schema, (*rows)->rows(), how, clock);
  });
}

namespace {

Model model_at(const Request& request, const Schema& schema, const PathPoint& point) {
  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.schema = schema;
  model.params["lambda"] = point.lambda;
  const std::vector<std::string> features = feature::feature_names(schema);
  const auto p = std::ssize(features), scores = std::ssize(point.coefficients) / std::max<Index>(p, 1);
  for (Index k = 0; k < std::max<Index>(scores, 1); ++k) {
    TargetFit target;
    target.intercept.value = point.intercepts.empty() ? point.intercept : point.intercepts[at(k)];
    for (Index j = 0; j < p; ++j)
      target.coefficients.push_back({.feature = features[at(j)], .value = point.coefficients[at(k * p + j)]});
    own_linear(model).targets.push_back(std::move(target));
  }
  return model;
}

} // namespace

Result<void> path_models(const std::string& word, const TableView& data, const FitOptions& options,
                         const std::vector<double>& lambdas, const Watch& watch,
                         const std::function<Result<void>(double lambda, const Model& model)>& use) {
  return guarded(data.table().source, cure::kStream, [&]() -> Result<void> {
    const Clock clock(watch, options.time_limit);
    const PathOptions how{.lambdas = lambdas, .prove = false};
    const auto request = path_request(word, options, how);
    if (!request) return std::unexpected(request.error());
    if (options.components > 0 || options.max_inflation > 0 ||
        !(options.multiclass.empty() || options.multiclass == "native"))
      return refuse(word, "a path takes columns and classes as they are", "fit the points one by one");
    auto schema = learn_from_table(data, *request, options);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = TableRows::make(*schema, data);
    if (!rows) return std::unexpected(rows.error());
    const auto path = path_of_rows(*request, *schema, (*rows)->rows(), how, clock);
    if (!path) return std::unexpected(path.error());
    if (path->stopped) return fail(ErrorCode::interrupted, data.table().source, path->stopped->sentence());
    for (const PathPoint& point : path->points)
      if (auto done = use(point.lambda, model_at(*request, *schema, point)); !done) return done;
    return {};
  });
}

} // namespace recta
