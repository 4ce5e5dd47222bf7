// The subsequence kernel (Lodhi, Saunders, Shawe-Taylor, Cristianini, Watkins 2002): features are all sequences u of
// `length` characters that are left of a text when others are taken away, each occurrence weighed by decay^(its span in
// the text).
//
// With M_k(i, j) the sum over common subsequences of length k whose last characters are x_i and z_j, of
// decay^(span of both), M_1(i, j) = decay^2 [x_i = z_j] and
//
//   M_{k+1}(i, j) = [x_i = z_j] decay^2 S_k(i - 1, j - 1),   S_k(i, j) = sum_{a <= i, b <= j} M_k(a, b) decay^(i - a +
//   j - b)
//
// where S_k(i, j) = M_k(i, j) + decay S_k(i - 1, j) + decay S_k(i, j - 1) - decay^2 S_k(i - 1, j - 1). To keep every
// term positive, which bounds the relative error, sums go by row instead: T(i, j) = M(i, j) + decay T(i, j - 1) and
// S(i, j) = T(i, j) + decay S(i - 1, j). Then k(x, z) = sum_{i, j} M_length(i, j). Cost length |x| |z|.
//
// decay^(2 length) multiplies every term; where it is tiny it is taken out, and normalised values lose nothing.
#pragma once

#include "kernel/texts.hpp"

#include <fmt/format.h>

namespace recta::kernel::subsequence {

struct Leaf {
  static constexpr std::string_view kWord = "string:subsequence";
  static constexpr std::string_view kSummary = "characters in the same order, with gaps, that two texts have in common";
  static constexpr std::string_view kFormula =
      "sum over u of length characters, over its places in x and in z, of decay^(span in x + span in z)";
  static constexpr std::array<std::string_view, 3> kTakes{"length", "decay", "unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;

  struct Read {
    std::u32string text;
  };

  Index length;
  double decay, scale; // scale: of the characters themselves, decay^2 per character, or 1 if values are normalised

  explicit Leaf(const Settings& settings)
      : length(settings.length), decay(settings.decay), scale(settings.normalise ? 1 : decay * decay) {}

  Read read(std::u32string_view text) const { return {std::u32string(text)}; }

  double value(const Read& a, const Read& b) const {
    // Rows of the longer, columns of the shorter; of equal ones the order of the texts decides, so that k(x, z) and
    // k(z, x) have the same bits.
    const bool swap = std::pair(a.text.size(), a.text) < std::pair(b.text.size(), b.text);
    const std::u32string &x = swap ? b.text : a.text, &z = swap ? a.text : b.text;
    if (std::ssize(z) < length) return 0;
    return length <= kLevels ? by_levels(x, z) : by_rows(x, z);
  }
  // Relative: along a chain every place adds a handful of roundings of positive numbers.
  double error(const Read& a, const Read& b) const {
    return static_cast<double>(6 * static_cast<Index>(a.text.size() + b.text.size()) + 8 * length) * 0x1p-53;
  }
  std::string text() const { return fmt::format("subsequences of {} characters in common, decay {}", length, decay); }

private:
  static constexpr Index kLevels = 8;

  // All levels side by side: the sums of a row wait for one another, those of its levels do not. Cell j of a row holds
  // 1, S_1(i, j - 1), S_2(i, j - 1), ...
  double by_levels(const std::u32string& x, const std::u32string& z) const {
    const std::size_t m = z.size(), last = static_cast<std::size_t>(length) - 1;
    std::vector<double> old((m + 1) * kLevels), now(old.size());
    for (std::size_t j = 0; j <= m; ++j) old[j * kLevels] = now[j * kLevels] = 1;
    double sum = 0;
    for (const char32_t character : x) {
      double run[kLevels] = {}, of_row = 0; // run: T_1(i, j), T_2(i, j), ...
      for (std::size_t j = 0; j < m; ++j) {
        const double factor = character == z[j] ? scale : 0;
        const double* const before = old.data() + j * kLevels;
        for (std::size_t l = 0; l < kLevels; ++l) run[l] = factor * before[l] + decay * run[l];
        of_row += factor * before[last];
        double* const next = now.data() + (j + 1) * kLevels;
        for (std::size_t l = 1; l < kLevels; ++l) next[l] = run[l - 1] + decay * before[kLevels + l];
      }
      sum += of_row;
      old.swap(now);
    }
    return sum;
  }

  double by_rows(const std::u32string& x, const std::u32string& z) const {
    const std::size_t m = z.size(), k = static_cast<std::size_t>(length);
    // s[l][j + 1] is S_(l + 1)(i - 1, j) of the row before, so that s[l][j] is S(i - 1, j - 1).
    std::vector<double> s(k * (m + 1)), fresh(k * (m + 1));
    double sum = 0;
    for (const char32_t character : x) {
      double of_row = 0;
      for (std::size_t l = 0; l < k; ++l) {
        const double* const shorter = l > 0 ? s.data() + (l - 1) * (m + 1) : nullptr;
        const double* const old = s.data() + l * (m + 1);
        double* const now = fresh.data() + l * (m + 1);
        double run = 0; // T(i, j)
        for (std::size_t j = 0; j < m; ++j) {
          const double match = character == z[j] ? scale * (shorter ? shorter[j] : 1) : 0;
          run = match + decay * run;
          now[j + 1] = run + decay * old[j + 1];
          if (l + 1 == k) of_row += match;
        }
      }
      sum += of_row;
      s.swap(fresh);
    }
    return sum;
  }
};

} // namespace recta::kernel::subsequence
