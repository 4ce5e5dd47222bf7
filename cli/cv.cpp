// recta cv: any model over a grid of any of its parameters, by rows left out.
#include "cv_report.hpp"
#include "fitting.hpp"
#include "input.hpp"
#include "output.hpp"
#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {
namespace {

using Kind = SplitPlan::Kind;

// Flags that each say how rows are split: at most one of them, folds besides.
struct KindFlag {
  const char* flag;
  Kind kind;
};
constexpr KindFlag kKinds[] = {{"leave-one-out", Kind::leave_one_out},
                               {"time", Kind::time},
                               {"holdout", Kind::holdout},
                               {"bootstrap", Kind::bootstrap},
                               {"hash", Kind::hash}};

Result<SplitPlan> split_plan(const Arguments& arguments) {
  SplitPlan plan;
  std::vector<std::string> flags;
  for (const KindFlag& one : kKinds)
    if (arguments.has(one.flag)) {
      if (one.kind == Kind::time && arguments.has("holdout")) continue; // the last rows are held out
      plan.kind = one.kind;
      flags.push_back(std::string("--") + one.flag);
    }
  if (flags.size() > 1)
    return fail(ErrorCode::usage, fmt::format("{}", fmt::join(flags, " ")), "these exclude each other",
                "split the rows in one way");
  if (arguments.has("folds") && plan.kind != Kind::folds && plan.kind != Kind::time && plan.kind != Kind::hash)
    return fail(ErrorCode::usage, "--folds " + flags[0], "these exclude each other", "split the rows in one way");
  plan.folds = arguments.count("folds", plan.folds);
  plan.repeats = arguments.count(plan.kind == Kind::bootstrap ? "bootstrap" : "repeats", 1);
  plan.share = arguments.number("holdout", plan.share);
  plan.contiguous = arguments.text("folds-are", "dealt") == "contiguous";
  plan.seed = static_cast<std::uint64_t>(arguments.count("seed", 0));
  if (plan.kind == Kind::bootstrap && arguments.has("repeats"))
    return fail(ErrorCode::usage, "--bootstrap --repeats", "these exclude each other",
                "give the number of samples to --bootstrap");
  return plan;
}

Result<CrossValidationOptions> search_options(const std::string& word, const Arguments& arguments) {
  CrossValidationOptions how;
  if (const auto grid = arguments.given.find("grid"); grid != arguments.given.end())
    for (const std::string& text : grid->second) {
      auto axis = grid_axis(word, text);
      if (!axis) return std::unexpected(axis.error());
      how.grid.push_back(*std::move(axis));
    }
  auto plan = split_plan(arguments);
  if (!plan) return std::unexpected(plan.error());
  how.splits = *plan;
  how.groups = arguments.text("groups");
  how.time = arguments.text("time");
  how.id = arguments.text("hash");
  how.scores = arguments.list("score");
  how.one_standard_error = arguments.has("one-standard-error");
  how.training = arguments.has("training") || arguments.has("plot");
  how.resume = arguments.text("resume");
  return how;
}

// The flags of splits have names that some models have parameters of, such as groups.
Arguments without_own_flags(Arguments arguments, const std::vector<FlagInfo>& own) {
  for (const FlagInfo& flag : own)
    if (flag.name != "seed" && flag.name != "time-limit") arguments.given.erase(flag.name);
  return arguments;
}

std::vector<FlagInfo> split_kind_flags() {
  return {{.name = "folds",
           .kind = FlagKind::count,
           .value = "K",
           .summary = "number of folds; every row is left out once, and each fold keeps the shares of the classes",
           .lowest = 1,
           .highest = 1e6,
           .initial = "5"},
          {.name = "folds-are",
           .kind = FlagKind::choice,
           .value = "WORD",
           .summary = "rows of a fold: drawn at random by the seed, or consecutive",
           .choices = {"dealt", "contiguous"},
           .initial = "dealt"},
          {.name = "repeats",
           .kind = FlagKind::count,
           .value = "R",
           .summary = "how many times to repeat the folds or hold-outs, each drawn anew",
           .lowest = 1,
           .highest = 1e6,
           .initial = "1"},
          {.name = "groups",
           .kind = FlagKind::columns,
           .value = "COL",
           .summary = "rows with the same value here stay together; not used as a feature"},
          {.name = "time",
           .kind = FlagKind::columns,
           .value = "COL",
           .summary = "train only on the past: parts in the order of this column, one after the other"},
          {.name = "leave-one-out", .summary = "every row by itself; with --groups every group"},
          {.name = "holdout",
           .kind = FlagKind::number,
           .value = "SHARE",
           .summary = "leave out this share of the rows, with --time the last ones",
           .lowest = 0,
           .highest = 0.99},
          {.name = "bootstrap",
           .kind = FlagKind::count,
           .value = "B",
           .summary = "number of samples drawn with replacement; rows never drawn are left out",
           .lowest = 1,
           .highest = 1e6},
          {.name = "hash",
           .kind = FlagKind::columns,
           .value = "COL",
           .summary = "folds by a hash of this column, the same in every shard of the rows; not used as a feature"}};
}

FlagGroup search_flags() {
  return {
      "The search",
      {{.name = "grid",
        .kind = FlagKind::text,
        .value = "NAME=VALUES",
        .summary =
            "values of a parameter: a,b,c or 1e-4..1e2:log:20 or 1..9:linear:5 or 1..4; several grids are combined"},
       {.name = "score",
        .kind = FlagKind::text,
        .value = "NAME,...",
        .summary = "scores of recta eval --scores; the first one chooses",
        .initial = "mse of numbers, log_loss or accuracy of classes, hamming_loss of label sets"},
       {.name = "one-standard-error", .summary = "choose the simplest point within one standard error of the best"},
       {.name = "training", .summary = "also score the rows trained on"},
       {.name = "resume",
        .kind = FlagKind::file,
        .value = "FILE",
        .summary = "save progress in this file, and resume from it if it exists"}}};
}

std::vector<FlagInfo> own_flags() {
  std::vector<FlagInfo> all = split_kind_flags();
  for (FlagInfo& flag : search_flags().flags) all.push_back(std::move(flag));
  return all;
}

Result<void> check_time_limit(const Arguments& arguments) {
  if (!arguments.has("time-limit") || arguments.number("time-limit", 0) > 0) return {};
  return fail(ErrorCode::usage, "--time-limit", "a limit of 0 s ends before the first fit",
              "allow more, or leave it out");
}

Result<void> save(const CrossValidation& search, const Arguments& arguments, const Voice& voice) {
  const std::string file = arguments.text("output");
  if (file.empty() || !search.model) return {};
  Model model = *search.model;
  model.reading = reading_of(*read_options(arguments));
  const std::string place = interrupt::asked() ? file + ".partial" : file;
  if (Result<void> saved = model.save(place); !saved) return saved;
  voice.note(fmt::format("saved {}", place));
  return {};
}

void tell(const CrossValidation& search, const Arguments& arguments, const Voice& voice) {
  for (const std::string& note : search.notes) voice.note(note);
  if (search.resumed > 0) voice.note(fmt::format("{} fits were there already", search.resumed));
  if (search.stopped.empty()) return;
  voice.note(
      fmt::format("stopped {}: no point was chosen{}{}",
                  search.stopped == "time limit" ? "by the time limit" : "when it was interrupted",
                  arguments.has("output") ? ", and nothing was saved" : "",
                  arguments.has("resume") ? "; the same command goes on" : "; --resume FILE would keep the fits"));
}

// A search that was stopped is an answer; without the model that was asked for it is a failure, and so is a point
// without one.
int outcome_of(const CrossValidation& search, const Arguments& arguments, const Voice& voice) {
  if (interrupt::asked()) return interrupt::exit_code();
  if (!search.stopped.empty()) return arguments.has("output") ? 1 : 0;
  if (search.model && search.model->certificate.verdict == Verdict::refuted) return 4;
  return status_of(search.points, voice);
}

Result<CrossValidation> searched(const Arguments& arguments, const ModelInfo& model, const Voice& voice) {
  auto options = fit_options(model, without_own_flags(arguments, own_flags()));
  if (!options) return std::unexpected(options.error());
  const auto how = search_options(model.word, arguments);
  if (!how) return std::unexpected(how.error());
  const auto data = read_data(arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(explained_stop(data.error(), arguments, "point"));
  tell_findings(*data, arguments, voice);
  double points = 1;
  for (const GridAxis& axis : how->grid) points *= static_cast<double>(axis.values.size());
  ProgressLine progress(voice, points * static_cast<double>(how->splits.folds), "fits");
  return cross_validate(model.word, *data, *options, *how, progress.watch());
}

Result<int> run_cv(const Arguments& arguments) {
  const Voice voice(arguments);
  const auto model = known_model(arguments.word(0));
  if (!model) return std::unexpected(model.error());
  const std::string source = arguments.word(1), record = arguments.text("resume");
  if (Result<void> good = check_time_limit(arguments); !good) return std::unexpected(good.error());
  if (Result<void> good = spare(arguments.text("output"), {source, record}); !good)
    return std::unexpected(good.error());
  if (Result<void> good = spare(record, {source}, "--resume"); !good) return std::unexpected(good.error());
  if (Result<void> good = check_plot(arguments, {source, record}); !good) return std::unexpected(good.error());
  const interrupt::Deferred kept;
  const auto search = searched(arguments, **model, voice);
  if (!search) return std::unexpected(explained_stop(search.error(), arguments, "point"));
  tell(*search, arguments, voice);
  if (Result<void> saved = save(*search, arguments, voice); !saved) return std::unexpected(saved.error());
  if (arguments.has("plot") && !interrupt::asked())
    if (Result<void> drawn = write_picture(cross_validation_picture(*search), arguments.text("plot"), voice); !drawn)
      return std::unexpected(drawn.error());
  return show(cv_document(*search, source), voice, 0, outcome_of(*search, arguments, voice));
}

FlagGroup parameter_flags_of_cv() {
  FlagGroup group{"Parameters of the models", model_flags("")};
  const std::vector<FlagInfo> cv_flags = own_flags();
  std::erase_if(group.flags, [&](const FlagInfo& flag) {
    return std::ranges::any_of(cv_flags, [&](const FlagInfo& other) { return other.name == flag.name; });
  });
  return group;
}

FlagGroup fitting_flags_of_cv() {
  FlagGroup group = option_group(Heading::fitting, command::kCv);
  for (FlagInfo& flag : option_group(Heading::errors, command::kCv).flags) group.flags.push_back(std::move(flag));
  return group;
}

} // namespace

CommandInfo cv_command() {
  FlagGroup output = output_flags();
  output.flags.insert(output.flags.begin(), {.name = "output",
                                             .kind = FlagKind::file,
                                             .value = "FILE",
                                             .summary = "save the chosen point, fitted to all rows",
                                             .letter = 'o'});
  output.flags.push_back(plot_flag());
  return {
      .name = "cv",
      .summary = "any model over a grid of its parameters, judged by rows left out",
      .examples = {{"recta cv ridge housing --grid lambda=1e-4..1e2:log:20 --grid degree=1,2 -o m.recta",
                    "the best of 40 combinations, fitted to all rows"},
                   {"recta cv logistic train.csv --target c --grid lambda=1e-6..1:log:9 --score accuracy,log_loss",
                    "two classes, chosen by accuracy"},
                   {"recta cv lasso train.csv --target y --grid lambda=1e-3..10:log:30 --one-standard-error",
                    "the simplest as good as the best"},
                   {"recta cv logistic films.csv --label-set genres --grid lambda=1e-4..1:log:5 --score micro_f1",
                    "rows with several labels"},
                   {"recta cv linear visits.csv --target cost --groups patient --repeats 10",
                    "no patient on both sides of a split"},
                   {"recta cv huber train.csv --target y --grid delta=1..9:linear:5 --resume search.jsonl",
                    "go on after an interruption"}},
      .words = {{"MODEL", WordKind::model}, {"DATA", WordKind::data}},
      .groups = {search_flags(),
                 {"How rows are left out", split_kind_flags()},
                 parameter_flags_of_cv(),
                 option_group(Heading::columns, command::kCv),
                 option_group(Heading::labels, command::kCv),
                 option_group(Heading::maps, command::kCv),
                 option_group(Heading::text, command::kCv),
                 fitting_flags_of_cv(),
                 output,
                 reading_flags()},
      .notes =
          "Everything is learned from the rows trained on: levels, fill-in values, knots, means, components. A grid\n"
          "may have every parameter of the model, and options such as poly (degree), basis, standardise and missing;\n"
          "docs/options.md marks them. A point that cannot be fitted says why, the others go on, and the exit code is\n"
          "1. docs/cross_validation.md has the rest.",
      .run = run_cv};
}

} // namespace recta::cli
