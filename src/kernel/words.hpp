// Numbers of keys, which are any sequences of codes, in the order they come: those of a set, and beyond them those of
// one query. Keys stand one behind the other, and are compared in full.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recta::kernel {

class Words {
public:
  explicit Words(const Words* known = nullptr) : known_(known) {}

  std::int64_t number(std::u32string_view key) {
    const std::uint64_t hash = hash_of(key);
    if (known_)
      if (const std::int64_t number = known_->find(key, hash); number >= 0) return number;
    const std::int64_t number = find(key, hash), first = known_ ? known_->size() : 0;
    return first + (number >= 0 ? number : insert(key, hash));
  }

private:
  static constexpr std::int64_t kFree = -1;
  struct Slot {
    std::uint64_t hash = 0;
    std::int64_t number = kFree;
  };

  static std::uint64_t hash_of(std::u32string_view key) {
    std::uint64_t hash = key.size() * 0x9E3779B97F4A7C15;
    for (const char32_t code : key) hash = (hash ^ code) * 0x9E3779B97F4A7C15, hash ^= hash >> 32;
    return hash;
  }
  std::int64_t size() const { return static_cast<std::int64_t>(end_.size()); }
  std::u32string_view key(std::int64_t number) const {
    const std::size_t begin = number == 0 ? 0 : end_[static_cast<std::size_t>(number) - 1];
    return std::u32string_view(codes_).substr(begin, end_[static_cast<std::size_t>(number)] - begin);
  }
  std::int64_t find(std::u32string_view key, std::uint64_t hash) const { // kFree: it is not there
    if (slots_.empty()) return kFree;
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1))
      if (slots_[at].number == kFree || (slots_[at].hash == hash && this->key(slots_[at].number) == key))
        return slots_[at].number;
  }
  std::int64_t insert(std::u32string_view key, std::uint64_t hash) {
    if (2 * (end_.size() + 1) > slots_.size()) grow();
    const std::int64_t number = size();
    place({hash, number});
    codes_.append(key);
    end_.push_back(codes_.size());
    return number;
  }
  void place(const Slot& slot) {
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].number != kFree) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
  void grow() {
    std::vector<Slot> before(slots_.empty() ? 64 : 2 * slots_.size());
    before.swap(slots_);
    for (const Slot& slot : before)
      if (slot.number != kFree) place(slot);
  }

  const Words* known_;
  std::vector<Slot> slots_; // a power of two
  std::u32string codes_;    // of all keys
  std::vector<std::size_t> end_;
};

} // namespace recta::kernel
