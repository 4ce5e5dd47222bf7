// An index over rows that no model was fitted to.
#include "base/guard.hpp"
#include "family/neighbours/body.hpp"
#include "params/params.hpp"
#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

using namespace neighbours;

Result<TrainingRows> copied_rows(const MatrixView& x) {
  if (x.rows == 0 || x.cols == 0)
    return fail(ErrorCode::bad_data, "arrays", fmt::format("x is {} x {}: there are no rows to search", x.rows, x.cols),
                "give at least one row and one column");
  TrainingRows out;
  out.rows = x.rows, out.cols = x.cols;
  std::vector<Index> number(at(x.rows));
  std::iota(number.begin(), number.end(), Index{0});
  std::vector<double> copy(at(x.rows * x.cols));
  gather(x, number, copy.data(), x.cols);
  out.x = std::move(copy), out.y = std::vector<double>(at(x.rows)), out.number = std::move(number);
  return out;
}

std::vector<std::string> array_names(Index cols) {
  std::vector<std::string> out;
  for (Index j = 0; j < cols; ++j) out.push_back(fmt::format("x{}", j + 1));
  return out;
}

} // namespace

Result<std::shared_ptr<const RowMemory>> remember(const MatrixView& x, const MetricOptions& options, int threads) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<std::shared_ptr<const RowMemory>> {
    const ModelInfo* info = model_info("knn");
    Params given = options.more;
    given["metric"] = options.metric;
    given["index"] = options.index;
    if (is_metric(options.metric) && takes_power({.word = options.metric})) given["power"] = options.power;
    const auto params = checked_params(*info, given);
    if (!params) return std::unexpected(params.error());
    if (auto good = check_settings(*info, given, *params); !good) return std::unexpected(good.error());
    auto rows = copied_rows(x);
    if (!rows) return std::unexpected(rows.error());
    Settings settings = settings_of(*params);
    settings.graph.seed = options.seed;
    if (options.distance) settings.metric = {.distance = options.distance};
    auto weights = feature_weights("knn", *params, array_names(x.cols));
    if (!weights) return std::unexpected(weights.error());
    settings.metric.weights = *std::move(weights);
    auto covariance = given_covariance("knn", *params, x.cols);
    if (!covariance) return std::unexpected(covariance.error());
    settings.metric.covariance = *std::move(covariance);
    if (auto good = learn_metric(settings.metric, *rows, {}, "arrays"); !good) return std::unexpected(good.error());
    if (auto good = check_metric(settings.metric, *rows, "arrays"); !good) return std::unexpected(good.error());
    const IndexChoice choice = options.distance ? choose_index(settings.metric, rows->rows, rows->cols)
                                                : index_of(*params, settings.metric, rows->rows, rows->cols);
    FitSummary summary;
    summary.solver = std::string(name(choice.word));
    summary.reason = choice.reason;
    auto body = std::make_shared<const NeighbourBody>(*std::move(rows), NeighbourRule{settings, choice.word},
                                                      std::move(summary));
    Pool pool(threads);
    body->build(pool);
    return body;
  });
}

} // namespace recta
