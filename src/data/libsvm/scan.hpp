// Words of a LIBSVM line. Indices ascend and labels repeat, so the number of their digits hardly changes from one to
// the next and a loop over single digits is predicted well. The digits after a point are as many as the writer cared
// for: their number is counted in one 64-bit word and their value computed from the same word, without a branch.
#pragma once

#include "data/number.hpp"

#include <bit>
#include <cstdint>

namespace recta::libsvm {

constexpr std::ptrdiff_t kReach = 32; // bytes that the short way may look ahead

inline bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
inline bool ends_token(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '#';
}
inline const char* token_end(const char* at) {
  while (!ends_token(*at)) ++at;
  return at;
}

struct Run {
  std::uint64_t value = 0;
  int length = 0; // 8: there may be more
};

// The digits at the front of eight bytes.
[[gnu::always_inline]] inline Run digit_run(const char* at) {
  const std::uint64_t word = number::load_eight(at) ^ 0x3030303030303030; // digits become 0 to 9
  const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
  const int length = std::countr_zero(others) >> 3; // 64 >> 3 = 8 where all are digits
  // Shifted to the end of the word, the digits have zeros in front. Two shifts: by 64 at once is undefined.
  const int spare = 32 - 4 * length;
  return {number::eight_digits((word << spare << spare) + 0x3030303030303030), length};
}

struct Scanned {
  const char* end = nullptr;
  double value = 0;
  bool integer = false;
  NumberStatus status = NumberStatus::ok;
};

inline Scanned scan_general(const char* at, const char* end) {
  const Number number = parse_number(at, end);
  return {end, number.value, number.integer, number.status};
}

// The number at `at`; its end is the end of its token. At most 15 digits and no exponent go the short way: mantissa
// and power of ten are exact doubles, and one division rounds once.
[[gnu::always_inline]] inline Scanned scan_number(const char* at, const char* limit) {
  constexpr std::uint64_t kTens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  const bool negative = *at == '-';
  const char* p = at + (negative | (*at == '+'));
  const char* first = p;
  std::uint64_t mantissa = 0;
  for (; number::is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  const std::ptrdiff_t whole = p - first;
  if (ends_token(*p) && whole > 0 && whole <= 15) {
    const auto value = static_cast<double>(mantissa);
    return {p, negative ? -value : value, true, NumberStatus::ok};
  }
  if (*p != '.' || limit - p < kReach) return scan_general(at, token_end(at));
  Run part = digit_run(++p);
  int after = part.length;
  mantissa = mantissa * kTens[part.length] + part.value;
  p += part.length;
  if (part.length == 8) {
    part = digit_run(p);
    after += part.length;
    mantissa = mantissa * kTens[part.length] + part.value;
    p += part.length;
  }
  const std::ptrdiff_t digits = whole + after;
  if (digits == 0 || digits > 15 || !ends_token(*p)) return scan_general(at, ends_token(*p) ? p : token_end(p));
  const double value = static_cast<double>(mantissa) / number::kPowers[after];
  return {p, negative ? -value : value, false, NumberStatus::ok};
}

} // namespace recta::libsvm
