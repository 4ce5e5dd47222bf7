// The mismatch kernel (Leslie, Eskin, Cohen, Weston, Noble 2004): features are all runs of `length` characters over an
// alphabet of A characters; a run of the text counts for every feature that differs from it in at most `mismatches`
// places.
//
//   k(x, z) = sum over runs u of x and v of z of N(d(u, v)),   N(d) = |{w: d(w, u) <= m, d(w, v) <= m}|
//
// and N depends on the number d of places in which u and v differ alone. Neighbourhoods are not written out: they grow
// as A^m. Let W_j count the pairs of runs that are equal once j places are left open, over all choices of these places;
// a pair that differs in d places is counted C(length - d, j - d) times. So k = sum_j c_j W_j where the c_j, j = 0 ...
// 2m, solve sum_j c_j C(length - d, j - d) = N(d), and every W_j is an inner product of counts of runs with open
// places. All of it is whole numbers.
#pragma once

#include "kernel/texts.hpp"

#include <fmt/format.h>

namespace recta::kernel::mismatch {

inline double choose(std::size_t n, std::size_t k) {
  double out = k > n ? 0 : 1;
  for (std::size_t i = 0; i < k && k <= n; ++i) out = out * static_cast<double>(n - i) / static_cast<double>(i + 1);
  return std::round(out);
}

struct Leaf {
  static constexpr std::string_view kWord = "string:mismatch";
  static constexpr std::string_view kSummary = "runs of characters that two texts nearly have in common";
  static constexpr std::string_view kFormula =
      "sum over runs w of length characters of count(runs of x within the mismatches of w) count(those of z)";
  static constexpr std::array<std::string_view, 4> kTakes{"length", "mismatches", "alphabet", "unnormalised"};
  static constexpr double kLeastCoef = -std::numeric_limits<double>::infinity();
  static constexpr bool kDefinite = true, kTexts = true;

  std::size_t length, mismatches;
  double alphabet;
  std::vector<double> c; // by the number of open places

  explicit Leaf(const Settings& settings)
      : length(static_cast<std::size_t>(settings.length)), mismatches(static_cast<std::size_t>(settings.mismatches)),
        alphabet(static_cast<double>(settings.alphabet)) {
    const std::size_t most = std::min(length, 2 * mismatches);
    c.resize(most + 1);
    for (std::size_t d = most + 1; d-- > 0;) {
      c[d] = shared(d);
      for (std::size_t j = d + 1; j <= most; ++j) c[d] -= c[j] * choose(length - d, j - d);
    }
  }

  // N(d): of the d places a are as in u, b as in v and the others neither; of the places that are equal t are not.
  double shared(std::size_t d) const {
    double sum = 0;
    for (std::size_t t = 0; t <= std::min(mismatches, length - d); ++t)
      for (std::size_t a = 0; a <= d; ++a)
        for (std::size_t b = 0; a + b <= d; ++b) {
          if (d - a + t > mismatches || d - b + t > mismatches) continue;
          sum += choose(length - d, t) * std::pow(alphabet - 1, static_cast<double>(t)) * choose(d, a) *
                 choose(d - a, b) * std::pow(alphabet - 2, static_cast<double>(d - a - b));
        }
    return sum;
  }

  void features(std::u32string_view text, Words& words, Counts& out) const {
    std::u32string run;
    for (std::size_t open = 0; open < c.size(); ++open) {
      std::vector<std::size_t> places(open);
      for (std::size_t i = 0; i + length <= text.size(); ++i) {
        for (std::size_t k = 0; k < open; ++k) places[k] = k;
        do {
          run.assign(text.substr(i, length));
          for (const std::size_t place : places) run[place] = 0xFFFFFFFF; // no character
          out.push_back({words.number(run), 1, c[open]});
        } while (next(places));
      }
    }
  }
  std::string text() const {
    return fmt::format("runs of {} characters in common, up to {} of {} letters other", length, mismatches, alphabet);
  }

private:
  // The next choice of open places, in order; false: that was the last.
  bool next(std::vector<std::size_t>& places) const {
    const std::size_t open = places.size();
    std::size_t k = open;
    while (k > 0 && places[k - 1] == length - open + k - 1) --k;
    if (k == 0) return false;
    ++places[k - 1];
    for (std::size_t later = k; later < open; ++later) places[later] = places[later - 1] + 1;
    return true;
  }
};

} // namespace recta::kernel::mismatch
