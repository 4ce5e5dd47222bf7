// Pictures of kernel principal components and of clusters: their layers against transform() of the same rows.
#include "plot/test_layers.hpp"

#include <recta/explain.hpp>
#include <recta/plot.hpp>

#include <algorithm>
#include <gmock/gmock.h>

namespace recta::plot {
namespace {

using testing::HasSubstr;

Model fitted_to_rings(const std::string& word, Params params, double components = 0) {
  FitOptions options{.target = {"class"}, .components = components};
  options.params = std::move(params);
  auto model = fit(word, *read("rings"), options);
  EXPECT_TRUE(model) << model.error().text();
  return *model;
}

TEST(ComponentsPicture, HasEveryRowByItsCoordinatesAndTheColumnThatIsNotRead) {
  const Dataset data = *read("rings");
  const Model model = fitted_to_rings("kernel-pca", {{"kernel", std::string("rbf")}, {"gamma", 1.0}}, 2);
  const auto made = picture(model, data);
  ASSERT_TRUE(made) << made.error().text();
  const auto points = layers_of<Points>(*made);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_THAT(points[0]->label, HasSubstr("class"));
  EXPECT_EQ(points[0]->x.size() + points[1]->x.size(), 200U);
  const auto coordinates = transform(model, data);
  ASSERT_TRUE(coordinates);
  const auto& all = *data.find("class");
  const bool first = all.numeric() ? all.values[0] == std::ranges::min(all.values) : all.codes[0] == 0;
  EXPECT_EQ(points[first ? 0 : 1]->x[0], (*coordinates)[0]);
  EXPECT_EQ(points[first ? 0 : 1]->y[0], (*coordinates)[1]);
  EXPECT_THAT(made->x.label, HasSubstr("% of the variance"));
}

TEST(ComponentsPicture, SharesOfTheVarianceAddUp) {
  const Model model = fitted_to_rings("kernel-pca", {{"kernel", std::string("linear")}}, 2);
  const auto made = picture(model, *read("rings"), "variance");
  ASSERT_TRUE(made) << made.error().text();
  const auto lines = layers_of<Line>(*made);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NEAR(lines[1]->y[1], lines[0]->y[0] + lines[0]->y[1], 1e-15);
  EXPECT_NEAR(lines[1]->y[1], 1, 1e-9); // two columns have two directions
}

TEST(ClustersPicture, EveryRowLiesInTheRegionOfItsCluster) {
  const Dataset data = *read("rings");
  const Model model = fitted_to_rings("kernel-kmeans", {{"clusters", 3.0}});
  const auto made = picture(model, data);
  ASSERT_TRUE(made) << made.error().text();
  const auto fields = layers_of<Field>(*made);
  const auto points = layers_of<Points>(*made);
  ASSERT_EQ(fields.size(), 3U);
  ASSERT_EQ(points.size(), 3U);
  std::size_t rows = 0;
  for (const Points* one : points) rows += one->x.size();
  EXPECT_EQ(rows, 200U);
  Index outside = 0; // at the nearest point of the grid: a row near a border may lie on the other side of it
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < points[c]->x.size(); ++i) {
      const Field& f = *fields[c];
      const auto near = [](double at, double low, double high, Index count) {
        return static_cast<Index>(std::lround((at - low) / (high - low) * static_cast<double>(count - 1)));
      };
      const Index column = near(points[c]->x[i], f.left, f.right, f.columns);
      const Index row = near(points[c]->y[i], f.bottom, f.top, f.rows);
      outside += f.values[static_cast<std::size_t>(row * f.columns + column)] > 0 ? 1 : 0;
    }
  EXPECT_LE(outside, 4);
}

TEST(ClustersPicture, RefusesMoreThanTwoColumns) {
  auto model = fit("kernel-kmeans", *read("iris"), {.target = {"species"}});
  ASSERT_TRUE(model) << model.error().text();
  const auto made = picture(*model, *read("iris"));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text(), HasSubstr("two columns"));
}

} // namespace
} // namespace recta::plot
