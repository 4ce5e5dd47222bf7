// MurmurHash3 (x86, 32 bits), by Austin Appleby, in the public domain: the hash that scikit-learn's features have.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace recta::text {

inline std::uint32_t murmur(std::string_view key, std::uint32_t seed = 0) {
  constexpr std::uint32_t kFirst = 0xCC9E2D51, kSecond = 0x1B873593;
  std::uint32_t hash = seed;
  const char* at = key.data();
  std::size_t left = key.size();
  for (; left >= 4; at += 4, left -= 4) {
    std::uint32_t word;
    std::memcpy(&word, at, 4);
    hash ^= std::rotl(word * kFirst, 15) * kSecond;
    hash = std::rotl(hash, 13) * 5 + 0xE6546B64;
  }
  std::uint32_t word = 0;
  std::memcpy(&word, at, left);
  if (left > 0) hash ^= std::rotl(word * kFirst, 15) * kSecond;
  hash ^= static_cast<std::uint32_t>(key.size());
  hash = (hash ^ hash >> 16) * 0x85EBCA6B;
  hash = (hash ^ hash >> 13) * 0xC2B2AE35;
  return hash ^ hash >> 16;
}

// The bucket of a term, and whether it counts as negative where buckets are signed.
struct Bucket {
  std::uint32_t number;
  bool negative;
};
inline Bucket bucket_of(std::string_view term, std::uint32_t buckets) {
  const auto hash = static_cast<std::int32_t>(murmur(term));
  const std::int64_t size = hash < 0 ? -static_cast<std::int64_t>(hash) : hash;
  return {static_cast<std::uint32_t>(size % buckets), hash < 0};
}

} // namespace recta::text
