// The blended spectrum kernel: features are the runs of 1, 2, ..., `length` characters of a text, all of them alike.
#pragma once

#include "kernel/texts.hpp"

#include <fmt/format.h>

namespace recta::kernel::blended {

struct Leaf {
  static constexpr std::string_view kWord = "string:blended";
  static constexpr std::string_view kSummary = "runs of up to this many characters that two texts have in common";
  static constexpr std::string_view kFormula =
      "sum over runs u of up to length characters of count(u in x) count(u in z)";
  static constexpr std::array<std::string_view, 2> kTakes{"length", "unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;

  std::size_t length;

  explicit Leaf(const Settings& settings) : length(static_cast<std::size_t>(settings.length)) {}
  void features(std::u32string_view text, Words& words, Counts& out) const {
    for (std::size_t k = 1; k <= length; ++k)
      for (std::size_t i = 0; i + k <= text.size(); ++i) out.push_back({words.number(text.substr(i, k))});
  }
  std::string text() const { return fmt::format("runs of 1 to {} characters in common", length); }
};

} // namespace recta::kernel::blended
