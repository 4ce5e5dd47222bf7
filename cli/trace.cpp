// recta trace: a descent step by step.
#include "fitting.hpp"
#include "input.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "text_flags.hpp"
#include "trace_plot.hpp"
#include "trace_settings.hpp"

#include <recta/curve.hpp>

#include <algorithm>

namespace recta::cli {
namespace {

Result<std::vector<TrainingCurve>> traced(const std::string& word, const Dataset& data, const FitOptions& options,
                                          Index every, const Watch& watch) {
  if (report::learns(word)) return class_training_curves(word, data, options, every, watch);
  Result<Trace> one_trace = trace(word, data, options, every, watch);
  if (!one_trace) return std::unexpected(one_trace.error());
  std::vector<TrainingCurve> out(1);
  out[0].trace = std::move(*one_trace);
  return out;
}

// The report, and the picture if one is asked for.
struct Told {
  report::Document document;
  std::vector<plot::Picture> pictures{};
};

Result<Told> tell_trace(const Dataset& data, const FitOptions& options, const Arguments& arguments,
                        const Voice& voice) {
  ProgressLine progress(voice, static_cast<double>(data.rows), "rows");
  const auto curves = traced(arguments.word(0), data, options, arguments.count("every", 1), progress.watch());
  progress.clear();
  if (!curves) return std::unexpected(curves.error());
  Result<Posteriors> posteriors = Posteriors{};
  if (arguments.has("posteriors")) posteriors = trace_posteriors((*curves)[0].trace, data, options);
  if (!posteriors) return std::unexpected(posteriors.error());
  Told out{report::trace_document(*curves, data.source, *posteriors, arguments.count("top", 8))};
  if (!arguments.has("plot")) return out;
  auto pictures = trace_pictures(*curves, data, options, arguments);
  if (!pictures) return std::unexpected(pictures.error());
  out.pictures = *std::move(pictures);
  return out;
}

Result<Told> tell_settings(const Dataset& data, const FitOptions& options, const Arguments& arguments,
                           const Voice& voice) {
  const auto settings = trace_settings(arguments.word(0), data, options, arguments, voice);
  if (!settings) return std::unexpected(settings.error());
  Told out{report::settings_document(*settings, arguments.count("top", 8))};
  if (!arguments.has("plot")) return out;
  auto pictures = setting_pictures(*settings);
  if (!pictures) return std::unexpected(pictures.error());
  out.pictures = *std::move(pictures);
  return out;
}

Result<int> run_trace(const Arguments& arguments) {
  const Voice voice(arguments);
  const auto model = known_model(arguments.word(0));
  if (!model) return std::unexpected(model.error());
  const std::string word = arguments.word(0);
  // A model without a descent is refused for that, not for the flags that it lacks.
  const bool descends = std::ranges::any_of((*model)->params, [](const ParamInfo& p) { return p.name == "steps"; });
  if (!report::learns(word) && !descends)
    if (auto refused = trace(word, Dataset(), FitOptions(), 1); !refused) return std::unexpected(refused.error());
  Result<FitOptions> options = fit_options(**model, arguments);
  if (!options) return std::unexpected(options.error());
  if (Result<void> good = check_plot(arguments, {arguments.word(1)}); !good) return std::unexpected(good.error());
  if (Result<void> good = check_trace_plot(arguments); !good) return std::unexpected(good.error());
  if (arguments.has("posteriors") && !(*model)->probabilities)
    return fail(ErrorCode::usage, "--posteriors", word + " has no probabilities of classes",
                "leave it out, or trace logistic or softmax");
  Result<Dataset> data = read_data(arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  const interrupt::Deferred kept;
  const auto told = arguments.has("beside") ? tell_settings(*data, *options, arguments, voice)
                                            : tell_trace(*data, *options, arguments, voice);
  if (!told) return std::unexpected(told.error());
  if (arguments.has("plot"))
    if (Result<void> drawn = write_pictures(told->pictures, arguments.text("plot"), voice); !drawn)
      return std::unexpected(drawn.error());
  return show(told->document, voice, 0, interrupt::asked() ? interrupt::exit_code() : 0);
}

FlagGroup tracing_flags() {
  return {"Tracing",
          {{.name = "every",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "show every N-th step, and the last",
            .lowest = 1,
            .highest = 1e15,
            .initial = "1"},
           {.name = "top",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "number of weights shown, from the first; 0 shows all",
            .lowest = 0,
            .highest = 1e9,
            .initial = "8"},
           {.name = "posteriors",
            .summary = "of logistic and softmax also P(class | row) of every row at every step shown"},
           option_flag("intercept"),
           option_flag("standardise", "descend on (x - mean) / sd", ""),
           option_flag("seed", "of a random start and of random orders", "0"),
           option_flag("time_limit", "stop after this many seconds", ""),
           threads_flag()}};
}

} // namespace

CommandInfo trace_command() {
  return {
      .name = "trace",
      .summary = "descend step by step and show every step",
      .examples = {{"recta trace linear housing --standardise --rate 0.1 --steps 10", "batch gradient descent"},
                   {"recta trace adaline train.csv --target y --rate 0.01 --passes 2", "one row at a time"},
                   {"recta trace linear train.csv --target y --reduction sum --rate 1e-4", "the summed form"},
                   {"recta trace linear norris --rate 1e-6 --plot way.svg", "the path over the contours of the cost"},
                   {"recta trace logistic two.csv --target y --solvers sgd,newton --plot ways.svg",
                    "the paths of three solvers"},
                   {"recta trace softmax two.csv --target y --rate 1 --steps 3 --posteriors --json",
                    "with the probabilities of every row's classes"},
                   {"recta trace perceptron points.csv --target y --plot curve.svg",
                    "every mistake, and the rows that were right"},
                   {"recta trace perceptron mixed.csv --target y --passes 9 --beside points.csv --json",
                    "three settings side by side, as data"},
                   {"recta trace perceptron iris --passes 9 --plot curves.svg", "each class against the rest"},
                   {"recta trace delta iris --positive Iris-setosa --steps 9", "one class against the rest"},
                   {"recta trace ridge train.csv --target y --solver sgd --batch 10 --seed 1 --json", ""}},
      .words = {{"MODEL", WordKind::model}, {"DATA", WordKind::data}},
      .groups = {{"Parameters of the models", model_flags("")},
                 option_group(Heading::columns, command::kTrace),
                 option_group(Heading::maps, command::kTrace),
                 option_group(Heading::text, command::kTrace),
                 tracing_flags(),
                 trace_plot_flags(),
                 output_flags(),
                 reading_flags()},
      .notes = "Cost and gradient are those of the objective over all rows, at the weights shown. Without a limit\n"
               "(--steps, --passes, --stop-move, --stop-gradient) there are 20 steps. docs/descent.md explains it all.",
      .run = run_trace};
}

} // namespace recta::cli
