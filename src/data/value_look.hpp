// Values that are no numbers as they stand, but that a person would read as such: $5, 50 %, 1,200 and dates.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recta {

enum class ValueLook : std::uint8_t { word, grouped, comma, money, percentage, date };
inline constexpr std::size_t kValueLooks = 6;

ValueLook look_of(std::string_view text);

// The flags that read `text` as a number although it is none by the marks in force. Empty: none do.
std::string mark_advice(std::string_view text);
// Advice for a column whose values look like that; `text` is one of them. Empty for words.
std::string look_advice(ValueLook look, std::string_view text, const std::string& column);

} // namespace recta
