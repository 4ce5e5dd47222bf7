// Advice for a text that is not a number but nearly one.
#pragma once

#include "data/number.hpp"

#include <string>
#include <string_view>

namespace recta {

inline bool is_infinite(std::string_view text) {
  const std::string_view bare = text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
  return bare == "inf" || bare == "Inf" || bare == "INF" || bare == "infinity" || bare == "Infinity";
}

// Infinite, or with a decimal comma. Empty: nothing special.
inline std::string advice_for_number(std::string_view text) {
  if (is_infinite(text)) return "infinite values cannot be used: correct it, or remove the row";
  if (parse_number(text, ',').status == NumberStatus::ok) return "write the decimal mark as a point";
  return "";
}

} // namespace recta
