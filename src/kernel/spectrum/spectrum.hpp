// The spectrum kernel (Leslie, Eskin, Noble 2002): features are the runs of `length` characters of a text, and how
// often each occurs.
#pragma once

#include "kernel/texts.hpp"

#include <fmt/format.h>

namespace recta::kernel::spectrum {

struct Leaf {
  static constexpr std::string_view kWord = "string:spectrum";
  static constexpr std::string_view kSummary = "runs of characters that two texts have in common";
  static constexpr std::string_view kFormula = "sum over runs u of length characters of count(u in x) count(u in z)";
  static constexpr std::array<std::string_view, 2> kTakes{"length", "unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;

  std::size_t length;

  explicit Leaf(const Settings& settings) : length(static_cast<std::size_t>(settings.length)) {}
  void features(std::u32string_view text, Words& words, Counts& out) const {
    for (std::size_t i = 0; i + length <= text.size(); ++i) out.push_back({words.number(text.substr(i, length))});
  }
  std::string text() const { return fmt::format("runs of {} characters in common", length); }
};

} // namespace recta::kernel::spectrum
