// recta curve: what a model gains from more rows.
#include "curve_over.hpp"
#include "fitting.hpp"
#include "input.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "text_flags.hpp"

#include <recta/learning_curve.hpp>

#include <fmt/format.h>

namespace recta::cli {
namespace {

Result<LearningOptions> learning_options(const Arguments& arguments) {
  LearningOptions how;
  for (const std::string& text : arguments.list("shares")) {
    double share = 0;
    if (!parse_number(text, share))
      return fail(ErrorCode::usage, "--shares", fmt::format("\"{}\" is not a number", text), "write 0.1,0.5,1");
    how.shares.push_back(share);
  }
  how.folds = arguments.count("folds", how.folds);
  how.seed = static_cast<std::uint64_t>(arguments.count("seed", 0));
  return how;
}

report::Document curve_document(const LearningCurve& curve, const std::string& source) {
  report::Table table{.columns = {{"rows", "rows"},
                                  {"training", curve.measure + ", trained on"},
                                  {"training_standard_error", "standard error"},
                                  {"left_out", curve.measure + ", left out"},
                                  {"left_out_standard_error", "standard error"},
                                  {"fold_training"},
                                  {"fold_left_out"}}};
  for (const LearningPoint& p : curve.points)
    table.rows.push_back({p.rows, p.training, p.training_standard_error, p.left_out, p.left_out_standard_error,
                          p.fold_training, p.fold_left_out});
  const auto points = shared(std::move(table));
  return {{{"schema", "recta/curve/1"},
           {"model", curve.word},
           {"source", source},
           {"target", curve.target},
           {"measure", curve.measure},
           {"rows", curve.rows},
           {"points", points}},
          {{report::Sentence{"curve.title",
                             {{"model", curve.word},
                              {"target", curve.target},
                              {"source", source},
                              {"rows", curve.rows},
                              {"folds", curve.points[0].fold_left_out.size()}}}},
           {report::Shown{points}}}};
}

Result<int> run_curve(const Arguments& arguments) {
  const Voice voice(arguments);
  const std::string word = arguments.word(0), source = arguments.word(1);
  const auto model_info = known_model(word);
  if (!model_info) return std::unexpected(model_info.error());
  const auto options = fit_options(**model_info, arguments);
  if (!options) return std::unexpected(options.error());
  const auto how = learning_options(arguments);
  if (!how) return std::unexpected(how.error());
  if (Result<void> good = check_over_flags(arguments); !good) return std::unexpected(good.error());
  if (Result<void> good = check_plot(arguments, {source}); !good) return std::unexpected(good.error());
  const auto data = read_data(source, arguments, voice);
  if (!data) return std::unexpected(data.error());
  if (over_parameter(arguments)) return run_curve_over(*data, *options, arguments, voice);
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  const auto curve = learning_curve(word, *data, *options, *how, progress.watch());
  if (!curve) return std::unexpected(explained_stop(curve.error(), arguments, "curve"));
  if (arguments.has("plot"))
    if (Result<void> drawn = write_picture(learning_picture(*curve), arguments.text("plot"), voice); !drawn)
      return std::unexpected(drawn.error());
  return show(curve_document(*curve, source), voice);
}

FlagGroup curve_flags() {
  FlagGroup group{"The curve",
                  {{.name = "shares",
                    .kind = FlagKind::text,
                    .value = "S,...",
                    .summary = "of the rows not left out, trained on",
                    .initial = "0.1,0.2,...,1"},
                   {.name = "folds",
                    .kind = FlagKind::count,
                    .value = "K",
                    .summary = "number of folds; every row is left out once",
                    .lowest = 2,
                    .highest = 1e6,
                    .initial = "5"}}};
  for (FlagInfo& flag : over_flags()) group.flags.push_back(std::move(flag));
  return group;
}

} // namespace

CommandInfo curve_command() {
  FlagGroup output = output_flags();
  output.flags.push_back(plot_flag());
  return {
      .name = "curve",
      .summary = "the error on rows trained on and on rows left out, as rows are added or over a parameter",
      .examples = {{"recta curve ridge housing --lambda 0.1", "does it gain from more rows, or from a simpler model?"},
                   {"recta curve logistic train.csv --target c --folds 10 --plot curve.svg", "of classes: error rates"},
                   {"recta curve knn iris --over k=1..25 --score log_loss", "a validation curve over a parameter"},
                   {"recta curve linear norris --over degree=1..8 --bias-variance --plot bv.svg",
                    "bias falls and variance grows"}},
      .words = {{"MODEL", WordKind::model}, {"DATA", WordKind::data}},
      .groups = {curve_flags(),
                 {"Parameters of the models", model_flags("")},
                 option_group(Heading::columns, command::kCurve),
                 option_group(Heading::maps, command::kCurve),
                 option_group(Heading::text, command::kCurve),
                 option_group(Heading::fitting, command::kCurve),
                 output,
                 reading_flags()},
      .notes =
          "Two curves that meet high up: the model is too simple, and more rows will not help. One low and\n"
          "one high: the model learns its rows by heart; more rows, a stronger penalty or fewer features will help.\n"
          "Over the strength of a penalty, along one path: recta path MODEL DATA --folds 10 --plot-kind errors.",
      .run = run_curve};
}

} // namespace recta::cli
