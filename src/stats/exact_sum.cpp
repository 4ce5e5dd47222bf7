#include "stats/exact_sum.hpp"

#include "base/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr int kDigitBits = 32;
constexpr std::int64_t kBase = std::int64_t{1} << kDigitBits;
constexpr int kLowest = -2208;          // of the products of the smallest doubles, 2^-2148, and a multiple of 32
constexpr Index kPlaces = 256;          // up to 2^5984: products of the largest doubles, summed without end
constexpr Index kMostWaiting = 1 << 30; // each term adds less than 2^32 to a word of 63 bits

// value = magnitude 2^exponent, of at most 53 bits.
struct Dyadic {
  std::uint64_t magnitude;
  int exponent;
  bool negative;
};
Dyadic dyadic_of(double value) {
  constexpr std::uint64_t kFraction = (std::uint64_t{1} << 52) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & kFraction;
  return {biased > 0 ? fraction | (kFraction + 1) : fraction, std::max(biased, 1) - 1075, bits >> 63 != 0};
}

} // namespace

// Most sums are of plain numbers, which need none of the loops of a product: 53 bits touch three digits at most.
void ExactSum::add(double value) {
  const Dyadic parts = dyadic_of(value);
  if (parts.magnitude == 0) return;
  const Index place = (parts.exponent - kLowest) / kDigitBits;
  if (place < first_ || place + 3 > first_ + std::ssize(words_)) cover(place, place + 3);
  const Wide shifted = static_cast<Wide>(parts.magnitude) << (parts.exponent - kLowest) % kDigitBits;
  const std::int64_t sign = parts.negative ? -1 : 0; // (x ^ sign) - sign is x or -x
  std::int64_t* words = words_.data() + (place - first_);
  for (int k = 0; k < 3; ++k)
    words[k] += (static_cast<std::int64_t>(shifted >> (kDigitBits * k) & (kBase - 1)) ^ sign) - sign;
  if (++waiting_ >= kMostWaiting) settle();
}

void ExactSum::add_product(double a, double b) {
  const Dyadic one = dyadic_of(a), other = dyadic_of(b);
  add(static_cast<Wide>(one.magnitude) * other.magnitude, one.negative != other.negative,
      one.exponent + other.exponent);
}

void ExactSum::add(Wide magnitude, bool negative, int exponent) {
  if (magnitude == 0) return;
  const Index place = (exponent - kLowest) / kDigitBits;
  const int shift = (exponent - kLowest) % kDigitBits;
  // The part that the shift would push past 128 bits is the last digit.
  std::int64_t digits[5] = {};
  const Wide low = magnitude << shift;
  for (int k = 0; k < 4; ++k) digits[k] = static_cast<std::int64_t>(low >> (kDigitBits * k) & (kBase - 1));
  digits[4] = shift > 0 ? static_cast<std::int64_t>(magnitude >> (128 - shift)) : 0;
  int count = 5;
  while (digits[count - 1] == 0) --count;
  cover(place, place + count);
  std::int64_t* words = words_.data() + (place - first_);
  for (int k = 0; k < count; ++k) words[k] += negative ? -digits[k] : digits[k];
  if (++waiting_ >= kMostWaiting) settle();
}

void ExactSum::cover(Index first, Index end) {
  if (words_.empty()) first_ = first;
  if (first < first_) {
    words_.insert(words_.begin(), at(first_ - first), 0);
    first_ = first;
  }
  if (end > first_ + std::ssize(words_)) words_.resize(at(end - first_));
}

void ExactSum::settle() {
  for (std::size_t k = 0; k < words_.size(); ++k) {
    const std::int64_t carried = words_[k] >> kDigitBits; // rounded down: what stays is not negative
    if (carried == 0 || (k + 1 == words_.size() && carried == -1)) continue;
    if (k + 1 == words_.size()) words_.push_back(0);
    words_[k] -= carried * kBase;
    words_[k + 1] += carried;
  }
  waiting_ = 0;
}

void ExactSum::merge(const ExactSum& other) {
  const Digits sum = other.settled();
  if (sum.digits.empty()) return;
  cover(sum.first, sum.first + std::ssize(sum.digits));
  for (std::size_t k = 0; k < sum.digits.size(); ++k)
    words_[at(sum.first - first_) + k] += sum.negative ? -sum.digits[k] : sum.digits[k];
  if (++waiting_ >= kMostWaiting) settle();
}

ExactSum::Digits ExactSum::settled() const {
  ExactSum sum = *this;
  sum.settle();
  Digits out{false, sum.first_, {}};
  if (!sum.words_.empty() && sum.words_.back() < 0) { // a negative sum has its sign in the last word alone
    out.negative = true;
    for (std::int64_t& word : sum.words_) word = -word;
    sum.settle();
  }
  const auto is_zero = [](std::int64_t word) { return word == 0; };
  const auto first = std::ranges::find_if_not(sum.words_, is_zero);
  out.first += first - sum.words_.begin();
  out.digits.assign(first, sum.words_.end());
  while (!out.digits.empty() && out.digits.back() == 0) out.digits.pop_back();
  if (out.digits.empty()) return {};
  return out;
}

// Five digits hold at least 129 bits, more than the 106 of a pair of doubles.
ExactSum::Scaled ExactSum::leading(const Digits& sum) {
  const std::size_t used = std::min<std::size_t>(5, sum.digits.size()), end = sum.digits.size();
  Scaled out;
  for (std::size_t k = end; k-- > end - used;)
    out.value = out.value * static_cast<double>(kBase) + static_cast<double>(sum.digits[k]);
  if (sum.negative) out.value = -out.value;
  out.exponent = kLowest + kDigitBits * static_cast<int>(sum.first + std::ssize(sum.digits) - static_cast<Index>(used));
  return out;
}

double ExactSum::over(const ExactSum& divisor) const {
  const Digits above = settled();
  if (above.digits.empty()) return 0;
  const Scaled a = leading(above), b = leading(divisor.settled());
  return std::ldexp((a.value / b.value).hi, a.exponent - b.exponent);
}

void ExactSum::write(StateWriter& out) const {
  const Digits sum = settled();
  out.put(Index{sum.negative});
  out.put(sum.first);
  out.put(std::ssize(sum.digits));
  for (const Index digit : sum.digits) out.put(digit);
}

void ExactSum::read(StateReader& in) {
  const bool negative = in.index() != 0;
  const Index first = in.index(), count = in.index();
  in.require(first >= 0 && count >= 0 && first + count <= kPlaces && first <= kPlaces && count <= kPlaces);
  *this = {};
  first_ = first;
  for (Index k = 0; in.good() && k < count; ++k) {
    const Index digit = in.index();
    in.require(digit >= 0 && digit < kBase);
    words_.push_back(negative ? -digit : digit);
  }
}

} // namespace recta
