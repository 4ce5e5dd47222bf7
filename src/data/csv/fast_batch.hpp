// Plain numbers, [-]digits[.digits] of at most 19 digits, eight at a time with AVX-512. The digits of each are brought
// side by side in 32 bytes, as in fast_number.hpp; everything after that is done for eight numbers in one register:
// joining the digits, the exact division (at most 15 digits: Clinger 1990) and the product with a power of five
// (Lemire 2021). The results are those of fast_number and parse_number, bit for bit: both are correctly rounded.
#pragma once

#include <recta/error.hpp>

#if defined(__AVX512BW__) && defined(__AVX512CD__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

#define RECTA_CSV_BATCHES

#include "data/number.hpp"

#include <array>
#include <immintrin.h>

namespace recta::csv {
namespace {

inline constexpr Index kBatch = 8;

// The facts known about a number before it is converted, in one word: bytes fraction (32: no point), count of digits (0
// to 21; others are no plain numbers), sign.
struct Shape {
  static constexpr std::uint32_t kDoneBit = 1 << 24; // nothing to convert
  static constexpr std::uint32_t kDone = kDoneBit | 1 << 8 | 32;
};

// Fields on their way from text to numbers. Kept in the nearest cache.
struct Waiting {
  static constexpr Index kRoom = 128;
  alignas(64) unsigned char digits[kRoom][32];
  alignas(64) std::uint32_t shapes[kRoom];
};

// The upper `count` bits of 32, for count in [0, 32].
[[gnu::always_inline]] inline std::uint32_t upper_bits(std::uint32_t count) {
  return static_cast<std::uint32_t>(0xFFFFFFFF00000000 >> (count & 63));
}

[[gnu::always_inline]] inline bool has_plain_length(const char* begin, const char* end) {
  return static_cast<std::size_t>(end - begin) - 1 <= 20;
}

// If characters that are no digits remain, the digits are above 9 and the shape does not show it. 33 bytes before `end`
// must be readable.
[[gnu::always_inline]] inline std::uint32_t take_digits(const char* begin, const char* end, __m256i decimal,
                                                        unsigned char* digits) {
  const auto length = static_cast<std::size_t>(end - begin);
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 32));
  const __m256i before = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(end - 33));
  const std::uint32_t points = _mm256_cmpeq_epi8_mask(bytes, decimal) & upper_bits(static_cast<std::uint32_t>(length));
  const std::uint32_t fraction = _lzcnt_u32(points);
  const std::uint32_t negative = *begin == '-';
  const std::uint32_t count = static_cast<std::uint32_t>(length) - negative - (points != 0);
  const __m256i joined = _mm256_mask_blend_epi8(upper_bits(fraction), before, bytes);
  _mm256_store_si256(reinterpret_cast<__m256i*>(digits),
                     _mm256_maskz_sub_epi8(upper_bits(count), joined, _mm256_set1_epi8('0')));
  return fraction | (count & 255) << 8 | negative << 16;
}

// The constants for 10^-fraction, at place fraction % 16: 1 to 10^15 for the division, and for fractions of 5 to 19
// digits the upper 64 bits of the power of five and the exponent of the result less its leading zeros.
struct PowerTable {
  alignas(64) std::array<double, 16> tens{};
  alignas(64) std::array<std::uint64_t, 16> fives{}, exponents{};
  constexpr PowerTable() {
    __extension__ using Wide = unsigned __int128;
    std::uint64_t five = 1;
    for (std::int64_t f = 0; f < 20; ++f, five *= 5) {
      if (f < 16) tens[f] = number::kPowers[f];
      if (f < 5) continue;
      fives[f % 16] = static_cast<std::uint64_t>((Wide{1} << (63 + std::bit_width(five))) / five);
      exponents[f % 16] = static_cast<std::uint64_t>((((152170 + 65536) * -f) >> 16) + 63 + 1023 - 1);
    }
  }
};
constexpr PowerTable kTable;

// Four fields of eight groups of four digits each, from two registers, to four of two words: the upper and the lower
// sixteen digits, each in two groups of eight.
[[gnu::always_inline]] inline __m512i join_to_eights(__m512i first, __m512i second) {
  const __m512i tens = _mm512_set1_epi16(1 << 8 | 10), hundreds = _mm512_set1_epi32(1 << 16 | 100);
  const __m512i a = _mm512_madd_epi16(_mm512_maddubs_epi16(first, tens), hundreds);
  const __m512i b = _mm512_madd_epi16(_mm512_maddubs_epi16(second, tens), hundreds);
  return _mm512_madd_epi16(_mm512_packus_epi32(a, b), _mm512_set1_epi32(1 << 16 | 10000));
}

[[gnu::always_inline]] inline __m512i join_digits(const __m512i (&digits)[4]) {
  const __m512i left = join_to_eights(digits[0], digits[1]), right = join_to_eights(digits[2], digits[3]);
  // packus works in each 128 bits, which leaves the order 0 2 upper, 0 2 lower, 1 3 upper, 1 3 lower.
  const __m512i upper = _mm512_permutex2var_epi64(left, _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13), right);
  const __m512i lower = _mm512_permutex2var_epi64(left, _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15), right);
  const __m512i eights =
      _mm512_add_epi64(_mm512_mul_epu32(lower, _mm512_set1_epi64(100'000'000)), _mm512_srli_epi64(lower, 32));
  // Times 10^16 in two halves; the uppermost group holds at most four digits.
  constexpr std::uint64_t kPower = 10'000'000'000'000'000;
  const __m512i top = _mm512_srli_epi64(upper, 32);
  const __m512i low = _mm512_mul_epu32(top, _mm512_set1_epi64(kPower & 0xFFFFFFFF));
  const __m512i high = _mm512_mul_epu32(top, _mm512_set1_epi64(kPower >> 32));
  return _mm512_add_epi64(_mm512_add_epi64(eights, low), _mm512_slli_epi64(high, 32));
}

// The upper 64 bits of the products.
[[gnu::always_inline]] inline __m512i multiply_upper(__m512i a, __m512i b) {
  const __m512i a_high = _mm512_srli_epi64(a, 32), b_high = _mm512_srli_epi64(b, 32);
  const __m512i low = _mm512_set1_epi64(0xFFFFFFFF);
  const __m512i middle = _mm512_add_epi64(_mm512_mul_epu32(a_high, b), _mm512_srli_epi64(_mm512_mul_epu32(a, b), 32));
  const __m512i other = _mm512_add_epi64(_mm512_mul_epu32(a, b_high), _mm512_and_si512(middle, low));
  const __m512i upper = _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), _mm512_srli_epi64(middle, 32));
  return _mm512_add_epi64(upper, _mm512_srli_epi64(other, 32));
}

// mantissa / 10^fraction for 5 <= fraction <= 19, as divide_by_power in fast_number.hpp. `unsure`: more bits of the
// power are needed to round.
[[gnu::always_inline]] inline __m512i divide_by_powers(__m512i mantissa, __m512i fraction, __mmask8& unsure) {
  const auto look_up = [&](const std::array<std::uint64_t, 16>& table) {
    return _mm512_permutex2var_epi64(_mm512_load_si512(&table[0]), fraction, _mm512_load_si512(&table[8]));
  };
  const __m512i zeros = _mm512_lzcnt_epi64(mantissa), one = _mm512_set1_epi64(1);
  const __m512i upper = multiply_upper(_mm512_sllv_epi64(mantissa, zeros), look_up(kTable.fives));
  const __m512i carry = _mm512_srli_epi64(upper, 63), last = _mm512_set1_epi64(0x1FF);
  unsure = _mm512_cmpeq_epi64_mask(_mm512_and_si512(upper, last), last);
  const __m512i twice = _mm512_srlv_epi64(upper, _mm512_add_epi64(carry, _mm512_set1_epi64(9)));
  const __m512i exponent = _mm512_add_epi64(_mm512_sub_epi64(look_up(kTable.exponents), zeros), carry);
  const __m512i rounded = _mm512_srli_epi64(_mm512_add_epi64(twice, _mm512_and_si512(twice, one)), 1);
  const __m512i bits = _mm512_add_epi64(_mm512_slli_epi64(exponent, 52), rounded);
  return _mm512_maskz_mov_epi64(_mm512_test_epi64_mask(mantissa, mantissa), bits);
}

// Numbers with a character that is no digit, one bit each.
[[gnu::always_inline]] inline __mmask8 with_other_characters(const __m512i (&digits)[4]) {
  const __m512i nine = _mm512_set1_epi8(9);
  const __m512i largest = _mm512_max_epu8(_mm512_max_epu8(digits[0], digits[1]), _mm512_max_epu8(digits[2], digits[3]));
  if (!_mm512_cmpgt_epu8_mask(largest, nine)) [[likely]]
    return 0;
  unsigned numbers = 0;
  for (int k = 0; k < 4; ++k) {
    const std::uint64_t bits = _mm512_cmpgt_epu8_mask(digits[k], nine);
    numbers |= (static_cast<std::uint32_t>(bits) != 0 ? 1U : 0U) << 2 * k | (bits >> 32 != 0 ? 2U : 0U) << 2 * k;
  }
  return static_cast<__mmask8>(numbers);
}

struct Converted {
  __m512d values;
  __mmask8 odd;    // not plain numbers, or not known how to round
  __mmask8 points; // plain numbers with a point
  __mmask8 done;   // there was nothing to convert
};

// The eight numbers from `first` on.
[[gnu::always_inline]] inline Converted convert_batch(const Waiting& waiting, Index first) {
  __m512i digits[4];
  for (int k = 0; k < 4; ++k) digits[k] = _mm512_load_si512(waiting.digits[first + 2 * k]);
  const __m512i shapes =
      _mm512_cvtepu32_epi64(_mm256_load_si256(reinterpret_cast<const __m256i*>(waiting.shapes + first)));
  const __m512i fraction = _mm512_and_si512(shapes, _mm512_set1_epi64(63));
  const __m512i count = _mm512_and_si512(_mm512_srli_epi64(shapes, 8), _mm512_set1_epi64(255));
  const __m512i sign = _mm512_slli_epi64(_mm512_srli_epi64(shapes, 16), 63);
  const __m512i mantissa = join_digits(digits), one = _mm512_set1_epi64(1);
  __mmask8 odd = with_other_characters(digits);
  odd |= _mm512_cmpgt_epu64_mask(_mm512_sub_epi64(count, one), _mm512_set1_epi64(18));
  const __mmask8 lengthy = _mm512_cmpgt_epu64_mask(count, _mm512_set1_epi64(15));
  __m512i bits = _mm512_setzero_si512();
  if (lengthy != 0xFF) {
    const __m512d power =
        _mm512_permutex2var_pd(_mm512_load_pd(&kTable.tens[0]), fraction, _mm512_load_pd(&kTable.tens[8]));
    bits = _mm512_castpd_si512(_mm512_div_pd(_mm512_cvtepu64_pd(mantissa), power));
  }
  if (lengthy) {
    __mmask8 unsure = 0;
    bits = _mm512_mask_mov_epi64(bits, lengthy, divide_by_powers(mantissa, fraction, unsure));
    const __m512i from_five = _mm512_sub_epi64(fraction, _mm512_set1_epi64(5));
    unsure |= _mm512_cmpgt_epu64_mask(from_five, _mm512_set1_epi64(14));
    odd |= static_cast<__mmask8>(lengthy & unsure);
  }
  const auto points = static_cast<__mmask8>(_mm512_cmplt_epu64_mask(fraction, _mm512_set1_epi64(32)) & ~odd);
  const __mmask8 done = _mm512_test_epi64_mask(shapes, _mm512_set1_epi64(Shape::kDoneBit));
  return {_mm512_castsi512_pd(_mm512_or_si512(bits, sign)), odd, points, done};
}

} // namespace
} // namespace recta::csv

#endif
