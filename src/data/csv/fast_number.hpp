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

struct DecimalMark {
  alignas(32) char bytes[32];
  explicit DecimalMark(char mark) { std::memset(bytes, mark, sizeof bytes); }
};

#if defined(__AVX2__)

// Loaded at offset k: the last k of 32 bytes are set.
alignas(64) constexpr unsigned char kLast[64] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

// Constants in memory: calls between two fields would make the compiler rebuild them in registers each time.
template <unsigned char value>
struct Repeated {
  alignas(32) unsigned char bytes[32] = {};
  constexpr Repeated() {
    for (unsigned char& byte : bytes) byte = value;
  }
};
constexpr Repeated<'0'> kZeros;
constexpr Repeated<9> kNines;

[[gnu::always_inline]] inline __m256i load(const void* p) {
  return _mm256_load_si256(static_cast<const __m256i*>(p));
}

[[gnu::always_inline]] inline __m256i last_bytes(std::size_t count) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kLast + count));
}

// 32 digits to a number; all but the last 19 must be zero.
[[gnu::always_inline]] inline std::uint64_t join_digits(__m256i digits) {
  const __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(1 << 8 | 10));
  const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | 100));
  const __m256i packed = _mm256_packus_epi32(fours, fours);
  const __m256i eights = _mm256_madd_epi16(packed, _mm256_set1_epi32(1 << 16 | 10000));
  const auto upper = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_castsi256_si128(eights))) >> 32;
  const auto lower = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm256_extracti128_si256(eights, 1)));
  return upper * 10'000'000'000'000'000 + (lower & 0xFFFFFFFF) * 100'000'000 + (lower >> 32);
}

// mantissa / 10^fraction for 5 <= fraction <= 19: Eisel and Lemire's product with all cases left out that cannot occur
// there (no subnormal, no overflow, no tie: 5^fraction does not divide a mantissa of 64 bits times a power of two down
// to a halfway point when fraction > 4). false: more bits of the power are needed to round.
[[gnu::always_inline]] inline bool divide_by_power(std::uint64_t mantissa, std::size_t fraction, std::uint64_t sign,
                                                   double& value) {
  using Powers = fast_float::powers;
  const std::uint64_t power =
      Powers::power_of_five_128[2 * (static_cast<std::size_t>(-Powers::smallest_power_of_five) - fraction)];
  const int zeros = __builtin_clzll(mantissa);
  unsigned long long upper = 0;
  _mulx_u64(mantissa << zeros, power, &upper);
  const std::uint64_t carry = upper >> 63;
  if ((upper & 0x1FF) == 0x1FF) [[unlikely]]
    return false;
  const std::uint64_t twice = upper >> (carry + 9); // 54 bits: the last is for rounding
  const std::int64_t q = -static_cast<std::int64_t>(fraction);
  const auto exponent = static_cast<std::uint64_t>((((152170 + 65536) * q) >> 16) + 63 + 1023 - zeros) + carry;
  // The leading bit of the rounded mantissa, or the carry out of it, adds one to the exponent.
  const std::uint64_t bits = ((exponent - 1) << 52) + ((twice + (twice & 1)) >> 1);
  value = std::bit_cast<double>(bits | sign);
  return true;
}

// false: not such a number, or nothing is known about it. 33 bytes before `end` must be readable.
[[gnu::always_inline]] inline bool fast_number(const char* begin, const char* end, const DecimalMark& decimal,
                                               double& value, std::uint8_t& real) {
  const auto length = static_cast<std::size_t>(end - begin);
  if (length - 1 > 20) [[unlikely]]
    return false; // an empty field too
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 32));
  const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 33));
  const auto points = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, load(decimal.bytes)))) &
                      (~std::uint32_t{0} << (32 - length));
  const std::size_t fraction = _lzcnt_u32(points); // 32: no point
  const std::size_t has_point = points != 0, negative = *begin == '-';
  const std::size_t count = length - negative - has_point;
  const __m256i joined = _mm256_blendv_epi8(before, bytes, last_bytes(fraction));
  const __m256i digits = _mm256_and_si256(_mm256_sub_epi8(joined, load(kZeros.bytes)), last_bytes(count));
  const __m256i excess = _mm256_subs_epu8(digits, load(kNines.bytes));
  if (!_mm256_testz_si256(excess, excess) || count - 1 > 18) [[unlikely]]
    return false;
  const std::uint64_t mantissa = join_digits(digits);
  const std::uint64_t sign = static_cast<std::uint64_t>(negative) << 63;
  real |= static_cast<std::uint8_t>(has_point);
  if (count <= 15) {
    const double scaled = static_cast<double>(static_cast<std::int64_t>(mantissa)) / number::kPowers[fraction % 32];
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(scaled) | sign);
    return true;
  }
  if (fraction - 5 > 14 || mantissa == 0) [[unlikely]]
    return false;
  return divide_by_power(mantissa, fraction, sign, value);
}

#else

[[gnu::always_inline]] inline bool fast_number(const char* begin, const char* end, const DecimalMark& decimal,
                                               double& value, std::uint8_t& real) {
  const Number number = parse_number(begin, end, decimal.bytes[0]);
  if (number.status != NumberStatus::ok) return false;
  value = number.value;
  real |= !number.integer;
  return true;
}

#endif

} // namespace
} // namespace recta::csv
