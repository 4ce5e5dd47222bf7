#include "data/number.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace recta {
namespace {

// The C library rounds correctly and shares no code with us.
void expect_as_strtod(const std::string& text) {
  const Number number = parse_number(text);
  if (std::isinf(std::strtod(text.c_str(), nullptr))) {
    EXPECT_EQ(number.status, NumberStatus::too_large) << text;
    return;
  }
  ASSERT_EQ(number.status, NumberStatus::ok) << text;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(number.value),
            std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
      << text;
}

TEST(Number, HardCasesAreRoundedCorrectly) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "-0.0",
                           "1",
                           "+1",
                           "1.",
                           ".5",
                           "-.5e1",
                           "9007199254740991",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740993.0",
                           "9007199254740992.9999999999",
                           "123456789012345678901234567890",
                           "0.1",
                           "1e22",
                           "1e23",
                           "-1e-22",
                           "1e-23",
                           "8.5e22",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "2.2250738585072014e-308",
                           "2.2250738585072011e-308",
                           "4.9406564584124654e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1e-400",
                           "0e999999999999",
                           "0.000000000000000000000000000000000000001",
                           "1.00000000000000011102230246251565404236316680908203125",
                           "1.00000000000000011102230246251565404236316680908203124",
                           "1.00000000000000011102230246251565404236316680908203126",
                           "7.2057594037927933e16",
                           "6929495644600919.5",
                           "3.7455744005952583e15",
                           "1448997445238699",
                           "10000000000000000000000000000000000000000e-40",
                           "12345678",
                           "123456789",
                           "1234567.8",
                           "12345678.12345678",
                           "12345678.123456789",
                           "00000000000000000000001.5",
                           "179769313486231580793e289",
                           "5e-324",
                           "89255e-22",
                           "104308485241983990666713401708072175773165034278682e-55"})
    expect_as_strtod(text);
}

TEST(Number, RandomDoublesReadBackTheSameFromSeventeenDigitsAndFromTheShortestText) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 200'000; ++k) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", value);
    ASSERT_EQ(parse_number(std::string_view(text)).value, value) << text;
    ASSERT_EQ(parse_number(number_text(value)).value, value) << number_text(value);
  }
}

TEST(Number, RandomDigitStringsAreRoundedAsByTheCLibrary) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 100'000; ++k) {
    std::string text(random() % 2, '-');
    const auto whole = random() % 12, fraction = random() % 24;
    for (std::uint64_t d = 0; d <= whole; ++d) text += static_cast<char>('0' + random() % 10);
    if (fraction) text += '.';
    for (std::uint64_t d = 0; d < fraction; ++d) text += static_cast<char>('0' + random() % 10);
    if (random() % 2) text.append("e").append(std::to_string(static_cast<int>(random() % 600) - 300));
    expect_as_strtod(text);
  }
}

TEST(Number, HalfwayDecimalsOfRandomDoublesAreRoundedAsByTheCLibrary) {
  std::mt19937_64 random(3);
  for (int k = 0; k < 2'000; ++k) {
    const double value = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 200) - 150);
    const double next = std::nextafter(value, 1e300);
    char text[2000];
    std::snprintf(text, sizeof text, "%.900f", value); // exact
    expect_as_strtod(text);
    std::snprintf(text, sizeof text, "%.20e", value / 2 + next / 2);
    expect_as_strtod(text);
  }
}

TEST(Number, WhatIsNotOneWholeNumberIsRefused) {
  for (const char* text : {"",     "-",    "+",   ".",     "-.",    "e5",       "1e",       "1e+", "1e-",
                           "1 ",   " 1",   "1x",  "1.2.3", "--1",   "+-1",      "inf",      "nan", "Infinity",
                           "-inf", "0x10", "1,5", "1e5.5", "1_000", "1234567x", "12345678x"})
    EXPECT_EQ(parse_number(std::string_view(text)).status, NumberStatus::not_a_number) << text;
}

TEST(Number, ANumberBeyondTheRangeOfADoubleIsTooLarge) {
  for (const char* text : {"1e999", "-1e999", "1.8e308", "1e99999999999999999999", "123456789e310"})
    EXPECT_EQ(parse_number(std::string_view(text)).status, NumberStatus::too_large) << text;
  EXPECT_EQ(parse_number(std::string(400, '9')).status, NumberStatus::too_large);
}

TEST(Number, ADecimalCommaIsReadWhenAskedFor) {
  EXPECT_EQ(parse_number("1,5", ',').value, 1.5);
  EXPECT_EQ(parse_number("-1234,5678e2", ',').value, -123456.78);
  EXPECT_EQ(parse_number("1,00000000000000011102230246251565404236316680908203126", ',').value, 1.0000000000000002);
  EXPECT_EQ(parse_number("1.5", ',').status, NumberStatus::not_a_number);
}

TEST(Number, AnIntegerIsWrittenWithoutPointAndIsExact) {
  EXPECT_TRUE(parse_number("9007199254740992").integer);
  EXPECT_TRUE(parse_number("-007").integer);
  EXPECT_FALSE(parse_number("9007199254740993").integer);
  EXPECT_FALSE(parse_number("1.0").integer);
  EXPECT_FALSE(parse_number("1e3").integer);
}

TEST(Number, TheShortestTextIsWritten) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1e23), "1e+23");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(5e-324), "5e-324");
  EXPECT_EQ(number_text(std::numeric_limits<double>::quiet_NaN()), "nan");
}

} // namespace
} // namespace recta
