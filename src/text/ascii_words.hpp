// The words of ASCII text, eight bytes at a time and without a branch per byte.
#pragma once

#include <cstddef>
#include <string_view>

namespace recta::text {

struct AsciiRule {
  bool folds = false;      // A to Z become small
  bool underscore = false; // is a part of words, beside letters and digits
};

// Copies the text to `out`, folded, and sets `edges`: where a word begins, where it ends, where the next one begins.
// Returns how many edges there are, or -1 if the text is not ASCII. `out` and `edges` have room for eight more than
// the text has bytes.
std::ptrdiff_t find_ascii_words(std::string_view text, AsciiRule rule, char* out, std::size_t* edges);

} // namespace recta::text
