// Runs of words by the numbers of their parts: a run of n words is one of n - 1 words and a word. So a pair is two
// numbers, whatever its length in bytes, and no run is written out before it is known to be kept.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

namespace recta::text {

struct Run {
  std::uint32_t prefix = 0, word = 0;
  std::uint64_t key() const { return static_cast<std::uint64_t>(prefix) << 32 | word; }
};

// Numbers runs in the order they come.
class RunTable {
public:
  static std::uint64_t hash(Run run) {
    __extension__ using Wide = unsigned __int128;
    const auto product = static_cast<Wide>(run.key() ^ 0x9E3779B97F4A7C15) * 0xC2B2AE3D27D4EB4F;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  std::uint32_t add(Run run, std::uint64_t hash) {
    if (2 * (runs_.size() + 1) > slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    for (; slots_[at].number != kFree; at = (at + 1) & mask)
      if (slots_[at].key == run.key()) return slots_[at].number;
    if (runs_.size() >= 0x7FFFFFFF) throw std::bad_alloc(); // numbers of features have 31 bits
    slots_[at] = {run.key(), size()};
    runs_.push_back(run);
    return size() - 1;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(runs_.size()); }
  Run operator[](std::uint32_t number) const { return runs_[number]; }

private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = kFree;
  };
  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), {});
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t number = 0; number < size(); ++number) {
      std::size_t at = hash(runs_[number]) & mask;
      while (slots_[at].number != kFree) at = (at + 1) & mask;
      slots_[at] = {runs_[number].key(), number};
    }
  }

  std::vector<Slot> slots_; // a power of two
  std::vector<Run> runs_;
};

} // namespace recta::text
