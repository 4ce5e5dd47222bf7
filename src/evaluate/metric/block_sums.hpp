// Sums over rows on all threads, with the same bits at any number of them: terms are written in runs of kRun, each run
// is summed pairwise, and runs are added in their order with their rounding errors kept.
#pragma once

#include "base/numbers.hpp"
#include "base/pool.hpp"
#include "base/sums.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace recta::metric {

inline constexpr Index kRun = 512, kBlockRows = 64 * kRun;

inline Index block_count(Index rows) {
  return (rows + kBlockRows - 1) / kBlockRows;
}

// Calls work(block, first, count) for all blocks of rows; few rows are not worth a thread.
template <class Work>
void for_blocks(Index rows, int threads, Work&& work) {
  const Index blocks = block_count(rows);
  const auto one = [&](Index block, int) {
    const Index first = block * kBlockRows;
    work(block, first, std::min(kBlockRows, rows - first));
  };
  if (blocks < 2) {
    if (blocks == 1) one(0, 0);
    return;
  }
  Pool(threads).run(blocks, one);
}

// fill(first, count, terms) writes terms[s][0 .. count) of the rows from `first` on, one line per sum.
template <std::size_t kSums, class Fill>
std::array<double, kSums> block_sums(Index rows, int threads, Fill&& fill) {
  std::vector<std::array<CompensatedSum, kSums>> blocks(at(block_count(rows)));
  for_blocks(rows, threads, [&](Index block, Index first, Index count) {
    double terms[kSums][kRun];
    for (Index run = 0; run < count; run += kRun) {
      const Index length = std::min(kRun, count - run);
      fill(first + run, length, terms);
      for (std::size_t s = 0; s < kSums; ++s) blocks[at(block)][s].add(pairwise_sum({terms[s], length}));
    }
  });
  std::array<CompensatedSum, kSums> sums;
  for (const auto& block : blocks)
    for (std::size_t s = 0; s < kSums; ++s) sums[s].add(block[s].total());
  std::array<double, kSums> values;
  for (std::size_t s = 0; s < kSums; ++s) values[s] = sums[s].value();
  return values;
}

} // namespace recta::metric
