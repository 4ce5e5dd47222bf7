#include "data/split/row_hash.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace recta {
namespace {

std::vector<Index> all_rows(Index rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

} // namespace

Split split_rows(Index rows, double share, std::uint64_t seed) {
  const RowHash hash(seed);
  std::vector<Index> order = all_rows(rows);
  const auto cut = order.begin() + static_cast<Index>(std::llround(share * static_cast<double>(rows)));
  if (cut != order.end()) {
    std::nth_element(order.begin(), cut, order.end(), [&](Index a, Index b) { return hash(a) < hash(b); });
  }
  Split split{{cut, order.end()}, {order.begin(), cut}};
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.held_out.begin(), split.held_out.end());
  return split;
}

std::vector<Index> shuffled_rows(Index rows, std::uint64_t seed) {
  std::vector<Index> order = all_rows(rows);
  std::ranges::sort(order, {}, RowHash(seed));
  return order;
}

} // namespace recta
