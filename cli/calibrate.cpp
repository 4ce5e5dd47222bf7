// recta calibrate: probabilities that agree with how often the classes occur, for any classifier.
#include "fitting.hpp"
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"

#include <recta/split.hpp>

#include <fmt/format.h>

namespace recta::cli {

namespace {

struct Calibrated {
  Model model;
  std::string source, rows; // the file, and which of its rows
};

// Rows that the fit set aside are the ones to learn from; otherwise all rows of the file are.
Result<Calibrated> calibrated_model(const Model& model, const Arguments& arguments, const Voice& voice) {
  const Result<CalibrateOptions> how = calibrate_options(arguments);
  if (!how) return std::unexpected(how.error());
  Result<Dataset> data = read_data_for(model, Use::all, arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  std::string rows = "all rows";
  if (model.holdout.share > 0)
    if (Result<Dataset> left_out = held_out_rows(model, *data); left_out) {
      data = std::move(left_out);
      rows = fmt::format("the rows that the fit set aside, --holdout {} --seed {}", model.holdout.share,
                         model.holdout.seed);
    }
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  Result<Model> out = calibrate(model, *data, *how, progress.watch());
  if (!out) return std::unexpected(out.error());
  progress.clear();
  return Calibrated{std::move(*out), data->source, rows};
}

report::Document calibrate_document(const Calibrated& done, const std::string& file) {
  const FitSummary& summary = done.model.body->summary();
  report::ModelParts parts = report::parts_of(done.model);
  report::Document out{{{"schema", "recta/calibrate/1"}, {"method", summary.solver}}, {}};
  out.data.add(std::move(parts.data));
  out.data.add({{"source", done.source}, {"calibrated_on", done.rows}, {"file", report::or_null(file)}});
  out.page.push_back({report::Heading{
      {"calibrate.title",
       {{"method", summary.solver}, {"model", done.model.word}, {"source", done.source}, {"rows", done.rows}}}}});
  append(out.page, std::move(parts.learned));
  append(out.page, std::move(parts.quality));
  out.page.push_back({report::Sentence{"solver", {{"name", summary.solver}, {"reason", summary.reason}}}});
  out.page.push_back({report::sentence_of(done.model.certificate)});
  return out;
}

Result<int> run_calibrate(const Arguments& arguments) {
  const Voice voice(arguments);
  const std::string file = arguments.text("output");
  if (Result<void> good = spare(file, arguments.words); !good) return std::unexpected(good.error());
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  Result<Calibrated> done = calibrated_model(*model, arguments, voice);
  if (!done) return std::unexpected(done.error());
  if (!file.empty()) {
    if (Result<void> saved = done->model.save(file); !saved) return std::unexpected(saved.error());
    voice.note(fmt::format("saved {}", file));
  }
  const int code = arguments.has("strict") && !done->model.certificate.reaches_tolerance() ? 4 : 0;
  return show(calibrate_document(*done, file), voice, top_of(arguments), code);
}

} // namespace

Result<CalibrateOptions> calibrate_options(const Arguments& arguments, const std::string& flag) {
  const Result<Calibrator> method = calibrator_of(arguments.text(flag, "platt"));
  if (!method) return std::unexpected(method.error());
  return CalibrateOptions{.method = *method,
                          .folds = arguments.count("folds", 5),
                          .seed = static_cast<std::uint64_t>(arguments.count("seed", 0)),
                          .threads = static_cast<int>(arguments.count("threads", 0))};
}

namespace {

FlagInfo folds_flag() {
  return {.name = "folds",
          .kind = FlagKind::count,
          .value = "K",
          .summary = "refits, each of which scores the rows that it has not seen",
          .lowest = 2,
          .highest = 100,
          .initial = "5"};
}

} // namespace

Result<void> check_calibration_flags(const Arguments& arguments) {
  if (arguments.has("folds") && !arguments.has("calibrate"))
    return fail(ErrorCode::usage, "--folds", "a fit has no folds", "add --calibrate, or use recta cv");
  if (arguments.has("stream") && arguments.has("calibrate"))
    return fail(ErrorCode::usage, "--calibrate --stream",
                "refits read the rows again, and streamed rows can be read only once", "leave out --stream");
  return {};
}

Result<Model> fitted_model(const Arguments& arguments, const Dataset& data, const FitOptions& options,
                           const Watch& watch) {
  if (!arguments.has("calibrate")) return fit(arguments.word(0), data, options, watch);
  const Result<CalibrateOptions> how = calibrate_options(arguments, "calibrate");
  if (!how) return std::unexpected(how.error());
  return fit_calibrated(arguments.word(0), data, options, *how, watch);
}

FlagGroup calibration_flags() {
  return {"Calibration",
          {{.name = "calibrate",
            .kind = FlagKind::choice,
            .value = "WORD",
            .summary = "probabilities that agree with how often the classes occur, by refits in folds",
            .choices = calibrator_words()},
           folds_flag()}};
}

CommandInfo calibrate_command() {
  FlagGroup output = output_flags();
  output.flags.insert(
      output.flags.begin(),
      {.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "save the model", .letter = 'o'});
  add_length_flags(output);
  FlagInfo seed{.name = "seed",
                .kind = FlagKind::count,
                .value = "N",
                .summary = "of the folds",
                .lowest = 0,
                .highest = 9007199254740992,
                .initial = "0"};
  return {
      .name = "calibrate",
      .summary = "give a classifier probabilities that agree with how often its classes occur",
      .examples = {{"recta calibrate m.recta other.csv -o calibrated.recta", "on rows that the fit has not seen"},
                   {"recta calibrate m.recta train.csv -o calibrated.recta",
                    "on the rows of the fit, by refits in folds"},
                   {"recta calibrate m.recta other.csv --method isotonic",
                    "any rising map, not a curve of two numbers"},
                   {"recta fit svm train.csv --target y --calibrate platt -o m.recta", "both at once"}},
      .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
      .groups = {{"Calibrating",
                  {{.name = "method",
                    .kind = FlagKind::choice,
                    .value = "WORD",
                    .summary = "a logistic curve of the scores, any rising map, one factor of the scores, or a curve "
                               "of the probabilities",
                    .choices = calibrator_words(),
                    .initial = "platt"},
                   folds_flag(),
                   seed,
                   {.name = "strict", .summary = "exit 4 if any part of it is not proved"},
                   threads_flag()}},
                 output,
                 reading_flags()},
      .notes = "Rows that the fit set aside (--holdout) are found in the file and used. Rows that the model was\n"
               "trained on are scored by refits, which have not seen them. docs/calibration.md compares the methods.",
      .run = run_calibrate};
}

} // namespace recta::cli
