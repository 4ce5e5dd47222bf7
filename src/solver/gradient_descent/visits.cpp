#include "solver/gradient_descent/visits.hpp"

#include "base/random.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {

Result<Visits> Visits::plan(Index rows, const std::vector<double>& weight) {
  constexpr double kMost = 1 << 30;
  Visits visits;
  const auto whole = [](double v) { return v == std::floor(v); };
  double total = 0;
  for (const double v : weight) total += whole(v) ? v : 1;
  if (total > std::max(kMost, static_cast<double>(rows)))
    return fail(ErrorCode::bad_data, "weights",
                fmt::format("whole weights are repetitions, and {} visits in a pass are too many", total),
                "divide the weights by a common factor");
  for (Index i = 0; i < rows; ++i) {
    const double v = weight.empty() ? 1 : weight[i];
    if (v > 0) visits.rows_.insert(visits.rows_.end(), whole(v) ? static_cast<std::size_t>(v) : 1, i);
  }
  if (!std::all_of(weight.begin(), weight.end(), whole))
    for (const double v : weight) visits.factors_.push_back(whole(v) ? 1 : v);
  return visits;
}

Visits Visits::once_each(Index rows, const std::vector<double>& weight) {
  Visits visits;
  for (Index i = 0; i < rows; ++i)
    if (weight.empty() || weight[i] > 0) visits.rows_.push_back(i);
  const double scale = weight.empty() ? 1 : static_cast<double>(visits.count()) / compensated_sum(weight);
  for (const double v : weight) visits.factors_.push_back(v * scale);
  return visits;
}

std::span<const Index> Visits::pass(RowOrder order, std::uint64_t seed, Index pass) {
  if (order == RowOrder::cyclic) return rows_;
  Random random(seed, static_cast<std::uint64_t>(pass) + 1);
  ordered_ = rows_;
  if (order == RowOrder::shuffled)
    random.shuffle(std::span(ordered_));
  else
    for (Index& i : ordered_) i = rows_[random.below(rows_.size())];
  return ordered_;
}

} // namespace recta
