#include "plot/text.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace recta::plot;

TEST(PlotText, EscapesWhatXmlWouldRead) {
  EXPECT_EQ(escaped("a<b & \"c\">d"), "a&lt;b &amp; &quot;c&quot;&gt;d");
  EXPECT_EQ(escaped("</text><script>alert(1)</script>"), "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
}

TEST(PlotText, KeepsUnicodeAndReplacesWhatXmlHasNoPlaceFor) {
  EXPECT_EQ(escaped("größe 面积 🎈"), "größe 面积 🎈");
  EXPECT_EQ(escaped(std::string("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(escaped("a\x1B[31mb"), "a\uFFFD[31mb");
  EXPECT_EQ(escaped("a\tb\nc"), "a b c");
  EXPECT_EQ(escaped("\xFF\xC0\x80"), "\uFFFD\uFFFD\uFFFD");      // no byte of UTF-8; an overlong NUL
  EXPECT_EQ(escaped("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");      // half of a surrogate pair
  EXPECT_EQ(escaped("\xEF\xBF\xBF"), "\uFFFD");                  // U+FFFF
  EXPECT_EQ(escaped("cut \xE9\x9D"), "cut \uFFFD\uFFFD");        // the end of a character is missing
  EXPECT_EQ(escaped("\xF4\x90\x80\x80").substr(0, 3), "\uFFFD"); // above U+10FFFF
}

TEST(PlotText, PixelsAreShortAndNeverNegativeZero) {
  EXPECT_EQ(pixels(0), "0");
  EXPECT_EQ(pixels(-0.001), "0");
  EXPECT_EQ(pixels(12.5), "12.5");
  EXPECT_EQ(pixels(100), "100");
  EXPECT_EQ(pixels(-3.14159), "-3.14");
}

TEST(PlotText, DecimalsAreExact) {
  EXPECT_EQ(decimal(0, 5), "0");
  EXPECT_EQ(decimal(25, 1), "250");
  EXPECT_EQ(decimal(-5, -2), "−0.05");
  EXPECT_EQ(decimal(30, -1), "3");
  EXPECT_EQ(decimal(123456, -3), "123.456");
  EXPECT_EQ(decimal(3, -7), "3×10⁻⁷");
  EXPECT_EQ(decimal(-125, 10), "−1.25×10¹²");
  EXPECT_EQ(decimal(1, 6), "10⁶");
  EXPECT_EQ(decimal(999999, 0), "999999");
}

TEST(PlotText, RoundsNumbersForSentences) {
  EXPECT_EQ(rounded(3.14159), "3.142");
  EXPECT_EQ(rounded(1e9), "10⁹");
  EXPECT_EQ(rounded(-0.00012345, 3), "−0.000123");
  EXPECT_EQ(rounded(0), "0");
  EXPECT_EQ(rounded(-std::numeric_limits<double>::infinity()), "−∞");
  EXPECT_EQ(rounded(std::nan("")), "NaN");
}

TEST(PlotText, CutsLongTextAtACharacter) {
  EXPECT_EQ(fitted("short", 12, 100), "short");
  const std::string cut = fitted("ééééééééééééééééééééééééééééé", 12, 60);
  EXPECT_TRUE(cut.ends_with("é…"));
  EXPECT_LE(text_width(cut, 12), 60);
  EXPECT_EQ(escaped(cut), cut); // no half characters
}
