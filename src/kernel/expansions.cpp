// Sums of multiples of a kernel's values, with bounds of their rounding: over all points, at rows that are asked for or
// at the points themselves.
#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "kernel/points.hpp"

#include <algorithm>

namespace recta::kernel {

void Points::each_block(const Kernel& kernel, const Queries& queries, const UseBlock& use) const {
  const Index rows = queries.count();
  if (texts_) {
    std::vector<double> all(at(rows * count()));
    values(kernel, queries, all.data(), count());
    for (Index first = 0; first < count(); first += kExpansionBlock)
      use(first, std::min(kExpansionBlock, count() - first), all.data() + first, count());
    return;
  }
  std::vector<double> tile(at(rows * kExpansionBlock));
  for (Index first = 0; first < count(); first += kExpansionBlock) {
    const Index last = std::min(count(), first + kExpansionBlock);
    block_values(kernel, {first, last}, {queries.x_.data(), queries.square_.data(), rows}, tile.data());
    use(first, last - first, tile.data(), kExpansionBlock);
  }
}

std::vector<Expansion> Points::expansions(const Kernel& kernel, const Queries& queries,
                                          std::span<const double> beta) const {
  const Index rows = queries.count();
  std::vector<Expanding> sums(at(rows));
  std::vector<double> sum(at(rows)), size(at(rows));
  each_block(kernel, queries, [&](Index first, Index some, const double* values, Index stride) {
    simd::kernels().term_sums({values, rows, some, stride}, beta.data() + first, sum.data(), size.data());
    for (std::size_t q = 0; q < sums.size(); ++q) sums[q].add_block(sum[q], size[q]);
  });
  std::vector<Expansion> out;
  for (const Expanding& one : sums) out.push_back(one.taken());
  return out;
}

// A block of points against itself and all points after it, which come in tiles. Those after it have a share in the
// sums of the block, added in the order of the tiles.
std::vector<Expansion> Points::own_expansions(const Kernel& kernel, std::span<const double> beta, Pool& pool) const {
  constexpr Index kTile = 64; // a term of a tile's share has as many roundings, no more than an eighth of a block has
  static_assert(kExpansionBlock % kTile == 0 && kTile <= kExpansionBlock / 8);
  std::vector<double> sizes;
  for (const double one : beta) sizes.push_back(std::abs(one));
  std::vector<Expanding> sums(at(count()));
  for (Index first = 0; first < count(); first += kExpansionBlock) {
    const Chunk block{first, std::min(count(), first + kExpansionBlock)};
    const Index of_block = block.last - first, tiles = (count() - first + kTile - 1) / kTile;
    std::vector<double> sum(at(tiles * of_block)), size(at(tiles * of_block)); // what a tile adds to the block
    run_listening(&pool, tiles, [&](Index task, int) {
      const Index from = first + task * kTile, some = std::min(kTile, count() - from);
      std::vector<double> x(at(some * cols_)), values(at(some * kExpansionBlock));
      for (Index r = 0; r < some; ++r) row(from + r, x.data() + r * cols_);
      block_values(kernel, block, {x.data(), square_.data() + from, some}, values.data());
      double of_row[kTile], size_of_row[kTile];
      const simd::Kernels& loops = simd::kernels();
      loops.term_sums({values.data(), some, of_block, kExpansionBlock}, beta.data() + first, of_row, size_of_row);
      for (Index r = 0; r < some; ++r) sums[at(from + r)].add_block(of_row[r], size_of_row[r]);
      if (from < block.last) return; // each of these has met all of the block
      const std::vector<double*> rows = rows_at(values.data(), some, kExpansionBlock);
      loops.add_multiples(of_block, some, rows.data(), beta.data() + from, sum.data() + task * of_block);
      for (double& value : values) value = std::abs(value);
      loops.add_multiples(of_block, some, rows.data(), sizes.data() + from, size.data() + task * of_block);
    });
    for (Index task = of_block / kTile; task < tiles; ++task)
      for (Index i = 0; i < of_block; ++i)
        sums[at(first + i)].add_block(sum[at(task * of_block + i)], size[at(task * of_block + i)]);
  }
  std::vector<Expansion> out;
  for (const Expanding& one : sums) out.push_back(one.taken());
  return out;
}

} // namespace recta::kernel
