// JSON as model files use it: exact numbers, no second key, no depth.
#include "model_file/json.hpp"

#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <random>

namespace recta {
namespace {

using testing::HasSubstr;

std::string again(const std::string& text) {
  const auto json = parse_json(text, "t");
  return json ? print_json(*json) : json.error().what;
}

TEST(Json, PrintsWhatItReadWithKeysInOrder) {
  EXPECT_EQ(again(R"( {"b": [1, 2.5, -3, null, true, false], "a": {"x": "y"}} )"),
            R"({"a":{"x":"y"},"b":[1,2.5,-3,null,true,false]})");
}

TEST(Json, KeepsEveryDoubleBitForBit) {
  std::mt19937_64 random(1);
  std::vector<double> values{0.0, -0.0, 0.1, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 9007199254740993.0, -3};
  for (int i = 0; i < 20'000; ++i) values.push_back(std::bit_cast<double>(random()));
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    const auto json = parse_json(print_json(json_number(x)), "t");
    ASSERT_TRUE(json && json->as<double>()) << x;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*json->as<double>()), std::bit_cast<std::uint64_t>(x)) << x;
  }
}

TEST(Json, TellsIntegersFromDoubles) {
  EXPECT_EQ(print_json(json_number(3)), "3.0");
  EXPECT_EQ(print_json({Index{3}}), "3");
  EXPECT_EQ(print_json(json_number(1 / 0.0)), "\"inf\"");
  EXPECT_EQ(print_json(json_number(std::nan(""))), "null");
  EXPECT_EQ(again("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(again("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(again("9223372036854775808"), "an integer beyond 2^63");
}

TEST(Json, EscapesWhatMustBe) {
  const std::string odd("a\"\\\n\x01\0\xc3\xa9", 8);
  const auto json = parse_json(print_json({odd}), "t");
  ASSERT_TRUE(json);
  EXPECT_EQ(*json->as<std::string>(), odd);
}

TEST(Json, RefusesWhatOthersLetPass) {
  EXPECT_EQ(again(R"({"a":1,"a":2})"), "the key \"a\" twice");
  EXPECT_EQ(again(R"({"a":1,"\u0061":2})"), "the key \"a\" twice");
  EXPECT_THAT(again("[1] 2"), HasSubstr("no JSON at character"));
  EXPECT_THAT(again(""), HasSubstr("no JSON at character"));
  EXPECT_THAT(again("[NaN]"), HasSubstr("no JSON at character"));
  EXPECT_THAT(again("\"\xc3\""), HasSubstr("no JSON at character"));
  EXPECT_THAT(again("1e999"), HasSubstr("no JSON at character"));
  EXPECT_EQ(again(std::string(32, '[') + std::string(32, ']')), std::string(32, '[') + std::string(32, ']'));
  EXPECT_EQ(again(std::string(33, '[') + std::string(33, ']')), "more than 32 levels");
}

} // namespace
} // namespace recta
