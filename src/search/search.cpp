#include "search/search.hpp"

#include "base/kept_work.hpp"
#include "base/numbers.hpp"
#include "data/split/table_view.hpp"
#include "dispatch/of_rows.hpp"
#include "dispatch/path_models.hpp"
#include "params/params.hpp"
#include "search/choose.hpp"
#include "search/grid.hpp"
#include "search/option_params.hpp"
#include "search/score.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace recta::search {
namespace {

// The rows that a split trains on, a view of the data, and those it leaves out. These are few, spread over all of the
// data, and read once per point, so that a copy of them is read several times as fast. Labels in cells are another
// table.
class PartsOfSplits {
public:
  explicit PartsOfSplits(const Task& task) : task_(task), data_(task.data) {
    if (!task.labels.has_cells()) return;
    split_cells_ = task.data;
    task.labels.split(*split_cells_);
    data_ = TableView(*split_cells_);
  }
  PartsOfSplits(const PartsOfSplits&) = delete;
  PartsOfSplits& operator=(const PartsOfSplits&) = delete;

  TableView trained(Index split) {
    go_to(split);
    return {data_.table(), rows_.train};
  }
  TableView left_out(Index split) {
    go_to(split);
    return left_out_;
  }

private:
  void go_to(Index split) {
    if (split == latest_) return;
    left_out_ = {}; // before the next ones are copied
    rows_ = task_.splits[split];
    left_out_ = copy_rows(data_.table(), rows_.held_out);
    latest_ = split;
  }

  const Task& task_;
  TableView data_;
  std::optional<Dataset> split_cells_{};
  Index latest_ = -1;
  Split rows_{};
  Dataset left_out_{};
};

class Search {
public:
  Search(const Task& task, Record& record, CrossValidation& out)
      : task_(task), record_(record), out_(out), parts_(task), began_(task.clock.seconds()) {
    base_ = task.labels.options(task.options);
    base_.unseen = Unseen::zeros; // a level that only rows left out have is no level at all
    base_.time_limit = 0;         // that of the whole is the clock's
  }

  Result<void> run() {
    prepare();
    const std::vector<std::vector<std::size_t>> all = groups();
    // A search that goes on gives the same bits, whatever was done before.
    const bool keeps = task_.how.resume.empty();
    std::optional<KeptWork> of_search;
    if (keeps) of_search.emplace(KeptWork::Of::search);
    for (Index split = 0; split < task_.splits.count(); ++split) {
      std::optional<KeptWork> kept;
      if (keeps) kept.emplace();
      for (const std::vector<std::size_t>& group : all)
        if (out_.stopped.empty())
          if (auto done = one_split(group, split); !done) return done;
    }
    for (GridPoint& point : out_.points)
      for (auto* scores : {&point.scores, &point.training})
        for (ScoreValues& values : *scores) add_means(values);
    return {};
  }

private:
  // Points that differ in lambda alone are one group, and may be one path. Groups that differ in how simple a model is
  // alone follow one another, the simplest first: a fit may begin at the one before it (base/kept_work.hpp).
  std::vector<std::vector<std::size_t>> groups() const {
    std::vector<std::vector<std::size_t>> out;
    std::map<std::string, std::size_t> place;
    for (std::size_t k = 0; k < out_.points.size(); ++k) {
      Params others = copied(out_.points[k].params);
      const bool strength = others.erase("lambda") > 0;
      const auto [found, fresh] = place.emplace(point_text(others), out.size());
      if (fresh || !strength) out.emplace_back();
      out[strength ? found->second : out.size() - 1].push_back(k);
    }
    std::map<std::string, std::size_t> kind_place;
    std::vector<std::pair<Order, std::vector<std::size_t>>> ordered;
    for (std::vector<std::size_t>& group : out) {
      const Order order = order_of(out_.points[group[0]].params, kind_place);
      ordered.emplace_back(order, std::move(group));
    }
    std::ranges::sort(ordered);
    out.clear();
    for (auto& [order, group] : ordered) out.push_back(std::move(group));
    return out;
  }

  // The place of the first point that has the same other parameters, then how far the model is from a simple one.
  using Order = std::pair<std::size_t, std::vector<double>>;
  Order order_of(const Params& params, std::map<std::string, std::size_t>& kind_place) const {
    Params others = copied(params);
    std::vector<double> complexity;
    for (const auto& [name, value] : params) {
      const auto info = find_param(task_.model, name);
      if (!info || info->simpler == 0 || !std::holds_alternative<double>(value)) continue;
      complexity.push_back(-info->simpler * std::get<double>(value));
      others.erase(name);
    }
    return {kind_place.emplace(point_text(others), kind_place.size()).first->second, complexity};
  }

  void prepare() {
    const auto splits = task_.splits.parts.size();
    const ScoreValues none{.folds = std::vector<double>(splits, kNaN)};
    for (std::size_t k = 0; k < out_.points.size(); ++k) {
      GridPoint& point = out_.points[k];
      point.scores.assign(out_.scores.size(), none);
      if (task_.how.training) point.training = point.scores;
      for (Index split = 0; split < task_.splits.count(); ++split) {
        if (const Measured* measured = record_.find(point_text(point.params), split))
          put(k, split, *measured), ++out_.resumed;
        else
          ++pending_;
      }
    }
  }

  bool is_done(std::size_t k, Index split) const {
    return !out_.points[k].failure.empty() || record_.find(point_text(out_.points[k].params), split);
  }

  void put(std::size_t k, Index split, const Measured& measured) {
    GridPoint& point = out_.points[k];
    point.seconds += measured.seconds;
    if (!measured.failure.empty()) {
      if (point.failure.empty()) point.failure = measured.failure;
      return;
    }
    for (std::size_t s = 0; s < measured.scores.size(); ++s) point.scores[s].folds[at(split)] = measured.scores[s];
    for (std::size_t s = 0; s < measured.training.size() && s < point.training.size(); ++s)
      point.training[s].folds[at(split)] = measured.training[s];
  }

  Result<void> keep(std::size_t k, Index split, Measured measured) {
    measured.seconds = task_.clock.seconds() - began_;
    began_ = task_.clock.seconds();
    ++fitted_;
    put(k, split, measured);
    return record_.add(point_text(out_.points[k].params), split, measured);
  }

  // The progress of the whole search, whatever is being fitted.
  Watch watch() {
    return [this, whole = task_.clock.watch()](const Progress& inner) {
      Progress progress = inner;
      progress.stage = "cross-validating";
      progress.pass = 0;
      progress.fraction = static_cast<double>(fitted_) / static_cast<double>(std::max<Index>(pending_, 1));
      return whole(progress);
    };
  }

  Result<void> one_split(const std::vector<std::size_t>& group, Index split) {
    std::vector<std::size_t> todo;
    for (const std::size_t k : group)
      if (!is_done(k, split)) todo.push_back(k);
    if (todo.size() > 1) {
      const auto done = along_path(todo, split);
      if (!done) return std::unexpected(done.error());
      if (*done) return {};
    }
    for (const std::size_t k : todo)
      if (auto done = one_fit(k, split); !done || !out_.stopped.empty()) return done;
    return {};
  }

  // False: this model has no such path, and the points are fitted one by one.
  Result<bool> along_path(const std::vector<std::size_t>& todo, Index split) {
    std::vector<double> lambdas;
    for (const std::size_t k : todo) lambdas.push_back(std::get<double>(out_.points[k].params.at("lambda")));
    Params others = copied(out_.points[todo[0]].params);
    others.erase("lambda");
    const FitOptions options = options_at(task_.model, base_, others);
    const auto use = [&](double lambda, const Model& model) -> Result<void> {
      const auto place = static_cast<std::size_t>(std::ranges::find(lambdas, lambda) - lambdas.begin());
      return keep_measured(todo.at(place), split, model);
    };
    const auto done = path_models(task_.word, parts_.trained(split), options, lambdas, watch(), use);
    if (done) return true;
    if (done.error().code == ErrorCode::interrupted) return stop(), true;
    if (done.error().code == ErrorCode::usage) return false;
    if (done.error().code == ErrorCode::failure) return std::unexpected(done.error());
    return false; // whether it is the fault of one point or of all, their own fits say
  }

  Result<void> one_fit(std::size_t k, Index split) {
    const FitOptions options = options_at(task_.model, base_, out_.points[k].params);
    const auto model = fit(task_.word, parts_.trained(split), options, watch());
    if (!model && model.error().code == ErrorCode::interrupted) return stop(), Result<void>{};
    if (!model) return keep(k, split, {.failure = fmt::format("split {}: {}", split + 1, model.error().text())});
    if (model->certificate.verdict == Verdict::stopped_early && model->certificate.stop.by_the_caller())
      return stop(), Result<void>{};
    const auto done = keep_measured(k, split, *model);
    if (!done && done.error().code == ErrorCode::interrupted) return stop(), Result<void>{};
    return done;
  }

  void stop() { out_.stopped = task_.clock.stop_reason().text(); }

  Result<void> keep_measured(std::size_t k, Index split, const Model& model) {
    Measured out;
    const auto add = [&](const TableView& rows, std::vector<double>& scores) -> Result<void> {
      auto found = scores_on(model, rows, out_.scores);
      if (found)
        scores = *std::move(found);
      else if (found.error().code == ErrorCode::interrupted)
        return std::unexpected(found.error());
      else
        out.failure = fmt::format("split {}: {}", split + 1, found.error().text());
      return {};
    };
    if (auto done = add(parts_.left_out(split), out.scores); !done) return done;
    if (task_.how.training && out.failure.empty())
      if (auto done = add(parts_.trained(split), out.training); !done) return done;
    return keep(k, split, std::move(out));
  }

  const Task& task_;
  Record& record_;
  CrossValidation& out_;
  PartsOfSplits parts_;
  FitOptions base_;
  double began_;
  Index pending_ = 0, fitted_ = 0;
};

} // namespace

Result<void> run_search(const Task& task, Record& record, CrossValidation& out) {
  return Search(task, record, out).run();
}

} // namespace recta::search
