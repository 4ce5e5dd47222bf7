#include "data/value_look.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

TEST(ValueLook, MoneyPercentagesAndGroupedNumbersAreRecognised) {
  for (const char* text : {"$5", "-$5.20", "$1,234.50", "5 €", "€5", "£ 12", "12 EUR", "USD 3,5", "$-5"})
    EXPECT_EQ(look_of(text), ValueLook::money) << text;
  for (const char* text : {"50%", "12.5 %", "-3,5%"}) EXPECT_EQ(look_of(text), ValueLook::percentage) << text;
  for (const char* text : {"1,200", "1,234,567", "1,234.5", "1.234,5", "1.234.567"})
    EXPECT_EQ(look_of(text), ValueLook::grouped) << text;
  EXPECT_EQ(look_of("1,5"), ValueLook::comma);
}

TEST(ValueLook, DatesAreRecognisedInTheirCommonForms) {
  for (const char* text :
       {"2020-01-31", "2020/1/31", "2020.01.31", "2020-01", "2020-01-31T12:30:00Z", "2020-01-31 12:30:00.125",
        "2020-01-31T12:30:00+01:00", "31.12.2020", "12/31/2020", "31/12/20", "1/2/2020 3:04 PM", "31 Jan 2020",
        "31-Jan-20", "Jan 31, 2020", "January 31 2020", "2020-Jan-31"})
    EXPECT_EQ(look_of(text), ValueLook::date) << text;
}

TEST(ValueLook, WordsStayWords) {
  for (const char* text : {"",
                           "red",
                           "$",
                           "%",
                           "$x",
                           "x%",
                           "10.0.0.1",
                           "1.2.10",
                           "555-123-4567",
                           "2020-13-01",
                           "2020-01-32",
                           "40/40/2020",
                           "12:30",
                           "mark 1 20",
                           "A-1",
                           "2020",
                           "2020-1-",
                           "1-2",
                           "a,b",
                           "Marble 3 2020x",
                           "1 2 2020"})
    EXPECT_EQ(look_of(text), ValueLook::word) << text;
}

TEST(ValueLook, TheAdviceNamesEveryCure) {
  EXPECT_EQ(mark_advice("4,069"), "pass --thousands ',' if it is 4069, or --decimal ',' if it is 4.069");
  EXPECT_EQ(mark_advice("2,5"), "pass --decimal ',' if that is the decimal mark");
  EXPECT_EQ(mark_advice("1.234"), "pass --thousands '.' if it is 1234, or --decimal '.' if it is 1.234");
  EXPECT_EQ(mark_advice("1.234,5"), "pass --thousands '.' if it parts groups of digits");
  EXPECT_EQ(mark_advice("word"), "");
  EXPECT_EQ(look_advice(ValueLook::money, "$5", "price"),
            "remove the currency sign to have numbers, or pass --types price=category if categories are meant");
  EXPECT_EQ(look_advice(ValueLook::word, "red", "colour"), "");
}

} // namespace
} // namespace recta
