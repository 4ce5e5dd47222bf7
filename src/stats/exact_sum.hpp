// Sums of numbers and of products of two numbers without any rounding: neither the order of the terms, nor how they are
// cut into parts that are merged, changes a bit of the answer.
//
// A fixed-point number of 32-bit digits, as wide as the terms need. Every term is added to the digits that it touches,
// three for a number and five for a product; carries wait in the upper halves of 64-bit words (Neal, "Fast exact
// summation using small and large superaccumulators", 2015; here the words grow with the terms, since a table has one
// sum per column).
#pragma once

#include "base/double_double.hpp"
#include "stats/state_bytes.hpp"

#include <cstdint>

namespace recta {

class ExactSum {
public:
  void add(double value); // finite, as all terms
  void add_product(double a, double b);
  void merge(const ExactSum& other);

  bool is_zero() const { return settled().digits.empty(); }
  // The quotient of two sums, which may both exceed all doubles. Its error is below 2^-100 of it before it is rounded:
  // if a double is the quotient, it is the answer.
  double over(const ExactSum& divisor) const;

  // Equal sums have the same bytes, whatever their terms were.
  void write(StateWriter& out) const;
  void read(StateReader& in);

private:
  __extension__ using Wide = unsigned __int128;
  struct Digits { // no zero at either end
    bool negative = false;
    Index first = 0; // place of digits[0]
    std::vector<Index> digits;
  };
  struct Scaled { // value 2^exponent
    DoubleDouble value;
    int exponent = 0;
  };
  void add(Wide magnitude, bool negative, int exponent);
  void cover(Index first, Index end);
  void settle(); // carries, so that all words but the last are digits
  Digits settled() const;
  static Scaled leading(const Digits& sum);

  Index first_ = 0;                 // place of words_[0]
  std::vector<std::int64_t> words_; // the word at place k counts 2^(32 k + kLowest)
  Index waiting_ = 0;               // terms since the carries were settled
};

} // namespace recta
