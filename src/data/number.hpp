// Text to double, correctly rounded, and double to the shortest text that reads back as the same number.
// Digits are read eight at a time in one 64-bit word. A decimal mantissa w <= 2^53 with |exponent| <= 22 gives the
// answer in one exact multiplication or division (Clinger 1990); other numbers of at most 19 digits go through the
// 128-bit product of Eisel and Lemire (Lemire 2021), as fast_float does it; what is left goes to fast_float whole.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <fast_float/fast_float.h>
#include <string>
#include <string_view>

namespace recta {

enum class NumberStatus : std::uint8_t { ok, not_a_number, too_large };

struct Number {
  double value = 0;
  NumberStatus status = NumberStatus::not_a_number;
  bool integer = false; // written without a point or exponent, and exact
};

// At most 32 characters at `out`; returns their end. NaN and infinities are written nan, inf, -inf.
char* write_number(double value, char* out);
std::string number_text(double value);

namespace number {

inline constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::uint64_t kExact = std::uint64_t{1} << 53;

[[gnu::always_inline]] inline std::uint64_t load_eight(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

[[gnu::always_inline]] inline bool all_digits(std::uint64_t word) {
  return ((word & 0xF0F0F0F0F0F0F0F0) | (((word + 0x0606060606060606) & 0xF0F0F0F0F0F0F0F0) >> 4)) ==
         0x3333333333333333;
}

// Eight digits at once: neighbours are joined to pairs, pairs to fours, fours to the whole.
[[gnu::always_inline]] inline std::uint64_t eight_digits(std::uint64_t word) {
  word -= 0x3030303030303030;
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t mask = 0x000000FF000000FF;
  return (((word & mask) * 0x000F424000000064) + (((word >> 16) & mask) * 0x0000271000000001)) >> 32;
}

[[gnu::always_inline]] inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') < 10;
}

[[gnu::always_inline]] inline const char* digits(const char* p, const char* end, std::uint64_t& mantissa) {
  while (end - p >= 8) {
    const std::uint64_t word = load_eight(p);
    if (!all_digits(word)) break;
    mantissa = mantissa * 100000000 + eight_digits(word);
    p += 8;
  }
  for (; p != end && is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  return p;
}

// The digits after e or E. nullptr: there are none. Saturates: 1e99999999999 is as large as 1e99999.
const char* exponent(const char* p, const char* end, std::int64_t& value);
// Any number that has the right form, however long.
Number long_number(const char* begin, const char* end, char decimal);

[[gnu::always_inline]] inline Number scaled(std::uint64_t mantissa, std::int64_t exponent10, bool negative) {
  double value = static_cast<double>(mantissa);
  value = exponent10 < 0 ? value / kPowers[-exponent10] : value * kPowers[exponent10];
  return {negative ? -value : value, NumberStatus::ok, false};
}

} // namespace number

// All of [begin, end) must be one number: sign, digits, point, exponent; no blanks. inf and nan are not numbers here.
[[gnu::always_inline]] inline Number parse_number(const char* begin, const char* end, char decimal = '.') {
  const char* p = begin;
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  const char* first = p;
  std::uint64_t mantissa = 0;
  p = number::digits(p, end, mantissa);
  auto count = p - first;
  std::int64_t exponent10 = 0;
  if (p == end) {
    if (count == 0) return {};
    if (count <= 19 && mantissa <= number::kExact) {
      const auto value = static_cast<double>(mantissa);
      return {negative ? -value : value, NumberStatus::ok, true};
    }
  } else if (*p == decimal) {
    const char* fraction = ++p;
    p = number::digits(p, end, mantissa);
    exponent10 = fraction - p;
    count += p - fraction;
  }
  if (count == 0) return {};
  if (p != end) {
    if ((*p | 0x20) != 'e') return {};
    p = number::exponent(p + 1, end, exponent10);
    if (p != end) return {};
  }
  if (count <= 19) [[likely]] {
    if (mantissa <= number::kExact && exponent10 >= -22 && exponent10 <= 22)
      return number::scaled(mantissa, exponent10, negative);
    const auto answer = fast_float::compute_float<fast_float::binary_format<double>>(exponent10, mantissa);
    if (answer.power2 == 0x7FF) return {0, NumberStatus::too_large, false};
    if (answer.power2 >= 0) {
      const auto bits = answer.mantissa | static_cast<std::uint64_t>(answer.power2) << 52 |
                        static_cast<std::uint64_t>(negative) << 63;
      return {std::bit_cast<double>(bits), NumberStatus::ok, false};
    }
  }
  return number::long_number(begin, end, decimal);
}
[[gnu::always_inline]] inline Number parse_number(std::string_view text, char decimal = '.') {
  return parse_number(text.data(), text.data() + text.size(), decimal);
}

} // namespace recta
