#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "data/checked_table.hpp"
#include "dispatch/of_rows.hpp"
#include "driver/clock.hpp"
#include "driver/first_pass.hpp"
#include "family/checked_request.hpp"
#include "feature/classes.hpp"
#include "model/used_rows.hpp"
#include "params/params.hpp"
#include "rows/schemas.hpp"
#include "rows/targets.hpp"
#include "search/grid.hpp"
#include "search/known_rows.hpp"

#include <recta/bias_variance.hpp>
#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace search {
namespace {

// The rows of the whole table: targets, or places of classes, and weights.
struct Truth {
  std::vector<double> y, weight;
  std::vector<std::string> labels; // of classes
};

// What the fits that did not see a row say about it.
using Said = std::vector<std::vector<double>>;

Result<Truth> truth_of(const std::string& word, const Dataset& data, const FitOptions& options) {
  const auto request = checked_request(word, options);
  if (!request) return std::unexpected(request.error());
  const auto schema = learn_from_table(data, *request, options);
  if (!schema) return std::unexpected(schema.error());
  if (schema->targets.size() != 1)
    return refuse(data.source, "bias and variance are of one target", "name one of them");
  auto target = targets_of(*schema, data);
  if (!target) return std::unexpected(target.error());
  Truth out{.y = *std::move(target), .weight = std::vector<double>(at(data.rows), 1), .labels = schema->classes.labels};
  if (request->info->classes)
    for (double& y : out.y)
      if (!std::isnan(y)) y = static_cast<double>(feature::class_place(schema->classes, y));
  if (const Column* weights = schema->weights.empty() ? nullptr : data.find(schema->weights))
    out.weight.assign(weights->values.begin(), weights->values.end());
  return out;
}

// Places of classes in the fit are those of all rows only if it saw all of them.
void add_said(const Model& model, const Values& predicted, const std::vector<Index>& rows, const Truth& truth,
              Said& said) {
  std::vector<double> place;
  for (const std::string& label : model.schema.classes.labels)
    place.push_back(static_cast<double>(std::ranges::find(truth.labels, label) - truth.labels.begin()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const double z = predicted[i]; !std::isnan(z))
      said[at(rows[i])].push_back(place.empty() ? z : place[static_cast<std::size_t>(z)]);
}

class Sums {
public:
  void add(double weight, double error, double bias, double variance) {
    weight_.add(weight);
    error_.add(weight * error), bias_.add(weight * bias), variance_.add(weight * variance);
    net_.add(weight * (bias > 0 ? -variance : variance));
    ++rows_;
  }
  void put(BiasVariancePoint& point, Index classes) const {
    const double all = weight_.value();
    point.error = error_.value() / all, point.bias = bias_.value() / all, point.variance = variance_.value() / all;
    point.net_variance = classes == 0 ? point.variance : classes == 2 ? net_.value() / all : kNaN;
    point.rows = rows_;
  }
  Index rows() const { return rows_; }

private:
  CompensatedSum weight_, error_, bias_, variance_, net_;
  Index rows_ = 0;
};

void add_number(double y, double weight, const std::vector<double>& said, Sums& sums) {
  const auto count = static_cast<double>(said.size());
  const double mean = compensated_sum(said) / count;
  CompensatedSum error, variance;
  for (const double f : said) error.add((y - f) * (y - f)), variance.add((f - mean) * (f - mean));
  sums.add(weight, error.value() / count, (y - mean) * (y - mean), variance.value() / count);
}

// The first of several classes that are said equally often is the main prediction.
void add_class(double y, double weight, const std::vector<double>& said, std::size_t classes, Sums& sums) {
  std::vector<double> votes(classes);
  for (const double place : said) ++votes[static_cast<std::size_t>(place)];
  const auto most = std::ranges::max_element(votes) - votes.begin();
  const auto count = static_cast<double>(said.size());
  sums.add(weight, 1 - votes[static_cast<std::size_t>(y)] / count, static_cast<double>(most) == y ? 0 : 1,
           1 - votes[static_cast<std::size_t>(most)] / count);
}

struct Resampling {
  const ModelInfo& model;
  const Dataset& data;
  const Splits& splits;
  const Truth& truth;
  const Clock& clock;
};

Result<void> judge_point(const Resampling& task, const FitOptions& options, Index done, Index all,
                         BiasVariancePoint& point) {
  Said said(at(task.data.rows));
  for (Index b = 0; b < task.splits.count(); ++b) {
    const Watch watch = [&, whole = task.clock.watch()](const Progress& inner) {
      Progress progress = inner;
      progress.stage = "resampling", progress.pass = 0;
      progress.fraction =
          static_cast<double>(done * task.splits.count() + b) / static_cast<double>(all * task.splits.count());
      return whole(progress);
    };
    const Split split = task.splits[b];
    const auto model = fit(task.model.word, TableView(task.data, split.train), options, watch);
    if (!model && model.error().code == ErrorCode::interrupted) return std::unexpected(model.error());
    if (model && model->certificate.verdict == Verdict::stopped_early && model->certificate.stop.by_the_caller())
      return fail(ErrorCode::interrupted, task.data.source, "stopped: " + task.clock.stop_reason().text());
    const auto predicted = model ? predict(*model, TableView(task.data, split.held_out), options.threads)
                                 : Result<Values>(std::unexpected(model.error()));
    if (!predicted && predicted.error().code == ErrorCode::interrupted) return std::unexpected(predicted.error());
    if (!predicted) {
      point.failure = fmt::format("sample {}: {}", b + 1, predicted.error().text());
      return {};
    }
    add_said(*model, *predicted, split.held_out, task.truth, said);
  }
  Sums sums;
  for (std::size_t i = 0; i < said.size(); ++i) {
    const double y = task.truth.y[i], weight = task.truth.weight[i];
    if (std::isnan(y) || said[i].size() < 2) continue;
    task.truth.labels.empty() ? add_number(y, weight, said[i], sums)
                              : add_class(y, weight, said[i], task.truth.labels.size(), sums);
  }
  if (sums.rows() == 0)
    return fail(ErrorCode::bad_data, task.data.source, "no row was left out of two samples", "draw more samples");
  sums.put(point, std::ssize(task.truth.labels));
  return {};
}

Result<BiasVariance> resampled(const ModelInfo& model, const Dataset& data, const FitOptions& options,
                               const BiasVarianceOptions& how, const Clock& clock) {
  std::vector<GridAxis> grid;
  if (how.over) grid.push_back(*how.over);
  if (how.samples < 2)
    return refuse("samples", fmt::format("{} of them", how.samples), "draw two or more; 50 are usual");
  if (auto good = check_grid(model, options, grid); !good) return std::unexpected(good.error());
  const std::vector<Params> points = grid_points(grid);
  FitOptions base = options;
  base.unseen = Unseen::zeros; // a level that only rows left out have is no level at all
  base.time_limit = 0;         // that of the whole is the clock's
  const FitOptions first = options_at(model, base, points[0]);
  const auto truth = truth_of(model.word, data, first);
  if (!truth) return std::unexpected(truth.error());
  const auto known = known_rows(model.word, data, first, {});
  if (!known) return std::unexpected(known.error());
  const auto splits =
      make_splits({.kind = SplitPlan::Kind::bootstrap, .repeats = how.samples, .seed = how.seed}, known->rows);
  if (!splits) return std::unexpected(splits.error());
  if (const auto good = check_classes(*known, *splits, data.source); !good) return std::unexpected(good.error());
  BiasVariance out{
      .word = model.word, .target = known->target, .rows = std::ssize(splits->used), .samples = how.samples};
  if (how.over) out.parameter = how.over->name;
  out.classes = std::ssize(truth->labels);
  if (out.classes > 0) out.measure = "error rate";
  const Resampling task{model, data, *splits, *truth, clock};
  for (const Params& params : points) {
    BiasVariancePoint& point = out.points.emplace_back();
    point.params = copied(params);
    const auto done =
        judge_point(task, options_at(model, base, params), std::ssize(out.points) - 1, std::ssize(points), point);
    if (!done) return std::unexpected(done.error());
  }
  if (std::ranges::none_of(out.points, [](const BiasVariancePoint& one) { return one.failure.empty(); }))
    return fail(ErrorCode::bad_data, data.source, "no sample could be fitted; " + out.points[0].failure);
  return out;
}

} // namespace
} // namespace search

Result<BiasVariance> bias_variance(const std::string& word, const Dataset& data, const FitOptions& options,
                                   const BiasVarianceOptions& how, const Watch& watch) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<BiasVariance> {
    const Clock clock(watch, options.time_limit);
    const Deadline deadline = clock.deadline();
    const auto model = find_model(word);
    if (!model) return std::unexpected(model.error());
    return search::resampled(**model, data, options, how, clock);
  });
}

Result<plot::Picture> bias_variance_picture(const BiasVariance& curve) {
  return guarded("plot", cure::kFree, [&]() -> Result<plot::Picture> {
    std::vector<double> x, error, bias, variance;
    for (const BiasVariancePoint& point : curve.points) {
      if (!point.failure.empty()) continue;
      const auto value = point.params.find(curve.parameter);
      const double* number = value == point.params.end() ? nullptr : std::get_if<double>(&value->second);
      if (!number)
        return fail(ErrorCode::usage, "plot", "bias and variance are drawn against a parameter that is a number",
                    "give --over such as lambda=1e-3..10:log:9");
      x.push_back(*number);
      error.push_back(point.error), bias.push_back(point.bias), variance.push_back(point.variance);
    }
    if (x.size() < 2) return fail(ErrorCode::usage, "plot", "there are not two points to draw", "give several values");
    const bool numbers = curve.classes == 0;
    plot::Picture picture{
        .title = fmt::format("{} of {} for {} against {}", curve.measure, curve.word, curve.target, curve.parameter)};
    picture.subtitle = fmt::format("rows left out of {} bootstrap samples", curve.samples);
    const auto [least, largest] = std::ranges::minmax(x);
    const bool by_logarithm = least > 0 && largest > 100 * least;
    picture.x = {.label = curve.parameter, .scale = by_logarithm ? plot::Scale::log : plot::Scale::linear};
    picture.y = {.label = curve.measure};
    int colour = 0;
    for (const auto& [label, y] :
         {std::pair{std::string(numbers ? "error = bias^2 and noise + variance" : "error rate"), error},
          {numbers ? "bias^2 and noise" : "bias", bias},
          {"variance", variance}})
      picture.layers.emplace_back(
          plot::Line{.x = x, .y = y, .label = label, .colour = colour++, .dotted = x.size() <= 60});
    return picture;
  });
}

} // namespace recta
