// recta verify: the proof again, from the model file and the training data alone.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "report.hpp"

#include <recta/foreign.hpp>

#include <fmt/format.h>

namespace recta::cli {

namespace {

Result<Certificate> recompute(const Model& model, const Arguments& arguments, const Voice& voice) {
  const std::string path = arguments.word(1);
  if (arguments.has("stream")) {
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
  return verify(model, *data, progress.watch());
}

int exit_code(const Certificate& certificate, bool strict) {
  return certificate.verdict == Verdict::refuted || (strict && !certificate.reaches_tolerance()) ? 4 : 0;
}

void proof_value(Json& json, const ForeignProof& proof) {
  json.object().field("name", proof.name).field("proved", proof.proved()).field("objective", proof.objective);
  json.field("optimum_lower", proof.optimum_lower).field("optimum_upper", proof.optimum_upper);
  json.field("optimum_proved", proof.optimum_proved).field("gap", proof.gap());
  json.field("relative_gap", proof.relative_gap()).field("null_objective", proof.null_objective);
  json.field("tolerance", proof.tolerance).list("conditions", proof.conditions);
  json.field("sentence", proof.sentence()).end();
}

// A model of libsvm or liblinear: how far it is from the optimum of its own objective.
Result<int> verify_theirs(const Arguments& arguments, const Voice& voice) {
  for (const char* flag : {"stream", "holdout"})
    if (arguments.has(flag))
      return fail(ErrorCode::usage, std::string("--") + flag, "it has no meaning for a model of another program",
                  "give the rows of its training as a file");
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
  Result<Output> out = Output::to_standard_output();
  if (voice.json) {
    Json json;
    json.object().field("schema", "recta/verify/1").field("model", model->type).field("file", arguments.word(0));
    json.field("source", arguments.word(1)).field("program", model->program).key("foreign");
    proof_value(json, *proof);
    *out << json.end().text();
  } else {
    *out << proof->sentence() + "\n";
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return arguments.has("strict") && !proof->proved() ? 4 : 0;
}

// Flags that only a model of another program takes.
std::vector<FlagInfo> foreign_flags() {
  const auto number = [](const char* name, const char* summary, const char* initial) {
    return FlagInfo{.name = name, .kind = FlagKind::number, .value = "NUM", .summary = summary, .initial = initial};
  };
  return {number("C", "of its training", "as its coefficients show it, else 1"),
          number("epsilon", "half the width of the tube", "0.1"),
          number("nu", "the share of rows beyond the margin", "as its coefficients show it, else 0.5"),
          number("tolerance", "proof enough, in units of the objective of w = 0", "1e-6"),
          {.name = "target",
           .kind = FlagKind::columns,
           .value = "COL",
           .summary = "the column of labels or numbers",
           .initial = "a built-in set's own, the label of LIBSVM"},
          {.name = "ignore", .kind = FlagKind::columns, .value = "COL,...", .summary = "columns that are not read"}};
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
  Result<Certificate> certificate = recompute(*model, arguments, voice);
  if (!certificate) return std::unexpected(certificate.error());
  Result<Output> out = Output::to_standard_output();
  if (voice.json) {
    Json json;
    json.object().field("schema", "recta/verify/1").field("model", model->word).field("file", arguments.word(0));
    json.field("source", arguments.word(1)).field("holds", certificate->verdict != Verdict::refuted);
    json.key("certificate");
    certificate_value(json, *certificate);
    json.key("stored");
    certificate_value(json, model->certificate);
    *out << json.end().text();
  } else {
    *out << certificate->sentence() + "\n";
  }
  if (Result<void> written = out->finish(); !written) return std::unexpected(written.error());
  return exit_code(*certificate, arguments.has("strict"));
}

} // namespace

CommandInfo verify_command() {
  std::vector<FlagInfo> flags = {{.name = "stream", .summary = "in memory that does not grow with the rows"},
                                 {.name = "strict", .summary = "exit 4 also when the tolerance is not reached"}};
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
