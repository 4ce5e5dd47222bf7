#include "scores.hpp"

#include "flags.hpp"
#include "input.hpp"
#include "missing_rows.hpp"
#include "output.hpp"
#include "plot.hpp"
#include "table.hpp"

#include <recta/score_pictures.hpp>
#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::cli {
namespace {

struct TargetScores {
  std::string target;
  std::vector<NamedScore> scores;
};

ScoreOptions score_options(const Arguments& arguments) {
  ScoreOptions options;
  options.words = arguments.list("scores");
  std::erase(options.words, "all");
  options.resamples = arguments.count("bootstrap", 0);
  options.seed = static_cast<std::uint64_t>(arguments.count("bootstrap-seed", 0));
  options.confidence = arguments.number("confidence", options.confidence);
  options.threads = static_cast<int>(arguments.count("threads", 0));
  return options;
}

// For a set of labels some words are scores of the whole, and the others are scores of each label by itself.
ScoreOptions options_for(const JudgedRows& rows, const JudgedRows& first, const ScoreOptions& options) {
  ScoreOptions out = options;
  if (!first.set.empty())
    std::erase_if(out.words, [&](const std::string& word) {
      const bool of_the_whole = scores_of(first, {.words = {word}}).has_value();
      return of_the_whole == rows.set.empty();
    });
  return out;
}

report::Table scores_table(const TargetScores& target, const ScoreOptions& options) {
  const bool intervals = std::ranges::any_of(target.scores, [](const NamedScore& s) { return !s.interval.empty(); });
  const auto title = [&](std::string text) { return intervals ? std::move(text) : ""; };
  report::Table out{.columns = {{"score", target.target},
                                {"value", "score"},
                                {"interval"},
                                {"standard_error", title("standard error")},
                                {"lower", title(fmt::format("from, {:g} %", 100 * options.confidence))},
                                {"upper", title("to")},
                                {"", title("by")}},
                    .shape = report::Shape::named};
  for (const NamedScore& s : target.scores) {
    std::vector<report::Value>& row = out.rows.emplace_back(out.columns.size());
    row[0] = s.word;
    row[1] = s.value;
    if (!s.interval.empty()) row = {s.word, s.value, s.interval, s.standard_error, s.lower, s.upper, s.interval};
  }
  return out;
}

report::Document scores_document(const Model& model, const Dataset& data, const std::string& file,
                                 const JudgedRows& first, const std::vector<TargetScores>& targets,
                                 const ScoreOptions& options) {
  const LeftOut left_out{data.rows - first.rows, data.rows, missing_rows(model.schema, data)};
  report::Document out{
      {{"schema", "recta/eval/2"},
       {"model", model.word},
       {"source", data.source},
       {"rows", first.rows},
       {"weight_sum", first.weight_sum}},
      {{report::Heading{{"eval.title", {{"model", file}, {"source", data.source}, {"rows", first.rows}}}}}}};
  if (!first.set.empty()) out.data.add("labels", first.set);
  if (first.classifies())
    out.data.add({{"classes", first.labels}, {"positive", first.labels[static_cast<std::size_t>(first.positive)]}});
  report::Group scores;
  for (const TargetScores& target : targets) {
    const auto table = shared(scores_table(target, options));
    scores.add(target.target, table);
    out.page.push_back({report::Shown{table}});
  }
  if (left_out.rows > 0) out.page.push_back({report::Sentence{"left_out.alone", {{"rows", left_out.sentence()}}}});
  out.data.add({{"left_out", left_out.data()}, {"confidence", options.confidence}, {"scores", std::move(scores)}});
  return out;
}

// The models of --beside on the same file, each as it reads it.
Result<void> judge_beside(const Arguments& arguments, const Voice& voice, std::vector<JudgedModel>& models) {
  for (const std::string& file : arguments.list("beside")) {
    Result<Model> model = load_model(file, voice);
    if (!model) return std::unexpected(model.error());
    Result<Dataset> all = read_data_for(*model, Use::all, arguments.word(1), arguments, voice);
    if (!all) return std::unexpected(all.error());
    Result<Dataset> data = scored_rows(std::move(*all), *model, file, arguments);
    if (!data) return std::unexpected(data.error());
    auto judged = judge(*model, *data, static_cast<int>(arguments.count("threads", 0)));
    if (!judged) return std::unexpected(judged.error());
    models.push_back({file, std::move(judged->at(0))});
  }
  return {};
}

Result<void> draw_scores(const std::vector<JudgedRows>& judged, const Arguments& arguments, const Voice& voice) {
  std::vector<JudgedModel> models = {{arguments.word(0), judged.at(0)}};
  if (Result<void> done = judge_beside(arguments, voice, models); !done) return done;
  const std::vector<std::string>& pictures = arguments.given.at("plot");
  for (std::size_t k = 0; k + 1 < pictures.size(); k += 2)
    if (Result<void> drawn = write_picture(score_picture(models, pictures[k]), pictures[k + 1], voice); !drawn)
      return drawn;
  return {};
}

} // namespace

Result<Dataset> scored_rows(Dataset data, const Model& model, const std::string& file, const Arguments& arguments) {
  const Holdout holdout = holdout_of(arguments), &fitted = model.holdout;
  if (holdout.share == 0) return data;
  if (fitted.share == 0)
    return fail(ErrorCode::usage, file,
                "the model was fitted without --holdout: any row may be one that it was trained on",
                fmt::format("fit with --holdout {}, or leave it out to score every row", holdout.share));
  if (holdout.share != fitted.share || (arguments.has("seed") && holdout.seed != fitted.seed))
    return fail(ErrorCode::usage, file,
                fmt::format("--holdout {}{} would score rows that the model was trained on", holdout.share,
                            arguments.has("seed") ? fmt::format(" --seed {}", holdout.seed) : ""),
                fmt::format("its fit set aside --holdout {} --seed {}; give these, or leave out --seed", fitted.share,
                            fitted.seed));
  return held_out_rows(model, data);
}

Result<void> check_score_flags(const Arguments& arguments) {
  for (const auto& [flag, what] : {std::pair{"bootstrap", "there are no intervals without --scores"},
                                   {"confidence", "there are no intervals without --scores"},
                                   {"decide", "the report is of the classes predicted"}})
    if (arguments.has(flag) && !arguments.has("scores"))
      return fail(ErrorCode::usage, fmt::format("--{}", flag), what, "add --scores all");
  if (arguments.has("bootstrap-seed") && !arguments.has("bootstrap"))
    return fail(ErrorCode::usage, "--bootstrap-seed", "nothing is drawn without --bootstrap", "add --bootstrap 1000");
  if (arguments.has("loss") && arguments.has("scores"))
    return fail(ErrorCode::usage, "--loss", "the scores printed are those of --scores", "leave one of them out");
  if (arguments.has("beside") && !arguments.has("plot"))
    return fail(ErrorCode::usage, "--beside", "there is no picture to draw the other models in",
                "add --plot roc roc.svg; recta compare compares models in figures");
  if (!arguments.has("plot")) return {};
  const std::vector<std::string>& pictures = arguments.given.at("plot");
  for (std::size_t k = 0; k + 1 < pictures.size(); k += 2) {
    const std::vector<std::string>& kinds = score_picture_kinds();
    if (std::ranges::find(kinds, pictures[k]) == kinds.end())
      return std::unexpected(
          unknown("picture", pictures[k], kinds, fmt::format("the pictures are {}", fmt::join(kinds, ", "))));
    Arguments one;
    one.given["plot"] = {pictures[k + 1]};
    if (Result<void> good = check_plot(one, arguments.words); !good) return good;
  }
  return {};
}

Result<bool> run_scores(const Model& model, const Dataset& data, const Arguments& arguments, const Voice& voice) {
  const ScoreOptions options = score_options(arguments);
  auto judged = judge(model, data, options.threads);
  if (!judged) return std::unexpected(judged.error());
  if (arguments.has("decide"))
    if (Result<void> decided = take_decisions(model, judged->at(0)); !decided) return std::unexpected(decided.error());
  std::vector<TargetScores> targets;
  if (arguments.has("scores"))
    for (const JudgedRows& rows : *judged) {
      const ScoreOptions target_options = options_for(rows, judged->front(), options);
      if (target_options.words.empty() && !options.words.empty()) continue;
      auto scores = scores_of(rows, target_options);
      if (!scores) return std::unexpected(scores.error());
      targets.push_back({rows.target, *std::move(scores)});
    }
  if (arguments.has("plot"))
    if (Result<void> drawn = draw_scores(*judged, arguments, voice); !drawn) return std::unexpected(drawn.error());
  if (!arguments.has("scores")) return false;
  const auto shown = show(scores_document(model, data, arguments.word(0), judged->at(0), targets, options), voice);
  if (!shown) return std::unexpected(shown.error());
  return true;
}

FlagGroup score_flags() {
  return {"Scores by name",
          {{.name = "scores",
            .kind = FlagKind::text,
            .value = "WORD,...",
            .summary = "print these scores in place of the report; all: every one that applies"},
           {.name = "decide", .summary = "with --scores: classes by the rule that the model keeps (recta threshold)"},
           {.name = "bootstrap",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "intervals from N resamples of the rows",
            .lowest = 2,
            .highest = 1e6,
            .initial = "none; DeLong's for the ROC area of two classes"},
           {.name = "bootstrap-seed",
            .kind = FlagKind::count,
            .value = "N",
            .summary = "of the resamples",
            .lowest = 0,
            .highest = 9e15,
            .initial = "0"},
           {.name = "confidence",
            .kind = FlagKind::number,
            .value = "LEVEL",
            .summary = "of the intervals",
            .lowest = 1e-6,
            .highest = 1 - 1e-9,
            .initial = "0.95"},
           {.name = "plot",
            .kind = FlagKind::text,
            .value = "KIND FILE.svg",
            .summary = fmt::format("draw a picture: {}", fmt::join(score_picture_kinds(), ", ")),
            .values = 2},
           {.name = "beside",
            .kind = FlagKind::text,
            .value = "MODEL,...",
            .summary = "with --plot: the curves of these models too, on the same rows"}}};
}

std::string score_notes() {
  std::vector<std::string> classes, numbers, sets;
  for (const MeasureInfo& info : measure_infos())
    (info.of_label_sets ? sets : info.of_classes ? classes : numbers).push_back(info.word);
  std::string text;
  for (const auto& [title, words] : {std::pair{"Scores of classes: ", classes},
                                     {"Scores of numbers: ", numbers},
                                     {"Scores of label sets: ", sets}}) {
    for (const std::string& line : wrapped(title + fmt::format("{}", fmt::join(words, ", ")) + ".", 110))
      text += line + "\n";
  }
  return text +
         "A number at the end of a word can be another one: f0.5, top_3, lift_0.2, pinball_0.9 (docs/metrics.md).";
}

} // namespace recta::cli
