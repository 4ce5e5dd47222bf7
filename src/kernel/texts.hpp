// Texts kept so that the kernel of a text with all of them is fast. A value has the same bits whatever texts it is
// computed beside.
//
//   FeatureTexts  kernels that are inner products of counts: every feature has the list of the texts that have it, and
//   a
//                 query walks the lists of its own features. Counts and their products are whole numbers below 2^53, so
//                 that sums are exact in any order.
//   PairTexts     all others, one value at a time.
#pragma once

#include "base/deadline.hpp"
#include "base/numbers.hpp"
#include "kernel/kernel.hpp"
#include "kernel/words.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace recta::kernel {

// A feature by its number, how often it occurs, and its weight in the inner product.
struct FeatureCount {
  std::int64_t feature = 0;
  double count = 1, weight = 1;
};
using Counts = std::vector<FeatureCount>;

// Sorts by feature and makes one entry of those that are equal.
void sort_features(Counts& counts);

class TextSet {
public:
  virtual ~TextSet() = default;
  Index count() const { return static_cast<Index>(kept_.size()); }
  const std::u32string& text(Index i) const { return kept_[at(i)]; }

  virtual void add(std::u32string text) = 0;
  virtual double self(Index i) const = 0; // k(x_i, x_i)
  // k(text, x_i) of the first texts, and a bound on the error of all of them.
  virtual double values(const std::u32string& text, Index texts, double* out) const = 0;
  virtual double values_of(Index i, Index texts, double* out) const = 0; // of a text of the set

protected:
  // k / sqrt(first other), 0 if one of them is 0: three roundings.
  static double divided(double value, double first, double other) {
    return first > 0 && other > 0 ? value / (std::sqrt(first) * std::sqrt(other)) : 0;
  }
  std::deque<std::u32string> kept_;
};

template <class Leaf>
class FeatureTexts final : public TextSet {
public:
  FeatureTexts(const Leaf& leaf, bool normalise) : leaf_(leaf), normalise_(normalise) {}

  void add(std::u32string text) override {
    Deadline::check();
    Counts counts;
    leaf_.features(text, words_, counts);
    sort_features(counts);
    double square = 0, size = 0;
    for (const auto& [feature, times, weight] : counts) {
      if (feature >= static_cast<std::int64_t>(lists_.size())) lists_.resize(static_cast<std::size_t>(feature) + 1);
      TextsWith& having = lists_[static_cast<std::size_t>(feature)];
      const auto number = static_cast<std::uint32_t>(this->count());
      if (times == 1)
        having.once.push_back(number);
      else
        having.often.push_back({number, static_cast<std::uint32_t>(times)});
      square += weight * times * times, size += std::abs(weight) * times * times;
    }
    self_.push_back(square), length_.push_back(std::sqrt(square)), size_.push_back(size);
    counts_.push_back(std::move(counts));
    kept_.push_back(std::move(text));
  }
  double self(Index i) const override { return normalise_ ? (self_[at(i)] > 0 ? 1 : 0) : self_[at(i)]; }

  double values(const std::u32string& text, Index texts, double* out) const override {
    Words words(&words_);
    Counts counts;
    leaf_.features(text, words, counts);
    sort_features(counts);
    return values_by(counts, texts, out);
  }
  double values_of(Index i, Index texts, double* out) const override { return values_by(counts_[at(i)], texts, out); }

private:
  double values_by(const Counts& counts, Index texts, double* out) const {
    Deadline::check();
    std::fill(out, out + texts, 0.0);
    double square = 0, size = 0;
    for (const auto& [feature, times, weight] : counts) {
      square += weight * times * times, size += std::abs(weight) * times * times;
      if (feature >= static_cast<std::int64_t>(lists_.size())) continue;
      const double each = weight * times;
      const TextsWith& having = lists_[static_cast<std::size_t>(feature)];
      for (const std::uint32_t i : having.once) {
        if (i >= texts) break; // texts of a list ascend
        out[i] += each;
      }
      for (const auto& [i, count] : having.often) {
        if (i >= texts) break;
        out[i] += each * count;
      }
    }
    return rounded(counts.size(), square, size, texts, out);
  }

  // Divides by the lengths if asked, and bounds the errors. Whole numbers below 2^53 are exact; else the sizes of all
  // terms of a sum are at most the root of both sizes.
  double rounded(std::size_t terms, double square, double size, Index texts, double* out) const {
    const double length = std::sqrt(square), each = static_cast<double>(terms + 8) * 0x1p-52;
    bool exact = size < 0x1p53;
    double error = 0;
    for (Index i = 0; i < texts; ++i) {
      const double other = self_[at(i)];
      exact = exact && size_[at(i)] < 0x1p53;
      double off = exact ? 0 : each * std::sqrt(size) * std::sqrt(size_[at(i)]);
      if (normalise_) {
        const bool some = square > 0 && other > 0;
        out[i] = some ? out[i] / (length * length_[at(i)]) : 0;
        off = exact || !some
                  ? 0
                  : off / (length * length_[at(i)]) + each * (size / square + size_[at(i)] / other) * std::abs(out[i]);
        off += 0x1p-50 * std::abs(out[i]);
      }
      error = std::max(error, off);
    }
    return error;
  }

  // The texts that have a feature. Most have it once, and stand in a list of their own, which is short to read.
  struct TextsWith {
    struct Entry {
      std::uint32_t text, count;
    };
    std::vector<std::uint32_t> once;
    std::vector<Entry> often;
  };
  Leaf leaf_;
  bool normalise_;
  Words words_;
  std::vector<TextsWith> lists_;      // by feature
  std::vector<double> self_, length_; // k(x, x) and its root
  std::vector<double> size_;          // the sums of the absolute values of the terms of k(x, x)
  std::vector<Counts> counts_;        // by text
};

template <class Leaf>
class PairTexts final : public TextSet {
public:
  using Read = typename Leaf::Read;
  PairTexts(const Leaf& leaf, bool normalise) : leaf_(leaf), normalise_(normalise) {}

  void add(std::u32string text) override {
    Deadline::check();
    read_.push_back(leaf_.read(text));
    self_.push_back(leaf_.value(read_.back(), read_.back()));
    kept_.push_back(std::move(text));
  }
  double self(Index i) const override { return normalise_ ? (self_[at(i)] > 0 ? 1 : 0) : self_[at(i)]; }

  double values(const std::u32string& text, Index texts, double* out) const override {
    const Read query = leaf_.read(text);
    return values_by(query, normalise_ ? leaf_.value(query, query) : 1, texts, out);
  }
  double values_of(Index i, Index texts, double* out) const override {
    return values_by(read_[at(i)], self_[at(i)], texts, out);
  }

private:
  double values_by(const Read& query, double query_square, Index texts, double* out) const {
    double error = 0;
    for (Index i = 0; i < texts; ++i) {
      Deadline::check(); // a value of long texts takes a while
      const double value = leaf_.value(query, read_[at(i)]), off = leaf_.error(query, read_[at(i)]); // off: relative
      out[i] = normalise_ ? divided(value, query_square, self_[at(i)]) : value;
      error = std::max(error, out[i] * (normalise_ ? 3 * off + 0x1p-50 : off) + slack(query, query_square, i));
    }
    return error;
  }

  // The part of the error that does not grow with the value. Normalising divides by lengths that may be off by as much.
  double slack(const Read& query, double query_square, Index i) const {
    if constexpr (requires { leaf_.slack(query, query); }) {
      const double off = leaf_.slack(query, read_[at(i)]), other = self_[at(i)];
      if (!normalise_) return off;
      return query_square > 0 && other > 0
                 ? off * (1 / (std::sqrt(query_square) * std::sqrt(other)) + 1 / query_square + 1 / other)
                 : 0;
    }
    return 0;
  }

  Leaf leaf_;
  bool normalise_;
  std::vector<Read> read_;
  std::vector<double> self_;
};

} // namespace recta::kernel
