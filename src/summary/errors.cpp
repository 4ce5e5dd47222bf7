#include "summary/errors.hpp"

#include "base/blas.hpp"
#include "evaluate/diagnosis/robust.hpp"
#include "evaluate/diagnosis/study.hpp"
#include "model/linear/body.hpp"
#include "stats/pass.hpp"

#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kAlwaysKept = 100; // features up to which a model keeps what intervals need

StandardErrors kind_of(const FitOptions& options, const Schema& schema) {
  return schema.cluster.empty() ? options.errors : StandardErrors::cluster;
}

// The Gram the solver left, or one gathered now.
Result<std::shared_ptr<const Gram>> gram_of(const LeastSquaresSolution& solution, const RowReader& reader) {
  if (solution.gram) return solution.gram;
  const Precision precision = gram_precision(reader.rows.rows(), reader.rows.cols(), reader.rows.targets());
  auto gram = fresh_pass(reader, Gram(reader.rows.cols(), reader.rows.targets(), precision),
                         {.stage = "gathering statistics", .pass = solution.passes});
  if (!gram) return std::unexpected(gram.error());
  return std::make_shared<const Gram>(*std::move(gram));
}

Result<void> add_robust(const RowReader& reader, const Gram& gram,
                        std::shared_ptr<const diagnosis::Whitening> whitening, StandardErrors kind, Model& model) {
  LinearSummary& linear = own_linear(model);
  diagnosis::Meat empty;
  empty.whitening = std::move(whitening);
  empty.predictor = diagnosis::predictor_of(linear);
  empty.kind = kind;
  empty.frequency = !model.schema.weights.empty() && linear.weights_are == WeightMeaning::frequency;
  const blas::SerialBlas serial;
  const auto meat = fresh_pass(reader, empty, {.stage = "standard errors"});
  if (!meat) return std::unexpected(meat.error());
  const double counted = empty.frequency ? linear.weight_sum : static_cast<double>(linear.rows);
  return diagnosis::restate(*meat, gram, counted, linear);
}

} // namespace

Result<void> check_errors(const ModelInfo& info, const FitOptions& options) {
  const bool named = options.errors != StandardErrors::classical, clustered = !options.cluster.empty();
  if ((named || clustered || options.intervals) && !info.normal_errors)
    return fail(ErrorCode::usage, info.word,
                "it has no standard errors of these kinds, which are those of least squares",
                "errors, clusters and intervals are for the model linear; the table of a fit shows the standard errors "
                "that its model has");
  if (named && clustered && options.errors != StandardErrors::cluster)
    return fail(ErrorCode::usage, "errors", "errors by cluster and errors by row exclude one another",
                "give errors or clusters");
  return {};
}

Result<void> check_passes(const FitOptions& options, const Schema& schema, const Rows& rows) {
  const StandardErrors kind = kind_of(options, schema);
  if (kind == StandardErrors::classical) return {};
  if (kind == StandardErrors::cluster && schema.cluster.empty())
    return fail(ErrorCode::usage, "errors", "no column says which rows belong together", "pass --cluster COL");
  if (rows.single_pass)
    return fail(ErrorCode::usage, rows.name,
                "these standard errors need the rows again, and they can be read only once",
                "save the data to a file first");
  if (rows.source.cols() > kGramCols)
    return fail(ErrorCode::usage, rows.name, fmt::format("there are {} features", rows.source.cols()),
                fmt::format("these standard errors are computed for up to {}", kGramCols));
  return {};
}

Result<void> add_errors(const Request& request, const Rows& rows, const LeastSquaresSolution& solution, Pool& pool,
                        const Clock& clock, Model& model) {
  const FitOptions& options = *request.options;
  const StandardErrors kind = kind_of(options, model.schema);
  const bool robust = kind != StandardErrors::classical;
  const Index cols = rows.source.cols();
  const bool always = cols <= kAlwaysKept && solution.gram != nullptr;
  if (!request.info->normal_errors || !(robust || options.intervals || always)) return {};
  if (options.intervals && cols > kGramCols)
    return fail(ErrorCode::usage, rows.name, fmt::format("there are {} features", cols),
                fmt::format("intervals are kept for up to {}", kGramCols));
  const Watch watch = solution.interrupted ? Watch{} : clock.watch();
  const RowReader reader{rows.source, pool, watch};
  const auto gram = gram_of(solution, reader);
  if (!gram) return std::unexpected(gram.error());
  const LeastSquaresObjective objective = diagnosis::objective_of(*model.linear());
  auto whitening = std::make_shared<const diagnosis::Whitening>(objective, **gram, pool);
  if (whitening->rank() == model.linear()->rank) own_linear(model).inverse_root = whitening->root();
  if (!robust) return {};
  return add_robust(reader, **gram, std::move(whitening), kind, model);
}

} // namespace recta
