// Losses side by side, for labels -1 and 1: the loss of a prediction z where y = 1, against the margin y z. Scaled to 1
// at 0, squared, logistic and hinge loss all lie above the 0/1 loss; beyond 1 the squared one rises again: it punishes
// answers that are too good.
#include "base/guard.hpp"
#include "plot/text.hpp"

#include <recta/plot.hpp>

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::plot {
namespace {

constexpr double kFrom = -2, kTo = 3;
constexpr int kSteps = 500;

Result<const LossInfo*> find(const std::string& word) {
  std::vector<std::string> words;
  for (const LossInfo& loss : losses()) {
    if (loss.word == word) return &loss;
    words.push_back(loss.word);
  }
  const std::string near = nearest(word, words);
  return fail(ErrorCode::usage, "plot", fmt::format("there is no loss \"{}\"", word),
              near.empty() ? fmt::format("the losses are {}", fmt::join(words, ", "))
                           : fmt::format("did you mean \"{}\"?", near));
}

std::vector<std::string> drawn() {
  std::vector<std::string> words;
  for (const LossInfo& loss : losses())
    if (loss.value(1, 0) > 0) words.push_back(loss.word);
  return words;
}

Result<Line> line_of(const std::string& word) {
  const auto loss = find(word);
  if (!loss) return std::unexpected(loss.error());
  const double unit = (*loss)->value(1, 0);
  if (!(unit > 0 && std::isfinite(unit)))
    return fail(ErrorCode::usage, "plot",
                fmt::format("the loss {} is {} at y = 1, z = 0: it is not one of labels", word, rounded(unit)),
                fmt::format("choose of {}", fmt::join(drawn(), ", ")));
  Line line{.label = word};
  for (int k = 0; k <= kSteps; ++k) {
    line.x.push_back(kFrom + (kTo - kFrom) * k / kSteps);
    line.y.push_back((*loss)->value(1, line.x.back()) / unit);
  }
  return line;
}

} // namespace

Result<Picture> loss_picture(const std::vector<std::string>& words) {
  return guarded("plot", cure::kFree, [&]() -> Result<Picture> {
    Picture picture{.title = "Losses of labels −1 and 1",
                    .subtitle = "each scaled to 1 at the boundary; right of 0 the answer has the right sign"};
    picture.x = {.label = "margin y z", .low = kFrom, .high = kTo};
    picture.y = {.label = "loss", .low = -0.12, .high = 4};
    picture.layers.emplace_back(Rule{.at = 0, .upright = true});
    picture.layers.emplace_back(Line{.x = {kFrom, 0, 0, kTo}, .y = {1, 1, 0, 0}, .label = "0/1", .colour = kInk});
    const std::vector<std::string> usual = {"squared", "logistic", "hinge"};
    for (const std::string& word : words.empty() ? usual : words) {
      auto line = line_of(word);
      if (!line) return std::unexpected(line.error());
      picture.layers.emplace_back(*std::move(line));
    }
    return picture;
  });
}

} // namespace recta::plot
