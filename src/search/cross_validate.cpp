#include "base/numbers.hpp"
#include "data/checked_table.hpp"
#include "params/params.hpp"
#include "search/choose.hpp"
#include "search/grid.hpp"
#include "search/known_rows.hpp"
#include "search/score.hpp"
#include "search/search.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace search {
namespace {

// The first point whose rows can be read says which rows there are; if none can, the first error does.
Result<KnownRows> rows_of_points(const ModelInfo& model, const Dataset& data, const FitOptions& options,
                                 const CrossValidationOptions& how, const std::vector<Params>& points) {
  std::optional<Error> first;
  for (const Params& point : points) {
    auto known = known_rows(model.word, data, options_at(model, options, point), how);
    if (known) return known;
    if (!first) first = known.error();
    if (known.error().code == ErrorCode::failure) break;
  }
  return std::unexpected(*first);
}

Result<void> check_columns(const CrossValidationOptions& how) {
  const auto contradict = [](const std::string& what, const char* advice) { return refuse("splits", what, advice); };
  if (!how.time.empty() && how.splits.kind != SplitPlan::Kind::time && how.splits.kind != SplitPlan::Kind::holdout)
    return contradict("there is a column of times, and the splits are not made by time", "leave it out");
  if (!how.id.empty() && how.splits.kind != SplitPlan::Kind::hash)
    return contradict("there is a column of identifiers, and the splits are not made by their hash", "leave it out");
  return {};
}

// Why nothing can be chosen although nothing was stopped.
Error none_to_choose(const CrossValidation& search, const std::string& source) {
  const auto failed =
      std::ranges::find_if(search.points, [](const GridPoint& point) { return !point.failure.empty(); });
  if (failed != search.points.end() &&
      std::ranges::none_of(search.points, [](const GridPoint& point) { return point.failure.empty(); }))
    return {ErrorCode::bad_data, source,
            fmt::format("no point of the grid could be fitted; the first one, {}: {}",
                        failed->params.empty() ? "the model as it is" : point_text(failed->params), failed->failure),
            ""};
  return {ErrorCode::bad_data, source, fmt::format("{} has no value in some split of every point", search.scores.at(0)),
          "choose by another score, or leave more rows out at a time"};
}

class CrossValidator {
public:
  CrossValidator(const std::string& word, const Dataset& data, FitOptions options, const CrossValidationOptions& how,
                 const Clock& clock)
      : word_(word), data_(data), options_(std::move(options)), how_(how), clock_(clock) {
    for (const std::string& column : {how.groups, how.id})
      if (!column.empty()) options_.ignore.push_back(column);
  }

  Result<CrossValidation> run() {
    const auto model = find_model(word_);
    if (!model) return std::unexpected(model.error());
    if (auto good = check(**model); !good) return std::unexpected(good.error());
    if (auto good = split(**model); !good) return std::unexpected(good.error());
    auto record = Record::open(how_.resume, search_name(word_, data_, options_, how_, splits_, out_.scores));
    if (!record) return std::unexpected(record.error());
    const Task task{word_, **model, data_, options_, how_, splits_, *labels_, clock_};
    if (auto done = run_search(task, *record, out_); !done) return std::unexpected(done.error());
    if (!out_.stopped.empty()) return std::move(out_);
    if (auto done = choose(**model); !done) return std::unexpected(done.error());
    return std::move(out_);
  }

private:
  Result<void> check(const ModelInfo& model) {
    if (auto good = check_grid(model, options_, how_.grid); !good) return good;
    if (auto good = check_columns(how_); !good) return good;
    if (auto good = check_split_columns(data_, how_); !good) return good;
    out_.word = word_;
    out_.grid = how_.grid;
    return {};
  }

  // Known as soon as the classes are, and before anything is fitted.
  Result<void> choose_scores(const ModelInfo& model, const KnownRows& known) {
    auto scores = chosen_scores(model, {known.classes, known.labels}, how_.scores);
    if (!scores) return std::unexpected(scores.error());
    out_.scores = *std::move(scores);
    const std::string& first = out_.scores[0];
    const bool of_spread = first == "r2" || first == "d2" || first == "explained_variance" ||
                           first.starts_with("d2_") || first.ends_with("roc_area") || first.ends_with("pr_area");
    if (how_.splits.kind == SplitPlan::Kind::leave_one_out && how_.groups.empty() && of_spread)
      return refuse("score", fmt::format("{} of a single row has no value", first),
                    model.classes ? "choose by log_loss or accuracy, or ask for folds"
                                  : "choose by mse or mae, or ask for folds");
    return {};
  }

  Result<void> split(const ModelInfo& model) {
    const std::vector<Params> points = grid_points(how_.grid);
    auto known = rows_of_points(model, data_, options_, how_, points);
    if (!known) return std::unexpected(known.error());
    if (auto good = choose_scores(model, *known); !good) return good;
    auto splits = make_splits(how_.splits, known->rows);
    if (!splits) return fail(splits.error().code, data_.source, splits.error().what, splits.error().advice);
    splits_ = *std::move(splits);
    auto notes = check_classes(*known, splits_, data_.source);
    if (!notes) return std::unexpected(notes.error());
    out_.notes = *std::move(notes);
    std::ranges::move(label_notes(*known, splits_), std::back_inserter(out_.notes));
    labels_.emplace(data_, options_, known->labels);
    out_.target = known->target;
    out_.rows = std::ssize(splits_.used);
    out_.splits = splits_.count();
    for (const Params& point : points) out_.points.push_back({.params = copied(point)});
    return {};
  }

  Result<void> choose(const ModelInfo& model) {
    out_.best = best_point(out_);
    if (out_.best < 0) return std::unexpected(none_to_choose(out_, data_.source));
    if (how_.one_standard_error) {
      const auto simplest = simplest_point(model, out_, out_.best);
      if (!simplest) return std::unexpected(simplest.error());
      out_.best = *simplest;
    }
    return how_.refit ? refit(model) : Result<void>{};
  }

  Result<void> refit(const ModelInfo& model) {
    FitOptions options = options_at(model, options_, out_.points[at(out_.best)].params);
    options.time_limit = 0;
    auto fitted = fit(word_, data_, options, clock_.watch());
    if (!fitted && fitted.error().code == ErrorCode::interrupted) {
      out_.stopped = clock_.stop_reason().text();
      return {};
    }
    if (!fitted) return std::unexpected(fitted.error());
    out_.model = *std::move(fitted);
    return {};
  }

  const std::string& word_;
  const Dataset& data_;
  FitOptions options_;
  const CrossValidationOptions& how_;
  const Clock& clock_;
  Splits splits_;
  std::optional<LabelCells> labels_;
  CrossValidation out_;
};

} // namespace
} // namespace search

Result<CrossValidation> cross_validate(const std::string& word, const Dataset& data, const FitOptions& options,
                                       const CrossValidationOptions& how, const Watch& watch) {
  return guarded(data, cure::kFewerRows, [&]() -> Result<CrossValidation> {
    const Clock clock(watch, options.time_limit);
    const Deadline deadline = clock.deadline();
    return search::CrossValidator(word, data, options, how, clock).run();
  });
}

} // namespace recta
