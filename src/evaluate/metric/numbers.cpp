// Measures of predicted numbers, with the error e = y - z. Percentages are relative to |y|, and to 2^-52 where y is
// smaller, as scikit-learn has it.
#include "base/numbers.hpp"

#include "base/guard.hpp"
#include "evaluate/metric/block_sums.hpp"
#include "evaluate/metric/input.hpp"
#include "evaluate/metric/sort.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::metric {
namespace {

Result<void> check_pairs(const Pairs& rows, int threads) {
  const Index n = std::ssize(rows.truth);
  if (auto good = same_length(at(n), rows.predicted.size(), "predictions"); !good) return good;
  if (auto good = check_weights(rows.weights, at(n), threads); !good) return good;
  if (auto good = check_numbers(rows.truth.data(), n, 1, "truth", threads); !good) return good;
  return check_numbers(rows.predicted.data(), n, 1, "predictions", threads);
}

Result<void> check_level(double level) {
  if (level >= 0 && level <= 1) return {};
  return fail(ErrorCode::usage, "level", fmt::format("it is {}", level), "quantiles have levels from 0 to 1");
}

struct LargestError {
  double size = -1;
  Index row = -1;
};

LargestError largest_error(const Pairs& rows, int threads) {
  const Index n = std::ssize(rows.truth);
  std::vector<LargestError> blocks(at(block_count(n)));
  for_blocks(n, threads, [&](Index block, Index first, Index count) {
    LargestError most;
    for (Index i = first; i < first + count; ++i) {
      const double size = std::abs(rows.truth[at(i)] - rows.predicted[at(i)]);
      if (size > most.size && weight_of(rows.weights, i) > 0) most = {size, i};
    }
    blocks[at(block)] = most;
  });
  LargestError most;
  for (const LargestError& block : blocks)
    if (block.size > most.size) most = block;
  return most;
}

// The mean of loss(y, z): level times an error above the prediction, 1 - level times one below it.
double pinball_mean(const Pairs& rows, double level, double constant, int threads) {
  const auto [sum, weight] = block_sums<2>(std::ssize(rows.truth), threads, [&](Index first, Index count, auto& terms) {
    for (Index r = 0; r < count; ++r) {
      const double z = rows.predicted.empty() ? constant : rows.predicted[at(first + r)];
      const double e = rows.truth[at(first + r)] - z;
      terms[1][r] = weight_of(rows.weights, first + r);
      terms[0][r] = terms[1][r] * (e >= 0 ? level * e : (level - 1) * e);
    }
  });
  return sum / weight;
}

// A quantile of sorted values: the first whose cumulated weight reaches level times the whole, or the mean of it and
// the next one if it is reached exactly. Cumulated in plain sums, so that the same rows give the same place as
// scikit-learn's.
double quantile_of(const Unset<WeightedKey>& sorted, double level) {
  std::vector<double> cumulated;
  cumulated.reserve(sorted.size());
  double sum = 0;
  for (const WeightedKey& item : sorted) cumulated.push_back(sum += item.weight);
  double rank = level * sum;
  if (rank == 0) rank = std::nextafter(0.0, 1.0);
  const auto reached = std::min(static_cast<std::size_t>(std::ranges::lower_bound(cumulated, rank) - cumulated.begin()),
                                sorted.size() - 1);
  const double value = number_of(sorted[reached].key);
  if (cumulated[reached] - rank > 0x1p-52) return value;
  return (value + number_of(sorted[std::min(reached + 1, sorted.size() - 1)].key)) / 2;
}

template <class Of>
double quantile_by(Index n, Numbers weights, double level, int threads, Of&& of) {
  Unset<WeightedKey> items;
  items.reserve(at(n));
  for (Index i = 0; i < n; ++i)
    if (const double weight = weight_of(weights, i); weight > 0) items.push_back({key_of(of(i)), weight});
  sort_keys(items, threads);
  return quantile_of(items, level);
}

} // namespace

Result<NumberErrors> number_errors(const Pairs& rows, int threads) {
  return guarded("numbers", cure::kFewerRows, [&]() -> Result<NumberErrors> {
    if (auto good = check_pairs(rows, threads); !good) return std::unexpected(good.error());
    const Index n = std::ssize(rows.truth);
    const double *const y = rows.truth.data(), *const z = rows.predicted.data();
    const auto sums = block_sums<6>(n, threads, [&](Index first, Index count, auto& terms) {
      for (Index r = 0; r < count; ++r) {
        const Index i = first + r;
        const double weight = weight_of(rows.weights, i), e = y[i] - z[i], size = std::abs(e);
        const double values[6] = {1, e * e, size, size / std::max(std::abs(y[i]), 0x1p-52), y[i], e};
        for (std::size_t s = 0; s < 6; ++s) terms[s][r] = weight * values[s];
      }
    });
    NumberErrors out{.weight = sums[0], .mse = sums[1] / sums[0], .mae = sums[2] / sums[0], .mape = sums[3] / sums[0]};
    const double mean = sums[4] / sums[0], mean_error = sums[5] / sums[0];
    const auto spreads = block_sums<2>(n, threads, [&](Index first, Index count, auto& terms) {
      for (Index r = 0; r < count; ++r) {
        const Index i = first + r;
        const double weight = weight_of(rows.weights, i), off = y[i] - mean, e = y[i] - z[i] - mean_error;
        terms[0][r] = weight * (off * off);
        terms[1][r] = weight * (e * e);
      }
    });
    out.spread = spreads[0] / sums[0];
    out.error_spread = spreads[1] / sums[0];
    const LargestError most = largest_error(rows, threads);
    out.largest = most.size;
    out.largest_row = most.row;
    return out;
  });
}

double explained(double unexplained, double spread) {
  if (unexplained == 0) return 1;
  return spread == 0 ? 0 : 1 - unexplained / spread;
}

Result<double> quantile(Numbers values, Numbers weights, double level, int threads) {
  return guarded("numbers", cure::kFewerRows, [&]() -> Result<double> {
    const Index n = std::ssize(values);
    if (auto good = check_level(level); !good) return std::unexpected(good.error());
    if (auto good = same_length(at(n), at(n), "values"); !good) return std::unexpected(good.error());
    if (auto good = check_weights(weights, at(n), threads); !good) return std::unexpected(good.error());
    if (auto good = check_numbers(values.data(), n, 1, "values", threads); !good) return std::unexpected(good.error());
    return quantile_by(n, weights, level, threads, [&](Index i) { return values[at(i)]; });
  });
}

Result<double> median_error(const Pairs& rows, int threads) {
  return guarded("numbers", cure::kFewerRows, [&]() -> Result<double> {
    if (auto good = check_pairs(rows, threads); !good) return std::unexpected(good.error());
    return quantile_by(std::ssize(rows.truth), rows.weights, 0.5, threads,
                       [&](Index i) { return std::abs(rows.predicted[at(i)] - rows.truth[at(i)]); });
  });
}

Result<double> pinball(const Pairs& rows, double level, int threads) {
  return guarded("numbers", cure::kFewerRows, [&]() -> Result<double> {
    if (auto good = check_level(level); !good) return std::unexpected(good.error());
    if (auto good = check_pairs(rows, threads); !good) return std::unexpected(good.error());
    return pinball_mean(rows, level, 0, threads);
  });
}

Result<double> d2_pinball(const Pairs& rows, double level, int threads) {
  const auto loss = pinball(rows, level, threads);
  if (!loss) return std::unexpected(loss.error());
  const auto middle = quantile(rows.truth, rows.weights, level, threads);
  if (!middle) return std::unexpected(middle.error());
  return explained(*loss, pinball_mean({rows.truth, {}, rows.weights}, level, *middle, threads));
}

} // namespace recta::metric
