#include "data/split/folds.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <numeric>

namespace recta {
namespace {

// The first rows % count folds have one row more.
std::int32_t contiguous_fold(Index row, Index rows, Index count) {
  const Index least = rows / count, larger = rows % count, in_larger = larger * (least + 1);
  return static_cast<std::int32_t>(row < in_larger ? row / (least + 1) : larger + (row - in_larger) / least);
}

} // namespace

std::vector<std::int32_t> Folds::assign(Index first, Index n) const {
  std::vector<std::int32_t> out(static_cast<std::size_t>(n)), order(static_cast<std::size_t>(count));
  if (count == 0) std::ranges::fill(out, -1);
  Index dealt = -1; // the hand that `order` belongs to
  for (Index i = 0; i < n && count > 0; ++i) {
    const Index row = first + i;
    auto& fold = out[static_cast<std::size_t>(i)];
    if (kind == Kind::given) {
      fold = of->at(static_cast<std::size_t>(row));
    } else if (kind == Kind::contiguous) {
      fold = contiguous_fold(row, rows, count);
    } else {
      if (row / count != dealt) {
        dealt = row / count;
        std::iota(order.begin(), order.end(), 0);
        Random(seed, static_cast<std::uint64_t>(dealt)).shuffle(std::span(order));
      }
      fold = order[static_cast<std::size_t>(row % count)];
    }
  }
  return out;
}

} // namespace recta
