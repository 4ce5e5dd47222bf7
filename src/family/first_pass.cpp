#include "family/first_pass.hpp"

#include "family/column_cures.hpp"
#include "family/descent.hpp"
#include "family/errors.hpp"
#include "family/family.hpp"
#include "family/kernel_params.hpp"
#include "family/params.hpp"
#include "family/skips_missing.hpp"
#include "feature/label_set.hpp"
#include "feature/schema.hpp"
#include "solver/least_squares.hpp"
#include "stats/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {

Places places_of(const Schema& schema, const std::string& source) {
  return {source, [&schema](Index j) { return feature::feature_names(schema).at(static_cast<std::size_t>(j)); },
          [&schema](Index t) {
            const auto at = static_cast<std::size_t>(t);
            return at < schema.targets.size() ? schema.targets[at] : std::to_string(t + 1);
          }};
}

namespace {

// Sums of squares must be doubles with digits: too large they are infinite, too small they have lost digits to the
// spacing of the smallest numbers, 5e-324, and would be taken for exact.
Result<void> check_sizes(const Gram& gram, const Schema& schema, const std::string& source) {
  const double least = 1e-305 * static_cast<double>(gram.rows);
  if (gram.rows > 0 && gram.weight < least)
    return fail(ErrorCode::bad_data, source, fmt::format("the weights are so small that their sum is {}", gram.weight),
                "multiply the weights by a power of ten");
  for (Index j = 0; j < gram.size() && !gram.scatter.empty(); ++j) {
    const double scatter = gram.scatter[static_cast<std::size_t>(j * gram.size() + j)];
    const bool small = j < gram.cols && scatter > 0 && scatter < least;
    if (std::isfinite(scatter) && !small) continue;
    const Places places = places_of(schema, source);
    const std::string column = j < gram.cols ? "column " + places.feature(j) : "target " + places.target(j - gram.cols);
    return fail(ErrorCode::bad_data, source + ", " + column,
                fmt::format("the numbers are so {} that their squares are not doubles", small ? "small" : "large"),
                fmt::format("{} the column by a power of ten", small ? "multiply" : "divide"));
  }
  return {};
}

std::string difference(const RowFingerprint& here, const Model& model) {
  if (here.rows == model.fingerprint.rows) return fmt::format("{} rows as then, but with other values", here.rows);
  return fmt::format("{} rows here, {} then", here.rows, model.fingerprint.rows);
}

} // namespace

namespace {

Result<void> check_neighbours(const FitOptions& options) {
  if (options.missing_neighbours == 0) return {};
  if (options.missing != Missing::neighbours)
    return fail(ErrorCode::usage, "missing neighbours",
                fmt::format("{} nearest rows are to fill in missing numbers, and they are not asked to",
                            options.missing_neighbours),
                "pass missing = neighbours, or leave out their number");
  if (options.missing_neighbours < 1)
    return fail(ErrorCode::usage, "missing neighbours", fmt::format("there are {} of them", options.missing_neighbours),
                "give a whole number from 1 up; 5 is usual");
  return {};
}

Result<void> check_labels(const ModelInfo& info, const FitOptions& options, Purpose purpose) {
  const bool chained = !options.chain.empty() || options.chains > 0;
  const bool moved = !options.label_thresholds.empty() || options.threshold_share > 0;
  if (!feature::asks_for_labels(options)) {
    if (!chained && !moved) return {};
    return fail(ErrorCode::usage, chained ? "chain" : "label threshold", "it is said of rows with several labels",
                "name the labels with --label-set or --label-columns");
  }
  if (!info.classes)
    return fail(ErrorCode::usage, info.word, "it predicts numbers, and has no labels", "choose a classifier");
  if (purpose != Purpose::fit)
    return fail(ErrorCode::usage, info.word,
                "sets of labels are fitted, verified, predicted, evaluated and cross-validated, no more",
                "take the column of one label with --target");
  return feature::check_label_options(options);
}

} // namespace

namespace {

// The characters of a text in their order are for kernels that read them: as numbers they mean nothing.
Result<void> check_sequences(const std::string& word, const Params& params, const FitOptions& options) {
  if (std::ranges::none_of(options.text, &TextMap::is_sequence)) return {};
  const auto& all = kernel::kernels();
  const std::string kernel_word = params.contains("kernel") ? recta::word(params, "kernel") : "";
  if (std::ranges::any_of(all, [&](const kernel::KernelInfo& one) { return one.texts && one.word == kernel_word; }))
    return {};
  return fail(ErrorCode::usage, word, "the characters of a text in their order are for kernels of texts",
              "take a model and a kernel that reads them, or another unit of text");
}

} // namespace

Result<Request> checked_request(const std::string& word, const FitOptions& options, Purpose purpose) {
  const auto info = find_model(word);
  if (!info) return std::unexpected(info.error());
  auto params = checked_params(**info, options.params);
  if (!params) return std::unexpected(params.error());
  if (purpose != Purpose::trace || !traceable(*params))
    if (auto kept = keep_own_params(**info, options.params, *params); !kept) return std::unexpected(kept.error());
  if (!(options.confidence > 0 && options.confidence < 1))
    return fail(ErrorCode::usage, word, "the confidence must lie between 0 and 1", "0.95 is usual");
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    return fail(ErrorCode::usage, word, "the tolerance must be a number from zero up", "1e-10 is usual");
  if (!options.positive.empty() && !(*info)->classes)
    return fail(ErrorCode::usage, word, "it predicts numbers, and has no positive class", "leave out positive");
  if ((options.balanced || !options.class_weights.empty()) && !(*info)->classes)
    return fail(ErrorCode::usage, word, "it predicts numbers, and has no classes to weigh", "leave out class weights");
  if ((*info)->without_target && purpose != Purpose::fit)
    return fail(ErrorCode::usage, word, "it has no target, and nothing to follow or to measure against one",
                "fit it, and look at the model: recta inspect, recta transform, recta predict");
  if (auto good = check_neighbours(options); !good) return std::unexpected(good.error());
  if (auto good = check_labels(**info, options, purpose); !good) return std::unexpected(good.error());
  if (auto good = check_errors(**info, options); !good) return std::unexpected(good.error());
  if (auto good = check_cures(**info, options); !good) return std::unexpected(good.error());
  if (auto good = check_sequences(word, *params, options); !good) return std::unexpected(good.error());
  Request request{*info, *std::move(params), &options};
  const auto* may_skip = dynamic_cast<const SkipsMissing*>(&family_of(word));
  if (options.missing == Missing::skip && !(*info)->skips_missing && !(may_skip && may_skip->skips_missing(request)))
    return fail(ErrorCode::usage, word, "it needs every value of a row, and none can be skipped",
                "pass missing = drop, mean, indicator or neighbours");
  if (auto good = family_of(word).check(request); !good) return std::unexpected(good.error());
  keep_kernel_params(request.params);
  return request;
}

GramWanted usual_gram(const RowSource& source) {
  return gram_precision(source.rows(), source.cols(), source.targets());
}

ReduceOptions reading_rows(const Rows& rows, const Schema& schema) {
  ReduceOptions options{.stage = "reading rows", .places = places_of(schema, rows.name)};
  options.places.first_row = rows.first_row;
  return options;
}

Result<FirstPass> first_pass(const Rows& rows, const Schema& schema, GramWanted wanted, Pool& pool,
                             const Watch& watch) {
  const ReduceOptions options = reading_rows(rows, schema);
  RowSource& source = rows.source;
  const RowFingerprint identity(source.cols(), source.targets());
  FirstPass pass;
  if (wanted) {
    const Gram gram(source.cols(), source.targets(), *wanted);
    auto both = reduce(source, Both<Gram, RowFingerprint>{gram, identity}, pool, watch, options);
    if (!both) return std::unexpected(both.error());
    auto total = both->total(&pool);
    pass = {std::move(total.second), std::make_shared<const Gram>(std::move(total.first))};
  } else {
    auto only = reduce(source, identity, pool, watch, options);
    if (!only) return std::unexpected(only.error());
    pass.fingerprint = only->total(&pool);
  }
  return pass;
}

Result<FirstPass> first_pass_with_sums(const Rows& rows, const Schema& schema, Pool& pool, const Watch& watch) {
  const Index p = rows.source.cols(), k = rows.source.targets();
  auto both = reduce_whole(rows.source, Both<ColumnSums, RowFingerprint>{ColumnSums(p, k), RowFingerprint(p, k)}, pool,
                           watch, reading_rows(rows, schema));
  if (!both) return std::unexpected(both.error());
  FirstPass pass;
  pass.fingerprint = std::move(both->second);
  pass.sums = std::make_shared<const ColumnSums>(std::move(both->first));
  return pass;
}

Result<void> check_rows(const FirstPass& pass, const Schema& schema, const Rows& rows) {
  if (pass.fingerprint.rows == 0)
    return fail(ErrorCode::bad_data, rows.name, "there are no data rows", "a fit needs at least one");
  if (!(pass.fingerprint.weight > 0))
    return fail(ErrorCode::bad_data, rows.name, "no row has a positive weight: all are zero or were dropped",
                "look at the weights and at what is missing (recta check)");
  if (pass.gram) return check_sizes(*pass.gram, schema, rows.name);
  return {};
}

Result<FirstPass> checked_pass(const Rows& rows, const Schema& schema, Pool& pool, const Watch& watch) {
  auto pass = first_pass(rows, schema, {}, pool, watch);
  if (!pass) return pass;
  if (auto good = check_rows(*pass, schema, rows); !good) return std::unexpected(good.error());
  return pass;
}

Model begin_model(const Request& request, const Fingerprint& rows) {
  Model model;
  model.word = request.info->word;
  model.params = copied(request.params);
  model.objective = request.info->objective;
  model.fingerprint = rows;
  return model;
}

Result<void> same_rows(const Model& model, const RowFingerprint& here, const Rows& rows) {
  if (here.fingerprint() == model.fingerprint) return {};
  return fail(ErrorCode::bad_data, rows.name, "these are not the training data: " + difference(here, model),
              "a proof holds for the rows it was made with; recta eval measures a model on other rows");
}

namespace {

Index targets_of(const Model& model) {
  if (!model.has_target()) return 0;
  return model.classifies() ? 1 : model.body->scores();
}

} // namespace

Result<FirstPass> recognise(const Model& model, const Rows& rows, GramWanted gram, Pool& pool, const Clock& clock) {
  RowSource& source = rows.source;
  if (source.cols() != model.body->features() || source.targets() != targets_of(model))
    return fail(ErrorCode::bad_data, rows.name, "the rows do not have the model's features and targets",
                "verify with the data the model was trained on");
  auto pass = first_pass(rows, model.schema, gram, pool, clock.watch());
  if (!pass) return std::unexpected(pass.error());
  if (auto same = same_rows(model, pass->fingerprint, rows); !same) return std::unexpected(same.error());
  if (rows.single_pass) return pass;
  if (auto again = source.rewind(); !again) return std::unexpected(again.error());
  return pass;
}

void short_of_proof(Certificate& certificate) {
  if (certificate.verdict != Verdict::refuted) return;
  certificate.verdict = Verdict::stopped_early;
  certificate.stop = "no step gains any more";
}

} // namespace recta
