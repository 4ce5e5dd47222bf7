// An index over rows that no model was fitted to.
#include "base/guard.hpp"
#include "family/neighbours/body.hpp"
#include "family/params.hpp"
#include "stats/rows.hpp"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

using namespace neighbours;

Result<TrainingRows> copied_rows(const MatrixView& x) {
  if (x.rows == 0 || x.cols == 0)
    return fail(ErrorCode::bad_data, "arrays",
                fmt::format("x is {} x {}: there is nothing to be near to", x.rows, x.cols),
                "give at least one row and one column");
  TrainingRows out;
  out.rows = x.rows, out.cols = x.cols;
  out.number.resize(at(x.rows));
  std::iota(out.number.begin(), out.number.end(), Index{0});
  out.x.resize(at(x.rows * x.cols));
  gather(x, out.number, out.x.data(), x.cols);
  out.y.assign(at(x.rows), 0);
  for (Index i = 0; i < x.rows * x.cols; ++i)
    if (!std::isfinite(out.x[at(i)]))
      return fail(ErrorCode::bad_data, fmt::format("arrays, row {}, column {}", i / x.cols + 1, i % x.cols + 1),
                  fmt::format("{} has no distance to other numbers", out.x[at(i)]),
                  "leave the row out, or fill in a number");
  return out;
}

} // namespace

Result<std::shared_ptr<const RowMemory>> remember(const MatrixView& x, const MetricOptions& options, int threads) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<std::shared_ptr<const RowMemory>> {
    const ModelInfo* info = model_info("knn");
    Params given = options.more;
    given["metric"] = options.metric;
    given["index"] = options.index;
    if (options.metric == "minkowski") given["power"] = options.power;
    const auto params = checked_params(*info, given);
    if (!params) return std::unexpected(params.error());
    if (auto good = check_settings(*info, given, *params); !good) return std::unexpected(good.error());
    auto rows = copied_rows(x);
    if (!rows) return std::unexpected(rows.error());
    Settings settings = settings_of(*params);
    settings.graph.seed = options.seed;
    if (auto good = check_metric(settings.metric, *rows, "arrays"); !good) return std::unexpected(good.error());
    const IndexChoice choice = index_of(*params, settings.metric, rows->rows, rows->cols);
    FitSummary summary;
    summary.solver = std::string(name(choice.word));
    summary.reason = choice.reason;
    auto body =
        std::make_shared<const NeighbourBody>(*std::move(rows), settings, choice.word, 0, 0, std::move(summary));
    Pool pool(threads);
    body->build(pool);
    return body;
  });
}

} // namespace recta
