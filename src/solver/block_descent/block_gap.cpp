#include "solver/block_descent/block_gap.hpp"

namespace recta::descent {
namespace {

double with_scale(std::span<const Block> blocks, std::span<const Index> looked, const ReadBlock& read,
                  double residual_square, double c) {
  double sum = (1 - c) * (1 - c) * residual_square / 2;
  for (const Index b : looked) {
    const BlockPoint& point = read(b);
    sum += slack(blocks[b], point.u, point.g, c);
  }
  return sum;
}

} // namespace

double measure_gap(std::span<const Block> blocks, std::span<const Index> looked, const ReadBlock& read,
                   double residual_square) {
  double tight = 1;
  bool squares = false;
  for (const Index b : looked) {
    const double size = norm_of(read(b).g);
    if (size > blocks[b].l1) tight = std::min(tight, blocks[b].l1 / size);
    squares = squares || blocks[b].l2 > 0;
  }
  const double gap = with_scale(blocks, looked, read, residual_square, tight);
  return squares ? std::min(gap, with_scale(blocks, looked, read, residual_square, 1)) : gap;
}

} // namespace recta::descent
