// recta plot: pictures of saved models on any rows, and of losses.
#include "plot.hpp"

#include "flags.hpp"
#include "input.hpp"
#include "output.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <strings.h>

namespace recta::cli {

namespace {

Result<plot::Picture> draw(const Arguments& arguments, const Voice& voice) {
  const std::string what = arguments.word(0);
  const std::vector<std::string> kinds = picture_words();
  if (std::find(kinds.begin(), kinds.end(), what) == kinds.end())
    return std::unexpected(unknown("picture", what, kinds, fmt::format("the pictures are {}", fmt::join(kinds, ", "))));
  if (what == "losses") {
    if (arguments.words.size() > 1)
      return fail(ErrorCode::usage, arguments.word(1), "a picture of losses needs no data", "leave it out");
    return plot::loss_picture(arguments.list("loss"));
  }
  if (arguments.has("loss")) return fail(ErrorCode::usage, "--loss", "belongs to recta plot losses", "leave it out");
  if (arguments.words.size() < 3)
    return fail(ErrorCode::usage, "plot", fmt::format("{} needs a model file and data", what),
                fmt::format("recta plot {} FILE DATA", what));
  Result<Model> model = load_model(arguments.word(1), voice);
  if (!model) return std::unexpected(model.error());
  Result<Dataset> data = read_data_for(*model, Use::all, arguments.word(2), arguments, voice);
  if (!data) return std::unexpected(data.error());
  return plot::picture(*model, *data, what);
}

// A name that promises another kind of picture.
Result<void> check_name(const std::string& path, const std::string& flag) {
  const std::string end = std::filesystem::path(path).extension().string();
  constexpr std::array kOthers = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".pdf", ".eps"};
  const auto same = [&](const char* other) { return strcasecmp(end.c_str(), other) == 0; };
  if (!std::ranges::any_of(kOthers, same)) return {};
  return fail(ErrorCode::usage, flag + " " + path, fmt::format("pictures are SVG, and {} names another kind", end),
              fmt::format("name it {}", std::filesystem::path(path).replace_extension(".svg").string()));
}

Result<int> run_plot(const Arguments& arguments) {
  const Voice voice(arguments);
  const std::string output = arguments.text("output");
  const std::vector<std::string> read(arguments.words.begin() + 1, arguments.words.end());
  if (Result<void> good = spare(output, read); !good) return std::unexpected(good.error());
  if (Result<void> good = check_name(output, "-o"); !good) return std::unexpected(good.error());
  if (voice.json && (output.empty() || output == "-"))
    return fail(ErrorCode::usage, "--json", "standard output carries the picture", "add -o FILE.svg");
  const Result<plot::Picture> picture = draw(arguments, voice);
  if (Result<void> done = write_picture(picture, output, voice, "-o"); !done) return std::unexpected(done.error());
  if (!voice.json) return 0;
  return show({{{"schema", "recta/plot/1"},
                {"picture", arguments.word(0)},
                {"model_file", report::or_null(arguments.word(1))},
                {"source", report::or_null(arguments.word(2))},
                {"title", picture->title},
                {"file", output}},
               {}},
              voice);
}

std::vector<std::string> model_pictures() {
  std::vector<std::string> words;
  for (const plot::PictureInfo& kind : plot::picture_kinds()) words.push_back(kind.word);
  return words;
}

std::string listed_pictures() {
  std::string text = "WHAT is one of\n";
  for (const auto& [word, what] : plot::picture_kinds()) text += fmt::format("  {:<16}{}\n", word, what);
  return text + fmt::format("  {:<16}{}\n", "losses", "what each loss makes of a prediction, without a model");
}

} // namespace

std::vector<std::string> picture_words() {
  std::vector<std::string> words = model_pictures();
  words.emplace_back("losses");
  return words;
}

FlagInfo plot_flag() {
  return {.name = "plot", .kind = FlagKind::file, .value = "FILE.svg", .summary = "draw a picture (docs/plots.md)"};
}

FlagInfo plot_kind_flag() {
  return {.name = "plot-kind",
          .kind = FlagKind::choice,
          .value = "WORD",
          .summary = "what to draw",
          .choices = model_pictures(),
          .initial = "curve for one feature, residuals for several; for classes, regions of two features; for a "
                     "perceptron or a delta rule, the training curve"};
}

Result<void> check_plot(const Arguments& arguments, const std::vector<std::string>& files) {
  if (arguments.has("plot-kind") && !arguments.has("plot"))
    return fail(ErrorCode::usage, "--plot-kind", "there is no picture without --plot", "add --plot FILE.svg");
  const std::string path = arguments.text("plot");
  if (arguments.has("plot") && (path.empty() || path == "-"))
    return fail(ErrorCode::usage, "--plot", "standard output carries the report, so a picture needs a file",
                "name one: --plot FILE.svg");
  if (arguments.has("plot") && !arguments.text("output").empty() && path == arguments.text("output"))
    return fail(ErrorCode::usage, "--plot " + path, "--output names the same file", "choose another name");
  if (Result<void> good = check_name(path, "--plot"); !good) return good;
  return spare(path, files, "--plot");
}

Result<void> write_picture(const Result<plot::Picture>& picture, const std::string& path, const Voice& voice,
                           const std::string& flag) {
  if (!picture) return std::unexpected(picture.error());
  return write_pictures({*picture}, path, voice, flag);
}

Result<void> write_pictures(const std::vector<plot::Picture>& row, const std::string& path, const Voice& voice,
                            const std::string& flag) {
  constexpr Index kInARow = 3;
  const Result<std::string> text = row.size() == 1 ? plot::svg(row[0]) : plot::side_by_side(row, kInARow);
  if (!text) return std::unexpected(text.error());
  Result<Output> out = Output::open(path, flag);
  if (!out) return std::unexpected(out.error());
  *out << *text;
  if (Result<void> written = out->finish(); !written) return written;
  if (!path.empty() && path != "-") voice.note(fmt::format("drew {}", path));
  return {};
}

CommandInfo plot_command() {
  FlagGroup output = output_flags();
  std::erase_if(output.flags, [](const FlagInfo& flag) { return flag.name == "digits"; });
  output.flags.insert(
      output.flags.begin(),
      {.name = "output", .kind = FlagKind::file, .value = "FILE", .summary = "write the SVG there", .letter = 'o'});
  std::vector<std::string> words;
  for (const LossInfo& loss : losses())
    if (loss.value(1, 0) > 0) words.push_back(loss.word); // the others are of counts and amounts, not of labels
  return {
      .name = "plot",
      .summary = "draw a model's curve, residuals, cost, regions or probabilities, or losses, as SVG",
      .examples = {{"recta plot residuals m.recta test.csv -o residuals.svg", "residuals against fitted values"},
                   {"recta plot curve m.recta train.csv > curve.svg", "one feature: rows, fit and bands"},
                   {"recta plot contours m.recta train.csv -o cost.svg", "two features: the cost and its penalty"},
                   {"recta plot regions m.recta train.csv -o regions.svg",
                    "two features: where each class is predicted"},
                   {"recta plot probabilities m.recta test.csv -o p.svg", "how sure it is, class by class"},
                   {"recta plot losses -o losses.svg", "squared, logistic and hinge loss beside 0/1"}},
      .words = {{"WHAT", WordKind::picture}, {"FILE", WordKind::model_file, false}, {"DATA", WordKind::data, false}},
      .groups = {{"Drawing",
                  {{.name = "loss",
                    .kind = FlagKind::text,
                    .value = "WORD,...",
                    .summary = fmt::format("losses to draw, of {}", fmt::join(words, ", "))},
                   threads_flag()}},
                 output,
                 reading_flags()},
      .notes = listed_pictures() +
               "Pictures follow the reader's light or dark screen, and the same data give the same bytes.\n"
               "recta fit --plot FILE.svg draws while fitting.",
      .run = run_plot};
}

} // namespace recta::cli
