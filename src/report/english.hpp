// The words of a language: what each key of a sentence says.
//
// {name} is a figure: a number with the digits asked for, {name:3} with three, {name:~4} with four unless more than six
// are asked for, {name:^} with two and not below the number, {name|row|rows} a count with its noun, {name+} a list
// without commas, {name*} the same, never cut, {name:s} a time and {name:B} bytes in the unit that suits them; {?name}
// says nothing. A part in brackets is left out if a figure named in it is missing, empty, false or no number. A tab
// ends a label, or what is bold in a heading.
#pragma once

#include <string_view>

namespace recta::report {

std::string_view english(std::string_view key); // the key itself if it has no words

} // namespace recta::report
