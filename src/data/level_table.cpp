#include "data/level_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace recta {
namespace {

constexpr std::size_t kLeastStore = 32, kMostStore = 1 << 20;

// The length of a text stands before it, seven bits per byte, the last one below 128.
std::size_t length_bytes(std::size_t length) {
  return length == 0 ? 1 : (static_cast<std::size_t>(std::bit_width(length)) + 6) / 7;
}

} // namespace

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

// Stretch s holds the numbers from kFirst (2^s - 1) on.
const char*& LevelTable::place(std::size_t number) const {
  const std::size_t from_one = number / kFirst + 1;
  const auto stretch = static_cast<std::size_t>(std::bit_width(from_one)) - 1;
  return places_[stretch][number - kFirst * ((std::size_t{1} << stretch) - 1)];
}

std::string_view LevelTable::operator[](std::int32_t number) const {
  const auto* at = reinterpret_cast<const unsigned char*>(place(static_cast<std::size_t>(number)));
  std::size_t length = 0;
  int shift = 0;
  for (; *at >= 128; ++at, shift += 7) length |= static_cast<std::size_t>(*at & 127) << shift;
  length |= static_cast<std::size_t>(*at++) << shift;
  return {reinterpret_cast<const char*>(at), length};
}

std::int32_t LevelTable::find(std::string_view text) const {
  if (slots_.empty()) return kUnknown;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash(text) & mask; slots_[slot]; slot = (slot + 1) & mask) {
    const auto number = static_cast<std::int32_t>(slots_[slot] - 1);
    if ((*this)[number] == text) return number;
  }
  return kUnknown;
}

std::int32_t LevelTable::add(std::string_view text) {
  if (size_ == std::numeric_limits<std::int32_t>::max()) return kFull;
  const auto number = static_cast<std::size_t>(size_);
  if (4 * (number + 1) > 3 * slots_.size()) grow();
  const std::size_t from_one = number / kFirst + 1;
  if (number % kFirst == 0 && std::has_single_bit(from_one))
    places_.push_back(std::make_unique_for_overwrite<const char*[]>(kFirst * from_one));
  place(number) = store(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(text) & mask;
  while (slots_[slot]) slot = (slot + 1) & mask;
  slots_[slot] = static_cast<std::uint32_t>(number + 1);
  return size_++;
}

// A text lies in one store. One that is long gets a store of its own, and the last one goes on to be filled.
char* LevelTable::store(std::string_view text) {
  std::size_t length = text.size();
  const std::size_t need = length_bytes(length) + length;
  char* at = next_;
  if (need > left_) {
    const std::size_t usual = std::min(kMostStore, std::max(kLeastStore, store_bytes_));
    const std::size_t size = std::max(need, usual);
    stores_.push_back(std::make_unique_for_overwrite<char[]>(size));
    at = stores_.back().get();
    store_bytes_ += size;
    if (size - need >= left_) {
      next_ = at;
      left_ = size;
    }
  }
  if (at == next_) {
    next_ += need;
    left_ -= need;
  }
  char* const begin = at;
  for (; length >= 128; length >>= 7) *at++ = static_cast<char>(length | 128);
  *at++ = static_cast<char>(length);
  if (!text.empty()) std::memcpy(at, text.data(), text.size());
  return begin;
}

void LevelTable::grow() {
  const std::size_t size = std::max<std::size_t>(8, slots_.size() * 2);
  slots_ = {}; // the texts tell it all again: the old table need not be there beside the new one
  slots_.assign(size, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::int32_t number = 0; number < size_; ++number) {
    std::size_t slot = hash((*this)[number]) & mask;
    while (slots_[slot]) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<std::uint32_t>(number) + 1;
  }
}

std::size_t LevelTable::bytes() const {
  return sizeof(LevelTable) + slots_.capacity() * sizeof(std::uint32_t) + (store_bytes_ - left_) +
         (static_cast<std::size_t>(size_) + stores_.capacity() + places_.capacity()) * sizeof(char*);
}

} // namespace recta
