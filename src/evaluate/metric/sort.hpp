// Sorts numbers as 64-bit keys that have their order, in linear time on all threads; equal keys keep their order.
//
// A radix sort from the top: the range of the keys that are there is cut into up to 2048 buckets of equal width, keys
// go to their buckets, and each bucket is sorted in the same way, until it is short or holds one key. Numbers that
// spread smoothly need two rounds; no numbers need more than one round per four bits. Which thread does a bucket does
// not change the order. Costs one more array of the same length.
#pragma once

#include <recta/dataset.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace recta::metric {

// Ascends with the number; -0 and 0 have one key.
inline std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
  return bits ^ ((0 - (bits >> 63)) | std::uint64_t{1} << 63);
}
inline double number_of(std::uint64_t key) {
  return std::bit_cast<double>(key ^ (((key >> 63) - 1) | std::uint64_t{1} << 63));
}

struct WeightedKey {
  std::uint64_t key;
  double weight;
};

template <class T>
using Unset = std::vector<T, UnsetAllocator<T>>;

void sort_keys(Unset<std::uint64_t>& keys, int threads);
void sort_keys(Unset<WeightedKey>& keys, int threads);

} // namespace recta::metric
