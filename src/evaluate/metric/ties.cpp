#include "evaluate/metric/ties.hpp"

#include "base/large_memory.hpp"
#include "evaluate/metric/block_sums.hpp"
#include "evaluate/metric/input.hpp"

namespace recta::metric {
namespace {

bool belongs(const Ranked& rows, Index i) {
  const std::int32_t place = rows.truth[at(i)];
  return place == rows.positive || rows.against < 0 || place == rows.against;
}

struct PlacesOfBlock { // where the next key of either class goes
  Index positive = 0, negative = 0;
};

// How many keys of either class the blocks hold; then, where those of each block begin.
std::vector<PlacesOfBlock> count_blocks(const Ranked& rows, int threads) {
  const Index n = std::ssize(rows.truth);
  std::vector<PlacesOfBlock> begin(at(block_count(n) + 1));
  for_blocks(n, threads, [&](Index block, Index first, Index count) {
    Index positive = 0, others = 0;
    for (Index i = first; i < first + count; ++i) {
      const std::int32_t place = rows.truth[at(i)];
      positive += place == rows.positive;
      others += rows.against < 0 ? place != rows.positive : place == rows.against;
    }
    begin[at(block + 1)] = {positive, others};
  });
  for (std::size_t b = 1; b < begin.size(); ++b) {
    begin[b].positive += begin[b - 1].positive;
    begin[b].negative += begin[b - 1].negative;
  }
  return begin;
}

void order_counts(const Ranked& rows, int threads, OrderedRows& out) {
  const Index n = std::ssize(rows.truth);
  const std::vector<PlacesOfBlock> begin = count_blocks(rows, threads);
  const std::size_t positive = at(begin.back().positive), negative = at(begin.back().negative);
  const LargePages pages(LargePages::room(positive * sizeof(double)) + LargePages::room(negative * sizeof(double)));
  out.positive.resize(positive);
  out.negative.resize(negative);
  for_blocks(n, threads, [&](Index block, Index first, Index count) {
    std::uint64_t* const to[2] = {out.negative.data() + begin[at(block)].negative,
                                  out.positive.data() + begin[at(block)].positive};
    Index next[2] = {0, 0};
    for (Index i = first; i < first + count; ++i) {
      if (!belongs(rows, i)) continue;
      const std::size_t side = rows.truth[at(i)] == rows.positive;
      to[side][next[side]++] = key_of(rows.score[i * rows.stride]);
    }
  });
  sort_keys(out.positive, threads);
  sort_keys(out.negative, threads);
}

void order_weights(const Ranked& rows, int threads, OrderedRows& out) {
  const Index n = std::ssize(rows.truth);
  const LargePages pages(LargePages::room(at(n) * sizeof(WeightedKey)));
  out.weighted.reserve(at(n));
  for (Index i = 0; i < n; ++i) {
    if (!belongs(rows, i) || rows.weights[at(i)] == 0) continue;
    const double sign = rows.truth[at(i)] == rows.positive ? 1 : -1;
    out.weighted.push_back({key_of(rows.score[i * rows.stride]), sign * rows.weights[at(i)]});
  }
  sort_keys(out.weighted, threads);
}

} // namespace

Result<OrderedRows> order(const Ranked& rows, int threads) {
  const std::size_t n = rows.truth.size();
  if (auto good = same_length(n, n, "scores"); !good) return std::unexpected(good.error());
  if (auto good = check_weights(rows.weights, n, threads); !good) return std::unexpected(good.error());
  if (auto good = check_numbers(rows.score, static_cast<Index>(n), rows.stride, "scores", threads); !good)
    return std::unexpected(good.error());
  OrderedRows out;
  out.has_weights = !rows.weights.empty();
  out.has_weights ? order_weights(rows, threads, out) : order_counts(rows, threads, out);
  return out;
}

} // namespace recta::metric
