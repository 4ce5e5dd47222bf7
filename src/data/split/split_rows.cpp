#include "base/guard.hpp"
#include "data/split/row_hash.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

std::vector<Index> all_rows(Index rows) {
  std::vector<Index> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

} // namespace

Split cut_by_hash(Index rows, double share, std::uint64_t seed) {
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

std::vector<Index> rows_by_hash(Index rows, std::uint64_t seed) {
  std::vector<Index> order = all_rows(rows);
  std::ranges::sort(order, {}, RowHash(seed));
  return order;
}

namespace {

Result<void> check_count(Index rows) {
  if (rows >= 0) return {};
  return fail(ErrorCode::usage, "splits", fmt::format("{} rows", rows), "give a number from zero up");
}

} // namespace

Result<Split> split_rows(Index rows, double share, std::uint64_t seed) {
  return guarded("splits", cure::kFewerRows, [&]() -> Result<Split> {
    if (auto good = check_count(rows); !good) return std::unexpected(good.error());
    if (!(share >= 0 && share <= 1))
      return fail(ErrorCode::usage, "splits", fmt::format("{} is not a share of the rows", share),
                  "give one between 0 and 1");
    return cut_by_hash(rows, share, seed);
  });
}

Result<std::vector<Index>> shuffled_rows(Index rows, std::uint64_t seed) {
  return guarded("splits", cure::kFewerRows, [&]() -> Result<std::vector<Index>> {
    if (auto good = check_count(rows); !good) return std::unexpected(good.error());
    return rows_by_hash(rows, seed);
  });
}

} // namespace recta
