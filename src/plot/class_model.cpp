// A curve has the rows at 0 and 1, the probability of the positive class, and the line of least squares through the
// same rows for comparison. Regions are where each class's score is the largest; with two classes the lines beside the
// border are those of probabilities 0.1 and 0.9; if there are none, those of the nearest rows, or of scores -1 and 1 if
// some rows are wrong. Scores that change in steps, such as votes, have no such lines.
#include "plot/class_model.hpp"

#include "model/linear/body.hpp"
#include "plot/class_rows.hpp"
#include "plot/columns.hpp"
#include "plot/many_classes.hpp"
#include "plot/model_cost.hpp"
#include "plot/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::plot {
namespace {

constexpr Index kProbabilityPoints = 201, kColumns = 161, kRows = 121, kFine = 2, kBins = 20;

// Numbers that the fit's own reading would fill in are shown there.
std::vector<double> shown(const Dataset& data, const SchemaColumn& column, const ClassRows& rows) {
  const Column& values = *data.find(column.name);
  std::vector<double> x;
  for (const std::size_t i : rows.used) x.push_back(std::isfinite(values.values[i]) ? values.values[i] : column.fill);
  return x;
}

// The regression of y in 0 and 1 on x: mean + slope (x - mean of x).
Line least_squares(const ClassRows& rows, const std::vector<double>& x, Index positive,
                   const std::vector<double>& over) {
  double weight = 0, x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    weight += rows.weight[i];
    x_mean += rows.weight[i] * x[i];
    y_mean += rows.weight[i] * (rows.place[i] == positive ? 1 : 0);
  }
  x_mean /= weight, y_mean /= weight;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - x_mean;
    xx += rows.weight[i] * dx * dx;
    xy += rows.weight[i] * dx * ((rows.place[i] == positive ? 1 : 0) - y_mean);
  }
  Line line{.x = over, .label = "least squares on 0 and 1", .colour = 2, .dashed = true};
  for (const double at : over) line.y.push_back(y_mean + (xx > 0 ? xy / xx : 0) * (at - x_mean));
  return line;
}

Result<Picture> probability_curve(const Model& model, const Dataset& data) {
  const std::vector<const SchemaColumn*> columns = number_columns(model);
  if (columns.size() != 1 || model.schema.classes.count() != 2 || !model.has_probabilities())
    return fail(ErrorCode::usage, "curve", "it is that of the probability of two classes over one column of numbers",
                "draw regions of two columns, or probabilities");
  const auto answers = model.predict(data, 0, Answer::probability);
  if (!answers) return std::unexpected(answers.error());
  const auto rows = class_rows(model, data, *answers, 2);
  if (!rows) return std::unexpected(rows.error());
  const std::vector<double> x = shown(data, *columns[0], *rows);
  const auto [low, high] = std::ranges::minmax(x);
  const double air = 0.05 * (high - low);
  const Dataset grid = grid_over({{columns[0]->name, evenly(low - air, high + air, kProbabilityPoints)}});
  const auto p = model.predict(grid, 0, Answer::probability);
  if (!p) return std::unexpected(p.error());

  const Index positive = model.schema.classes.positive;
  Picture picture{.title = fmt::format("{} against {}", class_name(model, positive), columns[0]->name),
                  .subtitle = class_subtitle(model, rows->used.size())};
  picture.x.label = columns[0]->name;
  picture.y.label = "probability";
  Points points{.x = x, .label = "rows", .colour = 0};
  for (const Index place : rows->place) points.y.push_back(place == positive ? 1 : 0);
  Line fit{.x = {grid.columns[0].values.begin(), grid.columns[0].values.end()}, .label = model.word, .colour = 1};
  for (std::size_t k = 0; k < fit.x.size(); ++k) fit.y.push_back((*p)[2 * k + static_cast<std::size_t>(positive)]);
  picture.layers = {Rule{.at = 0.5, .text = "1/2", .dashed = true}, std::move(points),
                    least_squares(*rows, x, positive, fit.x), std::move(fit)};
  return picture;
}

// Below zero where the class's own score is the largest.
std::vector<double> behind_the_best(const Values& scores, Index classes, Index place) {
  std::vector<double> out;
  const auto k = static_cast<std::size_t>(classes), class_place = static_cast<std::size_t>(place);
  for (std::size_t i = 0; i + k <= scores.size(); i += k) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < k; ++c)
      if (c != class_place) best = std::max(best, scores[i + c]);
    out.push_back(best - scores[i + class_place]);
  }
  return out;
}

// One score per class, also if a model of two has one for both.
Values spread(Values scores, const Model& model) {
  if (model.columns(Answer::decision) != 1) return scores;
  Values both;
  for (const double z : scores) {
    both.push_back(model.schema.classes.positive == 0 ? z : -z);
    both.push_back(-both.back());
  }
  return both;
}

// For two classes, the least score on its row's side; above zero if all rows are right.
double least_score(const Model& model, const ClassRows& rows, const Values& scores) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows.used.size(); ++i)
    least = std::min(least, (rows.place[i] == model.schema.classes.positive ? 1 : -1) * scores[rows.used[i]]);
  return least;
}

std::string margin_text(const Model& model, double score) {
  double square = 0;
  for (const Coefficient& c : linear_or_none(model).targets.at(0).coefficients) square += c.value * c.value;
  return fmt::format("the margin, {} on either side", rounded(score / std::sqrt(square), 3));
}

// Scores at the points of a grid, in its own number of columns and rows.
Result<Values> scores_over(const Model& model, const Field& field, const std::vector<const SchemaColumn*>& columns) {
  std::vector<double> all_x, all_y;
  const std::vector<double> across = evenly(field.left, field.right, field.columns);
  for (const double up : evenly(field.bottom, field.top, field.rows))
    for (const double at : across) all_x.push_back(at), all_y.push_back(up);
  const Dataset grid = grid_over({{columns[0]->name, std::move(all_x)}, {columns[1]->name, std::move(all_y)}});
  return model.predict(grid, 0, Answer::decision);
}

// Whether scores stay the same over whole areas and jump between them, as votes do: most points have the scores of the
// next one along both axes. Those of a line along an axis change with the other.
bool in_steps(const Values& scores, const Field& field) {
  const Index wide = std::ssize(scores) / (field.columns * field.rows);
  const auto same = [&](Index a, Index b) {
    return std::equal(scores.begin() + a * wide, scores.begin() + (a + 1) * wide, scores.begin() + b * wide);
  };
  Index flat = 0;
  for (Index r = 0; r + 1 < field.rows; ++r)
    for (Index c = 0; c + 1 < field.columns; ++c) {
      const Index here = r * field.columns + c;
      flat += same(here, here + 1) && same(here, here + field.columns) ? 1 : 0;
    }
  return 2 * flat > field.columns * field.rows;
}

// Signs of the values, each averaged with its neighbours by 1 : 2 : 1 along both axes. Between two steps, the level
// zero of the values lies anywhere; that of the averages lies within a point of the grid of the jump, without corners.
void smooth_steps(Field& field) {
  for (double& value : field.values) value = value > 0 ? 1 : -1;
  const auto average = [&](Index stride, Index count, Index lines, Index between) {
    std::vector<double> line(static_cast<std::size_t>(count));
    for (Index l = 0; l < lines; ++l) {
      double* at = field.values.data() + l * between;
      for (Index i = 0; i < count; ++i) line[static_cast<std::size_t>(i)] = at[i * stride];
      const auto value = [&](Index i) { return line[static_cast<std::size_t>(std::clamp(i, Index{0}, count - 1))]; };
      for (Index i = 0; i < count; ++i) at[i * stride] = (value(i - 1) + 2 * value(i) + value(i + 1)) / 4;
    }
  };
  average(1, field.columns, field.rows, field.columns);
  average(field.columns, field.rows, field.columns, 1);
}

Field around(const std::vector<double>& x, const std::vector<double>& y) {
  const auto [left, right] = std::ranges::minmax(x);
  const auto [bottom, top] = std::ranges::minmax(y);
  const double dx = right > left ? 0.08 * (right - left) : 1, dy = top > bottom ? 0.08 * (top - bottom) : 1;
  Field field{.columns = kColumns, .rows = kRows};
  field.left = left - dx, field.right = right + dx, field.bottom = bottom - dy, field.top = top + dy;
  return field;
}

Result<Picture> regions(const Model& model, const Dataset& data) {
  const std::vector<const SchemaColumn*> columns = number_columns(model);
  if (columns.size() != 2)
    return fail(ErrorCode::usage, "regions", "they lie in the plane of two columns of numbers, which are all it reads",
                "draw probabilities instead");
  const Index classes = model.schema.classes.count(), wide = model.columns(Answer::decision);
  const auto scores = model.predict(data, 0, Answer::decision);
  if (!scores) return std::unexpected(scores.error());
  const auto rows = class_rows(model, data, *scores, wide);
  if (!rows) return std::unexpected(rows.error());
  const std::vector<double> x = shown(data, *columns[0], *rows), y = shown(data, *columns[1], *rows);
  Field field = around(x, y);
  auto grid_scores = scores_over(model, field, columns);
  if (!grid_scores) return std::unexpected(grid_scores.error());
  const bool steps = in_steps(*grid_scores, field);
  if (steps) { // the border is only as sharp as the grid is fine
    field.columns = kFine * (kColumns - 1) + 1, field.rows = kFine * (kRows - 1) + 1;
    grid_scores = scores_over(model, field, columns);
    if (!grid_scores) return std::unexpected(grid_scores.error());
  }
  const std::vector<double> of_positive(grid_scores->begin(), grid_scores->end());
  const Values each = spread(*std::move(grid_scores), model);

  Picture picture{.title = fmt::format("Regions of {}", model.schema.targets.at(0)),
                  .subtitle = class_subtitle(model, rows->used.size())};
  picture.x = {.label = columns[0]->name, .low = field.left, .high = field.right};
  picture.y = {.label = columns[1]->name, .low = field.bottom, .high = field.top};
  picture.height = 520;
  for (Index k = 0; k < classes; ++k) {
    Field class_field = field;
    class_field.values = behind_the_best(each, classes, k);
    if (steps) smooth_steps(class_field);
    class_field.levels = {0}, class_field.colour = static_cast<int>(k), class_field.shaded = true;
    picture.layers.emplace_back(std::move(class_field));
  }
  if (classes == 2 && wide == 1 && !steps) {
    const bool sure = model.has_probabilities() && !model.body->own_probabilities();
    const double nearest = least_score(model, *rows, *scores);
    const double at = sure ? std::log(9.0) : nearest > 0 ? nearest : 1; // P = 0.9 where z = log 9
    Field beside = field;
    beside.values = of_positive;
    beside.levels = {-at, at}, beside.colour = kSoft;
    beside.label = sure                               ? "probabilities 0.1 and 0.9"
                   : nearest > 0 && model.is_linear() ? margin_text(model, nearest)
                                                      : "scores -1 and 1";
    picture.layers.emplace_back(std::move(beside));
  }
  const bool many = classes > kInLegend;
  for (Index k = 0; k < classes; ++k) {
    Points points{.label = many ? model.schema.classes.labels.at(k) : class_name(model, k),
                  .colour = static_cast<int>(k)};
    for (std::size_t i = 0; i < x.size(); ++i)
      if (rows->place[i] == k) points.x.push_back(x[i]), points.y.push_back(y[i]);
    if (!points.x.empty()) picture.layers.emplace_back(std::move(points));
  }
  if (many) name_inside(picture);
  return picture;
}

// The share of a class's rows in each bin, as a band with steps.
Band histogram(const std::vector<double>& values, const std::string& label, int colour) {
  std::vector<double> count(kBins);
  for (const double v : values) ++count[static_cast<std::size_t>(std::clamp(v * kBins, 0.0, kBins - 0.5))];
  Band band{.label = label, .colour = colour};
  for (Index k = 0; k < kBins; ++k)
    for (const Index edge : {k, k + 1}) {
      band.x.push_back(static_cast<double>(edge) / kBins);
      band.low.push_back(0);
      band.high.push_back(count[static_cast<std::size_t>(k)] / static_cast<double>(values.size()));
    }
  return band;
}

Result<Picture> probabilities(const Model& model, const Dataset& data) {
  if (!model.has_probabilities())
    return fail(ErrorCode::usage, model.word, "it has no probabilities", "draw regions of two columns instead");
  const Index classes = model.schema.classes.count();
  const auto p = model.predict(data, 0, Answer::probability);
  if (!p) return std::unexpected(p.error());
  const auto rows = class_rows(model, data, *p, classes);
  if (!rows) return std::unexpected(rows.error());
  const bool two = classes == 2;
  const Index positive = model.schema.classes.positive;
  Picture picture{.title = fmt::format("Probabilities of {}", model.schema.targets.at(0)),
                  .subtitle = class_subtitle(model, rows->used.size())};
  picture.x = {.label = two ? fmt::format("probability of {}", class_name(model, positive))
                            : "probability of the true class",
               .low = 0,
               .high = 1};
  picture.y = {.label = "share of the rows", .low = 0};
  std::vector<ClassValues> of_classes;
  for (Index k = 0; k < classes; ++k) {
    std::vector<double> values;
    for (std::size_t i = 0; i < rows->used.size(); ++i)
      if (rows->place[i] == k)
        values.push_back(
            (*p)[rows->used[i] * static_cast<std::size_t>(classes) + static_cast<std::size_t>(two ? positive : k)]);
    if (values.empty()) continue;
    if (classes <= kInLegend) picture.layers.emplace_back(histogram(values, class_name(model, k), static_cast<int>(k)));
    of_classes.push_back({model.schema.classes.labels.at(k), std::move(values)});
  }
  if (classes > kInLegend) add_ranges(of_classes, picture);
  return picture;
}

} // namespace

Result<Picture> class_picture(const Model& model, const Dataset& data, const std::string& kind) {
  const auto columns = number_columns(model).size();
  const bool bends = columns == 1 && model.schema.classes.count() == 2 && model.has_probabilities();
  const std::string what = !kind.empty() ? kind : bends ? "curve" : columns == 2 ? "regions" : "probabilities";
  if (what == "curve") return probability_curve(model, data);
  if (what == "regions") return regions(model, data);
  if (what == "probabilities") return probabilities(model, data);
  return fail(ErrorCode::usage, what, fmt::format("{} predicts classes, and that is a picture of numbers", model.word),
              "draw curve, regions or probabilities");
}

} // namespace recta::plot
