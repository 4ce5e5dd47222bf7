// The error on rows trained on beside the error on rows left out, as rows are added and as a penalty grows weaker.
#include "base/guard.hpp"

#include <recta/learning_curve.hpp>

#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

// One line with a band of one standard error; NaN: none.
struct Errors {
  std::vector<double> x{}, error{}, standard_error{};
};

void add_errors(plot::Picture& picture, const Errors& errors, const std::string& label, int colour) {
  plot::Band band{.x = errors.x, .colour = colour};
  for (std::size_t k = 0; k < errors.x.size(); ++k) {
    band.low.push_back(errors.error[k] - errors.standard_error[k]);
    band.high.push_back(errors.error[k] + errors.standard_error[k]);
  }
  picture.layers.emplace_back(std::move(band));
  picture.layers.emplace_back(
      plot::Line{.x = errors.x, .y = errors.error, .label = label, .colour = colour, .dotted = errors.x.size() <= 60});
}

const char* const kTrained = "rows trained on";
const char* const kLeftOut = "rows left out";

} // namespace

Result<plot::Picture> learning_picture(const LearningCurve& curve) {
  return guarded("plot", cure::kFree, [&]() -> Result<plot::Picture> {
    if (curve.points.empty()) return fail(ErrorCode::bad_data, "plot", "the curve has no points", "ask for a share");
    plot::Picture picture{.title = fmt::format("What {} learns of {} as rows are added", curve.word, curve.target)};
    picture.subtitle = fmt::format("means of {} folds, and one standard error", curve.points[0].fold_left_out.size());
    picture.x = {.label = "rows trained on"};
    picture.y = {.label = curve.measure};
    Errors trained, left_out;
    for (const LearningPoint& point : curve.points) {
      trained.x.push_back(static_cast<double>(point.rows));
      trained.error.push_back(point.training);
      trained.standard_error.push_back(point.training_standard_error);
      left_out.error.push_back(point.left_out);
      left_out.standard_error.push_back(point.left_out_standard_error);
    }
    left_out.x = trained.x;
    add_errors(picture, trained, kTrained, 0);
    add_errors(picture, left_out, kLeftOut, 1);
    return picture;
  });
}

Result<plot::Picture> validation_picture(const Path& path) {
  return guarded("plot", cure::kFree, [&]() -> Result<plot::Picture> {
    const bool folds = path.choose("cv").has_value();
    if (!folds && !path.choose("loo"))
      return fail(ErrorCode::usage, "plot", "the path left no rows out, and has no errors of such",
                  "ask for folds, or of ridge for leaving one row out");
    plot::Picture picture{.title = fmt::format("Errors of {} for {} against the penalty", path.word, path.target)};
    picture.subtitle = folds ? "means of the folds, and one standard error" : "every row left out once";
    picture.x = {.label = "lambda, weaker to the right", .scale = plot::Scale::log, .falling = true};
    picture.y = {.label = path.measure};
    Errors trained, left_out;
    for (const PathPoint& point : path.points) {
      trained.x.push_back(point.lambda);
      trained.error.push_back(path.measure == "mse" ? point.mse : point.log_loss);
      trained.standard_error.push_back(std::nan(""));
      left_out.error.push_back(folds ? point.cv_error : point.loo_mse);
      left_out.standard_error.push_back(folds ? point.cv_standard_error : std::nan(""));
    }
    left_out.x = trained.x;
    add_errors(picture, trained, kTrained, 0);
    add_errors(picture, left_out, kLeftOut, 1);
    for (const char* criterion : {"cv", "1se", "loo"})
      if (const auto best = path.choose(criterion))
        picture.layers.emplace_back(plot::Rule{.at = path.points[static_cast<std::size_t>(*best)].lambda,
                                               .upright = true,
                                               .text = criterion,
                                               .dashed = true});
    return picture;
  });
}

} // namespace recta
