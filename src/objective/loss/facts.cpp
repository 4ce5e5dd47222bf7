#include "objective/loss/facts.hpp"

#include "base/numbers.hpp"
#include "objective/loss/targets_alone.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"
#include "stats/shifted_rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {

void TargetRange::accumulate(const Batch& batch) {
  for (const Index i : present_rows(batch)) {
    const double y = element(batch.target, i, 0), o = batch.offset.empty() ? 0 : batch.offset[i];
    if (y < least) least = y, least_row = batch.first_row + i;
    largest = std::max(largest, y);
    least_rest = std::min(least_rest, y - o);
    largest_rest = std::max(largest_rest, y - o);
    least_offset = std::min(least_offset, o);
    largest_offset = std::max(largest_offset, o);
    sum += (batch.weight.empty() ? 1 : batch.weight[i]) * y;
  }
}

void TargetRange::merge(const TargetRange& other) {
  if (other.least < least) least = other.least, least_row = other.least_row;
  largest = std::max(largest, other.largest);
  least_rest = std::min(least_rest, other.least_rest);
  largest_rest = std::max(largest_rest, other.largest_rest);
  least_offset = std::min(least_offset, other.least_offset);
  largest_offset = std::max(largest_offset, other.largest_offset);
  sum += other.sum;
}

double LossFacts::unit_error(const LossObjective& objective) const {
  if (!objective.standardise || (objective.lambda1 == 0 && objective.lambda2 == 0)) return 0;
  const double sums_error = (256 + 4 * static_cast<double>(sums.rows)) * kUnit * kUnit; // of the sums about zero
  double most = 0;
  for (Index j = 0; j < sums.cols; ++j)
    if (const double spread = sums.spread(j).hi; spread > 0)
      most = std::max(most, sums_error * sums.squares[j].hi / spread);
  return most > 16 * kUnit ? most : 0;
}

std::vector<double> LossFacts::shifts(const LossObjective& objective) const {
  if (!objective.intercept) return {};
  std::vector<double> mean, deviation;
  for (Index j = 0; j < sums.cols; ++j) {
    mean.push_back(sums.mean(j).hi);
    deviation.push_back(sums.constant(j, true) ? 0 : sums.deviation(j));
  }
  return shifts_of(mean, deviation);
}

DoubleDouble penalty_of(const LossObjective& objective, const LossFacts& facts, const std::vector<double>& w) {
  DoubleDouble penalty = 0.0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double x = w[j] * facts.unit(objective, static_cast<Index>(j));
    if (x != 0) penalty += DoubleDouble(objective.lambda2 / 2) * x * x + two_prod(objective.lambda1, std::abs(x));
  }
  return penalty;
}

Result<LossFacts> loss_facts(RowSource& rows, Pool& pool, const Watch& watch, const Places& places) {
  const Both<ColumnSums, TargetRange> empty{ColumnSums(rows.cols(), 1), TargetRange{}};
  auto both = fresh_pass(rows, empty, pool, watch, {.stage = "reading rows", .places = places});
  if (!both) return std::unexpected(both.error());
  LossFacts facts;
  facts.sums = std::move(both->first);
  facts.range = both->second;
  facts.passes = 1;
  return facts;
}

Result<LossFacts> loss_facts(RowSource& rows, const ColumnSums& sums, Pool& pool, const Watch& watch) {
  TargetsAlone alone(rows);
  const auto range = fresh_pass(alone, TargetRange{}, pool, watch, {.stage = "reading targets"});
  if (!range) return std::unexpected(range.error());
  LossFacts facts;
  facts.sums = sums;
  facts.range = *range;
  facts.passes = 1;
  return facts;
}

} // namespace recta
