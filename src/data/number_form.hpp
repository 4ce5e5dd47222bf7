// How people write numbers: 1234.5, 1,234.5, 1.234,5, 1'234.5. One number does not always tell what its marks mean.
#pragma once

#include "data/number.hpp"

namespace recta {

// Like parse_number; the digits before the decimal mark may also stand in groups of three, separated by `thousands`.
// The first group has one to three digits and does not begin with a zero: 0,123 is a fraction, whatever the comma is
// called.
Number parse_grouped(std::string_view text, char decimal, char thousands);

enum class NumberForm : std::uint8_t {
  none,               // not a number
  whole,              // 1234, 5e6
  point,              // 1.5
  comma,              // 1,5
  point_and_three,    // 1.234: a fraction or a group of thousands
  comma_and_three,    // 1,234: likewise
  comma_groups,       // 1,234,567 and 1,234.5
  point_groups,       // 1.234.567
  point_groups_comma, // 1.234,5
};
inline constexpr std::size_t kNumberForms = 9;

NumberForm number_form(std::string_view text);

} // namespace recta
