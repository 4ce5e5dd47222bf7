#include "data/checked_table.hpp"
#include "data/split/class_folds.hpp"
#include "dispatch/of_rows.hpp"
#include "driver/clock.hpp"
#include "driver/first_pass.hpp"
#include "evaluate/used_rows.hpp"
#include "family/checked_request.hpp"
#include "params/params.hpp"
#include "rows/schemas.hpp"
#include "rows/targets.hpp"

#include <recta/evaluate.hpp>
#include <recta/learning_curve.hpp>
#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

// Rows in an order whose every prefix has about the shares of the classes, if there are any.
std::vector<PlacedRow> order_of(std::vector<double> target, bool classes, const LearningOptions& how) {
  if (!classes)
    for (double& y : target)
      if (!std::isnan(y)) y = 0;
  return learning_order(target, how.folds, how.seed);
}

double error_of(const Evaluation& evaluation) {
  return evaluation.classes ? 1 - evaluation.classes->accuracy : evaluation.targets.at(0).mse;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_error(const std::vector<double>& values) {
  const double middle = mean(values), n = static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / (n - 1) / n);
}

std::vector<double> shares_of(const LearningOptions& how) {
  std::vector<double> shares = how.shares;
  for (int tenth = 1; tenth <= 10 && how.shares.empty(); ++tenth) shares.push_back(tenth / 10.0);
  std::ranges::sort(shares);
  return shares;
}

Result<void> check(const LearningOptions& how) {
  for (const double share : how.shares)
    if (!(share > 0 && share <= 1))
      return fail(ErrorCode::usage, "learning curve", fmt::format("{} is not a share of the rows", share),
                  "give shares above 0 and up to 1");
  if (how.folds < 2)
    return fail(ErrorCode::usage, "learning curve", fmt::format("{} folds leave no row out", how.folds),
                "ask for two or more");
  return {};
}

class Learning {
public:
  Learning(const std::string& word, const Dataset& data, FitOptions options, const Clock& clock)
      : word_(word), data_(data), options_(std::move(options)), clock_(clock) {
    options_.unseen = Unseen::zeros;
    options_.time_limit = 0; // that of the whole is the clock's
  }

  Result<void> add(LearningPoint& point, const std::vector<Index>& trained, const std::vector<Index>& left_out) const {
    const std::vector<Index> seen_rows = sorted(trained), other_rows = sorted(left_out);
    const TableView part(data_, seen_rows);
    const auto model = fit(word_, part, options_, clock_.watch());
    if (!model)
      return fail(model.error().code, model.error().where,
                  fmt::format("with {} rows: {}", trained.size(), model.error().what), model.error().advice);
    if (model->certificate.verdict == Verdict::stopped_early && model->certificate.stop.by_the_caller())
      return fail(ErrorCode::interrupted, data_.source, "stopped: " + clock_.stop_reason().text());
    const auto training = evaluate(*model, part), others = evaluate(*model, TableView(data_, other_rows));
    if (!training) return std::unexpected(training.error());
    if (!others) return std::unexpected(others.error());
    point.fold_training.push_back(error_of(*training));
    point.fold_left_out.push_back(error_of(*others));
    return {};
  }

private:
  static std::vector<Index> sorted(std::vector<Index> rows) {
    std::ranges::sort(rows);
    return rows;
  }

  const std::string& word_;
  const Dataset& data_;
  FitOptions options_;
  const Clock& clock_;
};

} // namespace

Result<LearningCurve> learning_curve(const std::string& word, const Dataset& data, const FitOptions& options,
                                     const LearningOptions& how, const Watch& watch) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<LearningCurve> {
    const Clock clock(watch, options.time_limit);
    const Deadline deadline = clock.deadline();
    const auto request = checked_request(word, options);
    if (!request) return std::unexpected(request.error());
    const auto schema = learn_from_table(data, *request, options);
    if (!schema) return std::unexpected(schema.error());
    if (schema->targets.size() != 1)
      return fail(ErrorCode::usage, data.source, "a learning curve is of one target", "name one of them");
    const auto target = targets_of(*schema, data);
    if (!target) return std::unexpected(target.error());
    const bool classes = request->info->classes;
    if (auto good = check(how); !good) return std::unexpected(good.error());
    const std::vector<PlacedRow> rows = order_of(*target, classes, how);
    if (std::ssize(rows) < how.folds)
      return fail(ErrorCode::bad_data, data.source, fmt::format("{} rows do not make {} folds", rows.size(), how.folds),
                  "ask for fewer folds");

    LearningCurve out{.word = word, .target = schema->targets[0], .rows = std::ssize(rows)};
    if (classes) out.measure = "error rate";
    const Learning learning(word, data, options, clock);
    for (const double share : shares_of(how)) {
      LearningPoint point;
      for (Index fold = 0; fold < how.folds; ++fold) {
        std::vector<Index> trained, left_out;
        for (const PlacedRow& placed : rows) (placed.fold == fold ? left_out : trained).push_back(placed.row);
        const auto count = std::max(1.0, std::round(share * static_cast<double>(trained.size())));
        trained.resize(static_cast<std::size_t>(count));
        if (fold == 0) point.rows = std::ssize(trained);
        if (auto done = learning.add(point, trained, left_out); !done) return std::unexpected(done.error());
      }
      point.training = mean(point.fold_training), point.left_out = mean(point.fold_left_out);
      point.training_standard_error = standard_error(point.fold_training);
      point.left_out_standard_error = standard_error(point.fold_left_out);
      out.points.push_back(std::move(point));
    }
    return out;
  });
}

} // namespace recta
