#include "family/checked_request.hpp"

#include "family/column_cures.hpp"
#include "family/family.hpp"
#include "family/skips_missing.hpp"
#include "feature/label_set.hpp"
#include "held/kernel_params.hpp"
#include "params/params.hpp"
#include "summary/descent.hpp"
#include "summary/errors.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

Result<void> check_neighbours(const FitOptions& options) {
  if (options.missing_neighbours == 0) return {};
  if (options.missing != Missing::neighbours)
    return fail(ErrorCode::usage, "missing neighbours",
                fmt::format("{} nearest rows were given to fill in missing numbers, but missing is not neighbours",
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
    return fail(ErrorCode::usage, chained ? "chain" : "label threshold", "it applies only to rows with several labels",
                "name the labels with --label-set or --label-columns");
  }
  if (!info.classes)
    return fail(ErrorCode::usage, info.word, "it predicts numbers, and has no labels", "choose a classifier");
  if (purpose != Purpose::fit)
    return fail(ErrorCode::usage, info.word,
                "sets of labels can be fitted, verified, predicted, evaluated and cross-validated, and nothing else",
                "take the column of one label with --target");
  return feature::check_label_options(options);
}

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

Result<void> check_class_options(const Request& request, const std::string& why, const std::string& instead) {
  const std::string& word = request.info->word;
  const FitOptions& options = *request.options;
  if (!options.intercept) return refuse(word, "it has no intercept to leave out", "leave out no-intercept");
  if (options.standardise) return refuse(word, why, instead);
  if (!options.offset.empty()) return refuse(word, "its scores take no offset", "leave out offset");
  return {};
}

Result<void> check_priors_learned(const Request& request) {
  const FitOptions& options = *request.options;
  const bool weighs = options.balanced || !options.class_weights.empty();
  if (!weighs || word(request.params, "priors") == "learned") return {};
  return refuse(request.info->word, "factors of the classes act on learned priors, and these are given",
                "leave out the class weights or the priors");
}

} // namespace recta
