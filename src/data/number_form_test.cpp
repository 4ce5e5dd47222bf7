#include "data/number_form.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(NumberForm, GroupsOfThreeDigitsAreJoined) {
  const auto value = [](std::string_view text, char decimal, char thousands) {
    const Number number = parse_grouped(text, decimal, thousands);
    EXPECT_EQ(number.status, NumberStatus::ok) << text;
    return number.value;
  };
  EXPECT_EQ(value("4,069", '.', ','), 4069);
  EXPECT_EQ(value("-1,234,567", '.', ','), -1234567);
  EXPECT_EQ(value("+12,345.678", '.', ','), 12345.678);
  EXPECT_EQ(value("1.234,56", ',', '.'), 1234.56);
  EXPECT_EQ(value("1'234'567", '.', '\''), 1234567);
  EXPECT_EQ(value("1 234", '.', ' '), 1234);
  EXPECT_EQ(value("616", '.', ','), 616);
  EXPECT_EQ(value("123456.5", '.', ','), 123456.5); // groups are allowed, not demanded
  EXPECT_TRUE(parse_grouped("4,069", '.', ',').integer);
  EXPECT_FALSE(parse_grouped("4,069.0", '.', ',').integer);
}

TEST(NumberForm, OtherGroupsAreNoNumbers) {
  for (const char* text : {"1,23,4", "1,2345", "1234,567", ",123", "1,,234", "1,234,", "1,234,56", "0,123", "012,345",
                           "1.234,567", "1,234.567,890", "-,123", ",", "-", "", "1,a23"})
    EXPECT_EQ(parse_grouped(text, '.', ',').status, NumberStatus::not_a_number) << text;
}

TEST(NumberForm, WhatTheMarksOfANumberCanMean) {
  const std::pair<const char*, NumberForm> forms[] = {{"1234", NumberForm::whole},
                                                      {"-5e6", NumberForm::whole},
                                                      {"1.5", NumberForm::point},
                                                      {"0.123", NumberForm::point},
                                                      {"1234.567", NumberForm::point},
                                                      {"1.234", NumberForm::point_and_three},
                                                      {"1,5", NumberForm::comma},
                                                      {"3,14159", NumberForm::comma},
                                                      {"0,123", NumberForm::comma},
                                                      {",123", NumberForm::comma},
                                                      {"1234,567", NumberForm::comma},
                                                      {"-1,2e3", NumberForm::comma},
                                                      {"4,069", NumberForm::comma_and_three},
                                                      {"-12,345", NumberForm::comma_and_three},
                                                      {"1,234,567", NumberForm::comma_groups},
                                                      {"1,234.5", NumberForm::comma_groups},
                                                      {"1.234.567", NumberForm::point_groups},
                                                      {"1.234,56", NumberForm::point_groups_comma},
                                                      {"1.234.567,8", NumberForm::point_groups_comma},
                                                      {"10.0.0.1", NumberForm::none},
                                                      {"1,23,4", NumberForm::none},
                                                      {"2020-01-31", NumberForm::none},
                                                      {"word", NumberForm::none},
                                                      {"", NumberForm::none}};
  for (const auto& [text, form] : forms) EXPECT_EQ(number_form(text), form) << text;
}

} // namespace
} // namespace recta
