// Parts of a combined model worked on at the same time, each on one thread: what a part gives has the same bits on any
// number of threads, so it does not matter which way it was made. Small parts gain most, since threads that share one
// of them wait for each other at every step.
#pragma once

#include "base/pool.hpp"
#include "driver/clock.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace recta::combine {

// Whether there are enough parts for all threads, and rows of so few numbers that every thread may have its own copy.
bool go_side_by_side(Index parts, Index numbers, const Pool& pool);

// Calls each(part, clock) for parts from 0 on until one says false, several at a time if `together`; those begun
// before are still finished. The caller's watch is called from the calling thread alone, and stops all parts.
void for_each_part(Index parts, bool together, Pool& pool, const Clock& clock,
                   const std::function<bool(Index part, const Clock& clock)>& each);

// What `each` gives for every part; if some fail, the error of the first one.
template <class T>
Result<std::vector<T>> all_parts(Index parts, bool together, Pool& pool, const Clock& clock,
                                 const std::function<Result<T>(Index part, const Clock& clock)>& each) {
  std::vector<std::optional<Result<T>>> results(static_cast<std::size_t>(parts));
  for_each_part(parts, together, pool, clock, [&](Index part, const Clock& part_clock) {
    auto& place = results[static_cast<std::size_t>(part)];
    place.emplace(each(part, part_clock));
    return place->has_value();
  });
  std::vector<T> out;
  for (auto& result : results) {
    if (!*result) return std::unexpected(result->error()); // parts after it may not have been begun
    out.push_back(**std::move(result));
  }
  return out;
}

} // namespace recta::combine
