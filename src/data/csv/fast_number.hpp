// A plain number, [-]digits[.digits] of at most 19 digits, whose place is known, read without branches: the 32 bytes
// that end with it are loaded twice, one byte apart, and blended at the point, which leaves the digits side by side.
// Three multiply-and-add steps join them to groups of eight.
#pragma once

#include "data/number.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace recta::csv {
namespace {

#if defined(__AVX2__)

// Loaded at offset k: the last k of 32 bytes are set.
alignas(64) constexpr unsigned char kLast[64] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

[[gnu::always_inline]] inline __m256i last_bytes(std::size_t count) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kLast + count));
}

// Groups of eight digits, most significant first: out[0] is zero for up to 24 digits.
[[gnu::always_inline]] inline std::uint64_t join_digits(__m256i digits) {
  const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(1 << 8 | 10));
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | 100));
  const __m256i packed = _mm256_packus_epi32(fours, fours);
  const __m256i eights = _mm256_madd_epi16(packed, _mm256_set1_epi32(1 << 16 | 10000));
  const auto upper = static_cast<std::uint64_t>(_mm256_extract_epi32(eights, 1));
  const auto lower = static_cast<std::uint64_t>(_mm256_extract_epi64(eights, 2));
  return upper * 10'000'000'000'000'000 + (lower & 0xFFFFFFFF) * 100'000'000 + (lower >> 32);
}

// false: not such a number, or nothing is known about it. 33 bytes before `end` must be readable.
[[gnu::always_inline]] inline bool fast_number(const char* begin, const char* end, char decimal, double& value,
                                               std::uint8_t& real) {
  const auto length = static_cast<std::size_t>(end - begin);
  if (length - 1 > 20) [[unlikely]]
    return false; // an empty field too
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 32));
  const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 33));
  const auto points =
      static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(decimal)))) &
      ~((std::uint32_t{1} << (32 - length)) - 1);
  const std::size_t fraction = points ? static_cast<std::size_t>(__builtin_clz(points)) : 32;
  const std::size_t has_point = points != 0, negative = *begin == '-';
  const std::size_t count = length - negative - has_point;
  const __m256i joined = _mm256_blendv_epi8(before, bytes, last_bytes(fraction));
  const __m256i digits = _mm256_and_si256(_mm256_sub_epi8(joined, _mm256_set1_epi8('0')), last_bytes(count));
  const __m256i excess = _mm256_subs_epu8(digits, _mm256_set1_epi8(9));
  if (!_mm256_testz_si256(excess, excess) || count - 1 > 18) [[unlikely]]
    return false;
  const std::uint64_t mantissa = join_digits(digits);
  const std::uint64_t sign = static_cast<std::uint64_t>(negative) << 63;
  if (count <= 15) {
    const double scaled = static_cast<double>(mantissa) / number::kPowers[has_point ? fraction : 0];
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(scaled) | sign);
  } else {
    if (!has_point) [[unlikely]]
      return false;
    const auto exact =
        fast_float::compute_float<fast_float::binary_format<double>>(-static_cast<std::int64_t>(fraction), mantissa);
    if (exact.power2 < 0) [[unlikely]]
      return false;
    value = std::bit_cast<double>(exact.mantissa | static_cast<std::uint64_t>(exact.power2) << 52 | sign);
  }
  real |= static_cast<std::uint8_t>(has_point);
  return true;
}

#else

[[gnu::always_inline]] inline bool fast_number(const char* begin, const char* end, char decimal, double& value,
                                               std::uint8_t& real) {
  const Number number = parse_number(begin, end, decimal);
  if (number.status != NumberStatus::ok) return false;
  value = number.value;
  real |= !number.integer;
  return true;
}

#endif

} // namespace
} // namespace recta::csv
