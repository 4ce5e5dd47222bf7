// A sentence in its words, and a figure as text.
#pragma once

#include <recta/report.hpp>

namespace recta::report {

const Value& figure_of(const Sentence& sentence, std::string_view name);     // absent if there is none
bool is_missing(const Value& value);                                         // or empty, false, no number
std::string figure_text(const Value& value, int digits, const Words& words); // digits: as Column::digits
std::string in_words(const Sentence& sentence, const Words& words);          // a tab ends its label

} // namespace recta::report
