// fit(): from each kind of data to rows, and on to the model.
#include "base/guard.hpp"
#include "base/listening.hpp"
#include "dispatch/by_word.hpp"
#include "dispatch/params.hpp"
#include "dispatch/sources.hpp"
#include "feature/learn.hpp"
#include "feature/request.hpp"

#include <recta/estimator.hpp>

namespace recta {
namespace {

// Spec M5: all levels when penalised or when the answer of least norm is asked for; else one reference level less, but
// without an intercept the first category's levels stand in for it.
feature::Coding coding(const Order& order, const FitOptions& options) {
  if (order.info->word != "linear" || word(order.params, "solver") == "svd") return feature::Coding::all_levels;
  return options.intercept ? feature::Coding::drop_reference : feature::Coding::drop_reference_but_first;
}

Result<Schema> learn_from_table(const Dataset& data, const Order& order, const FitOptions& options) {
  const auto roles = feature::assign_roles(data, options);
  if (!roles) return std::unexpected(roles.error());
  auto draft = feature::draft_schema(data, *roles, options);
  if (!draft || !feature::SchemaLearner::needs_rows(*draft)) return draft;
  feature::SchemaLearner learner(*draft, *roles);
  learner.accumulate(data);
  return learner.finish(coding(order, options), data.source);
}

// Categories, fill-in values and knots are learned in a pass of their own, before the rows can be encoded.
Result<Schema> learn_from_stream(RowStream& stream, const Order& order, const FitOptions& options, const Clock& clock) {
  const Dataset& header = stream.header();
  const auto roles = feature::assign_roles(header, options);
  if (!roles) return std::unexpected(roles.error());
  auto draft = feature::draft_schema(header, *roles, options);
  if (!draft) return draft;
  const bool needs_rows = feature::SchemaLearner::needs_rows(*draft);
  if (!needs_rows && draft->sparse_cols == 0) return draft;
  if (auto again = stream.rewind(); !again)
    return again.error().code != ErrorCode::usage ? std::unexpected(again.error())
                                                  : fail(ErrorCode::bad_data, header.source,
                                                         "categories, missing values, knots and sparse columns need a "
                                                         "pass over the rows before the fit, and this can "
                                                         "be read once",
                                                         "save it to a file first");
  if (!needs_rows) return draft;
  feature::SchemaLearner learner(*draft, *roles);
  const Watch watch = clock.watch();
  const Listening listening(watch, "learning the columns");
  for (Dataset block;;) {
    const auto more = stream.next(block);
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    learner.accumulate(block);
    if (!watch({.stage = "learning the columns", .fraction = -1}))
      return fail(ErrorCode::interrupted, header.source, "stopped while learning the columns: " + clock.stop_reason());
  }
  if (auto again = stream.rewind(); !again) return std::unexpected(again.error());
  return learner.finish(coding(order, options), header.source);
}

} // namespace

Result<Model> fit(const std::string& word, const Dataset& data, const FitOptions& options, const Watch& watch) {
  return guarded(data.source, cure::kStream, [&]() -> Result<Model> {
    const Clock clock(watch, options.time_limit);
    const auto order = checked_order(word, options);
    if (!order) return std::unexpected(order.error());
    auto schema = learn_from_table(data, *order, options);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = TableRows::make(*schema, data);
    if (!rows) return std::unexpected(rows.error());
    return fit_rows(*order, *schema, (*rows)->rows(), clock);
  });
}

Result<Model> fit(const std::string& word, const Arrays& arrays, const FitOptions& options, const Watch& watch) {
  return guarded("arrays", cure::kStream, [&]() -> Result<Model> {
    const Clock clock(watch, options.time_limit);
    const auto order = checked_order(word, options);
    if (!order) return std::unexpected(order.error());
    if (feature::asks_for_maps(options)) {
      const auto schema = mapped_schema(arrays, options);
      if (!schema) return std::unexpected(schema.error());
      const auto rows = ArrayRows::make(arrays, *schema);
      if (!rows) return std::unexpected(rows.error());
      return fit_rows(*order, *schema, (*rows)->rows(), clock);
    }
    const auto rows = ArrayRows::make(arrays);
    if (!rows) return std::unexpected(rows.error());
    return fit_rows(*order, schema_of(arrays, options), (*rows)->rows(), clock);
  });
}

Result<Model> fit_stream(const std::string& word, const std::string& path, const ReadOptions& read,
                         const FitOptions& options, const Watch& watch) {
  return guarded(path, cure::kStream, [&]() -> Result<Model> {
    const Clock clock(watch, options.time_limit);
    const auto order = checked_order(word, options);
    if (!order) return std::unexpected(order.error());
    auto stream = open_watched(path, read, clock);
    if (!stream) return std::unexpected(stream.error());
    auto schema = learn_from_stream(**stream, *order, options, clock);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = StreamRows::make(*schema, *std::move(stream));
    if (!rows) return std::unexpected(rows.error());
    return fit_rows(*order, *schema, (*rows)->rows(), clock);
  });
}

} // namespace recta
