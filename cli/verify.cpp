// recta verify: the proof again, from the model file and the training data alone.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"

#include <recta/decide.hpp>
#include <recta/foreign.hpp>
#include <recta/split.hpp>
#include <recta/verify.hpp>

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {

namespace {

Result<Certificate> recompute(const Model& model, const Arguments& arguments, const Voice& voice) {
  const std::string path = arguments.word(1);
  if (arguments.has("stream")) {
    if (arguments.has("calibrated-on"))
      return fail(ErrorCode::usage, "--calibrated-on", "a calibration is not verified by rows that stream past",
                  "leave out --stream");
    if (arguments.number("holdout", 0) > 0) {
      return fail(ErrorCode::usage, "--holdout", "rows that stream past cannot be set aside", "leave out --stream");
    }
    Result<ReadOptions> options = read_options_for(model, Use::all, arguments);
    if (!options) return std::unexpected(options.error());
    ProgressLine progress(voice, static_cast<double>(file_size(path)), "bytes");
    Result<Certificate> certificate = verify_stream(model, path, *options, progress.watch());
    if (!certificate && certificate.error().code == ErrorCode::bad_data && model.holdout.share > 0) {
      Error error = certificate.error();
      error.advice =
          fmt::format("the fit set rows aside (--holdout {} --seed {}): leave out --stream, so that they are "
                      "set aside again",
                      model.holdout.share, model.holdout.seed);
      return std::unexpected(error);
    }
    return certificate;
  }
  Result<Dataset> all = read_data_for(model, Use::all, path, arguments, voice);
  if (!all) return std::unexpected(all.error());
  Result<Dataset> data = training_rows(std::move(*all), model, arguments);
  if (!data) return std::unexpected(data.error());
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  if (!arguments.has("calibrated-on")) return verify(model, *data, progress.watch());
  Result<Dataset> others = read_data_for(model, Use::all, arguments.text("calibrated-on"), arguments, voice);
  if (!others) return std::unexpected(others.error());
  return verify_calibrated(model, *data, *others, progress.watch());
}

// The rows that the rule of a decision was chosen on: as named, or those that the fit set aside.
Result<Dataset> rows_of_decision(const Model& model, const Arguments& arguments, const Voice& voice) {
  if (arguments.has("decided-on"))
    return read_data_for(model, Use::all, arguments.text("decided-on"), arguments, voice);
  if (model.holdout.share > 0 && !arguments.has("stream")) {
    Result<Dataset> all = read_data_for(model, Use::all, arguments.word(1), arguments, voice);
    if (!all) return all;
    if (Result<Dataset> left_out = held_out_rows(model, *all); left_out && left_out->rows == model.decision.rows)
      return left_out;
  }
  return fail(ErrorCode::bad_data, arguments.word(0),
              fmt::format("its rule of decision, {}, was chosen on {} other rows, and only they prove it",
                          model.decision.aim, model.decision.rows),
              "name their file: --decided-on FILE");
}

// The rule is chosen once more, and must be the one of the file with the same figures.
Result<void> check_decision(const Model& model, const Arguments& arguments, const Voice& voice) {
  const Decision& stated = model.decision;
  if (stated.aim.empty()) return {};
  const Result<Dataset> rows = rows_of_decision(model, arguments, voice);
  if (!rows) return std::unexpected(rows.error());
  const int threads = static_cast<int>(arguments.count("threads", 0));
  const Result<Decision> again = stated.costs.empty() ? choose_decision(model, *rows, stated.aim, threads)
                                                      : choose_decision(model, *rows, Costs{stated.costs}, threads);
  if (!again) return std::unexpected(again.error());
  std::vector<std::string> differences;
  const auto compare = [&](const char* name, double kept, double found) {
    if (kept == found || (std::isnan(kept) && std::isnan(found)) || std::abs(kept - found) <= 1e-9 * std::abs(found))
      return;
    differences.push_back(fmt::format("{} {} in the file, {} by the rows", name, kept, found));
  };
  if (stated.aim != again->aim)
    differences.push_back(fmt::format("the aim \"{}\" in the file, \"{}\" by its costs", stated.aim, again->aim));
  compare("the threshold", stated.threshold, again->threshold);
  compare("rows", static_cast<double>(stated.rows), static_cast<double>(again->rows));
  compare("precision", stated.precision, again->precision);
  compare("recall", stated.recall, again->recall);
  compare("specificity", stated.specificity, again->specificity);
  compare("accuracy", stated.accuracy, again->accuracy);
  compare("the value of the aim", stated.value, again->value);
  if (differences.empty()) return {};
  return fail(ErrorCode::refuted, arguments.word(0),
              fmt::format("its rule of decision is not that of these rows: {}", fmt::join(differences, ", ")),
              "choose it again: recta threshold");
}

int exit_code(const Certificate& certificate, bool strict) {
  return certificate.verdict == Verdict::refuted || (strict && !certificate.reaches_tolerance()) ? 4 : 0;
}

report::Group proof_data(const ForeignProof& proof) {
  return {{"name", proof.name},
          {"proved", proof.proved()},
          {"objective", proof.objective},
          {"optimum_lower", proof.optimum_lower},
          {"optimum_upper", proof.optimum_upper},
          {"optimum_proved", proof.optimum_proved},
          {"gap", proof.gap()},
          {"relative_gap", proof.relative_gap()},
          {"null_objective", proof.null_objective},
          {"tolerance", proof.tolerance},
          {"conditions", proof.conditions},
          {"sentence", proof.sentence()}};
}

// A model of libsvm or liblinear: how far it is from the optimum of its own objective.
Result<int> verify_theirs(const Arguments& arguments, const Voice& voice) {
  for (const char* flag : {"stream", "holdout"})
    if (arguments.has(flag))
      return fail(ErrorCode::usage, std::string("--") + flag, "it does not apply to a model of another program",
                  "give its training rows as a file");
  const auto model = read_foreign(arguments.word(0));
  if (!model) return std::unexpected(model.error());
  const auto data = read_data(arguments.word(1), arguments, voice);
  if (!data) return std::unexpected(data.error());
  ForeignOptions options;
  options.c = arguments.number("C", options.c);
  options.epsilon = arguments.number("epsilon", options.epsilon);
  options.nu = arguments.number("nu", options.nu);
  options.tolerance = arguments.number("tolerance", options.tolerance);
  if (arguments.has("target")) options.target = arguments.text("target");
  options.ignore = arguments.list("ignore");
  options.threads = static_cast<int>(arguments.count("threads", 0));
  ProgressLine progress(voice, static_cast<double>(data->rows), "rows");
  const auto proof = verify_foreign(*model, *data, options, progress.watch());
  if (!proof) return std::unexpected(proof.error());
  const report::Document out{{{"schema", "recta/verify/1"},
                              {"model", model->type},
                              {"file", arguments.word(0)},
                              {"source", arguments.word(1)},
                              {"program", model->program},
                              {"foreign", proof_data(*proof)}},
                             {{report::said(proof->sentence())}}};
  return show(out, voice, 0, arguments.has("strict") && !proof->proved() ? 4 : 0);
}

// Flags that only a model of another program takes.
std::vector<FlagInfo> foreign_flags() {
  const auto number = [](const char* name, const char* summary, const char* initial) {
    return FlagInfo{.name = name, .kind = FlagKind::number, .value = "NUM", .summary = summary, .initial = initial};
  };
  return {number("C", "of its training", "as its coefficients show it, else 1"),
          number("epsilon", "half the width of the tube", "0.1"),
          number("nu", "the share of rows beyond the margin", "as its coefficients show it, else 0.5"),
          number("tolerance", "tolerance of the proof, in units of the objective at w = 0", "1e-6"),
          {.name = "target",
           .kind = FlagKind::columns,
           .value = "COL",
           .summary = "the column of labels or numbers",
           .initial = "a built-in set's own, the label of LIBSVM"},
          {.name = "ignore", .kind = FlagKind::columns, .value = "COL,...", .summary = "columns to leave out"}};
}

Result<int> run_verify(const Arguments& arguments) {
  const Voice voice(arguments);
  if (is_foreign_model(arguments.word(0))) return verify_theirs(arguments, voice);
  for (const FlagInfo& flag : foreign_flags())
    if (arguments.has(flag.name))
      return fail(ErrorCode::usage, "--" + flag.name, "it belongs to models of libsvm and liblinear",
                  "leave it out: the model says it");
  Result<Model> model = load_model(arguments.word(0), voice);
  if (!model) return std::unexpected(model.error());
  if (Result<void> good = check_file(arguments.word(0), *model); !good) return std::unexpected(good.error());
  Result<Certificate> certificate = recompute(*model, arguments, voice);
  if (!certificate) return std::unexpected(certificate.error());
  if (certificate->verdict != Verdict::refuted)
    if (Result<void> good = check_decision(*model, arguments, voice); !good) return std::unexpected(good.error());
  const report::Document out{{{"schema", "recta/verify/1"},
                              {"model", model->word},
                              {"file", arguments.word(0)},
                              {"source", arguments.word(1)},
                              {"holds", certificate->verdict != Verdict::refuted},
                              {"certificate", report::data_of(*certificate)},
                              {"stored", report::data_of(model->certificate)}},
                             {{report::sentence_of(*certificate)}}};
  return show(out, voice, 0, exit_code(*certificate, arguments.has("strict")));
}

} // namespace

CommandInfo verify_command() {
  std::vector<FlagInfo> flags = {
      {.name = "stream", .summary = "in memory that does not grow with the rows"},
      {.name = "strict", .summary = "exit 4 also when the tolerance is not reached"},
      {.name = "decided-on",
       .kind = FlagKind::file,
       .value = "FILE",
       .summary = "the rows that recta threshold chose the model's rule of decision on"},
      {.name = "calibrated-on",
       .kind = FlagKind::file,
       .value = "FILE",
       .summary = "the rows that recta calibrate learned from, if the model was trained on others"}};
  for (FlagInfo& flag : split_flags()) {
    flag.initial = "that of the fit";
    flags.push_back(std::move(flag));
  }
  flags.push_back(threads_flag());
  return {.name = "verify",
          .summary = "recompute the proof from the model and its training data",
          .examples = {{"recta verify m.recta train.csv", "exit 0: the claim holds; 4: it does not; 3: other data"},
                       {"recta verify m.recta big.csv --stream", "in memory that does not grow"},
                       {"recta verify their.model train.libsvm --C 10", "a model of libsvm or liblinear"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {{"Checking", flags},
                     {"A model of libsvm or liblinear", foreign_flags()},
                     output_flags(),
                     reading_flags()},
          .notes = {},
          .run = run_verify};
}

} // namespace recta::cli
