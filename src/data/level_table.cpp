#include "data/csv/levels.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace recta::csv {

std::uint64_t LevelTable::hash(std::string_view text) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  std::uint64_t value = text.size() * kFactor;
  const auto mix = [&](std::uint64_t word) {
    value = (value ^ word) * kFactor;
    value ^= value >> 29;
  };
  while (text.size() >= 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data(), 8);
    mix(word);
    text.remove_prefix(8);
  }
  std::uint64_t word = 0;
  for (const char c : text) word = word << 8 | static_cast<unsigned char>(c);
  mix(word);
  return value ^ value >> 32;
}

std::int32_t LevelTable::find(std::string_view text) const {
  if (slots_.empty()) return kUnknown;
  const auto full = static_cast<std::uint32_t>(hash(text));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = full & mask; slots_[slot]; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == full && entry.text == text) return entry.code;
  }
  return kUnknown;
}

std::int32_t LevelTable::add(std::string_view text, bool missing, bool stays) {
  if (entries_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return kFull;
  if (entries_.size() * 2 >= slots_.size()) grow();
  if (!stays) text = copies_.emplace_front(text);
  const auto full = static_cast<std::uint32_t>(hash(text));
  const std::int32_t code = missing ? kMissing : static_cast<std::int32_t>(levels_.size());
  if (!missing) levels_.push_back(text);
  entries_.push_back({text, code, full});
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = full & mask;
  while (slots_[slot]) slot = (slot + 1) & mask;
  slots_[slot] = static_cast<std::uint32_t>(entries_.size());
  return code;
}

void LevelTable::grow() {
  slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    std::size_t slot = entries_[e].hash & mask;
    while (slots_[slot]) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(e + 1);
  }
}

void LevelTable::close() {
  entries_ = {};
  slots_ = {};
}

} // namespace recta::csv
