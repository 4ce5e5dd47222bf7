// recta curve --over: the scores of rows trained on and left out, or bias and variance, over a parameter.
#include "curve_over.hpp"

#include "cv_report.hpp"
#include "fitting.hpp"
#include "json.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "table.hpp"

#include <recta/bias_variance.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta::cli {
namespace {

std::string value_of(const Params& params, const std::string& name) {
  const auto entry = params.find(name);
  if (entry == params.end()) return "";
  if (const double* number = std::get_if<double>(&entry->second)) return number_text(*number, 6);
  if (const bool* flag = std::get_if<bool>(&entry->second)) return *flag ? "true" : "false";
  return std::get<std::string>(entry->second);
}

void param_value(Json& json, const Params& params) {
  json.key("params").object();
  for (const auto& [name, value] : params) {
    json.key(name);
    std::visit([&](const auto& each) { json.value(each); }, value);
  }
  json.end();
}

std::string validation_text(const CrossValidation& validation, const std::string& source, const Voice& voice) {
  const std::string& score = validation.scores[0];
  const std::string name = validation.grid.at(0).name;
  Table table({name, score + ", trained on", "standard error", score + ", left out", "standard error"});
  for (const GridPoint& point : validation.points) {
    if (!point.failure.empty()) {
      table.add({value_of(point.params, name), "-", "-", "-", "-"});
      continue;
    }
    const ScoreValues &trained = point.training[0], &left_out = point.scores[0];
    table.add({value_of(point.params, name), number_text(trained.mean, voice.digits),
               number_text(trained.standard_error, voice.digits), number_text(left_out.mean, voice.digits),
               number_text(left_out.standard_error, voice.digits)});
  }
  std::string text = fmt::format("{} for {} in {}, {} rows, {} splits\n\n{}", validation.word, validation.target,
                                 source, validation.rows, validation.splits, table.text());
  for (const GridPoint& point : validation.points)
    if (!point.failure.empty()) text += fmt::format("{}: {}\n", value_of(point.params, name), point.failure);
  return text;
}

std::string validation_json(const CrossValidation& validation, const std::string& source) {
  Json json;
  json.object().field("schema", "recta/curve/1").field("model", validation.word).field("source", source);
  json.field("target", validation.target).field("measure", validation.scores[0]).field("rows", validation.rows);
  json.field("over", validation.grid.at(0).name).key("points").array();
  for (const GridPoint& point : validation.points) {
    json.object();
    param_value(json, point.params);
    if (point.failure.empty()) {
      json.field("training", point.training[0].mean).field("training_standard_error", point.training[0].standard_error);
      json.field("left_out", point.scores[0].mean).field("left_out_standard_error", point.scores[0].standard_error);
      json.list("fold_training", point.training[0].folds).list("fold_left_out", point.scores[0].folds);
    } else {
      json.field("failure", point.failure);
    }
    json.end();
  }
  return json.end().end().text();
}

std::string bias_text(const BiasVariance& bias, const std::string& source, const Voice& voice) {
  const bool numbers = bias.classes == 0, two = bias.classes == 2;
  std::vector<std::string> heading{bias.parameter.empty() ? "model" : bias.parameter, bias.measure,
                                   numbers ? "bias^2 and noise" : "bias", "variance"};
  if (two) heading.emplace_back("net variance");
  Table table(heading);
  std::string failures;
  for (const BiasVariancePoint& point : bias.points) {
    std::vector<std::string> row{bias.parameter.empty() ? bias.word : value_of(point.params, bias.parameter)};
    const bool good = point.failure.empty();
    for (const double value : {point.error, point.bias, point.variance})
      row.push_back(good ? number_text(value, voice.digits) : "-");
    if (two) row.push_back(good ? number_text(point.net_variance, voice.digits) : "-");
    table.add(row);
    if (!good) failures += fmt::format("{}: {}\n", row[0], point.failure);
  }
  std::string text = fmt::format("{} for {} in {}, {} rows, {} bootstrap samples\n\n{}{}\n", bias.word, bias.target,
                                 source, bias.rows, bias.samples, table.text(), failures);
  if (numbers)
    return text +
           "The error is exactly the sum. Bias and noise cannot be told apart without several y of the same x.\n";
  if (two)
    return text + "The error rate is exactly bias and net variance: variance where most fits are right, less that "
                  "where they are wrong.\n";
  return text + "Of more than two classes bias and variance do not add up to the error rate.\n";
}

std::string bias_json(const BiasVariance& bias, const std::string& source) {
  Json json;
  json.object().field("schema", "recta/curve/1").field("model", bias.word).field("source", source);
  json.field("target", bias.target).field("measure", bias.measure).field("rows", bias.rows);
  json.field("samples", bias.samples).key("over");
  bias.parameter.empty() ? json.null() : json.value(bias.parameter);
  json.key("points").array();
  for (const BiasVariancePoint& point : bias.points) {
    json.object();
    param_value(json, point.params);
    if (point.failure.empty()) {
      json.field("error", point.error).field("bias", point.bias).field("variance", point.variance);
      json.field("net_variance", point.net_variance).field("rows", point.rows);
    } else {
      json.field("failure", point.failure);
    }
    json.end();
  }
  return json.end().end().text();
}

struct Shown {
  std::string text;
  Result<plot::Picture> picture;
};

Result<Shown> validated(const std::string& word, const Dataset& data, const FitOptions& options, GridAxis axis,
                        const Arguments& arguments, const Voice& voice) {
  CrossValidationOptions how{
      .grid = {std::move(axis)}, .scores = arguments.list("score"), .training = true, .refit = false};
  how.splits.folds = arguments.count("folds", how.splits.folds);
  how.splits.seed = static_cast<std::uint64_t>(arguments.count("seed", 0));
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  const auto validation = cross_validate(word, data, options, how, progress.watch());
  if (!validation) return std::unexpected(validation.error());
  if (!validation->stopped.empty())
    return fail(ErrorCode::interrupted, arguments.word(1), "stopped: " + validation->stopped, "allow more time");
  return Shown{voice.json ? validation_json(*validation, arguments.word(1))
                          : validation_text(*validation, arguments.word(1), voice),
               cross_validation_picture(*validation)};
}

Result<Shown> resampled(const std::string& word, const Dataset& data, const FitOptions& options,
                        std::optional<GridAxis> axis, const Arguments& arguments, const Voice& voice) {
  const BiasVarianceOptions how{.over = std::move(axis),
                                .samples = arguments.count("samples", 50),
                                .seed = static_cast<std::uint64_t>(arguments.count("seed", 0))};
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  const auto bias = bias_variance(word, data, options, how, progress.watch());
  if (!bias) return std::unexpected(bias.error());
  return Shown{voice.json ? bias_json(*bias, arguments.word(1)) : bias_text(*bias, arguments.word(1), voice),
               bias_variance_picture(*bias)};
}

} // namespace

Result<void> check_over_flags(const Arguments& arguments) {
  const bool bias = arguments.has("bias-variance");
  if (arguments.has("samples") && !bias)
    return fail(ErrorCode::usage, "--samples", "nothing is drawn without --bias-variance", "add it");
  if (arguments.has("score") && (bias || !arguments.has("over")))
    return fail(ErrorCode::usage, "--score", "it is said of a curve over a parameter",
                "give --over NAME=VALUES with it");
  if (arguments.has("shares") && over_parameter(arguments))
    return fail(ErrorCode::usage, "--shares", "the curve is over a parameter, and not over the rows",
                "leave out one of them");
  if (arguments.has("folds") && bias)
    return fail(ErrorCode::usage, "--folds", "bias and variance are of bootstrap samples", "give --samples");
  return {};
}

bool over_parameter(const Arguments& arguments) {
  return arguments.has("over") || arguments.has("bias-variance");
}

Result<int> run_curve_over(const Dataset& data, const FitOptions& options, const Arguments& arguments,
                           const Voice& voice) {
  const std::string word = arguments.word(0);
  std::optional<GridAxis> axis;
  if (arguments.has("over")) {
    auto read = grid_axis(word, arguments.text("over"));
    if (!read) return std::unexpected(read.error());
    axis = std::move(*read);
  }
  const auto shown = arguments.has("bias-variance")
                         ? resampled(word, data, options, std::move(axis), arguments, voice)
                         : validated(word, data, options, *std::move(axis), arguments, voice);
  if (!shown) return std::unexpected(shown.error());
  if (arguments.has("plot"))
    if (Result<void> drawn = write_picture(shown->picture, arguments.text("plot"), voice); !drawn)
      return std::unexpected(drawn.error());
  Result<Output> out = Output::to_standard_output();
  *out << shown->text;
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return 0;
}

std::vector<FlagInfo> over_flags() {
  return {
      {.name = "over",
       .kind = FlagKind::text,
       .value = "NAME=VALUES",
       .summary = "over this parameter in the place of the rows: a,b,c or 1e-4..1e2:log:20 or 1..9, as in recta cv"},
      {.name = "score",
       .kind = FlagKind::text,
       .value = "NAME",
       .summary = "with --over: any score of recta eval --scores",
       .initial = "mse of numbers, log_loss or accuracy of classes"},
      {.name = "bias-variance", .summary = "bias and variance, by rows left out of bootstrap samples"},
      {.name = "samples",
       .kind = FlagKind::count,
       .value = "B",
       .summary = "with --bias-variance: so many",
       .lowest = 2,
       .highest = 1e6,
       .initial = "50"}};
}

} // namespace recta::cli
