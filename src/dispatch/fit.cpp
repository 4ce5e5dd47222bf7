// fit() and trace(): from each kind of data to rows, and on to the model.
#include "combine/procedures.hpp"
#include "data/checked_table.hpp"
#include "dispatch/of_rows.hpp"
#include "family/checked_request.hpp"
#include "family/column_cures.hpp"
#include "family/family.hpp"
#include "family/landmarks.hpp"
#include "family/memory_need.hpp"
#include "params/params.hpp"
#include "rows/class_target.hpp"
#include "rows/label_target.hpp"
#include "rows/learn_maps.hpp"
#include "rows/schemas.hpp"
#include "rows/sources.hpp"
#include "summary/descent.hpp"
#include "summary/posteriors.hpp"

#include <recta/estimator.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {

namespace {

Result<Model> fit_whole_or_parts(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  if (auto good = check_memory(request, rows); !good) return std::unexpected(good.error());
  const auto of_parts = combine::procedure_of_parts(request, schema, rows);
  if (!of_parts) return std::unexpected(of_parts.error());
  if (*of_parts) return (*of_parts)->fit(request, std::move(schema), rows, clock);
  return family_of(request.info->word).fit(request, std::move(schema), rows, clock);
}

// Strengths that stand beside the sum of the weights would pose another problem once the weights are scaled.
Result<void> check_doublings(const Request& request, const Rows& rows) {
  if (rows.doublings == 0) return {};
  const FitOptions& options = *request.options;
  const bool frequency = options.weights_are == WeightMeaning::frequency;
  for (const std::string name : {"tau", "C", "alpha"})
    if (options.params.contains(name) || frequency)
      return fail(ErrorCode::bad_data, rows.name,
                  fmt::format("the weights are about 1e{:.0f}, and {} their sum in doubles",
                              -rows.doublings * std::log10(2.0),
                              frequency ? "frequencies count by" : name + " is beside"),
                  fmt::format("{} the weights by a power of ten", rows.doublings > 0 ? "multiply" : "divide"));
  return {};
}

std::string doublings_note(int doublings) {
  return fmt::format(
      "the weights were multiplied by 2^{} to keep clear of the ends of the doubles: sums over rows, standard "
      "errors and likelihoods count them so",
      doublings);
}

} // namespace

Result<Model> fit_rows(const Request& request, Schema schema, const Rows& rows, const Clock& clock) {
  if (auto good = check_doublings(request, rows); !good) return std::unexpected(good.error());
  std::vector<std::string> notes = request.notes;
  if (rows.doublings != 0) notes.push_back(doublings_note(rows.doublings));
  for (std::string& note : map_notes(schema)) notes.push_back(std::move(note));
  auto model = fit_whole_or_parts(request, std::move(schema), rows, clock);
  if (!model) return model;
  auto& conditions = model->certificate.conditions;
  conditions.insert(conditions.begin(), notes.begin(), notes.end());
  return model;
}

namespace {

// Rows of a table or of arrays as this model sees them, handed on to `use`.
template <class Use>
auto with_rows(const std::string& word, const TableView& data, const FitOptions& options, const Watch& watch, Use use,
               Purpose purpose = Purpose::other) {
  using Answer = std::invoke_result_t<Use, const Request&, Schema, const Rows&, const Clock&>;
  return guarded(data.table().source, cure::kStream, [&]() -> Answer {
    const Clock clock(watch, options.time_limit);
    const Deadline deadline = clock.deadline();
    auto request = checked_request(word, options, purpose);
    if (!request) return std::unexpected(request.error());
    std::shared_ptr<const feature::TextRows> texts;
    auto schema = learn_from_table(data, *request, options, &texts);
    if (!schema) return std::unexpected(schema.error());
    const auto with_all = [&](const auto& cure) -> Result<void> {
      const auto all = TableRows::make(*schema, data, texts);
      return all ? cure((*all)->rows()) : std::unexpected(all.error());
    };
    if (auto done = cure_columns(*request, with_all, clock, *schema); !done) return std::unexpected(done.error());
    const auto rows = TableRows::make(*schema, data, texts);
    if (!rows) return std::unexpected(rows.error());
    return use(*request, *schema, (*rows)->rows(), clock);
  });
}

// Those of a caller's table.
template <class Use>
auto with_rows(const std::string& word, const Dataset& data, const FitOptions& options, const Watch& watch, Use use,
               Purpose purpose = Purpose::other) {
  return guarded(data, cure::kStream, [&] { return with_rows(word, TableView(data), options, watch, use, purpose); });
}

// A target that comes with the arrays is not looked at.
template <class Use>
auto with_features_alone(const Arrays& arrays, const FitOptions& options, Use use)
    -> std::invoke_result_t<Use, const Schema&, const Rows&> {
  Arrays alone = arrays;
  alone.y = {};
  const auto schema = checked_schema(alone, options, TargetIs::absent);
  if (!schema) return std::unexpected(schema.error());
  const auto rows = ArrayRows::make_checked(alone, *schema);
  if (!rows) return std::unexpected(rows.error());
  return use(*schema, (*rows)->rows());
}

template <class Use>
auto with_rows(const std::string& word, const Arrays& arrays, const FitOptions& given, const Watch& watch, Use use,
               Purpose purpose = Purpose::other) {
  using Answer = std::invoke_result_t<Use, const Request&, Schema, const Rows&, const Clock&>;
  return guarded("arrays", cure::kStream, [&]() -> Answer {
    const Clock clock(watch, given.time_limit);
    const Deadline deadline = clock.deadline();
    const auto named = array_options(arrays, given);
    if (!named) return std::unexpected(named.error());
    const FitOptions& options = *named;
    const auto request = checked_request(word, options, purpose);
    if (!request) return std::unexpected(request.error());
    if (options.max_inflation > 0)
      return fail(ErrorCode::usage, "arrays", "columns of arrays are not dropped", "take them out, or fit a table");
    if (options.components > 0 && !request->info->without_target)
      return fail(ErrorCode::usage, "arrays", "principal components are made of the columns of a table",
                  "fit a table, or project the arrays first");
    const auto go_on = [&](const Schema& schema, const Rows& rows) { return use(*request, schema, rows, clock); };
    if (request->info->without_target) return with_features_alone(arrays, options, go_on);
    const bool labels = feature::asks_for_labels(options);
    if (request->info->classes && !labels) return with_class_rows(arrays, options, go_on);
    auto schema = labels ? label_schema(arrays, options) : checked_schema(arrays, options);
    if (!schema) return std::unexpected(schema.error());
    const auto rows = ArrayRows::make_checked(arrays, *schema);
    if (!rows) return std::unexpected(rows.error());
    return go_on(*schema, (*rows)->rows());
  });
}

// A fit of what the parameters stand for.
template <class Data>
Result<Model> fit_rewritten(const std::string& word, const Data& data, const FitOptions& options, const Watch& watch) {
  const auto info = find_model(word);
  if (!info) return std::unexpected(info.error());
  const auto other = over_landmarks(**info, options);
  if (!other) return std::unexpected(other.error());
  return with_rows(word, data, *other ? **other : options, watch, fit_rows, Purpose::fit);
}

auto tracing(Index every) {
  return [every](const Request& request, const Schema& schema, const Rows& rows, const Clock& clock) {
    return family_of(request.info->word).trace(request, schema, rows, every, clock);
  };
}

auto judging(const Trace& trace) {
  return [&trace](const Request& request, const Schema& schema, const Rows& rows, const Clock& clock) {
    return posteriors_of(trace, request, schema, rows, clock);
  };
}

} // namespace

Result<Model> fit(const std::string& word, const TableView& data, const FitOptions& options, const Watch& watch) {
  return fit_rewritten(word, data, options, watch);
}
Result<Model> fit(const std::string& word, const Dataset& data, const FitOptions& options, const Watch& watch) {
  return guarded(data, cure::kStream, [&] { return fit_rewritten(word, TableView(data), options, watch); });
}
Result<Model> fit(const std::string& word, const Arrays& arrays, const FitOptions& options, const Watch& watch) {
  return fit_rewritten(word, arrays, options, watch);
}

Result<Trace> trace(const std::string& word, const Dataset& data, const FitOptions& options, Index every,
                    const Watch& watch) {
  const auto full = traced_options(word, options);
  if (!full) return std::unexpected(full.error());
  return with_rows(word, data, *full, watch, tracing(every), Purpose::trace);
}
Result<Trace> trace(const std::string& word, const Arrays& arrays, const FitOptions& options, Index every,
                    const Watch& watch) {
  const auto full = traced_options(word, options);
  if (!full) return std::unexpected(full.error());
  return with_rows(word, arrays, *full, watch, tracing(every), Purpose::trace);
}

Result<Posteriors> trace_posteriors(const Trace& trace, const Dataset& data, const FitOptions& options) {
  const auto full = traced_options(trace.word, options);
  if (!full) return std::unexpected(full.error());
  return with_rows(trace.word, data, *full, {}, judging(trace), Purpose::trace);
}
Result<Posteriors> trace_posteriors(const Trace& trace, const Arrays& arrays, const FitOptions& options) {
  const auto full = traced_options(trace.word, options);
  if (!full) return std::unexpected(full.error());
  return with_rows(trace.word, arrays, *full, {}, judging(trace), Purpose::trace);
}

namespace {

auto curving(Index every) {
  return [every](const Request& request, const Schema& schema, const Rows& rows, const Clock& clock) {
    return family_of(request.info->word).curve(request, schema, rows, every, clock);
  };
}

auto curving_each(Index every) {
  return [every](const Request& request, const Schema& schema, const Rows& rows, const Clock& clock) {
    return family_of(request.info->word).curves(request, schema, rows, every, clock);
  };
}

} // namespace

Result<TrainingCurve> training_curve(const std::string& word, const Dataset& data, const FitOptions& options,
                                     Index every, const Watch& watch) {
  return with_rows(word, data, options, watch, curving(every));
}
Result<TrainingCurve> training_curve(const std::string& word, const Arrays& arrays, const FitOptions& options,
                                     Index every, const Watch& watch) {
  return with_rows(word, arrays, options, watch, curving(every));
}

Result<std::vector<TrainingCurve>> class_training_curves(const std::string& word, const Dataset& data,
                                                         const FitOptions& options, Index every, const Watch& watch) {
  return with_rows(word, data, options, watch, curving_each(every));
}
Result<std::vector<TrainingCurve>> class_training_curves(const std::string& word, const Arrays& arrays,
                                                         const FitOptions& options, Index every, const Watch& watch) {
  return with_rows(word, arrays, options, watch, curving_each(every));
}

Result<Model> fit_stream(const std::string& word, const std::string& path, const ReadOptions& read,
                         const FitOptions& options, const Watch& watch) {
  return guarded(path, cure::kStream, [&]() -> Result<Model> {
    const Clock clock(watch, options.time_limit);
    const Deadline deadline = clock.deadline();
    auto request = checked_request(word, options, Purpose::fit);
    if (!request) return std::unexpected(request.error());
    auto stream = open_kept_watched(path, read, clock);
    if (!stream) return std::unexpected(stream.error());
    auto schema = learn_from_stream(*stream, *request, options, clock);
    if (!schema) return std::unexpected(schema.error());
    const auto with_all = [&](const auto& cure) -> Result<void> {
      const auto all = StreamRows::make(*schema, std::move(stream->rows));
      if (!all) return std::unexpected(all.error());
      auto done = cure((*all)->rows());
      stream->rows = (*all)->release();
      return done;
    };
    if (auto done = cure_columns(*request, with_all, clock, *schema); !done) return std::unexpected(done.error());
    const auto rows = StreamRows::make(*schema, std::move(stream->rows));
    if (!rows) return std::unexpected(rows.error());
    return fit_rows(*request, *schema, (*rows)->rows(), clock);
  });
}

} // namespace recta
