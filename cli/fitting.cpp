#include "fitting.hpp"

#include "input.hpp"
#include "text_flags.hpp"

#include <fmt/format.h>

namespace recta::cli {

namespace {

Result<void> label_options(const Arguments& arguments, FitOptions& options) {
  if (arguments.has("label-separator") && options.label_set.empty())
    return fail(ErrorCode::usage, "--label-separator", "there are no cells of labels without --label-set",
                "name their column with it");
  if (!arguments.has("label-names")) return {};
  if (arguments.has("label-columns"))
    return fail(ErrorCode::usage, "--label-names --label-columns", "both name the columns of labels",
                "give one of them");
  Result<std::vector<std::string>> names = read_label_names(arguments.text("label-names"));
  if (!names) return std::unexpected(names.error());
  options.label_columns = *std::move(names);
  return {};
}

} // namespace

Result<FitOptions> fit_options(const ModelInfo& model, const Arguments& arguments) {
  Result<FitOptions> options = given_options(arguments);
  if (!options) return options;
  if (model.skips_missing && !arguments.has("missing")) options->missing = Missing::skip;
  if (Result<void> good = text_options(arguments, *options); !good) return std::unexpected(good.error());
  Result<Params> params = model_params(model, arguments);
  if (!params) return std::unexpected(params.error());
  options->params = std::move(*params);
  if (Result<void> good = label_options(arguments, *options); !good) return std::unexpected(good.error());
  return options;
}

Result<const ModelInfo*> known_model(const std::string& word) {
  if (const ModelInfo* model = model_info(word)) return model;
  std::vector<std::string> words;
  for (const ModelInfo& known : models()) words.push_back(known.word);
  return std::unexpected(unknown("model", word, words, fmt::format("the models are {}", fmt::join(words, ", "))));
}

Error explained_stop(const Error& error, const Arguments& arguments, const std::string& thing) {
  if (error.code != ErrorCode::interrupted) return error;
  if (interrupt::asked())
    return {ErrorCode::interrupted, arguments.word(1),
            fmt::format("interrupted before there was a {} ({})", thing, error.text()),
            "nothing was saved; --time-limit S ends a fit by itself with the best so far"};
  return {arguments.has("strict") ? ErrorCode::refuted : ErrorCode::failure, "--time-limit",
          fmt::format("{} s were over before there was a {} ({})", arguments.text("time-limit"), thing, error.text()),
          "allow more time"};
}

} // namespace recta::cli
