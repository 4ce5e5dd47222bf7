#include "data/number.hpp"

#include <charconv>
#include <cmath>

namespace recta {
namespace number {

const char* exponent(const char* p, const char* end, std::int64_t& value) {
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  const char* first = p;
  std::int64_t written = 0;
  for (; p != end && is_digit(*p); ++p)
    if (written < 1'000'000'000) written = written * 10 + (*p - '0');
  if (p == first) return nullptr;
  value += negative ? -written : written;
  return p;
}

Number long_number(const char* begin, const char* end, char decimal) {
  const char* p = begin;
  if (p != end && *p == '+') ++p; // from_chars takes no plus sign
  double value = 0;
  const auto done =
      fast_float::from_chars_advanced(p, end, value, fast_float::parse_options{fast_float::general, decimal});
  if (done.ptr != end) return {};
  if (std::isinf(value)) return {0, NumberStatus::too_large, false};
  return {value, NumberStatus::ok, false};
}

} // namespace number

char* write_number(double value, char* out) {
  if (std::isnan(value)) return static_cast<char*>(std::memcpy(out, "nan", 3)) + 3;
  return std::to_chars(out, out + 32, value).ptr;
}

std::string number_text(double value) {
  char text[32];
  return {text, write_number(value, text)};
}

} // namespace recta
