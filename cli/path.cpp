// recta path: one model at many strengths of its penalty, and which of them to take.
#include "fitting.hpp"
#include "input.hpp"
#include "json.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "report.hpp"
#include "table.hpp"

#include <recta/path.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {

namespace {

struct Chosen {
  std::string criterion;
  Index point;
};

Result<PathOptions> path_options(const Arguments& arguments) {
  PathOptions how;
  for (const std::string& text : arguments.list("lambdas")) {
    double lambda = 0;
    if (!parse_number(text, lambda))
      return fail(ErrorCode::usage, "--lambdas", fmt::format("\"{}\" is not a number", text), "write 1,0.1,0.01");
    how.lambdas.push_back(lambda);
  }
  how.count = arguments.count("count", how.count);
  how.ratio = arguments.number("ratio", 0);
  how.folds = arguments.count("folds", 0);
  how.contiguous = arguments.text("folds-are", "dealt") == "contiguous";
  how.seed = static_cast<std::uint64_t>(arguments.count("seed", 0));
  how.leave_one_out = arguments.has("leave-one-out");
  return how;
}

// Every criterion there is on this path.
std::vector<Chosen> choices(const Path& path) {
  std::vector<Chosen> out;
  for (const std::string& criterion : path_criteria())
    if (const auto point = path.choose(criterion)) out.push_back({criterion, *point});
  return out;
}

std::string default_criterion(const Path& path) {
  for (const char* criterion : {"cv", "loo", "bic"})
    if (path.choose(criterion)) return criterion;
  return "bic";
}

bool measured(const Path& path, double PathPoint::* value) {
  return std::ranges::any_of(path.points, [&](const PathPoint& point) { return !std::isnan(point.*value); });
}

std::string table_text(const Path& path, const std::vector<Chosen>& chosen, int digits) {
  const bool labels = path.measure == "log-loss", ridge = path.l1_share == 0 && !labels;
  std::vector<std::string> heading{"lambda", ridge ? "freedom" : "features", labels ? "d2" : "r2"};
  const std::string cv = "cv " + path.measure;
  struct Column {
    const char* name;
    double PathPoint::* value;
  };
  std::vector<Column> columns;
  for (const Column& column :
       {Column{cv.c_str(), &PathPoint::cv_error}, Column{"std err", &PathPoint::cv_standard_error},
        Column{"loo mse", &PathPoint::loo_mse}, Column{"gcv", &PathPoint::gcv}, Column{"aic", &PathPoint::aic},
        Column{"bic", &PathPoint::bic}})
    if (measured(path, column.value)) {
      columns.push_back(column);
      heading.emplace_back(column.name);
    }
  heading.emplace_back("best by");
  Table table(heading, 0);
  table.last_left();
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    const PathPoint& point = path.points[k];
    std::vector<std::string> row{number_text(point.lambda, digits),
                                 ridge ? number_text(point.degrees_of_freedom, digits) : std::to_string(point.nonzero),
                                 number_text(labels ? point.d2 : point.r2, digits)};
    for (const Column& column : columns) row.push_back(number_text(point.*column.value, digits));
    std::vector<std::string> best;
    for (const Chosen& one : chosen)
      if (one.point == static_cast<Index>(k)) best.push_back(one.criterion);
    row.push_back(fmt::format("{}", fmt::join(best, " ")));
    table.add(row);
  }
  return table.text();
}

std::string path_text(const Path& path, const std::vector<Chosen>& chosen, const std::string& source,
                      const Voice& voice) {
  std::string text = voice.bold(fmt::format("path of {} of {} on {}", path.word, path.target, source)) +
                     fmt::format(", {}, {}\n\n", count_text(path.rows, "row", "rows"),
                                 count_text(static_cast<Index>(path.features.size()), "feature", "features"));
  text += table_text(path, chosen, voice.digits);
  text += "\nobjective  " + path.objective + "\n";
  double gap = 0;
  for (const PathPoint& point : path.points) gap = std::max(gap, point.gap);
  if (path.measure == "log-loss")
    text += fmt::format("gap        at most {} at every point, each proved in a fresh pass over the rows\n",
                        number_text(gap, 3));
  else if (path.l1_share > 0)
    text += fmt::format("gap        at most {} at every point, by the solver's own count\n", number_text(gap, 3));
  return text;
}

void point_value(Json& json, const PathPoint& point, bool labels) {
  json.object().field("lambda", point.lambda).field("nonzero", point.nonzero);
  json.field("degrees_of_freedom", point.degrees_of_freedom).field("objective", point.objective);
  json.field("gap", point.gap).field(labels ? "log_loss" : "mse", labels ? point.log_loss : point.mse);
  json.field(labels ? "d2" : "r2", labels ? point.d2 : point.r2);
  json.field(labels ? "cv_log_loss" : "cv_mse", point.cv_error);
  json.field("cv_standard_error", point.cv_standard_error);
  json.list(labels ? "fold_log_loss" : "fold_mse", point.fold_error);
  json.field("loo_mse", point.loo_mse).field("gcv", point.gcv).field("aic", point.aic).field("bic", point.bic);
  json.field("cp", point.cp).field("intercept", point.intercept).list("coefficients", point.coefficients).end();
}

std::string path_json(const Path& path, const std::vector<Chosen>& chosen, const std::string& source,
                      const std::optional<Model>& model) {
  Json json;
  json.object().field("schema", "recta/path/1").field("model", path.word).field("source", source);
  json.field("target", path.target).field("objective", path.objective).field("rows", path.rows);
  json.field("l1_share", path.l1_share).field("lambda_max", path.lambda_max).field("passes", path.passes);
  json.list("features", path.features).key("best").object();
  for (const Chosen& one : chosen) json.field(one.criterion, one.point);
  json.end().key("points").array();
  for (const PathPoint& point : path.points) point_value(json, point, path.measure == "log-loss");
  json.end();
  if (model) {
    json.key("chosen").object();
    model_fields(json, *model);
    json.end();
  }
  return json.end().text();
}

// The fit at a point of the path, with its proof.
Result<Model> fit_point(const Path& path, Index point, const Arguments& arguments, FitOptions options,
                        const std::optional<Dataset>& data, const Watch& watch) {
  options.params["lambda"] = path.points[static_cast<std::size_t>(point)].lambda;
  if (data) return fit(path.word, *data, options, watch);
  const auto read = read_options(arguments);
  if (!read) return std::unexpected(read.error());
  return fit_stream(path.word, arguments.word(1), *read, options, watch);
}

Result<plot::Picture> picture_of(const Path& path) {
  std::vector<double> lambdas, weights;
  for (const PathPoint& point : path.points) {
    lambdas.push_back(point.lambda);
    weights.insert(weights.end(), point.coefficients.begin(), point.coefficients.end());
  }
  return plot::path_picture(lambdas, weights, path.features);
}

struct Made {
  Path path;
  std::optional<Dataset> data; // unless streamed
};

Result<Made> make_path(const Arguments& arguments, const FitOptions& options, const PathOptions& how,
                       const Voice& voice) {
  const std::string source = arguments.word(1);
  if (arguments.has("stream") || source == "-") {
    const auto read = read_options(arguments);
    if (!read) return std::unexpected(read.error());
    ProgressLine progress(voice, static_cast<double>(file_size(source)), "bytes");
    auto made = path_stream(arguments.word(0), source, *read, options, how, progress.watch());
    if (!made) return std::unexpected(made.error());
    return Made{*std::move(made), {}};
  }
  auto data = read_data(source, arguments, voice);
  if (!data) return std::unexpected(data.error());
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  auto made = path(arguments.word(0), *data, options, how, progress.watch());
  if (!made) return std::unexpected(made.error());
  return Made{*std::move(made), *std::move(data)};
}

Result<int> run_path(const Arguments& arguments) {
  const Voice voice(arguments);
  const auto model_info = known_model(arguments.word(0));
  if (!model_info) return std::unexpected(model_info.error());
  const auto options = fit_options(**model_info, arguments);
  if (!options) return std::unexpected(options.error());
  const auto how = path_options(arguments);
  if (!how) return std::unexpected(how.error());
  const std::string file = arguments.text("output"), source = arguments.word(1);
  if (Result<void> good = spare(file, {source}); !good) return std::unexpected(good.error());
  if (!file.empty() && source == "-")
    return fail(ErrorCode::usage, "--output", "the chosen model needs the rows again, and - can be read once",
                "save the data to a file first");
  if (Result<void> good = check_plot(arguments, {source}); !good) return std::unexpected(good.error());
  const auto made = make_path(arguments, *options, *how, voice);
  if (!made) return std::unexpected(made.error());
  if (arguments.has("plot"))
    if (Result<void> drawn = write_picture(picture_of(made->path), arguments.text("plot"), voice); !drawn)
      return std::unexpected(drawn.error());
  const std::vector<Chosen> chosen = choices(made->path);

  std::optional<Model> model;
  if (!file.empty() || arguments.has("choose")) {
    const auto point = made->path.choose(arguments.text("choose", default_criterion(made->path)));
    if (!point) return std::unexpected(point.error());
    ProgressLine progress(voice, static_cast<double>(made->path.rows), "rows");
    auto fitted = fit_point(made->path, *point, arguments, *options, made->data, progress.watch());
    if (!fitted) return std::unexpected(fitted.error());
    model = *std::move(fitted);
    if (!file.empty()) {
      if (Result<void> saved = model->save(file); !saved) return std::unexpected(saved.error());
      voice.note(fmt::format("saved {}", file));
    }
  }
  Result<Output> out = Output::to_standard_output();
  if (voice.json) {
    *out << path_json(made->path, chosen, source, model);
  } else {
    *out << path_text(made->path, chosen, source, voice);
    if (model)
      *out << fmt::format("\nlambda = {}: {}\n", shortest(std::get<double>(model->params.at("lambda"))),
                          model->certificate.sentence());
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return model && model->certificate.verdict == Verdict::refuted ? 4 : 0;
}

FlagGroup path_flags() {
  return {"The path",
          {{.name = "lambdas",
            .kind = FlagKind::text,
            .value = "L,...",
            .summary = "the strengths themselves",
            .initial = "evenly spaced in the logarithm, from the least without any feature"},
           {.name = "count",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "how many",
            .lowest = 1,
            .highest = 1e5,
            .initial = "100"},
           {.name = "ratio",
            .kind = FlagKind::number,
            .value = "SHARE",
            .summary = "smallest to largest lambda",
            .lowest = 0,
            .highest = 1,
            .initial = "1e-4 with more rows than features, else 1e-3; 1e-10 for ridge"},
           {.name = "folds",
            .kind = FlagKind::count,
            .value = "K",
            .summary = "cross-validate over so many folds",
            .lowest = 2,
            .highest = 1e6},
           {.name = "folds-are",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "rows of a fold: drawn by the seed, or one after the other",
            .choices = {"dealt", "contiguous"},
            .initial = "dealt"},
           {.name = "leave-one-out", .summary = "the error on every row left out, exactly; ridge only"},
           {.name = "choose",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "fit and prove the best point by this",
            .choices = path_criteria(),
            .initial = "cv, else loo, else bic, with -o"}}};
}

// Every point has a strength of its own.
std::vector<FlagInfo> parameter_flags() {
  std::vector<FlagInfo> flags = model_flags("");
  std::erase_if(flags, [](const FlagInfo& flag) {
    return flag.name.starts_with("lambda") || flag.name == "tau" || flag.name == "psi";
  });
  return flags;
}

// Those of fit that mean something here.
FlagGroup path_fitting_flags() {
  FlagGroup group = fitting_flags();
  std::erase_if(group.flags, [](const FlagInfo& flag) {
    return flag.name == "holdout" || flag.name == "confidence" || flag.name == "strict";
  });
  return group;
}

} // namespace

CommandInfo path_command() {
  FlagGroup output = output_flags();
  output.flags.insert(output.flags.begin(), {.name = "output",
                                             .kind = FlagKind::file,
                                             .value = "FILE",
                                             .summary = "fit the chosen point and save it",
                                             .letter = 'o'});
  output.flags.push_back(plot_flag());
  return {
      .name = "path",
      .summary = "one model at many strengths of its penalty, and which to choose",
      .examples = {{"recta path lasso housing --folds 10", "features, errors and criteria at 100 strengths"},
                   {"recta path ridge train.csv --target y --leave-one-out", "exact leave-one-out for every strength"},
                   {"recta path lasso train.csv --target y --folds 5 --choose 1se -o m.recta",
                    "save the simplest as good as the best"},
                   {"recta path logistic train.csv --target c --l1-share 1 --folds 10",
                    "of two classes, by the log-loss of rows left out"}},
      .words = {{"MODEL", WordKind::model}, {"DATA", WordKind::data}},
      .groups = {path_flags(),
                 {"Parameters of the models", parameter_flags()},
                 column_flags(),
                 map_flags(),
                 path_fitting_flags(),
                 output,
                 reading_flags()},
      .notes = "One pass over the rows gathers what every point and every fold needs, streamed or not, where there\n"
               "are at least as many rows as features; logistic reads the rows anew at every point. The table says "
               "which point is best by each criterion; \"1se\"\n"
               "is the largest lambda whose error is within one standard error of the least.",
      .run = run_path};
}

} // namespace recta::cli
