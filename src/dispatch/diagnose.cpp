// diagnose(): the stored model and its training rows, recognised by their fingerprint before anything is said.
#include "data/checked_table.hpp"
#include "evaluate/diagnosis/study.hpp"
#include "family/least_squares/least_squares.hpp"
#include "model/linear/body.hpp"
#include "rows/sources.hpp"
#include "solver/least_squares.hpp"

#include <recta/diagnosis.hpp>

#include <fmt/format.h>

namespace recta {
namespace {

using diagnosis::Whitening;

constexpr double kAlike = 1e12; // condition of the products above which double precision gives way

Result<Diagnosis> diagnose_rows(const Model& model, const Rows& rows, int threads, const Clock& clock) {
  if (const ModelInfo* info = model_info(model.word); info == nullptr || !info->leverages)
    return fail(ErrorCode::usage, model.word, "influence and residual tests are for least squares and ridge",
                "recta eval measures any model");
  Pool pool(threads);
  RowSource& source = rows.source;
  if (source.cols() > kGramCols)
    return fail(ErrorCode::bad_data, rows.name, fmt::format("the model has {} features", source.cols()),
                fmt::format("leverages are computed for up to {}", kGramCols));
  const LeastSquaresObjective objective = diagnosis::objective_of(linear_or_none(model));
  Precision precision = gram_precision(source.rows(), source.cols(), source.targets());
  auto pass = recognise(model, rows, precision, pool, clock);
  if (!pass) return std::unexpected(pass.error());
  auto whitening = std::make_shared<const Whitening>(objective, *pass->gram, pool);
  const bool alike = whitening->condition() > kAlike || whitening->rank() < source.cols();
  if (alike && precision == Precision::standard &&
      extended_is_affordable(pass->gram->rows, source.cols(), source.targets())) {
    precision = Precision::extended;
    if (auto again = source.rewind(); !again) return std::unexpected(again.error());
    pass = recognise(model, rows, precision, pool, clock);
    if (!pass) return std::unexpected(pass.error());
    whitening = std::make_shared<const Whitening>(objective, *pass->gram, pool);
  }
  return diagnosis::study(model, *pass->gram, std::move(whitening), source, pool, clock.watch());
}

} // namespace

Result<Diagnosis> diagnose(const Model& model, const Dataset& data, int threads, const Watch& watch) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Diagnosis> {
    const Clock clock(watch, 0);
    const Deadline deadline = clock.deadline();
    const auto rows = TableRows::make(model.schema, data);
    if (!rows) return std::unexpected(rows.error());
    return diagnose_rows(model, (*rows)->rows(), threads, clock);
  });
}

Result<Diagnosis> diagnose(const Model& model, const Arrays& arrays, int threads, const Watch& watch) {
  return guarded("arrays", cure::kFewerRows, [&]() -> Result<Diagnosis> {
    const Clock clock(watch, 0);
    const Deadline deadline = clock.deadline();
    const auto rows = ArrayRows::make(arrays, model.schema);
    if (!rows) return std::unexpected(rows.error());
    return diagnose_rows(model, (*rows)->rows(), threads, clock);
  });
}

Result<Comparison> compare(const Model& small, const Model& large, const Dataset& data) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<Comparison> {
    const Clock clock({}, 0);
    Pool pool;
    for (const Model* model : {&small, &large}) {
      const auto rows = TableRows::make(model->schema, data);
      if (!rows) return std::unexpected(rows.error());
      if (const auto pass = recognise(*model, (*rows)->rows(), {}, pool, clock); !pass)
        return std::unexpected(pass.error());
    }
    return compare(small, large);
  });
}

} // namespace recta
