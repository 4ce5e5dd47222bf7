#include "family/neighbours/body.hpp"

#include "stats/dense_copy.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta::neighbours {
namespace {

std::string row_name(Index row) {
  return fmt::format("row {}", row + 1);
}

} // namespace

NeighbourBody::NeighbourBody(TrainingRows rows, const NeighbourRule& rule, FitSummary summary, ErrorsByK errors,
                             BuiltIndex built)
    : rows_(std::move(rows)), settings_(rule.settings), index_(rule.index), classes_(rule.classes),
      positive_(rule.positive), summary_(std::move(summary)), errors_(std::move(errors)), known_(std::move(built)) {
  if (!rows_.scale.empty() || maps(settings_.metric))
    mapped_ = known_.points.empty() ? CheckedArray<double>(mapped_rows()) : known_.points;
  points_ = {mapped_.empty() ? rows_.x : mapped_, rows_.rows, rows_.cols, rows_.weight, rows_.y};
}

std::vector<double> NeighbourBody::mapped_rows() const {
  std::vector<double> out = rows_.x.copy();
  (void)map(out, 0); // rows that cannot be mapped were refused before
  return out;
}

void NeighbourBody::build(Pool& pool) const {
  std::call_once(built_, [&] {
    if (known_.graph)
      search_ = make_hnsw(settings_.metric, points_, settings_.graph, *std::move(known_.graph));
    else if (known_.tree)
      search_ = make_tree(index_, settings_.metric, points_, *std::move(known_.tree));
    else
      search_ = make_search(index_, settings_.metric, points_, pool, settings_.graph);
    known_ = {};
  });
}

BuiltIndex NeighbourBody::built() const {
  BuiltIndex out{.points = mapped_};
  if (const TreeParts* tree = search().tree()) out.tree = *tree;
  if (const auto* graph = dynamic_cast<const GraphSearch*>(&search())) out.graph = graph->parts();
  return out;
}

bool NeighbourBody::index_as_built(Pool& pool) const {
  if (!mapped_.empty() && !(mapped_ == CheckedArray<double>(mapped_rows()))) return false;
  if (index_ == IndexWord::brute) return true;
  const BuiltIndex now = built();
  const auto again = make_search(index_, settings_.metric, points_, pool, settings_.graph);
  if (now.tree) return same_tree(index_, points_, *now.tree, *again->tree());
  return *now.graph == dynamic_cast<const GraphSearch&>(*again).parts();
}

const Search& NeighbourBody::search() const {
  Pool pool;
  build(pool);
  return *search_;
}

Result<void> NeighbourBody::map(std::span<double> queries, Index first_row) const {
  const Index p = rows_.cols, count = p == 0 ? 0 : static_cast<Index>(queries.size()) / p;
  for (Index i = 0; i < count; ++i) {
    double* row = queries.data() + i * p;
    for (Index j = 0; j < p; ++j) {
      if (!std::isfinite(row[j]) && !(std::isnan(row[j]) && takes_missing(settings_.metric)))
        return fail(ErrorCode::bad_data, fmt::format("{}, feature {}", row_name(first_row + i), j + 1),
                    fmt::format("{} has no distance to other numbers", row[j]),
                    "leave the row out, fill in a number, or take the metric gower, which does without");
      if (!rows_.scale.empty()) row[j] = (row[j] - rows_.centre[at(j)]) * rows_.scale[at(j)];
    }
    if (!map_row(settings_.metric, row, p))
      return fail(ErrorCode::bad_data, row_name(first_row + i), no_distance(settings_.metric),
                  "leave the row out, or take another metric");
  }
  return {};
}

Neighbourhoods NeighbourBody::find(std::span<const double> queries, Wanted wanted, std::span<const Index> self,
                                   Pool& pool) const {
  const Metric& metric = settings_.metric;
  const double radius = wanted.radius;
  if (std::isfinite(radius)) wanted.radius = measure_bound(metric, radius);
  Neighbourhoods found =
      search().find(queries.data(), static_cast<Index>(queries.size()) / rows_.cols, wanted, self, pool);
  if (!std::isfinite(radius)) return found;
  Neighbourhoods inside; // the bound of the measure may let in rows just beyond the radius
  inside.start.push_back(0);
  for (Index q = 0; q + 1 < static_cast<Index>(found.start.size()); ++q) {
    for (const Neighbour& one : found.of(q))
      if (reported(metric, one.distance) <= radius) inside.list.push_back(one);
    inside.start.push_back(static_cast<Index>(inside.list.size()));
  }
  return inside;
}

Result<void> NeighbourBody::check_comparable(std::span<const Neighbour> list, Index row) const {
  if (list.empty() || !std::isinf(list.back().distance)) return {};
  const auto count = std::ranges::count_if(list, [](const Neighbour& one) { return std::isfinite(one.distance); });
  return fail(ErrorCode::bad_data, row_name(row),
              fmt::format("only {} training row{} a column in common with it, of the {} that should answer", count,
                          count == 1 ? " has" : "s have", list.size()),
              "fill in numbers that are missing, leave the row out, or take a smaller k");
}

Result<NeighbourList> NeighbourBody::nearest(std::span<const double> queries, const NeighbourQuery& query,
                                             int threads) const {
  std::vector<double> mapped(queries.begin(), queries.end());
  if (auto good = map(mapped, 0); !good) return std::unexpected(good.error());
  std::vector<Index> self;
  if (query.own_rows) {
    if (mapped.size() != rows_.x.size())
      return fail(ErrorCode::usage, "neighbours", "these are not the remembered rows", "leave out own_rows");
    self.resize(at(rows_.rows));
    std::iota(self.begin(), self.end(), Index{0});
  }
  if (index_ == IndexWord::hnsw && query.k == 0)
    return fail(ErrorCode::usage, "neighbours", "the index hnsw finds the k nearest rows, not all within a radius",
                "give k, or fit with another index");
  Pool pool(threads);
  Neighbourhoods found;
  try {
    found = find(mapped, {query.k, query.radius, true}, self, pool);
  } catch (const std::exception& error) {
    if (!settings_.metric.distance) throw;
    return fail(ErrorCode::bad_data, "neighbours", error.what(),
                "the function must give a number from zero up for every pair of rows");
  }
  for (Index q = 0; q + 1 < std::ssize(found.start); ++q)
    if (auto good = check_comparable(found.of(q), q); !good) return std::unexpected(good.error());
  NeighbourList out{.start = found.start, .row = {}, .distance = {}};
  out.row.reserve(found.list.size());
  out.distance.reserve(found.list.size());
  for (const Neighbour& one : found.list) {
    out.row.push_back(rows_.number[at(one.row)]);
    out.distance.push_back(reported(settings_.metric, one.distance));
  }
  return out;
}

template <class Answer>
Result<void> NeighbourBody::without_neighbours(Index row, Index width, double* out, const Answer& write) const {
  if (settings_.outside == Outside::missing) {
    std::fill_n(out, width, kNaN);
    return {};
  }
  if (settings_.outside == Outside::refuse)
    return fail(ErrorCode::bad_data, row_name(row),
                fmt::format("no training row lies within the radius {}", settings_.radius),
                "take a larger radius, or say what such rows get: outside prior or missing");
  std::vector<Neighbour> all(at(rows_.rows));
  for (Index i = 0; i < rows_.rows; ++i) all[at(i)].row = i;
  write(all, out);
  return {};
}

template <class Answer>
Result<void> NeighbourBody::answer(const Batch& rows, Index width, double* out, const Answer& write) const {
  DenseCopy copy;
  copy.take(rows);
  const Index n = rows.rows(), p = rows_.cols;
  std::vector<Index> present;
  std::vector<double> queries;
  for (Index i = 0; i < n; ++i) {
    if (!rows.weight.empty() && !(rows.weight[at(i)] > 0)) {
      std::fill_n(out + i * width, width, kNaN);
      continue;
    }
    present.push_back(i);
    const std::span<double> row = std::span(copy.x).subspan(at(i * p), at(p));
    if (auto good = map(row, rows.first_row + i); !good) return good;
    queries.insert(queries.end(), row.begin(), row.end());
  }
  Pool pool(1); // batches are shared out already
  const Neighbourhoods found = find(queries, {settings_.k, settings_.radius}, {}, pool);
  for (std::size_t q = 0; q < present.size(); ++q) {
    const Index i = present[q];
    const auto list = found.of(static_cast<Index>(q));
    if (auto good = check_comparable(list, rows.first_row + i); !good) return good;
    if (!list.empty())
      write(list, out + i * width);
    else if (auto done = without_neighbours(rows.first_row + i, width, out + i * width, write); !done)
      return done;
  }
  return {};
}

Result<void> NeighbourBody::score(const Batch& rows, ScoresOf, double* out) const {
  std::vector<Voter> voters;
  std::vector<double> decision(at(classes_));
  Tally tally(classes_);
  return answer(rows, scores(), out, [&](std::span<const Neighbour> list, double* to) {
    for (Index t = 0; t < rows_.targets; ++t) {
      count_votes(list, points_, settings_, settings_.k, [&](Index row) { return target(row, t); }, voters);
      if (classes_ == 0) to[t] = mean(voters);
    }
    if (classes_ == 0) return;
    tally.clear();
    for (const Voter& one : voters) tally.add(one);
    tally.decide(settings_.k > 0 ? settings_.k : 1, decision);
    if (classes_ == 2)
      to[0] = decision[at(positive_)] - decision[at(1 - positive_)];
    else
      std::ranges::copy(decision, to);
  });
}

Result<void> NeighbourBody::probability(const Batch& rows, double* out) const {
  std::vector<Voter> voters;
  Tally tally(classes_);
  return answer(rows, classes_, out, [&](std::span<const Neighbour> list, double* to) {
    count_votes(list, points_, settings_, settings_.k, [&](Index row) { return target(row, 0); }, voters);
    tally.clear();
    for (const Voter& one : voters) tally.add(one);
    tally.shares(settings_.laplace, {to, at(classes_)});
  });
}

Report NeighbourBody::report(const Schema&) const {
  Report out;
  if (settings_.k > 0)
    out.figures.push_back({"neighbours", "neighbours", settings_.k});
  else
    out.figures.push_back({"radius", "radius", settings_.radius});
  if (recall_.queries > 0) {
    out.figures.push_back({"recall", "recall measured", recall_.measured});
    out.figures.push_back({"recall_at_least", "recall at least", recall_.at_least});
  }
  out.figures.push_back({"remembered_rows", "rows remembered", static_cast<double>(rows_.rows)});
  if (!errors_.left_out.empty()) {
    const std::string what = classes_ > 0 ? "error rate" : "mean squared error";
    Report::Table table{"errors_by_k", what + " by the number of neighbours", {"k", "left out", "training"}, {}};
    for (std::size_t k = 0; k < errors_.left_out.size(); ++k)
      table.rows.push_back({static_cast<double>(k + 1), errors_.left_out[k], errors_.training[k]});
    out.tables.push_back(std::move(table));
    out.remarks.push_back({"knn.best", {{"k", errors_.best()}, {"error", errors_.left_out[at(errors_.best() - 1)]}}});
  }
  return out;
}

} // namespace recta::neighbours
