#include "search/choose.hpp"

#include "base/numbers.hpp"
#include "params/params.hpp"
#include "search/option_params.hpp"
#include "search/score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta::search {
namespace {

// How much simpler than the best point a point is along each axis; none if it is not along one.
std::optional<std::vector<double>> how_much_simpler(const ModelInfo& model, const std::vector<GridAxis>& grid,
                                                    const Params& point, const Params& best) {
  std::vector<double> out;
  for (const GridAxis& axis : grid) {
    const ParamValue &here = point.at(axis.name), &there = best.at(axis.name);
    const int simpler = find_param(model, axis.name)->simpler;
    const double by = here == there  ? 0
                      : simpler == 0 ? -1
                                     : simpler * (std::get<double>(here) - std::get<double>(there));
    if (by < 0) return std::nullopt;
    out.push_back(by);
  }
  return out;
}

} // namespace

void add_means(ScoreValues& values) {
  const auto count = static_cast<double>(values.folds.size());
  values.mean = std::accumulate(values.folds.begin(), values.folds.end(), 0.0) / count;
  double largest = 0; // scores may be so large that their squares are no doubles
  for (const double value : values.folds) largest = std::max(largest, std::abs(value - values.mean));
  const double unit = largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, std::ilogb(largest)) : 1;
  double squares = 0;
  for (const double value : values.folds) squares += (value - values.mean) / unit * ((value - values.mean) / unit);
  values.standard_error = count > 1 ? unit * std::sqrt(squares / (count - 1) / count) : kNaN;
}

Index best_point(const CrossValidation& search) {
  const double sign = larger_is_better(search) ? -1 : 1;
  Index best = -1;
  double least = kInfinity;
  for (std::size_t k = 0; k < search.points.size(); ++k) {
    const GridPoint& point = search.points[k];
    const double mean = sign * (point.scores.empty() ? kNaN : point.scores[0].mean);
    if (!point.failure.empty() || std::isnan(mean) || !(mean < least || best < 0)) continue;
    best = static_cast<Index>(k), least = mean;
  }
  return best;
}

Result<Index> simplest_point(const ModelInfo& model, const CrossValidation& search, Index best) {
  if (std::ranges::none_of(search.grid,
                           [&](const GridAxis& axis) { return find_param(model, axis.name)->simpler != 0; }))
    return refuse("one standard error", "for no parameter in the grid is it known which values make a simpler model",
                  "leave the rule out; lambda and poly are such parameters");
  const ScoreValues& top = search.points[at(best)].scores[0];
  if (std::isnan(top.standard_error))
    return refuse("one standard error", "a single split has no standard error", "ask for folds, or leave the rule out");
  const double sign = larger_is_better(search) ? -1 : 1;
  Index chosen = best;
  auto simplest = *how_much_simpler(model, search.grid, search.points[at(best)].params, search.points[at(best)].params);
  for (std::size_t k = 0; k < search.points.size(); ++k) {
    const GridPoint& point = search.points[k];
    if (!point.failure.empty() || !(sign * (point.scores[0].mean - top.mean) <= top.standard_error)) continue;
    const auto by = how_much_simpler(model, search.grid, point.params, search.points[at(best)].params);
    if (by && *by > simplest) simplest = *by, chosen = static_cast<Index>(k);
  }
  return chosen;
}

} // namespace recta::search
