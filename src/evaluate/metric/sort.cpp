#include "evaluate/metric/sort.hpp"

#include "base/large_memory.hpp"
#include "base/numbers.hpp"
#include "base/pool.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace recta::metric {
namespace {

constexpr Index kShort = 24;                // sorted by insertion
constexpr int kMostBits = 11;               // of a bucket's number: 2048 places to write to at once
constexpr Index kChunk = 1 << 16;           // keys that one task of a shared round reads
constexpr Index kShared = Index{1} << 18;   // from so many keys on, threads share a round
constexpr Index kTaskKeys = Index{1} << 15; // buckets of about so many keys together are one task

std::uint64_t key(std::uint64_t item) {
  return item;
}
std::uint64_t key(const WeightedKey& item) {
  return item.key;
}

int bit_count(std::uint64_t number) {
  return static_cast<int>(std::bit_width(number));
}

struct KeyRange {
  std::uint64_t low, high;
};

template <class Item>
KeyRange range_of(const Item* items, Index count) {
  KeyRange range{key(items[0]), key(items[0])};
  for (Index i = 1; i < count; ++i) {
    range.low = std::min(range.low, key(items[i]));
    range.high = std::max(range.high, key(items[i]));
  }
  return range;
}

template <class Item>
void insertion_sort(Item* items, Index count) {
  for (Index i = 1; i < count; ++i) {
    const Item item = items[i];
    Index to = i;
    for (; to > 0 && key(items[to - 1]) > key(item); --to) items[to] = items[to - 1];
    items[to] = item;
  }
}

// The number of a key's bucket is (key - low) >> shift.
struct Buckets {
  std::uint64_t low;
  int shift;
  Index count;

  Buckets(KeyRange range, Index items) : low(range.low) {
    const std::uint64_t width = range.high - range.low;
    const int bits = std::clamp(bit_count(static_cast<std::uint64_t>(items)) - 2, 4, kMostBits);
    shift = std::max(0, bit_count(width) - bits);
    count = static_cast<Index>(width >> shift) + 1;
  }
  std::size_t operator()(std::uint64_t item) const { return static_cast<std::size_t>((item - low) >> shift); }
};

// Sorts items[0 .. count); the answer is in `items`, or in `other` if asked for.
template <class Item>
void sort_alone(Item* items, Item* other, Index count, bool into_other) {
  const auto settle = [&] {
    if (into_other) std::copy(items, items + count, other);
  };
  if (count <= kShort) {
    insertion_sort(items, count);
    return settle();
  }
  const KeyRange range = range_of(items, count);
  if (range.low == range.high) return settle();
  const Buckets bucket(range, count);
  std::array<Index, (std::size_t{1} << kMostBits) + 1> begin;
  std::fill(begin.begin(), begin.begin() + bucket.count + 1, 0);
  for (Index i = 0; i < count; ++i) ++begin[bucket(key(items[i])) + 1];
  for (Index b = 1; b <= bucket.count; ++b) begin[at(b)] += begin[at(b - 1)];
  for (Index i = 0; i < count; ++i) other[begin[bucket(key(items[i]))]++] = items[i];
  if (bucket.shift == 0) { // one key per bucket
    if (!into_other) std::copy(other, other + count, items);
    return;
  }
  Index first = 0; // begin[b] is now where bucket b ends
  for (Index b = 0; b < bucket.count; ++b) {
    const Index end = begin[at(b)];
    if (end > first) sort_alone(other + first, items + first, end - first, !into_other);
    first = end;
  }
}

template <class Item>
struct Sorter {
  Pool& pool;

  KeyRange shared_range(const Item* items, Index count) {
    const Index chunks = (count + kChunk - 1) / kChunk;
    std::vector<KeyRange> part(at(chunks), {0, 0});
    pool.run(chunks, [&](Index c, int) { part[at(c)] = range_of(items + c * kChunk, length(c, count)); });
    KeyRange range = part[0];
    for (const KeyRange& other : part) range = {std::min(range.low, other.low), std::max(range.high, other.high)};
    return range;
  }

  static Index length(Index chunk, Index count) { return std::min(kChunk, count - chunk * kChunk); }

  // One round by all threads: the ends of the buckets in `other`.
  std::vector<Index> distribute(const Item* items, Item* other, Index count, const Buckets& bucket) {
    const Index chunks = (count + kChunk - 1) / kChunk, width = bucket.count;
    std::vector<Index> place(at(chunks * width), 0), ends(at(width));
    pool.run(chunks, [&](Index c, int) {
      Index* const number = place.data() + c * width;
      const Item* const from = items + c * kChunk;
      for (Index i = 0; i < length(c, count); ++i) ++number[bucket(key(from[i]))];
    });
    Index next = 0;
    for (Index b = 0; b < width; ++b) {
      for (Index c = 0; c < chunks; ++c) next += std::exchange(place[at(c * width + b)], next);
      ends[at(b)] = next;
    }
    pool.run(chunks, [&](Index c, int) {
      Index* const number = place.data() + c * width;
      const Item* const from = items + c * kChunk;
      for (Index i = 0; i < length(c, count); ++i) other[number[bucket(key(from[i]))]++] = from[i];
    });
    return ends;
  }

  void sort(Item* items, Item* other, Index count, bool into_other) {
    if (count < kShared) return sort_alone(items, other, count, into_other);
    const KeyRange range = shared_range(items, count);
    if (range.low == range.high) {
      if (into_other) std::copy(items, items + count, other);
      return;
    }
    const Buckets bucket(range, count);
    const std::vector<Index> ends = distribute(items, other, count, bucket);
    std::vector<std::array<Index, 2>> tasks; // neighbouring buckets, from the first to before the last
    Index first = 0;
    for (Index b = 0; b < bucket.count; ++b) {
      const Index end = ends[at(b)];
      if (end - first < kTaskKeys && b + 1 < bucket.count && ends[at(b + 1)] - first < kShared) continue;
      tasks.push_back({first, end});
      first = end;
    }
    run_tasks(tasks, items, other, into_other);
  }

  // What is large is shared again; the rest is one task each. Neighbouring buckets sort as one.
  void run_tasks(const std::vector<std::array<Index, 2>>& tasks, Item* items, Item* other, bool into_other) {
    for (const auto& [first, end] : tasks)
      if (end - first >= kShared) sort(other + first, items + first, end - first, !into_other);
    pool.run(std::ssize(tasks), [&](Index t, int) {
      const auto [first, end] = tasks[at(t)];
      if (end - first < kShared) sort_alone(other + first, items + first, end - first, !into_other);
    });
  }
};

template <class Item>
void sort_items(Unset<Item>& items, int threads) {
  const LargePages pages(LargePages::room(items.size() * sizeof(Item)));
  Unset<Item> other(items.size());
  const Index count = std::ssize(items);
  if (count < kShared) return sort_alone(items.data(), other.data(), count, false);
  Pool pool(threads);
  Sorter<Item>{pool}.sort(items.data(), other.data(), count, false);
}

} // namespace

void sort_keys(Unset<std::uint64_t>& keys, int threads) {
  sort_items(keys, threads);
}

void sort_keys(Unset<WeightedKey>& keys, int threads) {
  sort_items(keys, threads);
}

} // namespace recta::metric
