// A hash of (seed, number): the same on every machine, and of no two numbers of one seed the same.
#pragma once

#include <recta/split.hpp>

#include <cstdint>

namespace recta {

// The finaliser of SplitMix64: a bijection of 64 bits.
constexpr std::uint64_t mixed_bits(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

class RowHash {
public:
  explicit RowHash(std::uint64_t seed) : stream_(mixed_bits(seed + 0x9E3779B97F4A7C15U)) {}
  std::uint64_t operator()(Index row) const {
    return mixed_bits(stream_ + 0x9E3779B97F4A7C15U * (static_cast<std::uint64_t>(row) + 1));
  }

private:
  std::uint64_t stream_;
};

// What split_rows() and shuffled_rows() give, of counts that were checked.
Split cut_by_hash(Index rows, double share, std::uint64_t seed);
std::vector<Index> rows_by_hash(Index rows, std::uint64_t seed);

} // namespace recta
