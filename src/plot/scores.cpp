// Pictures of how well classes are told apart: ROC and precision-recall curves, lift, calibration and the confusion
// matrix.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "plot/text.hpp"

#include <recta/scores.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

constexpr Index kMostCurves = 7; // as many as there are colours

struct CurveOfClass {
  std::string label;
  metric::Curve curve;
  double area = kNaN;
};

// The classes drawn: the positive one of two; of several, the heaviest.
std::vector<Index> drawn_classes(const JudgedRows& rows) {
  if (rows.classes() == 2) return {rows.positive};
  std::vector<std::pair<double, Index>> heaviest;
  for (Index k = 0; k < rows.classes(); ++k) heaviest.emplace_back(0, k);
  for (Index i = 0; i < rows.rows; ++i)
    heaviest[at(rows.truth[at(i)])].first -= rows.weights.empty() ? 1 : rows.weights[at(i)];
  std::ranges::sort(heaviest);
  std::vector<Index> out;
  for (const auto& [weight, k] : heaviest)
    if (weight < 0 && std::ssize(out) < kMostCurves) out.push_back(k);
  std::ranges::sort(out);
  return out;
}

using CurveOf = metric::Curve (*)(const metric::Thresholds&);
using AreaOf = Result<double> (*)(const metric::Ranked&, int);

Result<std::vector<CurveOfClass>> class_curves(const JudgedRows& rows, CurveOf of, AreaOf area) {
  std::vector<CurveOfClass> out;
  for (const Index k : drawn_classes(rows)) {
    const metric::Ranked ranked = rows.ranked(k, rows.weights);
    const auto points = metric::thresholds(ranked);
    if (!points) return std::unexpected(points.error());
    const bool both = points->positive.back() > 0 && points->negative.back() > 0;
    if (!both)
      return fail(ErrorCode::bad_data, rows.target,
                  fmt::format("all rows are of the class {}, or none is", rows.labels[at(k)]),
                  "such curves need rows of the class and others");
    CurveOfClass curve{rows.labels[at(k)], of(*points)};
    if (area != nullptr) {
      const auto class_area = area(ranked, 0);
      if (!class_area) return std::unexpected(class_area.error());
      curve.area = *class_area;
    }
    out.push_back(std::move(curve));
  }
  return out;
}

std::string subtitle(const JudgedRows& rows) {
  const std::string count = fmt::format("{} rows of {}", rows.rows, rows.target);
  if (rows.classes() == 2) return fmt::format("{}, positive: {}", count, rows.labels[at(rows.positive)]);
  return fmt::format("{}, each class against the rest{}", count,
                     rows.classes() > kMostCurves ? fmt::format("; the {} heaviest of {}", kMostCurves, rows.classes())
                                                  : "");
}

void add_curves(plot::Picture& picture, const std::vector<CurveOfClass>& curves) {
  for (const CurveOfClass& curve : curves)
    picture.layers.emplace_back(plot::Line{
        .x = curve.curve.x,
        .y = curve.curve.y,
        .label =
            std::isnan(curve.area) ? curve.label : fmt::format("{}, area {}", curve.label, plot::rounded(curve.area))});
}

plot::Line diagonal(const std::string& label) {
  return {.x = {0, 1}, .y = {0, 1}, .label = label, .colour = plot::kSoft, .dashed = true};
}

Result<plot::Picture> roc_picture(const JudgedRows& rows) {
  const auto curves = class_curves(rows, metric::roc_curve, metric::roc_area);
  if (!curves) return std::unexpected(curves.error());
  plot::Picture picture{.title = "ROC curve", .subtitle = subtitle(rows)};
  picture.x = {.label = "false positive rate", .low = 0, .high = 1};
  picture.y = {.label = "true positive rate", .low = 0, .high = 1.02};
  picture.layers.emplace_back(diagonal("chance"));
  add_curves(picture, *curves);
  return picture;
}

Result<plot::Picture> pr_picture(const JudgedRows& rows) {
  const auto curves = class_curves(rows, metric::precision_recall_curve, metric::average_precision);
  if (!curves) return std::unexpected(curves.error());
  plot::Picture picture{.title = "Precision-recall curve", .subtitle = subtitle(rows)};
  picture.x = {.label = "recall", .low = 0, .high = 1};
  picture.y = {.label = "precision", .low = 0, .high = 1.02};
  add_curves(picture, *curves);
  return picture;
}

Result<plot::Picture> lift_picture(const JudgedRows& rows) {
  const auto curves = class_curves(rows, metric::lift_curve, nullptr);
  if (!curves) return std::unexpected(curves.error());
  plot::Picture picture{.title = "Lift", .subtitle = subtitle(rows)};
  picture.x = {.label = "share of the rows, the highest scores first", .low = 0, .high = 1};
  picture.y = {.label = "times as many as among all rows", .low = 0};
  picture.layers.emplace_back(plot::Rule{.at = 1, .text = "chance", .dashed = true});
  add_curves(picture, *curves);
  return picture;
}

Result<plot::Picture> calibration_picture(const JudgedRows& rows) {
  constexpr Index kBins = 10;
  if (rows.probability.empty())
    return fail(ErrorCode::usage, "calibration", "the model has no probabilities",
                "fit one that has, such as logistic");
  plot::Picture picture{.title = "Calibration", .subtitle = subtitle(rows) + fmt::format(", {} bins", kBins)};
  picture.x = {.label = "mean probability", .low = 0, .high = 1};
  picture.y = {.label = "share of the rows", .low = 0, .high = 1};
  picture.layers.emplace_back(diagonal("calibrated"));
  std::vector<double> p(at(rows.rows));
  for (const Index k : drawn_classes(rows)) {
    for (Index i = 0; i < rows.rows; ++i) p[at(i)] = std::clamp(rows.probability[at(i * rows.classes() + k)], 0.0, 1.0);
    const auto bins = metric::calibration(
        {.truth = rows.truth, .positive = static_cast<std::int32_t>(k), .score = p.data(), .weights = rows.weights},
        kBins, metric::Bins::uniform);
    if (!bins) return std::unexpected(bins.error());
    plot::Line line{
        .label = fmt::format("{}, error {}", rows.labels[at(k)], plot::rounded(metric::calibration_error(*bins))),
        .dotted = true};
    for (const metric::CalibrationBin& bin : *bins) {
      line.x.push_back(bin.mean_probability);
      line.y.push_back(bin.share);
    }
    picture.layers.emplace_back(std::move(line));
  }
  return picture;
}

// A square per cell, its area the share of the true class's rows.
Result<plot::Picture> confusion_picture(const JudgedRows& rows) {
  constexpr Index kMostClasses = 30, kCounted = 12;
  const Index k = rows.classes();
  if (k > kMostClasses)
    return fail(ErrorCode::usage, "confusion", fmt::format("there are {} classes", k),
                fmt::format("up to {} can be told apart in a picture; --json has the matrix", kMostClasses));
  const auto counts = metric::confusion(rows.truth, rows.predicted, k, rows.weights);
  if (!counts) return std::unexpected(counts.error());
  plot::Picture picture{.title = "Confusion matrix"};
  picture.subtitle = fmt::format("{} rows of {}; squares are shares of a true class", rows.rows, rows.target);
  const double end = static_cast<double>(k) - 0.5;
  picture.x = {.label = "predicted class", .low = -0.5, .high = end, .names = rows.labels};
  picture.y = {.label = "true class", .falling = true, .low = -0.5, .high = end, .names = rows.labels};
  picture.height = std::max(450.0, 120 + 30 * static_cast<double>(k));
  for (Index truth = 0; truth < k; ++truth)
    for (Index as = 0; as < k; ++as) {
      const double weight = counts->at(truth, as);
      if (weight == 0) continue;
      const auto x = static_cast<double>(as), y = static_cast<double>(truth);
      const double half = 0.47 * std::sqrt(weight / counts->of_truth(truth));
      picture.layers.emplace_back(plot::Region{.x = {x - half, x + half, x + half, x - half},
                                               .y = {y - half, y - half, y + half, y + half},
                                               .colour = truth == as ? 0 : 1});
      if (k <= kCounted) picture.layers.emplace_back(plot::Mark{.x = x, .y = y, .text = plot::rounded(weight, 6)});
    }
  return picture;
}

struct PictureKind {
  const char* word;
  Result<plot::Picture> (*draw)(const JudgedRows&);
};
constexpr PictureKind kPictures[] = {{"roc", roc_picture},
                                     {"pr", pr_picture},
                                     {"calibration", calibration_picture},
                                     {"confusion", confusion_picture},
                                     {"lift", lift_picture}};

} // namespace

const std::vector<std::string>& score_picture_kinds() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all;
    for (const PictureKind& picture : kPictures) all.emplace_back(picture.word);
    return all;
  }();
  return words;
}

Result<plot::Picture> score_picture(const JudgedRows& rows, const std::string& kind) {
  return guarded("plot", cure::kFree, [&]() -> Result<plot::Picture> {
    if (!rows.set.empty())
      return fail(ErrorCode::usage, kind, "it is a picture of classes, and rows have several labels",
                  "fit the column of one label with --target");
    if (!rows.classifies())
      return fail(ErrorCode::usage, kind, "it is a picture of classes, and the model predicts numbers",
                  "recta plot residuals draws those");
    for (const PictureKind& picture : kPictures)
      if (kind == picture.word) return picture.draw(rows);
    return fail(ErrorCode::usage, kind, "there is no such picture", "choose roc, pr, calibration, confusion or lift");
  });
}

} // namespace recta
