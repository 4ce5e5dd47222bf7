// The rows of the built-in sets as text: values between commas, one row per line. They are facts, kept apart from the
// code that reads them.
#pragma once

#include <string_view>

namespace recta::builtin {

extern const std::string_view iris, housing, rings;
extern const std::string_view digits[4]; // packed, see there
extern const std::string_view longley, norris, pontius, filip, noint1, noint2;
extern const std::string_view wampler1, wampler2, wampler3, wampler4, wampler5;
// Small sets that fit on paper.
extern const std::string_view xor_rows, one_row, two_points, three_points, ring_points, line_1234, line_10_12, line_six,
    two_ones, chinese, reviews;

} // namespace recta::builtin
