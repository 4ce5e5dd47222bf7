// recta curve --over: the scores of rows trained on and left out, or bias and variance, over a parameter.
#include "curve_over.hpp"

#include "cv_report.hpp"
#include "fitting.hpp"
#include "output.hpp"
#include "plot.hpp"

#include <recta/bias_variance.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta::cli {
namespace {

using report::Value;

Value value_of(const Params& params, const std::string& name) {
  const auto entry = params.find(name);
  return entry == params.end() ? Value() : std::visit([](const auto& v) { return Value(v); }, entry->second);
}

report::Document validation_document(const CrossValidation& validation, const std::string& source) {
  const std::string &score = validation.scores[0], &name = validation.grid.at(0).name;
  report::Table table{.columns = {{"", name, 6},
                                  {"params"},
                                  {"training", score + ", trained on"},
                                  {"training_standard_error", "standard error"},
                                  {"left_out", score + ", left out"},
                                  {"left_out_standard_error", "standard error"},
                                  {"fold_training"},
                                  {"fold_left_out"},
                                  {"failure"}}};
  report::Section failures;
  for (const GridPoint& point : validation.points) {
    const Value value = value_of(point.params, name);
    std::vector<Value>& row = table.rows.emplace_back(table.columns.size());
    if (point.failure.empty()) {
      const ScoreValues &trained = point.training[0], &left_out = point.scores[0];
      row = {value,         report::data_of(point.params), trained.mean,  trained.standard_error,
             left_out.mean, left_out.standard_error,       trained.folds, left_out.folds,
             Value()};
    } else {
      row[0] = value;
      row[1] = report::data_of(point.params);
      row[8] = point.failure;
      failures.push_back(report::Sentence{"curve.failed", {{"value", value}, {"failure", point.failure}}});
    }
  }
  const auto points = shared(std::move(table));
  report::Document out{{{"schema", "recta/curve/1"},
                        {"model", validation.word},
                        {"source", source},
                        {"target", validation.target},
                        {"measure", score},
                        {"rows", validation.rows},
                        {"over", name},
                        {"points", points}},
                       {{report::Sentence{"curve.over.title",
                                          {{"model", validation.word},
                                           {"target", validation.target},
                                           {"source", source},
                                           {"rows", validation.rows},
                                           {"splits", validation.splits}}}},
                        {report::Shown{points}}}};
  append(out.page.back(), std::move(failures));
  return out;
}

report::Document bias_document(const BiasVariance& bias, const std::string& source) {
  const bool numbers = bias.classes == 0, two = bias.classes == 2, alone = bias.parameter.empty();
  report::Table table{.columns = {{"", alone ? "model" : bias.parameter, 6},
                                  {"params"},
                                  {"error", bias.measure},
                                  {"bias", numbers ? "bias^2 and noise" : "bias"},
                                  {"variance", "variance"},
                                  {"net_variance", two ? "net variance" : ""},
                                  {"rows"},
                                  {"failure"}}};
  report::Section page;
  for (const BiasVariancePoint& point : bias.points) {
    const Value value = alone ? Value(bias.word) : value_of(point.params, bias.parameter);
    std::vector<Value>& row = table.rows.emplace_back(table.columns.size());
    if (point.failure.empty()) {
      row = {value,          report::data_of(point.params),
             point.error,    point.bias,
             point.variance, point.net_variance,
             point.rows,     Value()};
    } else {
      row[0] = value;
      row[1] = report::data_of(point.params);
      row[7] = point.failure;
      page.push_back(report::Sentence{"curve.failed", {{"value", value}, {"failure", point.failure}}});
    }
  }
  const auto points = shared(std::move(table));
  page.insert(page.begin(), report::Shown{points});
  return {{{"schema", "recta/curve/1"},
           {"model", bias.word},
           {"source", source},
           {"target", bias.target},
           {"measure", bias.measure},
           {"rows", bias.rows},
           {"samples", bias.samples},
           {"over", report::or_null(bias.parameter)},
           {"points", points}},
          {{report::Sentence{"curve.bias.title",
                             {{"model", bias.word},
                              {"target", bias.target},
                              {"source", source},
                              {"rows", bias.rows},
                              {"samples", bias.samples}}}},
           std::move(page),
           {report::Sentence{numbers ? "curve.bias.numbers"
                             : two   ? "curve.bias.two"
                                     : "curve.bias.classes"}}}};
}

struct Told {
  int status;
  report::Document document;
  Result<plot::Picture> picture;
};

Result<Told> validated(const std::string& word, const Dataset& data, const FitOptions& options, GridAxis axis,
                       const Arguments& arguments, const Voice& voice) {
  CrossValidationOptions how{
      .grid = {std::move(axis)}, .scores = arguments.list("score"), .training = true, .refit = false};
  how.splits.folds = arguments.count("folds", how.splits.folds);
  how.splits.seed = static_cast<std::uint64_t>(arguments.count("seed", 0));
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  const auto validation = cross_validate(word, data, options, how, progress.watch());
  if (!validation) return std::unexpected(validation.error());
  if (!validation->stopped.empty())
    return std::unexpected(explained_stop(
        {ErrorCode::interrupted, arguments.word(1), "stopped: " + validation->stopped, "allow more time"}, arguments,
        "curve"));
  return Told{status_of(validation->points, voice), validation_document(*validation, arguments.word(1)),
              cross_validation_picture(*validation)};
}

Result<Told> resampled(const std::string& word, const Dataset& data, const FitOptions& options,
                       std::optional<GridAxis> axis, const Arguments& arguments, const Voice& voice) {
  const BiasVarianceOptions how{.over = std::move(axis),
                                .samples = arguments.count("samples", 50),
                                .seed = static_cast<std::uint64_t>(arguments.count("seed", 0))};
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  const auto bias = bias_variance(word, data, options, how, progress.watch());
  if (!bias) return std::unexpected(explained_stop(bias.error(), arguments, "curve"));
  return Told{status_of(bias->points, voice), bias_document(*bias, arguments.word(1)), bias_variance_picture(*bias)};
}

} // namespace

Result<void> check_over_flags(const Arguments& arguments) {
  const bool bias = arguments.has("bias-variance");
  if (arguments.has("samples") && !bias)
    return fail(ErrorCode::usage, "--samples", "nothing is drawn without --bias-variance", "add it");
  if (bias)
    for (const char* flag : {"score", "shares"})
      if (arguments.has(flag))
        return fail(ErrorCode::usage, fmt::format("--{}", flag),
                    "bias and variance are those of the squared error or the error rate, over all rows",
                    "leave it out");
  if (arguments.has("score") && !arguments.has("over"))
    return fail(ErrorCode::usage, "--score", "it applies only to a curve over a parameter",
                "give --over NAME=VALUES with it");
  if (arguments.has("shares") && over_parameter(arguments))
    return fail(ErrorCode::usage, "--shares", "the curve is over a parameter, not over the rows",
                "leave out one of them");
  if (arguments.has("folds") && bias)
    return fail(ErrorCode::usage, "--folds", "bias and variance come from bootstrap samples", "give --samples");
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
  return show(shown->document, voice, 0, shown->status);
}

std::vector<FlagInfo> over_flags() {
  return {{.name = "over",
           .kind = FlagKind::text,
           .value = "NAME=VALUES",
           .summary =
               "vary this parameter instead of the number of rows: a,b,c or 1e-4..1e2:log:20 or 1..9, as in recta cv"},
          {.name = "score",
           .kind = FlagKind::text,
           .value = "NAME",
           .summary = "with --over: any score of recta eval --scores",
           .initial = "mse of numbers, log_loss or accuracy of classes"},
          {.name = "bias-variance", .summary = "bias and variance, by rows left out of bootstrap samples"},
          {.name = "samples",
           .kind = FlagKind::count,
           .value = "B",
           .summary = "with --bias-variance: number of bootstrap samples",
           .lowest = 2,
           .highest = 1e6,
           .initial = "50"}};
}

} // namespace recta::cli
