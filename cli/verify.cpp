// recta verify: the proof again, from the model file and the training data alone.
#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"
#include "report.hpp"

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
    Result<Certificate> found = verify_stream(model, path, *options, progress.watch());
    if (!found && found.error().code == ErrorCode::bad_data && model.holdout.share > 0) {
      Error error = found.error();
      error.advice =
          fmt::format("the fit set rows aside (--holdout {} --seed {}): leave out --stream, so that they are "
                      "set aside again",
                      model.holdout.share, model.holdout.seed);
      return std::unexpected(error);
    }
    return found;
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

Result<int> run_verify(const Arguments& arguments) {
  const Voice voice(arguments);
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
                       {"recta verify m.recta big.csv --stream", "in memory that does not grow"}},
          .words = {{"FILE", WordKind::model_file}, {"DATA", WordKind::data}},
          .groups = {{"Checking", flags}, output_flags(), reading_flags()},
          .notes = {},
          .run = run_verify};
}

} // namespace recta::cli
