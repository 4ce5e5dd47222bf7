// The type that the sample gives a column, from values of the lengths that are judged without being converted, and
// beside them.
#include "data/csv/csv.hpp"

#include <gtest/gtest.h>

namespace recta::csv {
namespace {

ColumnType type_of(const std::string& value) {
  std::string text = "a,b\n";
  for (int i = 0; i < 30; ++i) text += value + ",1\n";
  const auto data = read_csv(text, "t.csv", {.separator = ',', .decimal = '.', .header = true});
  EXPECT_TRUE(data) << value;
  return data ? data->columns[0].type : ColumnType::text;
}

TEST(Sample, NumbersAreToldFromTextAtEveryLength) {
  const std::string digits = "12345678901234567890";
  for (std::size_t size = 3; size <= 20; ++size) {
    const std::string value = digits.substr(0, size);
    if (size <= 15) {
      EXPECT_EQ(type_of(value), ColumnType::integer) << value;
      EXPECT_EQ(type_of("-" + value), ColumnType::integer) << value;
    }
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = value;
      other[at] = '.';
      EXPECT_EQ(type_of(other), ColumnType::real) << other;
      other[at] = '/';
      EXPECT_EQ(type_of(other), ColumnType::category) << other;
      other[at] = ':';
      EXPECT_EQ(type_of(other), ColumnType::category) << other;
      other[at] = '-';
      EXPECT_EQ(type_of(other) == ColumnType::category, at > 0) << other;
    }
  }
}

TEST(Sample, TwoPointsADateAndSignsInTheMiddleAreText) {
  for (const char* value :
       {"12.34.5678", "2024-01-31", "1.2345678901.5", "--12345678", "-12345-678", "12345678\xC3\xA4"})
    EXPECT_EQ(type_of(value), ColumnType::category) << value;
}

} // namespace
} // namespace recta::csv
