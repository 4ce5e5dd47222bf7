// Text and numbers as SVG wants them: escaped, measured, and the same on every machine.
#pragma once

#include <string>
#include <string_view>

namespace recta::plot {

// For element text and attributes. Bytes that are not UTF-8 and characters that XML 1.0 has no place for become U+FFFD.
std::string escaped(std::string_view text);

// A coordinate in pixels, to a hundredth, without trailing zeros and never "-0".
std::string pixels(double value);

// Width of the text in pixels, by the widths of common sans-serif letters; rather too wide than too narrow.
double text_width(std::string_view text, double font_size);

// The text, or as much of its beginning as fits, ending in an ellipsis.
std::string fitted(std::string_view text, double font_size, double width);

// Exactly digits * 10^exponent: "250", "−0.05", "3×10⁻⁷".
std::string decimal(long long digits, int exponent);
std::string power_of_ten(int exponent); // "10⁻³"

// About `significant` digits of a number, for sentences: "0.0123", "1.5×10⁹".
std::string rounded(double value, int significant = 4);

} // namespace recta::plot
