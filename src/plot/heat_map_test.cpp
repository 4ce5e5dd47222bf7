#include <recta/heat_map.hpp>

#include <gmock/gmock.h>

namespace recta::plot {
namespace {

using testing::HasSubstr;

TEST(HeatMap, ShadesGoFromTheLeastToTheLargestNumber) {
  const auto made = heat_map_svg(HeatMap{.title = "K", .rows = 2, .values = {1, 0, 0.5, 1}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(*made, HasSubstr("x=\"60\" y=\"74\" width=\"230.3\" height=\"230.3\" fill-opacity=\"1.00\""));
  EXPECT_THAT(*made, HasSubstr("x=\"60\" y=\"304\" width=\"230.3\" height=\"230.3\" fill-opacity=\"0.50\""));
  EXPECT_THAT(*made, testing::Not(HasSubstr("x=\"290\" y=\"74\""))); // 0, the least: paper
}

TEST(HeatMap, GroupsHaveOneNameAndALineBetweenThem) {
  const auto made =
      heat_map_svg(HeatMap{.rows = 4, .values = std::vector<double>(16, 1.0), .names = {"a<b", "a<b", "c", "c"}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(*made, HasSubstr(">a&lt;b</text>"));
  EXPECT_THAT(*made, HasSubstr("M150 304h460M380 74v460"));
}

TEST(HeatMap, SquaresOfManyRowsAreMeans) {
  std::vector<double> values(300 * 300, 0.0);
  for (std::size_t i = 0; i < 300; ++i) values[i * 300 + i] = 1; // half of the pairs of a square on the diagonal
  values[1] = values[300] = 1;                                   // all of the first
  const auto made = heat_map_svg(HeatMap{.rows = 300, .values = values});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(*made, HasSubstr("x=\"60\" y=\"74\" width=\"3.37\" height=\"3.37\" fill-opacity=\"1.00\""));
  EXPECT_THAT(*made, HasSubstr("x=\"63.07\" y=\"77.07\" width=\"3.37\" height=\"3.37\" fill-opacity=\"0.50\""));
}

TEST(HeatMap, NothingToDrawIsAnError) {
  EXPECT_FALSE(heat_map_svg(HeatMap{}));
  EXPECT_FALSE(heat_map_svg(HeatMap{.rows = 2, .values = {1, 2, 3}}));
  EXPECT_FALSE(heat_map_svg(HeatMap{.rows = 1, .values = {std::numeric_limits<double>::quiet_NaN()}}));
}

} // namespace
} // namespace recta::plot
