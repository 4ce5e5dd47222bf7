// recta fit: train a model and print it with its proof.
#include "engine.hpp"
#include "evaluation.hpp"
#include "fitting.hpp"
#include "input.hpp"
#include "missing_rows.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "table.hpp"
#include "text_flags.hpp"
#include "trace_plot.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace recta::cli {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Fitted {
  Model model;
  std::optional<Evaluation> held_out;
  std::string source;
  std::vector<std::string> notes;
  double seconds = 0, seconds_reading = 0;
  std::unique_ptr<interrupt::Deferred> kept; // from the start of the fit until the model is saved
  std::optional<Dataset> drawn{};            // the rows of the picture asked for
  Index rows = 0, held_out_rows = 0;         // before any was left out
  MissingRows missing{}, held_out_missing{}; // of the first under --missing drop
};

std::string kept_of_rows(const Model& model) {
  const auto info = std::ranges::find(models(), model.word, &ModelInfo::word);
  const std::uint64_t bytes = info == models().end() ? 0 : info->bytes_a_row;
  if (bytes == 0) return "";
  return fmt::format("{} streams its passes and keeps {} bytes of every row in memory, {} in all", model.word, bytes,
                     bytes_text(bytes * static_cast<std::uint64_t>(model.body->summary().rows)));
}

// Only for a file: standard input and pipes are read once, by the fit.
std::vector<std::string> stream_findings(const ReadOptions& read, const Arguments& arguments) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(arguments.word(1), unknown)) return {};
  const auto stream = open_stream(arguments.word(1), read);
  return stream ? findings_of((*stream)->header(), arguments) : std::vector<std::string>{};
}

Result<Fitted> fit_streamed(const Arguments& arguments, const FitOptions& options, const Voice& voice) {
  const std::string path = arguments.word(1);
  if (arguments.has("plot")) {
    return fail(ErrorCode::usage, "--plot", "rows that stream past cannot be drawn",
                "save the model with -o and draw a sample of rows with recta plot");
  }
  if (arguments.number("holdout", 0) > 0) {
    return fail(ErrorCode::usage, "--holdout", "rows that stream past cannot be set aside",
                path == "-" ? "save the data to a file first" : "leave out --stream");
  }
  Result<ReadOptions> read = read_options(arguments);
  if (!read) return std::unexpected(read.error());
  std::vector<std::string> notes = stream_findings(*read, arguments);
  ProgressLine progress(voice, static_cast<double>(file_size(path)), "bytes");
  auto kept = std::make_unique<interrupt::Deferred>();
  const Clock::time_point begin = Clock::now();
  Result<Model> model = fit_stream(arguments.word(0), path, *read, options, progress.watch());
  if (!model) return std::unexpected(model.error());
  if (path == "-" && model->certificate.passes > 1) // rows that stream past are seen once
    notes.emplace_back("standard input was held in memory: its columns had to be known before the fit");
  if (const std::string said = kept_of_rows(*model); !said.empty()) notes.push_back(said);
  progress.clear();
  for (const std::string& note : notes) voice.note(note);
  const Index rows = model->fingerprint.rows, used = model->body->summary().rows;
  const bool dropped = options.missing == Missing::drop && options.weights.empty(); // else some may have weight zero
  return Fitted{std::move(*model),
                {},
                path,
                std::move(notes),
                since(begin),
                0,
                std::move(kept),
                {},
                rows,
                0,
                {dropped ? rows - used : 0, {}},
                {}};
}

Result<Fitted> fit_elsewhere(const Arguments& arguments, const FitOptions& options) {
  const Clock::time_point begin = Clock::now();
  Result<Model> model = fit_by_engine(arguments, options);
  if (!model) return std::unexpected(model.error());
  Fitted fitted{std::move(*model), {}, arguments.word(1), {}, since(begin), 0, nullptr};
  fitted.rows = fitted.model.fingerprint.rows;
  return fitted;
}

Result<Fitted> fit_whole(const Arguments& arguments, const FitOptions& options, const Voice& voice) {
  const Clock::time_point begin = Clock::now();
  Result<Dataset> all = read_data(arguments.word(1), arguments, voice);
  if (!all) return std::unexpected(all.error());
  const double reading = since(begin);
  tell_findings(*all, arguments, voice);
  FitOptions left = options; // of the time
  if (options.time_limit > 0) left.time_limit = std::max(options.time_limit - reading, 1e-9);
  std::optional<Dataset> held_out;
  if (arguments.number("holdout", 0) > 0) {
    Result<Dataset> part = part_of(*all, arguments, Part::held_out);
    if (!part) return std::unexpected(part.error());
    held_out = std::move(*part);
  }
  Result<Dataset> train = part_of(std::move(*all), arguments, Part::train);
  if (!train) return std::unexpected(train.error());

  ProgressLine progress(voice, static_cast<double>(train->rows), "rows");
  auto kept = std::make_unique<interrupt::Deferred>();
  const Clock::time_point start = Clock::now();
  Result<Model> model = fitted_model(arguments, *train, left, progress.watch());
  if (!model) return std::unexpected(model.error());
  model->holdout = holdout_of(arguments);
  if (arguments.word(1) == "-") {
    train->notes.push_back(
        fmt::format("standard input was held in memory: {} reads the rows several times", model->word));
    progress.clear();
    voice.note(train->notes.back());
  }
  Fitted fitted{std::move(*model), {}, train->source, train->notes, since(start), reading, std::move(kept)};
  fitted.rows = train->rows;
  if (options.missing == Missing::drop) fitted.missing = missing_rows(fitted.model.schema, *train);
  if (held_out && !interrupt::asked()) {
    Result<Evaluation> evaluation = evaluate(fitted.model, *held_out);
    if (!evaluation) return std::unexpected(evaluation.error());
    fitted.held_out = std::move(*evaluation);
    fitted.held_out_rows = held_out->rows;
    fitted.held_out_missing = missing_rows(fitted.model.schema, *held_out);
  }
  if (arguments.has("plot")) fitted.drawn = std::move(*train);
  return fitted;
}

// Says where the numbers of sparse columns begin, and how that is known.
report::Sentence indices_line(const Fitted& fitted) {
  const std::string note = note_of(fitted.notes, kIndicesNote);
  const Index base = fitted.model.schema.sparse_base;
  return {"columns", {{"note", note.empty() ? fmt::format("{}{}", kIndicesNote, base) : note}}};
}

report::Sentence left_out_line(const LeftOut& left_out) {
  return {"left_out", {{"rows", left_out.sentence()}}};
}

void add_held_out(const Fitted& fitted, report::Document& out) {
  const LeftOut left_out{fitted.held_out_rows - fitted.held_out->rows, fitted.held_out_rows, fitted.held_out_missing};
  report::Document held_out = evaluation_of(fitted.model, *fitted.held_out);
  out.data.add("holdout", held_out.data.add("left_out", left_out.data()));
  report::Section& first = held_out.page.front();
  first.insert(first.begin(), report::Sentence{"held_out", {{"rows", fitted.held_out->rows}}});
  if (left_out.rows > 0) held_out.page.back().push_back(left_out_line(left_out));
  append(out.page, std::move(held_out.page));
}

report::Document fit_document(const Fitted& fitted, const std::string& file) {
  const Model& model = fitted.model;
  const LeftOut left_out{fitted.missing.rows, fitted.rows, fitted.missing};
  report::ModelParts parts = report::parts_of(model);
  report::Document out{{{"schema", "recta/fit/2"}}, {{report::Heading{report::title_of(model, fitted.source)}}}};
  out.data.add(std::move(parts.data));
  append(out.page, std::move(parts.learned));
  append(out.page, std::move(parts.quality));
  if (fitted.held_out) add_held_out(fitted, out);
  if (model.schema.sparse_cols > 0) parts.lines.push_back(indices_line(fitted));
  append(parts.lines, texts_lines(model.schema));
  if (left_out.rows > 0) parts.lines.push_back(left_out_line(left_out));
  const bool read = fitted.seconds_reading > 0;
  parts.lines.push_back(report::Sentence{
      "time", {{"fit", fitted.seconds}, {"reading", read ? report::Value(fitted.seconds_reading) : report::Value()}}});
  append(out.page, {std::move(parts.lines), {report::sentence_of(model.certificate)}});
  out.data.add({{"left_out", left_out.data()},
                {"texts", texts_data(model.schema)},
                {"source", fitted.source},
                {"notes", fitted.notes},
                {"file", report::or_null(file)},
                {"seconds", fitted.seconds},
                {"seconds_reading", fitted.seconds_reading}});
  return out;
}

// The exit code, 0, 4 or 130, and where the model is saved: an unfinished one does not replace an older, proven one.
struct Outcome {
  int code = 0;
  std::string file;
};

Outcome outcome_of(const Model& model, const Arguments& arguments) {
  const std::string file = arguments.text("output");
  const bool strict = arguments.has("strict");
  const Certificate& certificate = model.certificate;
  Outcome outcome{0, file};
  if (interrupt::asked()) outcome.code = interrupt::exit_code(); // also when what there was is already proven
  if (certificate.verdict == Verdict::refuted || (strict && !certificate.reaches_tolerance() && outcome.code == 0)) {
    outcome.code = 4;
  }
  if (outcome.code != 0 && !file.empty()) outcome.file += ".partial";
  return outcome;
}

// If no picture is asked for by name, a perceptron or a delta rule shows how it learned.
Result<std::vector<plot::Picture>> fit_pictures(const Model& model, const Dataset& data, const FitOptions& options,
                                                const std::string& kind) {
  if (report::learns(model.word) && (kind.empty() || kind == "curve")) {
    const auto curves = class_training_curves(model.word, data, options, 0);
    if (!curves) return std::unexpected(curves.error());
    return curve_pictures(*curves);
  }
  auto picture = plot::picture(model, data, kind);
  if (!picture) return std::unexpected(picture.error());
  return std::vector{*std::move(picture)};
}

Result<int> run_fit(const Arguments& arguments) {
  const Voice voice(arguments);
  const auto model = known_model(arguments.word(0));
  if (!model) return std::unexpected(model.error());
  Result<FitOptions> options = fit_options(**model, arguments);
  if (!options) return std::unexpected(options.error());
  if (Result<void> good = spare(arguments.text("output"), {arguments.word(1)}); !good) {
    return std::unexpected(good.error());
  }
  if (Result<void> good = check_calibration_flags(arguments); !good) return std::unexpected(good.error());
  if (Result<void> good = check_plot(arguments, {arguments.word(1)}); !good) return std::unexpected(good.error());
  const bool streamed =
      arguments.has("stream") || (arguments.word(1) == "-" && !(*model)->rereads && !arguments.has("calibrate"));
  Result<Fitted> fitted = arguments.has("engine") ? fit_elsewhere(arguments, *options)
                          : streamed              ? fit_streamed(arguments, *options, voice)
                                                  : fit_whole(arguments, *options, voice);
  if (!fitted) return std::unexpected(explained_stop(fitted.error(), arguments, "model"));

  fitted->model.reading = reading_of(*read_options(arguments));
  const Outcome outcome = outcome_of(fitted->model, arguments);
  if (!outcome.file.empty()) {
    if (Result<void> saved = fitted->model.save(outcome.file); !saved) return std::unexpected(saved.error());
    voice.note(fmt::format("saved {}", outcome.file));
  }
  if (fitted->drawn && !interrupt::asked()) {
    const auto pictures = fit_pictures(fitted->model, *fitted->drawn, *options, arguments.text("plot-kind"));
    if (!pictures) return std::unexpected(pictures.error());
    if (Result<void> drawn = write_pictures(*pictures, arguments.text("plot"), voice); !drawn)
      return std::unexpected(drawn.error());
  }
  return show(fit_document(*fitted, outcome.file), voice, top_of(arguments), outcome.code);
}

FlagGroup fit_output_flags() {
  FlagGroup group = output_flags();
  group.flags.insert(
      group.flags.begin(),
      {.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "save the model", .letter = 'o'});
  add_length_flags(group);
  group.flags.push_back(plot_flag());
  group.flags.push_back(plot_kind_flag());
  return group;
}

} // namespace

CommandInfo fit_command() {
  return {
      .name = "fit",
      .summary = "train a model and prove it",
      .examples = {{"recta fit linear housing", "a built-in set and its own target"},
                   {"recta fit ridge train.csv --target y --lambda 0.1 -o m.recta", "save the model"},
                   {"recta fit linear train.csv --target y --errors hc3", "errors for unequal variances"},
                   {"recta fit linear train.csv --target y --holdout 0.2 --seed 1", "score on rows set aside"},
                   {"recta fit linear norris --plot curve.svg", "one feature: rows, fit and bands as a picture"},
                   {"recta fit delta points.csv --target y --plot curve.svg", "how it learned, class by class"},
                   {"recta fit logistic iris --positive Iris-setosa --lambda 0.1", "one class against the rest"},
                   {"recta fit logistic iris --lambda 0.1 --multiclass ovo", "all pairs of classes, which vote"},
                   {"recta fit svm train.csv --target y --calibrate platt", "a machine with probabilities"},
                   {"recta fit naive-bayes sms.tsv --text message --target label", "words of a column as features"},
                   {"recta fit logistic films.csv --label-set genres --lambda 0.1", "cells like comedy|crime"},
                   {"recta fit linear filip --poly 10", "a polynomial, its powers to 30 digits"},
                   {"recta fit linear train.csv --target y --feature \"area*rooms\"", "one more feature"},
                   {"recta fit ridge s3://rows/ --target y --engine spark --master yarn", "where the rows are"},
                   {"zcat big.csv.gz | recta fit linear - --target y --json", "from a pipe, as JSON"}},
      .words = {{"MODEL", WordKind::model}, {"DATA", WordKind::data}},
      .groups = {{"Parameters of the models", model_flags("")},
                 option_group(Heading::columns, command::kFit),
                 option_group(Heading::classes, command::kFit),
                 calibration_flags(),
                 option_group(Heading::labels, command::kFit),
                 option_group(Heading::maps, command::kFit),
                 option_group(Heading::text, command::kFit),
                 option_group(Heading::fitting, command::kFit),
                 engine_flags(),
                 option_group(Heading::errors, command::kFit),
                 fit_output_flags(),
                 reading_flags()},
      .notes =
          "DATA is a file (.csv .tsv .jsonl .libsvm .arff .npy .npz, each also .gz or .zst), - for standard input, or\n"
          "a built-in set (recta data). The last line is the certificate. Ctrl-C saves the best so far as\n"
          "FILE.partial.",
      .run = run_fit};
}

} // namespace recta::cli
