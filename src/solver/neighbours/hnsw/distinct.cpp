#include "solver/neighbours/hnsw/distinct.hpp"

#include "base/guard.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

namespace recta::neighbours {
namespace {

constexpr std::uint64_t kOrder = 2; // stream of random numbers

std::uint64_t hash_of(const double* row, Index cols) {
  std::uint64_t hash = 0x9E3779B97F4A7C15;
  for (Index j = 0; j < cols; ++j) {
    hash ^= std::bit_cast<std::uint64_t>(row[j] + 0.0); // -0 is 0
    hash *= 0xBF58476D1CE4E5B9;
    hash ^= hash >> 29;
  }
  return hash;
}

} // namespace

DistinctRows distinct_rows(const Points& points, std::uint64_t seed) {
  std::unordered_multimap<std::uint64_t, Index> known; // of each hash the groups that have it
  std::vector<Index> first, group(at(points.rows));
  for (Index i = 0; i < points.rows; ++i) {
    const double* row = points.row(i);
    const std::uint64_t hash = hash_of(row, points.cols);
    const auto [from, to] = known.equal_range(hash);
    const auto same = std::find_if(from, to, [&](const auto& one) {
      return std::equal(row, row + points.cols, points.row(first[at(one.second)]));
    });
    group[at(i)] = same != to ? same->second : std::ssize(first);
    if (same != to) continue;
    known.emplace(hash, std::ssize(first));
    first.push_back(i);
  }
  std::vector<Index> order(first.size()), node(first.size());
  std::iota(order.begin(), order.end(), Index{0});
  Random(seed, kOrder).shuffle(std::span(order));
  if (std::ssize(order) == points.rows) return {{}, std::move(order)};
  for (std::size_t v = 0; v < order.size(); ++v) node[at(order[v])] = static_cast<Index>(v);
  std::vector<Index> start(order.size() + 1), member(group.size());
  for (const Index g : group) ++start[at(node[at(g)] + 1)];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Index> next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < group.size(); ++i) member[at(next[at(node[at(group[i])])]++)] = static_cast<Index>(i);
  return {std::move(start), std::move(member)};
}

// The bounds are looked at each time, since they may come from a file, which may claim anything.
std::span<const Index> DistinctRows::rows_of(Index node) const {
  if (start.empty()) return {member.from(at(node), 1), 1};
  const Index from = start[at(node)], to = start[at(node + 1)];
  if (from < 0 || from >= to || to > std::ssize(member.view()))
    throw ErrorThrown(fail(ErrorCode::bad_model_file, "model", "not a valid model: a node of its graph has no rows",
                           "fit the model again or take another copy of the file")
                          .error());
  return {member.from(at(from), at(to - from)), at(to - from)};
}

} // namespace recta::neighbours
