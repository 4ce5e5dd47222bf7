#include "fitting.hpp"

#include "fit_flags.hpp"
#include "input.hpp"
#include "labels.hpp"
#include "text_flags.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::cli {

namespace {

template <class Enum>
Enum choice(const Arguments& arguments, const char* flag, const std::vector<std::string>& words) {
  const auto at = std::find(words.begin(), words.end(), arguments.text(flag, words[0]));
  return static_cast<Enum>(at - words.begin());
}

const std::vector<std::string> kMissing = {"refuse", "drop", "mean", "indicator", "skip", "neighbours"};
const std::vector<std::string> kUnseen = {"refuse", "zeros"};
const std::vector<std::string> kWeightsAre = {"precision", "frequency"};
const std::vector<std::string> kPolyTerms = {"all", "powers", "interactions"};

// Every use of the flag as it stands: commas belong to the text.
std::vector<std::string> texts(const Arguments& arguments, const char* flag) {
  const auto entry = arguments.given.find(flag);
  return entry == arguments.given.end() ? std::vector<std::string>() : entry->second;
}

Result<void> class_weights(const Arguments& arguments, FitOptions& options) {
  if (!arguments.has("class-weights")) return {};
  const std::string text = arguments.text("class-weights");
  options.balanced = text == "balanced";
  if (options.balanced) return {};
  Result<LabelNumbers> factors = label_numbers("class-weights", text);
  if (!factors) return std::unexpected(factors.error());
  options.class_weights = *std::move(factors);
  return {};
}

} // namespace

FitOptions row_options(const Arguments& arguments) {
  FitOptions options;
  options.target = arguments.list("target");
  options.weights = arguments.text("weights");
  options.offset = arguments.text("offset");
  options.positive = arguments.text("positive");
  options.ignore = arguments.list("ignore");
  if (arguments.has("id")) options.ignore.push_back(arguments.text("id"));
  options.poly = arguments.count("poly", 1);
  options.poly_terms = choice<PolyTerms>(arguments, "poly-terms", kPolyTerms);
  options.basis = texts(arguments, "basis");
  options.feature = texts(arguments, "feature");
  options.intercept = !arguments.has("no-intercept");
  options.missing = choice<Missing>(arguments, "missing", kMissing);
  options.missing_neighbours = arguments.count("missing-neighbours", 0);
  options.threads = static_cast<int>(arguments.count("threads", 0));
  return options;
}

const std::string& word_of(Missing missing) {
  return kMissing[static_cast<std::size_t>(missing)];
}
const std::string& word_of(PolyTerms terms) {
  return kPolyTerms[static_cast<std::size_t>(terms)];
}

Result<FitOptions> fit_options(const ModelInfo& model, const Arguments& arguments) {
  FitOptions options = row_options(arguments);
  if (model.skips_missing && !arguments.has("missing")) options.missing = Missing::skip;
  options.standardise = arguments.has("standardise");
  options.unseen = choice<Unseen>(arguments, "unseen", kUnseen);
  options.weights_are = choice<WeightMeaning>(arguments, "weights-are", kWeightsAre);
  options.tolerance = arguments.number("tolerance", options.tolerance);
  options.confidence = arguments.number("confidence", options.confidence);
  options.time_limit = arguments.number("time-limit", 0);
  options.max_memory = arguments.size("max-memory", 0);
  if (Result<void> good = diagnosis_options(arguments, options); !good) return std::unexpected(good.error());
  if (Result<void> good = class_weights(arguments, options); !good) return std::unexpected(good.error());
  if (Result<void> good = text_options(arguments, options); !good) return std::unexpected(good.error());
  options.seed = static_cast<std::uint64_t>(arguments.count("seed", 0));
  Result<Params> params = model_params(model, arguments);
  if (!params) return std::unexpected(params.error());
  options.params = std::move(*params);
  return options;
}

Result<const ModelInfo*> known_model(const std::string& word) {
  if (const ModelInfo* model = model_info(word)) return model;
  std::vector<std::string> words;
  for (const ModelInfo& known : models()) words.push_back(known.word);
  return std::unexpected(unknown("model", word, words, fmt::format("the models are {}", fmt::join(words, ", "))));
}

FlagGroup column_flags() {
  return {
      "Columns and rows",
      {{.name = "target",
        .kind = FlagKind::columns,
        .value = "COL,...",
        .summary = "what to predict; several are fitted at once",
        .initial = "a built-in set's own, the label of LIBSVM"},
       {.name = "positive",
        .kind = FlagKind::text,
        .value = "LABEL",
        .summary = "the class that scores from zero up stand for; of more than two, LABEL against \"not LABEL\"",
        .initial = "the second of two"},
       {.name = "class-weights",
        .kind = FlagKind::text,
        .value = "LABEL=NUMBER,...",
        .summary = "factors of the weights of a class's rows; \"balanced\" makes all classes weigh the same",
        .initial = "1"},
       {.name = "weights", .kind = FlagKind::columns, .value = "COL", .summary = "weight of each row"},
       {.name = "weights-are",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "what a weight means to standard errors",
        .choices = kWeightsAre,
        .initial = "precision"},
       {.name = "offset", .kind = FlagKind::columns, .value = "COL", .summary = "part of the prediction with factor 1"},
       {.name = "ignore", .kind = FlagKind::columns, .value = "COL,...", .summary = "columns that are no features"},
       {.name = "id", .kind = FlagKind::columns, .value = "COL", .summary = "a column that names the rows"},
       {.name = "missing",
        .kind = FlagKind::choice,
        .value = "WORD",
        .summary = "rows with missing values; neighbours fills in from the nearest rows, skip leaves out the factor of "
                   "a missing value, of models that can",
        .choices = kMissing,
        .initial = "refuse; skip of models that can"},
       {.name = "missing-neighbours",
        .kind = FlagKind::count,
        .value = "K",
        .summary = "the rows that --missing neighbours takes the mean of",
        .lowest = 1,
        .highest = 1e9,
        .initial = "5"},
       unseen_flag("refuse")}};
}

FlagGroup map_flags() {
  return {"Feature maps",
          {{.name = "poly",
            .kind = FlagKind::count,
            .value = "DEGREE",
            .summary = "monomials of the columns of numbers up to this degree, in their place",
            .lowest = 1,
            .highest = 100},
           {.name = "poly-terms",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "all monomials, powers of one column, or products of different ones",
            .choices = kPolyTerms,
            .initial = "all"},
           {.name = "basis",
            .kind = FlagKind::text,
            .value = "MAP",
            .summary = "functions in the place of the columns they read: \"log(area)\", \"spline(age, 5)\", "
                       "\"fourier(month, 12)\", \"radial(x, 5)\", \"poly(x, y, 3)\", \"ring(x1, x2)\""},
           {.name = "feature",
            .kind = FlagKind::text,
            .value = "MAP",
            .summary = "the same beside the columns: \"area*rooms\", \"log(area + 1)/rooms^2\""}}};
}

FlagGroup fitting_flags() {
  FlagGroup group{"Fitting",
                  {{.name = "no-intercept", .summary = "no constant term"},
                   {.name = "standardise", .summary = "penalise coefficients of (x - mean) / sd"},
                   {.name = "tolerance",
                    .kind = FlagKind::number,
                    .value = "NUMBER",
                    .summary = "of the proof, in units of the objective of the constant model",
                    .lowest = 0,
                    .highest = 1,
                    .initial = "1e-10"},
                   {.name = "confidence",
                    .kind = FlagKind::number,
                    .value = "SHARE",
                    .summary = "of the intervals",
                    .lowest = 0.01,
                    .highest = 0.999999,
                    .initial = "0.95"},
                   {.name = "time-limit",
                    .kind = FlagKind::number,
                    .value = "S",
                    .summary = "stop after so many seconds with the best so far",
                    .lowest = 0},
                   {.name = "strict", .summary = "exit 4 when the tolerance is not reached"},
                   {.name = "stream", .summary = "in memory that does not grow with the rows; always so for -"},
                   threads_flag()}};
  for (FlagInfo& flag : split_flags()) group.flags.push_back(std::move(flag));
  return group;
}

FlagGroup many_fits_flags() {
  FlagGroup group = fitting_flags();
  std::erase_if(group.flags, [](const FlagInfo& flag) {
    return flag.name == "holdout" || flag.name == "confidence" || flag.name == "strict";
  });
  return group;
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
