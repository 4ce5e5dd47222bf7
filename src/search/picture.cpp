// A validation curve: the scores of rows left out against one parameter, beside those of rows trained on.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "params/params.hpp"
#include "search/grid.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr std::size_t kMostLines = 8;

struct CurveLine {
  std::vector<double> x{};
  std::vector<const ScoreValues*> left_out{}, trained{};
};

void add_curve(plot::Picture& picture, const std::vector<double>& x, const std::vector<const ScoreValues*>& scores,
               const std::string& label, int colour) {
  plot::Band band{.x = x, .colour = colour};
  plot::Line line{.x = x, .label = label, .colour = colour, .dotted = x.size() <= 60};
  for (const ScoreValues* one : scores) {
    line.y.push_back(one->mean);
    band.low.push_back(one->mean - one->standard_error);
    band.high.push_back(one->mean + one->standard_error);
  }
  picture.layers.emplace_back(std::move(band));
  picture.layers.emplace_back(std::move(line));
}

// One line for every combination of the other axes.
std::map<std::string, CurveLine> curve_lines(const CrossValidation& search, const std::string& axis) {
  std::map<std::string, CurveLine> lines;
  for (const GridPoint& point : search.points) {
    if (!point.failure.empty() || point.scores.empty() || std::isnan(point.scores[0].mean)) continue;
    Params others = copied(point.params);
    others.erase(axis);
    CurveLine& line = lines[search::point_text(others)];
    line.x.push_back(std::get<double>(point.params.at(axis)));
    line.left_out.push_back(&point.scores[0]);
    if (!point.training.empty()) line.trained.push_back(&point.training[0]);
  }
  return lines;
}

// Values evenly spaced in the logarithm: those that span more than two powers of ten.
bool by_logarithm(const GridAxis& axis) {
  double low = kInfinity, high = 0;
  for (const ParamValue& value : axis.values)
    low = std::min(low, std::get<double>(value)), high = std::max(high, std::get<double>(value));
  return low > 0 && high > 100 * low;
}

} // namespace

Result<plot::Picture> cross_validation_picture(const CrossValidation& search) {
  return guarded("plot", cure::kFree, [&]() -> Result<plot::Picture> {
    const auto axis = std::ranges::find_if(search.grid, [](const GridAxis& one) {
      return one.values.size() > 1 && std::holds_alternative<double>(one.values[0]);
    });
    if (axis == search.grid.end())
      return fail(ErrorCode::usage, "plot", "no parameter of the grid has several numbers to draw the scores against",
                  "give it a grid such as lambda=1e-3..10:log:9");
    const auto lines = curve_lines(search, axis->name);
    if (lines.empty()) return fail(ErrorCode::bad_data, "plot", "no point is whole", "allow more time");
    if (lines.size() > kMostLines)
      return fail(ErrorCode::usage, "plot", fmt::format("{} lines cannot be told apart", lines.size()),
                  fmt::format("give the other parameters up to {} combinations", kMostLines));
    plot::Picture picture{
        .title = fmt::format("{} of {} for {} against {}", search.scores[0], search.word, search.target, axis->name)};
    picture.subtitle = fmt::format("means of {} splits, and one standard error", search.splits);
    picture.x = {.label = axis->name, .scale = by_logarithm(*axis) ? plot::Scale::log : plot::Scale::linear};
    picture.y = {.label = search.scores[0]};
    int colour = 0;
    for (const auto& [name, line] : lines) {
      const std::string suffix = name.empty() ? "" : ", " + name;
      if (!line.trained.empty()) add_curve(picture, line.x, line.trained, "rows trained on" + suffix, colour++);
      add_curve(picture, line.x, line.left_out, "rows left out" + suffix, colour++);
    }
    if (search.best >= 0)
      picture.layers.emplace_back(
          plot::Rule{.at = std::get<double>(search.points[at(search.best)].params.at(axis->name)),
                     .upright = true,
                     .text = "chosen",
                     .dashed = true});
    return picture;
  });
}

} // namespace recta
