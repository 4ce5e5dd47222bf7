// Random numbers from a counter: number k of a stream is a function of (seed, stream, k) and of nothing else, so any
// part of a sequence can be made anywhere, in any order, on any machine, with the same bits.
//
// Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), section
// 3.3: ten rounds of two 32-bit products on a 128-bit counter, with a 64-bit key raised by Weyl constants. Here the
// key is the seed; the counter is the block number (low 64 bits) and the stream (high 64 bits).
#pragma once

#include <recta/error.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace recta {

using PhiloxBlock = std::array<std::uint32_t, 4>;

constexpr PhiloxBlock philox(PhiloxBlock counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9; // the golden ratio
    key[1] += 0xBB67AE85; // sqrt(3) - 1
  }
  return counter;
}

class Random {
public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t counter = 0)
      : seed_(seed), stream_(stream), next_(counter) {}

  // 64-bit numbers drawn so far: together with seed and stream this is the whole state.
  std::uint64_t counter() const { return next_; }

  std::uint64_t bits() {
    const std::uint64_t block = next_ / 2;
    const std::size_t half = 2 * (next_ % 2);
    if (half == 0 || !made_) {
      four_ = philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                      static_cast<std::uint32_t>(stream_), static_cast<std::uint32_t>(stream_ >> 32)},
                     {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
      made_ = true;
    }
    ++next_;
    return std::uint64_t{four_[half + 1]} << 32 | four_[half];
  }

  // Uniform on the multiples of 2^-53 in [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  // Uniform on 0 .. bound - 1, bound > 0: numbers from the last, incomplete run of residues are rejected and drawn
  // again.
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t value = bits();
    while (value < bound && value < (0 - bound) % bound) value = bits(); // 2^64 mod bound, which is below bound
    return value % bound;
  }

  // Standard normal by Marsaglia's polar method, one of the pair, computed so that the library's log and sqrt cannot
  // differ between machines: see random.cpp.
  double normal();

  template <class T>
  void shuffle(std::span<T> values) { // Fisher and Yates, every order equally likely
    for (std::size_t k = values.size(); k > 1; --k) std::swap(values[k - 1], values[below(k)]);
  }

private:
  std::uint64_t seed_, stream_, next_;
  PhiloxBlock four_{}; // the block of the previous number, once there is one
  bool made_ = false;
};

} // namespace recta
