// Do events of probability p happen with frequency p? Probabilities fall into bins, of equal width or of equal weight;
// a bin has the mean probability and the share of positive rows. Bins of equal weight are cut at quantiles of the
// probabilities of all rows, each counting once, between which NumPy's percentile interpolates.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "evaluate/metric/block_sums.hpp"
#include "evaluate/metric/input.hpp"
#include "evaluate/metric/sort.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::metric {
namespace {

struct BinSums {
  double weight = 0, probability = 0, positive = 0;
};

Values sorted_probabilities(const Ranked& rows, int threads) {
  const Index n = std::ssize(rows.truth);
  Unset<std::uint64_t> keys(at(n));
  for (Index i = 0; i < n; ++i) keys[at(i)] = key_of(rows.score[i * rows.stride]);
  sort_keys(keys, threads);
  Values sorted(at(n));
  for (Index i = 0; i < n; ++i) sorted[at(i)] = number_of(keys[at(i)]);
  return sorted;
}

// NumPy's linear interpolation, from the nearer end; its levels are percentages, which rounds them.
double between(double low, double high, double part) {
  const double width = high - low;
  return part >= 0.5 ? high - width * (1 - part) : low + width * part;
}

// bins + 1 bounds.
std::vector<double> bounds_of(const Ranked& rows, Index bins, Bins how, int threads) {
  std::vector<double> bounds;
  const double step = 1 / static_cast<double>(bins);
  for (Index b = 0; b < bins; ++b) bounds.push_back(static_cast<double>(b) * step);
  bounds.push_back(1);
  if (how == Bins::uniform) return bounds;
  const Values sorted = sorted_probabilities(rows, threads);
  const auto last = static_cast<double>(sorted.size() - 1);
  for (double& bound : bounds) {
    const double place = bound * 100 / 100 * last, below = std::floor(place);
    const auto at_low = static_cast<std::size_t>(below);
    bound = between(sorted[at_low], sorted[std::min(at_low + 1, sorted.size() - 1)], place - below);
  }
  return bounds;
}

// The first bin whose upper bound is not below p, among `inner` bounds; p of [0, 1] in bins of equal width is near its
// place already.
struct BinFinder {
  std::span<const double> inner;
  bool uniform;

  Index operator()(double p) const {
    const Index count = std::ssize(inner);
    if (!uniform) return std::ranges::lower_bound(inner, p) - inner.begin();
    Index bin = std::min(static_cast<Index>(p * static_cast<double>(count + 1)), count);
    while (bin > 0 && inner[at(bin - 1)] >= p) --bin;
    while (bin < count && inner[at(bin)] < p) ++bin;
    return bin;
  }
};

std::vector<BinSums> sum_bins(const Ranked& rows, Index bins, const BinFinder& find, int threads) {
  const Index n = std::ssize(rows.truth);
  std::vector<std::vector<BinSums>> blocks(at(block_count(n)));
  for_blocks(n, threads, [&](Index block, Index first, Index count) {
    std::vector<BinSums> sums(at(bins));
    for (Index i = first; i < first + count; ++i) {
      const double p = rows.score[i * rows.stride], weight = weight_of(rows.weights, i);
      BinSums& bin = sums[at(find(p))];
      bin.weight += weight;
      bin.probability += weight * p;
      bin.positive += rows.truth[at(i)] == rows.positive ? weight : 0;
    }
    blocks[at(block)] = std::move(sums);
  });
  std::vector<BinSums> out(at(bins));
  for (std::size_t b = 0; b < out.size(); ++b) {
    CompensatedSum weight, probability, positive;
    for (const auto& block : blocks) {
      weight.add(block[b].weight);
      probability.add(block[b].probability);
      positive.add(block[b].positive);
    }
    out[b] = {weight.value(), probability.value(), positive.value()};
  }
  return out;
}

Result<void> check_calibration(const Ranked& rows, Index bins, int threads) {
  constexpr Index kMostBins = 1 << 16;
  const Index n = std::ssize(rows.truth);
  if (bins < 1 || bins > kMostBins)
    return fail(ErrorCode::usage, "bins", fmt::format("there are {}", bins),
                fmt::format("choose from 1 to {}", kMostBins));
  if (auto good = same_length(at(n), at(n), "probabilities"); !good) return good;
  if (auto good = check_weights(rows.weights, at(n), threads); !good) return good;
  if (rows.stride == 1) return check_probabilities({rows.score, at(n)}, threads);
  for (Index i = 0; i < n; ++i)
    if (auto good = check_probabilities({rows.score + i * rows.stride, 1}, 1); !good) return good;
  return {};
}

} // namespace

Result<std::vector<CalibrationBin>> calibration(const Ranked& rows, Index bins, Bins how, int threads) {
  return guarded("probabilities", cure::kFewerRows, [&]() -> Result<std::vector<CalibrationBin>> {
    if (auto good = check_calibration(rows, bins, threads); !good) return std::unexpected(good.error());
    const std::vector<double> bounds = bounds_of(rows, bins, how, threads);
    const BinFinder find{std::span(bounds).subspan(1, at(bins - 1)), how == Bins::uniform};
    const std::vector<BinSums> sums = sum_bins(rows, bins, find, threads);
    std::vector<CalibrationBin> out;
    for (std::size_t b = 0; b < sums.size(); ++b)
      if (sums[b].weight > 0)
        out.push_back({bounds[b], bounds[b + 1], sums[b].weight, sums[b].probability / sums[b].weight,
                       sums[b].positive / sums[b].weight});
    return out;
  });
}

double calibration_error(const std::vector<CalibrationBin>& bins, double power) {
  CompensatedSum sum, weight;
  double largest = 0;
  for (const CalibrationBin& bin : bins) {
    const double gap = std::abs(bin.share - bin.mean_probability);
    largest = std::max(largest, gap);
    sum.add_product(bin.weight, power == 1 ? gap : std::pow(gap, power));
    weight.add(bin.weight);
  }
  if (std::isinf(power)) return largest;
  const double mean = sum.value() / weight.value();
  return power == 1 ? mean : std::pow(mean, 1 / power);
}

} // namespace recta::metric
