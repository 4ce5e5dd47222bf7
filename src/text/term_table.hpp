// Terms numbered in the order they came, found by their hash. A slot holds the hash and the first sixteen bytes of its
// term, so that most words are found without a look anywhere else, and a table grows without one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace recta::text {

// A term with its first sixteen bytes, zeros behind its end.
class TermKey {
public:
  TermKey() = default;
  explicit TermKey(std::string_view term) : text(term) {
    std::uint64_t words[2] = {0, 0};
    std::memcpy(words, term.data(), std::min<std::size_t>(16, term.size()));
    low = words[0];
    high = words[1];
  }
  // Sixteen bytes can be read at the term, however short it is.
  static TermKey padded(std::string_view term) { return {term, Padded{}}; }

  std::string_view text;
  std::uint64_t low = 0, high = 0;

  std::uint64_t hash() const {
    constexpr std::uint64_t kOne = 0x9E3779B97F4A7C15, kTwo = 0xC2B2AE3D27D4EB4F;
    std::uint64_t value = mixed(low ^ kOne, high ^ kTwo ^ text.size() * kOne);
    for (std::size_t at = 16; at < text.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, text.size() - at));
      value = mixed(value ^ word, kTwo);
    }
    return value;
  }

private:
  struct Padded {};
  TermKey(std::string_view term, Padded) : text(term) {
    std::uint64_t words[2];
    std::memcpy(words, term.data(), 16);
    const std::size_t first = std::min<std::size_t>(8, term.size()),
                      second = std::min<std::size_t>(16, term.size()) - first;
    low = words[0] & mask(first);
    high = words[1] & mask(second);
  }
  // A mask of so many bytes, in the order of memory.
  static std::uint64_t mask(std::size_t bytes) {
    static constexpr unsigned char kOnes[16] = {255, 255, 255, 255, 255, 255, 255, 255};
    std::uint64_t word;
    std::memcpy(&word, kOnes + 8 - bytes, 8);
    return word;
  }
  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
};

class TermTable {
public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  std::uint32_t find(std::string_view term) const { return find(TermKey(term)); }
  std::uint32_t find(const TermKey& key) const { return find(key, key.hash()); }
  std::uint32_t find(const TermKey& key, std::uint64_t hash) const {
    if (slots_.empty()) return kNone;
    const Slot& first =
        slots_[hash & (slots_.size() - 1)]; // where most terms are; a free one holds the empty term only
    const std::uint64_t length = key.text.size();
    if (((first.low ^ key.low) | (first.high ^ key.high) | (first.length ^ length)) == 0 && length <= 16)
      return first.number;
    return slots_[slot(key, hash)].number;
  }
  // The number of a term, which is added if it is new.
  std::uint32_t add(std::string_view term) { return add(TermKey(term)); }
  std::uint32_t add(const TermKey& key) { return add(key, key.hash()); }
  std::uint32_t add(const TermKey& key, std::uint64_t hash) {
    const std::uint32_t number = find(key, hash);
    return number != kNone ? number : insert(key, hash);
  }
  // Begins to fetch what looking for a term of this hash reads.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  std::string_view operator[](std::uint32_t number) const {
    const std::size_t begin = places_[number];
    const std::size_t end = number + 1 < places_.size() ? places_[number + 1] : bytes_.size();
    return std::string_view(bytes_).substr(begin, end - begin);
  }

private:
  struct alignas(32) Slot { // two to a line of the cache, none in two of them
    std::uint64_t low = 0, high = 0, hash = 0;
    std::uint32_t number = kNone, length = 0; // length: at most 2^32 - 1, as are those it is compared with
  };

  bool holds(const Slot& slot, const TermKey& key) const {
    if (slot.low != key.low || slot.high != key.high || slot.length != static_cast<std::uint32_t>(key.text.size()))
      return false;
    return key.text.size() <= 16 || (*this)[slot.number] == key.text;
  }
  // That of the term, or the free one where it would be.
  std::size_t slot(const TermKey& key, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].number != kNone && !holds(slots_[at], key)) at = (at + 1) & mask;
    return at;
  }
  std::uint32_t insert(const TermKey& key, std::uint64_t hash);
  void grow();

  std::vector<Slot> slots_; // a power of two
  std::vector<std::size_t> places_;
  std::string bytes_;
};

} // namespace recta::text
