// Conditions that the sentence of a certificate puts first.
#pragma once

#include <string>
#include <string_view>

namespace recta {

// How the condition begins that names figures of a model file which its rows do not give. If it is the first one of a
// refuted certificate, it and not the optimum is what is refuted.
inline constexpr std::string_view kOtherFigures = "the rows give other figures than the file: ";

// Two digits of x that are not below it: a number claimed as a bound is one as it is printed.
std::string at_most(double x);

} // namespace recta
