// Margins as layers: lines at -1, 0 and 1, rings around the support vectors, a tube.
#include "data/test_table.hpp"
#include "plot/test_layers.hpp"

#include <recta/estimator.hpp>
#include <recta/plot.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using plot::layers_of;
using testing::HasSubstr;

// The border is x = 2, the margins x = 1 and 3, and (0, 0) and (4, 1) hold nothing.
const Dataset kSix = table({{"x", {0, 1, 1, 3, 3, 4}}, {"u", {0, 0, 1, 0, 1, 1}}, {"y", {0, 0, 0, 1, 1, 1}}});

TEST(MarginsPicture, HasTheLinesOfTheMachineAndRingsAroundItsSupportVectors) {
  const auto model = fit("svm", kSix, {.target = {"y"}, .params = {{"hard", true}}});
  ASSERT_TRUE(model) << model.error().text();
  const auto picture = plot::picture(*model, kSix, "margins");
  ASSERT_TRUE(picture) << picture.error().text();
  std::vector<double> levels;
  for (const plot::Field* field : layers_of<plot::Field>(*picture)) {
    if (field->shaded) continue;
    levels.insert(levels.end(), field->levels.begin(), field->levels.end());
    for (Index i = 0; i < field->columns; ++i) { // f = x - 2, whatever u is
      const double x =
          field->left + (field->right - field->left) * static_cast<double>(i) / static_cast<double>(field->columns - 1);
      EXPECT_NEAR(field->values[static_cast<std::size_t>(i)], x - 2, 1e-9);
    }
  }
  EXPECT_EQ(levels, (std::vector<double>{0, -1, 1}));
  const auto rings = layers_of<plot::Region>(*picture);
  ASSERT_EQ(rings.size(), 1U);
  const Index support = static_cast<Index>(std::ranges::count_if(rings[0]->x, [](double x) { return std::isnan(x); }));
  EXPECT_GE(support, 2);
  EXPECT_LE(support, 4);
  for (const double x : rings[0]->x) EXPECT_TRUE(std::isnan(x) || std::abs(x - 1) < 0.2 || std::abs(x - 3) < 0.2);
  EXPECT_THAT(plot::svg(*picture).value(), HasSubstr("support vectors"));
}

TEST(MarginsPicture, OfOtherRowsIsRefused) {
  const auto model = fit("svm", kSix, {.target = {"y"}, .params = {{"hard", true}}});
  const Dataset fewer = table({{"x", {0, 4}}, {"u", {0, 1}}, {"y", {0, 1}}});
  EXPECT_THAT(plot::picture(*model, fewer, "margins").error().text(), HasSubstr("not the rows"));
  const Dataset other = table({{"x", {0, 0, 0, 4, 4, 4}}, {"u", {0, 0, 1, 0, 1, 1}}, {"y", {0, 0, 0, 1, 1, 1}}});
  EXPECT_THAT(plot::picture(*model, other, "margins").error().text(), HasSubstr("not the rows"));
}

TEST(MarginsPicture, OfNumbersIsATube) {
  const Dataset line = table({{"x", {0, 1, 2, 3}}, {"y", {0, 1.5, 2.5, 4}}});
  const auto model = fit("svr", line, {.target = {"y"}, .params = {{"epsilon", 0.25}, {"C", 10.0}}});
  const auto picture = plot::picture(*model, line, "margins");
  ASSERT_TRUE(picture) << picture.error().text();
  const auto bands = layers_of<plot::Band>(*picture);
  ASSERT_EQ(bands.size(), 1U);
  for (std::size_t k = 0; k < bands[0]->x.size(); ++k) EXPECT_NEAR(bands[0]->high[k] - bands[0]->low[k], 0.5, 1e-12);
}

} // namespace
} // namespace recta
