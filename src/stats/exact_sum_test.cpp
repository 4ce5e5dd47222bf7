#include "stats/exact_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace recta {
namespace {

using Rational = boost::multiprecision::cpp_rational;

ExactSum sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}
std::string bytes_of(const ExactSum& sum) {
  StateWriter out("sum ");
  sum.write(out);
  return out.take();
}
double value(const ExactSum& sum) {
  return sum.over(sum_of({1}));
}

// Numbers of all sizes, so that a plain sum would lose most of them.
std::vector<double> wild_numbers(Index count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> out;
  for (Index i = 0; i < count; ++i)
    out.push_back(
        std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), static_cast<int>(random() % 1900) - 1000));
  return out;
}

TEST(ExactSum, ATermThatAPlainSumLosesIsThere) {
  EXPECT_EQ(value(sum_of({1e300, 1, -1e300})), 1);
  EXPECT_EQ(value(sum_of({1e300, 0x1p-1074, -1e300})), 0x1p-1074);
  EXPECT_EQ(value(sum_of({-3, 2})), -1);
  EXPECT_TRUE(sum_of({0.1, -0.1, 0, -0.0}).is_zero());
  EXPECT_FALSE(sum_of({0.1, -0.1, 0x1p-1074}).is_zero());
}

TEST(ExactSum, IsTheRationalSumOfItsTermsRounded) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const auto terms = wild_numbers(40, seed), factors = wild_numbers(40, seed + 100);
    ExactSum sum, products;
    Rational exact = 0, exact_products = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      sum.add(terms[i]);
      products.add_product(terms[i], factors[i]);
      exact += Rational(terms[i]);
      exact_products += Rational(terms[i]) * Rational(factors[i]);
    }
    EXPECT_EQ(value(sum), exact.convert_to<double>()) << seed;
    const Rational quotient = exact_products / exact;
    if (abs(quotient) < Rational(std::numeric_limits<double>::max()))
      EXPECT_EQ(products.over(sum), quotient.convert_to<double>()) << seed;
  }
}

TEST(ExactSum, HasTheSameBytesInAnyOrderAndHoweverItIsCut) {
  auto terms = wild_numbers(200, 3);
  const std::string expected = bytes_of(sum_of(terms));
  std::mt19937 random(5);
  for (const std::size_t cut : {0, 1, 77, 200}) {
    std::ranges::shuffle(terms, random);
    const auto at = terms.begin() + static_cast<std::ptrdiff_t>(cut);
    ExactSum left = sum_of({terms.begin(), at});
    left.merge(sum_of({at, terms.end()}));
    EXPECT_EQ(bytes_of(left), expected);
  }
  const std::string read_from = expected.substr(4);
  StateReader in("", read_from);
  ExactSum again;
  again.read(in);
  EXPECT_TRUE(in.done());
  EXPECT_EQ(bytes_of(again), expected);
}

// A column that is constant where it is known stays constant where it is filled in.
TEST(ExactSum, TheMeanOfEqualNumbersIsThisNumber) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    const double number = uniform(random) - 0.5;
    ExactSum plain, count, weighted, weight;
    for (int i = 0; i <= trial; ++i) {
      plain.add(number);
      count.add(1);
      const double w = uniform(random);
      weighted.add_product(w, number);
      weight.add(w);
    }
    EXPECT_EQ(plain.over(count), number);
    EXPECT_EQ(weighted.over(weight), number);
  }
}

TEST(ExactSum, SumsPastTheLargestDoubleHaveMeans) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({kLargest, kLargest, kLargest}).over(sum_of({1, 1, 1})), kLargest);
  ExactSum products, weights;
  for (int i = 0; i < 3; ++i) {
    products.add_product(1e200, -1e300);
    weights.add(1e200);
  }
  EXPECT_EQ(products.over(weights), -1e300);
}

TEST(ExactSum, DamagedBytesAreRefused) {
  const std::string good = bytes_of(sum_of({1, 2.5, -1e20}));
  for (const std::size_t byte : {4 + 9, 4 + 17, 4 + 30}) { // place, count and a digit become too large
    std::string bad = good;
    bad[byte + 6] = 1;
    StateReader in("sum ", bad);
    ExactSum sum;
    sum.read(in);
    EXPECT_FALSE(in.done());
  }
}

} // namespace
} // namespace recta
