// recta check: the data doctor; with --separable, whether a hyperplane separates two classes.
#include "fitting.hpp"
#include "input.hpp"
#include "output.hpp"
#include "separable.hpp"
#include "table.hpp"

#include <chrono>
#include <fmt/format.h>

namespace recta::cli {

namespace {

// Flags that the question of separability adds.
FlagGroup separable_flags() {
  FlagGroup group{
      "Separability of two classes",
      {{.name = "separable", .summary = "whether a hyperplane separates them, and the proof"},
       option_flag("positive", "the class on the positive side; with more than two classes it is set against the rest",
                   "the second of two; with more, each in turn"),
       option_flag("intercept", "only hyperplanes through the origin", ""),
       option_flag("missing", "rows with missing values", "refuse")}};
  group.flags.back().choices = {"refuse", "drop", "mean", "indicator"};
  for (FlagInfo& flag : option_group(Heading::maps, command::kEvery).flags) group.flags.push_back(std::move(flag));
  return group;
}

Result<int> run_separable(const Dataset& data, const FitOptions& options, const Arguments& arguments,
                          const Voice& voice) {
  const interrupt::Deferred deferred;
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  Result<std::vector<Separability>> separability = class_separability(data, options, progress.watch());
  if (!separability) return std::unexpected(separability.error());
  SeparableAnswers answers{*std::move(separability)};
  if (answers.classes.size() > 1) {
    Result<std::vector<Separability>> pairs = pair_separability(data, options, progress.watch());
    if (!pairs) return std::unexpected(pairs.error());
    answers.pairs = *std::move(pairs);
  }
  progress.clear();
  return show(separable_document(answers), voice, top_of(arguments));
}

Result<int> run_check(const Arguments& arguments) {
  const Voice voice(arguments);
  if (!arguments.has("separable"))
    for (const FlagInfo& flag : separable_flags().flags)
      if (arguments.has(flag.name))
        return fail(ErrorCode::usage, "--" + flag.name, "it applies only to the question of separability",
                    "add --separable");
  const auto begin = std::chrono::steady_clock::now();
  Result<Dataset> data = read_data(arguments.word(0), arguments, voice);
  if (!data) return std::unexpected(data.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const Result<FitOptions> options = given_options(arguments);
  if (!options) return std::unexpected(options.error());
  if (arguments.has("separable")) return run_separable(*data, *options, arguments, voice);
  Result<Checkup> checkup = check(*data, *options);
  if (!checkup) return std::unexpected(checkup.error());
  const std::vector<std::string> findings = findings_of(*data, arguments);
  checkup->advice.insert(checkup->advice.begin(), findings.begin(), findings.end());
  return show(report::document_of(*checkup, {data->source, note_of(data->notes, kIndicesNote), seconds}), voice,
              top_of(arguments));
}

} // namespace

CommandInfo check_command() {
  FlagGroup output = output_flags();
  add_length_flags(output);
  return {.name = "check",
          .summary = "the data doctor: what a fit will meet in a table",
          .examples = {{"recta check train.csv --target y", "types, missing, scales, near dependencies in words"},
                       {"recta check housing", "a built-in set"},
                       {"recta check points.csv --target y --separable", "can a hyperplane separate two classes?"},
                       {"recta check iris --target species --separable --positive Iris-setosa",
                        "one class from the rest, with its hyperplane"}},
          .words = {{"DATA", WordKind::data}},
          .groups = {{"Columns",
                      {option_flag("target", "not a feature", ""), option_flag("weights"),
                       option_flag("ignore", "not features", ""), threads_flag()}},
                     separable_flags(),
                     output,
                     reading_flags()},
          .notes = {},
          .run = run_check};
}

} // namespace recta::cli
