#include <recta/plot.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

using namespace recta::plot;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

std::string drawn(const Picture& picture) {
  const auto text = svg(picture);
  EXPECT_TRUE(text) << text.error().text();
  return text.value_or("");
}

Picture small(std::vector<Layer> layers) {
  return {.x = {.low = 0, .high = 10},
          .y = {.low = 0, .high = 10},
          .layers = std::move(layers),
          .width = 400,
          .height = 300};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

} // namespace

// On paper: 24 pixels above and 36 below leave 240. Labels 0, 2, ..., 10 are at most 2 * 0.556 * 12 * 1.12 = 14.95
// wide, so the plane begins at 14 + 14.95 + 8 = 36.95 and is 400 - 36.95 - 22 = 341.05 wide. A tenth of it is 34.11, of
// the height 24.
TEST(Svg, PutsEverythingWhereTheNumbersSay) {
  const std::string text =
      drawn(small({Points{.x = {0, 5, 10}, .y = {0, 2.5, 10}}, Line{.x = {1, 2, 4}, .y = {1, 3, 3}}}));
  EXPECT_THAT(text, HasSubstr("<svg x=\"36.95\" y=\"24\" width=\"341.05\" height=\"240\">"));
  EXPECT_THAT(text, HasSubstr("<circle cx=\"0\" cy=\"240\" r=\"3.4\"/>"));
  EXPECT_THAT(text, HasSubstr("<circle cx=\"170.53\" cy=\"180\" r=\"3.4\"/>"));
  EXPECT_THAT(text, HasSubstr("<circle cx=\"341.05\" cy=\"0\" r=\"3.4\"/>"));
  EXPECT_THAT(text, HasSubstr("<path class=\"line s1\" d=\"M34.11 216L68.21 168 136.42 168\"/>"));
  EXPECT_THAT(text, HasSubstr("<text x=\"36.95\" y=\"283\" text-anchor=\"middle\">0</text>"));
  EXPECT_THAT(text, HasSubstr("<text x=\"378\" y=\"283\" text-anchor=\"middle\">10</text>"));
  EXPECT_THAT(text, HasSubstr("<text x=\"28.95\" y=\"172\" text-anchor=\"end\">4</text>"));
}

TEST(Svg, TheSameDataGiveTheSameBytes) {
  const Picture picture = small({Points{.x = {1, 2}, .y = {3, 4}, .label = "rows"}, Rule{.at = 5}});
  EXPECT_EQ(drawn(picture), drawn(picture));
}

TEST(Svg, ServesLightAndDarkPaperInOneFile) {
  const std::string text = drawn(small({Points{.x = {1}, .y = {1}}}));
  EXPECT_EQ(count(text, "@media (prefers-color-scheme:dark)"), 1U);
}

TEST(Svg, BreaksLinesAndLeavesOutPointsThatAreNotFinite) {
  const std::string text =
      drawn(small({Line{.x = {0, 1, 2, 3, 4}, .y = {0, 1, kNaN, 3, 4}}, Points{.x = {0, kInf, 5}, .y = {kNaN, 1, 5}}}));
  EXPECT_THAT(text, HasSubstr("d=\"M0 240L34.11 216M102.32 168L136.42 144\""));
  EXPECT_EQ(count(text, "<circle"), 1U);
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
}

TEST(Svg, LogarithmicAxesLeaveOutWhatIsNotPositive) {
  Picture picture = small({Points{.x = {1, 10, 0, -5}, .y = {1, 1, 1, 1}}});
  picture.x = {.scale = Scale::log, .low = 1, .high = 100};
  const std::string text = drawn(picture);
  EXPECT_EQ(count(text, "<circle"), 2U);
  EXPECT_THAT(text, HasSubstr("cx=\"170.53\"")); // 10 is half way from 1 to 100
  picture.layers = {Points{.x = {0, -1}, .y = {1, 1}}};
  EXPECT_EQ(svg(picture).error().advice, "a logarithmic axis shows positive numbers alone");
}

TEST(Svg, ABandIsClosedAndBrokenWhereOneSideIsMissing) {
  const std::string text = drawn(small({Band{.x = {0, 5, 10}, .low = {1, 2, 1}, .high = {2, 4, 2}}}));
  EXPECT_THAT(text, HasSubstr("d=\"M0 192L170.53 144 341.05 192 341.05 216 170.53 192 0 216Z\""));
  const std::string broken =
      drawn(small({Band{.x = {0, 1, 2, 3, 4}, .low = {1, 1, 1, 1, 1}, .high = {2, 2, kInf, 2, 2}}}));
  EXPECT_EQ(count(broken, "Z"), 2U);
}

TEST(Svg, EscapesHostileNamesWhereverTheyStand) {
  const std::string evil = "\"><script>&\xFF</text>";
  Picture picture = small({Line{.x = {1, 2}, .y = {1, 2}, .label = evil}, Mark{.x = 1, .y = 1, .text = evil},
                           Rule{.at = 3, .text = evil}, Points{.x = {1}, .y = {1}, .label = evil}});
  picture.title = picture.subtitle = picture.x.label = picture.y.label = evil;
  for (const bool at_lines : {false, true}) {
    picture.names_at_lines = at_lines;
    const std::string text = drawn(picture);
    EXPECT_THAT(text, Not(HasSubstr("<script")));
    EXPECT_THAT(text, Not(HasSubstr("\xFF")));
    EXPECT_GE(count(text, "&quot;&gt;&lt;script&gt;&amp;\uFFFD"), 8U);
  }
}

TEST(Svg, CellsAreShadesOfWhichTheLargestIsTheDarkest) {
  // Two rows from the bottom; the picture is 341.05 by 240 pixels for 0 to 10.
  const std::string text =
      drawn(small({Cells{.right = 10, .top = 10, .columns = 3, .rows = 2, .values = {0, 4, 4, 2, kNaN, 1}}}));
  EXPECT_THAT(text, HasSubstr("fill-opacity=\"1\" d=\"M113.68 120H341.05V240H113.68Z\"")); // 4 and 4 are one
  EXPECT_THAT(text, HasSubstr("fill-opacity=\"0.5\" d=\"M0 0H113.68V120H0Z\""));
  EXPECT_THAT(text, HasSubstr("fill-opacity=\"0.25\" d=\"M227.37 0H341.05V120H227.37Z\""));
  EXPECT_EQ(count(text, "crispEdges"), 3U); // the least is paper, and what is missing too
  Cells many{.right = 10, .top = 10, .columns = 1024, .rows = 512, .values = std::vector<double>(1024 * 512, 1.0)};
  many.values[0] = 9; // of a mean over eight
  EXPECT_THAT(drawn(small({many})), HasSubstr("fill-opacity=\"1\" d=\"M0 239.06H1.33V240H0Z\""));
  many.columns = 3;
  EXPECT_EQ(svg(small({many})).error().what, "cells of 3 columns and 512 rows have 524288 values");
}

TEST(Svg, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(svg({}).error().what, "there is nothing to draw: no point has finite coordinates");
  EXPECT_FALSE(svg(small({Rule{.at = 1}}))); // a rule alone is no data
  EXPECT_FALSE(svg(small({Points{.x = {kNaN}, .y = {1}}})));
  EXPECT_EQ(svg(small({Points{.x = {1, 2}, .y = {1}}})).error().what, "a layer has 2 values of x and 1 of y");
  EXPECT_EQ(svg(small({Field{.columns = 3, .rows = 2, .values = {1}}})).error().what,
            "a field of 3 columns and 2 rows has 1 values");
  EXPECT_FALSE(svg({.layers = {Points{.x = {1}, .y = {1}}}, .width = 3}));
  EXPECT_FALSE(svg({.layers = {Points{.x = {1}, .y = {1}}}, .height = kNaN}));
}

TEST(Svg, DrawsConstantDataAndOnePoint) {
  const std::string text = drawn({.layers = {Points{.x = {7, 7, 7}, .y = {-2, -2, -2}}}});
  EXPECT_EQ(count(text, "<circle"), 3U);
  EXPECT_THAT(text, HasSubstr(">7</text>"));
  EXPECT_THAT(text, HasSubstr(">−2</text>"));
}

TEST(Svg, OneUnitIsAsLongOnBothAxesWhereAsked) {
  Picture picture{.layers = {Points{.x = {0, 1, 0}, .y = {0, 0, 1}}}, .same_unit = true};
  const std::string text = drawn(picture);
  std::vector<double> x, y;
  for (std::size_t at = text.find("<circle cx"); at != std::string::npos; at = text.find("<circle cx", at + 1)) {
    x.push_back(std::stod(text.substr(at + 12)));
    y.push_back(std::stod(text.substr(text.find("cy", at) + 4)));
  }
  ASSERT_EQ(x.size(), 3U);
  EXPECT_NEAR(x[1] - x[0], y[0] - y[2], 0.02);
}

TEST(Svg, OfAMillionPointsIsSmall) {
  Points points;
  for (int i = 0; i < 1'000'000; ++i) {
    points.x.push_back(std::sin(i));
    points.y.push_back(std::cos(1.3 * i) + std::sin(0.01 * i));
  }
  EXPECT_LT(drawn({.layers = {std::move(points)}}).size(), 400'000U);
}

TEST(Svg, NamesAtLinesKeepTheirDistance) {
  Picture picture = small({});
  for (int k = 0; k < 6; ++k) picture.layers.emplace_back(Line{.x = {0, 10}, .y = {0, 1e-3 * k}, .label = "line"});
  picture.names_at_lines = true;
  const std::string text = drawn(picture);
  std::vector<double> y;
  for (std::size_t at = text.find("<text class=\"name"); at != std::string::npos;
       at = text.find("<text class=\"name", at + 1))
    y.push_back(std::stod(text.substr(text.find("y=\"", at) + 3)));
  ASSERT_EQ(y.size(), 6U);
  for (std::size_t k = 1; k < y.size(); ++k) EXPECT_GE(y[k] - y[k - 1], 15.99);
}

TEST(Svg, SideBySideEachPictureIsTheOneItIsAlone) {
  const Picture one = small({Points{.x = {1}, .y = {2}}}), other = small({Points{.x = {3, 4}, .y = {5, 6}}});
  const std::string row = side_by_side({one, other}).value();
  EXPECT_THAT(row, HasSubstr("width=\"800\" height=\"300\""));
  for (const auto& [picture, x] : {std::pair{one, "0"}, {other, "400"}})
    EXPECT_THAT(row, HasSubstr("<svg x=\"" + std::string(x) + "\"" + drawn(picture).substr(4)));
  const std::string rows = side_by_side({one, other, one}, 2).value();
  EXPECT_THAT(rows, HasSubstr("width=\"800\" height=\"600\""));
  EXPECT_THAT(rows, HasSubstr("<svg x=\"0\" y=\"300\"" + drawn(one).substr(4)));
  EXPECT_EQ(side_by_side({one, other}, 2).value(), row);
  EXPECT_FALSE(side_by_side({}));
  EXPECT_FALSE(side_by_side({one, {}}));
}
