// recta path: one model at many strengths of its penalty, and which of them to take.
#include "fitting.hpp"
#include "input.hpp"
#include "output.hpp"
#include "path_report.hpp"
#include "plot.hpp"
#include "text_flags.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace recta::cli {
namespace {

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

std::string default_criterion(const Path& path) {
  for (const char* criterion : {"cv", "loo", "bic"})
    if (path.choose(criterion)) return criterion;
  return "bic";
}

class TimeLeft {
public:
  explicit TimeLeft(double limit) : limit_(limit) {}
  FitOptions of(FitOptions options) const {
    const double gone = std::chrono::duration<double>(Clock::now() - began_).count();
    if (limit_ > 0) options.time_limit = std::max(limit_ - gone, 1e-9);
    return options;
  }

private:
  using Clock = std::chrono::steady_clock;
  double limit_;
  Clock::time_point began_ = Clock::now();
};

// The fit at a point of the path, with its proof.
Result<Model> fit_point(const Path& path, Index point, const Arguments& arguments, FitOptions options,
                        const std::optional<Dataset>& data, const Watch& watch) {
  options.params["lambda"] = path.points[static_cast<std::size_t>(point)].lambda;
  if (data) return fit(path.word, *data, options, watch);
  const auto read = read_options(arguments);
  if (!read) return std::unexpected(read.error());
  return fit_stream(path.word, arguments.word(1), *read, options, watch);
}

struct PathAndRows {
  Path path;
  std::optional<Dataset> data;               // unless streamed
  std::unique_ptr<interrupt::Deferred> kept; // from the start of the path until all is written
};

Result<PathAndRows> make_path(const Arguments& arguments, const FitOptions& options, const PathOptions& how,
                              const TimeLeft& left, const Voice& voice) {
  const std::string source = arguments.word(1);
  if (arguments.has("stream") || source == "-") {
    const auto read = read_options(arguments);
    if (!read) return std::unexpected(read.error());
    ProgressLine progress(voice, static_cast<double>(file_size(source)), "bytes");
    auto kept = std::make_unique<interrupt::Deferred>();
    auto streamed = path_stream(arguments.word(0), source, *read, left.of(options), how, progress.watch());
    if (!streamed) return std::unexpected(explained_stop(streamed.error(), arguments, "point"));
    return PathAndRows{*std::move(streamed), {}, std::move(kept)};
  }
  auto data = read_data(source, arguments, voice);
  if (!data) return std::unexpected(explained_stop(data.error(), arguments, "point"));
  tell_findings(*data, arguments, voice);
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  auto kept = std::make_unique<interrupt::Deferred>();
  auto points = path(arguments.word(0), *data, left.of(options), how, progress.watch());
  if (!points) return std::unexpected(explained_stop(points.error(), arguments, "point"));
  return PathAndRows{*std::move(points), *std::move(data), std::move(kept)};
}

// The model of the point that is chosen, saved if that was asked for; none if the path was stopped.
Result<std::optional<Model>> chosen_model(const PathAndRows& computed, const Arguments& arguments,
                                          const FitOptions& options, const Voice& voice) {
  const std::string file = arguments.text("output");
  if (computed.path.stopped) {
    voice.note(fmt::format("no point was fitted{}: {}", file.empty() ? "" : " and nothing was saved",
                           computed.path.stopped->sentence()));
    return std::nullopt;
  }
  const auto point = computed.path.choose(arguments.text("choose", default_criterion(computed.path)));
  if (!point) return std::unexpected(point.error());
  ProgressLine progress(voice, static_cast<double>(computed.path.rows), "rows");
  auto model = fit_point(computed.path, *point, arguments, options, computed.data, progress.watch());
  if (!model) return std::unexpected(explained_stop(model.error(), arguments, "model"));
  model->reading = reading_of(*read_options(arguments));
  if (!file.empty()) {
    const std::string place = interrupt::asked() ? file + ".partial" : file;
    if (Result<void> saved = model->save(place); !saved) return std::unexpected(saved.error());
    voice.note(fmt::format("saved {}", place));
  }
  return *std::move(model);
}

// The deviations of the features, which every fit of them knows; none if the rows cannot be read again.
Result<std::vector<double>> deviations(const PathAndRows& computed, const Arguments& arguments,
                                       const FitOptions& options, const std::optional<Model>& model) {
  if (!options.standardise || (!computed.data && arguments.word(1) == "-")) return std::vector<double>{};
  if (model) return model->linear()->deviations;
  const auto first = fit_point(computed.path, 0, arguments, options, computed.data,
                               {}); // the fit at the strongest penalty: the quickest
  if (!first) return std::unexpected(first.error());
  return first->linear()->deviations;
}

// If a path was stopped, whatever can be drawn is drawn; if it was interrupted, nothing is.
Result<void> draw(const PathAndRows& computed, const Arguments& arguments, const FitOptions& options,
                  const std::optional<Model>& model, const Voice& voice) {
  if (!arguments.has("plot") || interrupt::asked()) return {};
  const Path& path = computed.path;
  PathLook look{.kind = arguments.text("plot-kind", "weights")};
  const std::string criterion = arguments.text("choose", default_criterion(path));
  if (const auto point = path.choose(criterion)) look.chosen = Chosen{criterion, *point};
  auto scales = deviations(computed, arguments, options, model);
  if (!scales) return std::unexpected(scales.error());
  look.deviations = *std::move(scales);
  const auto picture = path_picture(path, look);
  if (!picture && path.stopped) {
    voice.note(fmt::format("nothing was drawn: {}", path.stopped->sentence()));
    return {};
  }
  return write_picture(picture, arguments.text("plot"), voice);
}

// A path that was stopped is an answer; without the model that was asked for it is a failure.
int outcome_of(const Path& path, const std::optional<Model>& model, bool model_asked) {
  if (interrupt::asked()) return interrupt::exit_code();
  if (model && model->certificate.verdict == Verdict::refuted) return 4;
  return path.stopped && model_asked ? 1 : 0;
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
    return fail(ErrorCode::usage, "--output", "the chosen model needs the rows again, and - can be read only once",
                "save the data to a file first");
  if (Result<void> good = check_plot(arguments, {source}); !good) return std::unexpected(good.error());
  const TimeLeft left(options->time_limit);
  const auto computed = make_path(arguments, *options, *how, left, voice);
  if (!computed) return std::unexpected(computed.error());
  const std::vector<Chosen> chosen = choices(computed->path);

  std::optional<Model> model;
  const bool model_asked = !file.empty() || arguments.has("choose");
  if (model_asked) {
    auto fitted = chosen_model(*computed, arguments, left.of(*options), voice);
    if (!fitted) return std::unexpected(fitted.error());
    model = *std::move(fitted);
  }
  if (Result<void> drawn = draw(*computed, arguments, left.of(*options), model, voice); !drawn)
    return std::unexpected(drawn.error());
  return show(path_document(computed->path, chosen, source, model), voice, 0,
              outcome_of(computed->path, model, model_asked));
}

FlagGroup path_flags() {
  return {"The path",
          {{.name = "lambdas",
            .kind = FlagKind::text,
            .value = "L,...",
            .summary = "the strengths themselves",
            .initial = "evenly spaced in the logarithm, from the least lambda at which no feature is in use"},
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
            .initial =
                "1e-4 with more rows than features, else 1e-3; 1e-10 for ridge, 1e-6 for classes under squares alone"},
           {.name = "folds",
            .kind = FlagKind::count,
            .value = "K",
            .summary = "number of folds of the cross-validation",
            .lowest = 2,
            .highest = 1e6},
           {.name = "folds-are",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "rows of a fold: drawn at random by the seed, or consecutive",
            .choices = {"dealt", "contiguous"},
            .initial = "dealt"},
           {.name = "leave-one-out", .summary = "the exact error on every row left out; only ridge and kernel-ridge"},
           {.name = "choose",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "fit and prove the point that this criterion prefers",
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

} // namespace

CommandInfo path_command() {
  FlagGroup output = output_flags();
  output.flags.insert(output.flags.begin(), {.name = "output",
                                             .kind = FlagKind::file,
                                             .value = "FILE",
                                             .summary = "fit the chosen point and save it",
                                             .letter = 'o'});
  output.flags.push_back(plot_flag());
  output.flags.push_back({.name = "plot-kind",
                          .kind = FlagKind::choice,
                          .value = "WORD",
                          .summary = "weights, or errors on rows trained on and rows left out, against lambda",
                          .choices = {"weights", "errors"},
                          .initial = "weights"});
  return {
      .name = "path",
      .summary = "one model at many strengths of its penalty, and which to choose",
      .examples = {{"recta path lasso housing --folds 10", "features, errors and criteria at 100 strengths"},
                   {"recta path ridge train.csv --target y --leave-one-out", "exact leave-one-out for every strength"},
                   {"recta path lasso housing --folds 10 --plot errors.svg --plot-kind errors",
                    "where it fits too much, and where too little"},
                   {"recta path lasso train.csv --target y --folds 5 --choose 1se -o m.recta",
                    "save the simplest as good as the best"},
                   {"recta path logistic train.csv --target c --l1-share 1 --folds 10",
                    "of two classes, by the log-loss of rows left out"},
                   {"recta path softmax iris --folds 10 --choose 1se -o m.recta", "the same of several classes"},
                   {"recta path kernel-ridge housing --kernel rbf --gamma 1e-5 --leave-one-out",
                    "every strength from one decomposition of the kernel matrix"}},
      .words = {{"MODEL", WordKind::model}, {"DATA", WordKind::data}},
      .groups = {path_flags(),
                 {"Parameters of the models", parameter_flags()},
                 option_group(Heading::columns, command::kPath),
                 option_group(Heading::maps, command::kPath),
                 option_group(Heading::text, command::kPath),
                 option_group(Heading::fitting, command::kPath),
                 output,
                 reading_flags()},
      .notes =
          "One pass over the rows gathers what every point and every fold needs, streamed or not, if there\n"
          "are at least as many rows as features; logistic and softmax read the rows anew at every point. The table\n"
          "says which point is best by each criterion; \"1se\" is the largest lambda whose error is within one\n"
          "standard error of the least.",
      .run = run_path};
}

} // namespace recta::cli
