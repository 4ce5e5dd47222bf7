// The number of rows that were right while a classifier learned, and the number of its mistakes.
#include "base/guard.hpp"

#include <recta/curve.hpp>

#include <fmt/format.h>

namespace recta {
namespace {

// Between two changes nothing changes: a staircase.
plot::Line staircase(const std::vector<double>& x, const std::vector<double>& y, std::string label, int colour) {
  plot::Line line{.colour = colour};
  line.label = std::move(label);
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (k > 0) {
      line.x.push_back(x[k]);
      line.y.push_back(y[k - 1]);
    }
    line.x.push_back(x[k]);
    line.y.push_back(y[k]);
  }
  return line;
}

} // namespace

Result<plot::Picture> curve_picture(const TrainingCurve& curve) {
  return guarded("plot", cure::kFree, [&]() -> Result<plot::Picture> {
    const std::vector<TraceStep>& steps = curve.trace.steps;
    if (steps.empty() || curve.rows == 0 || curve.correct.size() != steps.size())
      return fail(ErrorCode::bad_data, "plot", "the training curve has no steps", "run at least one");
    const auto changes = static_cast<double>(steps.back().step);
    const bool mistakes = curve.trace.word == "perceptron";
    std::vector<double> presented, right, made;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      presented.push_back(static_cast<double>(steps[k].rows));
      right.push_back(static_cast<double>(curve.correct[k]) / static_cast<double>(curve.rows));
      made.push_back(changes > 0 ? static_cast<double>(steps[k].step) / changes : 0);
    }
    const std::string learned =
        curve.trace.label.empty() ? curve.trace.target : curve.trace.label + " against the rest";
    plot::Picture picture{.title = fmt::format("Rows right while {} learned {}", curve.trace.word, learned)};
    picture.subtitle =
        fmt::format("{} of {} rows right at the last point; {}", curve.correct.back(), curve.rows, curve.trace.stop);
    picture.x = {.label = "rows presented"};
    picture.y = {.label = "share"};
    picture.layers.emplace_back(plot::Rule{.at = 1, .dashed = true});
    if (mistakes)
      picture.layers.emplace_back(staircase(presented, made, fmt::format("mistakes, of {}", steps.back().step), 1));
    picture.layers.emplace_back(staircase(presented, right, "rows right", 0));
    return picture;
  });
}

} // namespace recta
