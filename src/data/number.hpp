// Text to double, correctly rounded, and double to the shortest text that reads back the same.
// Digits are read eight at a time in one 64-bit word. A decimal mantissa w <= 2^53 with |exponent| <= 22 gives the
// answer in one exact multiplication or division (Clinger 1990); other numbers of at most 19 digits go through the
// 128-bit product of Eisel and Lemire (Lemire 2021), as fast_float does it; what is left goes to fast_float whole.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace recta {

enum class NumberStatus : std::uint8_t { ok, not_a_number, too_large };

struct Number {
  double value = 0;
  NumberStatus status = NumberStatus::not_a_number;
  bool integer = false; // written without a point or exponent, and exact
};

// All of [begin, end) must be one number: sign, digits, point, exponent; no blanks. inf and nan are not numbers here.
Number parse_number(const char* begin, const char* end, char decimal = '.');
inline Number parse_number(std::string_view text, char decimal = '.') {
  return parse_number(text.data(), text.data() + text.size(), decimal);
}

// At most 32 characters at `out`; returns their end. NaN and infinities are written nan, inf, -inf.
char* write_number(double value, char* out);
std::string number_text(double value);

} // namespace recta
