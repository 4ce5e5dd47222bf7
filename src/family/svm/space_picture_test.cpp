// The picture of space beside numbers worked out on paper: two rings lifted to three dimensions.
#include "data/test_table.hpp"
#include "plot/test_layers.hpp"

#include <recta/estimator.hpp>
#include <recta/plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>
#include <set>

namespace recta {
namespace {

using plot::layers_of;
using testing::HasSubstr;

// A ring of radius 1 inside one of radius 2. Lifted to (x1^2, x2^2, sqrt(2) x1 x2), f = (2/3)(x1^2 + x2^2) - 5/3.
const Dataset kEight = table(
    {{"x1", {1, -1, 0, 0, 2, -2, 0, 0}}, {"x2", {0, 0, 1, -1, 0, 0, 2, -2}}, {"class", {-1, -1, -1, -1, 1, 1, 1, 1}}});

Result<Model> lifted_machine() {
  return fit("svm", kEight, {.target = {"class"}, .basis = {"ring(x1, x2)"}, .params = {{"hard", true}}});
}

struct Spot {
  double across = 0, up = 0;
};

// The place in the picture of a point of (x1^2, x2^2, sqrt(2) x1 x2): the box is [-0.32, 4.32]^2, the range with 8 % of
// room, times
// [-1, 1], as the third feature is zero throughout. The view is turned about the third axis, then tilted, by rotation
// matrices.
Spot expected(double a, double b, double c) {
  const double angle = 20 * std::numbers::pi / 180, cosine = std::cos(angle), sine = std::sin(angle);
  const double u = (a + 0.32) / 4.64, v = (b + 0.32) / 4.64, w = (c + 1) / 2;
  const double towards = cosine * u + sine * v; // after the turn
  return {cosine * v - sine * u, cosine * w - sine * towards};
}

// Whether a layer has all these places, and none besides them except breaks.
void expect_places(const std::vector<double>& x, const std::vector<double>& y, const std::vector<Spot>& spots) {
  ASSERT_EQ(x.size(), y.size());
  std::set<std::size_t> met;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i])) continue;
    std::size_t at = 0;
    while (at < spots.size() && std::hypot(x[i] - spots[at].across, y[i] - spots[at].up) > 1e-9) ++at;
    EXPECT_LT(at, spots.size()) << x[i] << ", " << y[i] << " is not one of them";
    met.insert(at);
  }
  EXPECT_EQ(met.size(), spots.size());
}

// The plane x1^2 + x2^2 = sum meets the sides of the box in four corners: a side where x1^2 or x2^2 is at its least, as
// long as the other stays within the box, at the bottom and at the top.
std::vector<Spot> plane(double sum) {
  const double other = sum + 0.32;
  return {expected(-0.32, other, -1), expected(-0.32, other, 1), expected(other, -0.32, 1), expected(other, -0.32, -1)};
}

std::vector<Spot> ring_centres(const plot::Region& rings) {
  std::vector<Spot> centres;
  Spot sum{};
  double corners = 0;
  for (std::size_t i = 0; i < rings.x.size(); ++i) {
    if (std::isnan(rings.x[i])) {
      centres.push_back({sum.across / corners, sum.up / corners});
      sum = {}, corners = 0;
    } else {
      sum.across += rings.x[i], sum.up += rings.y[i], ++corners;
    }
  }
  return centres;
}

TEST(SpacePicture, HasThePlaneAndItsMarginsWhereTheyAreOnPaper) {
  const auto model = lifted_machine();
  ASSERT_TRUE(model) << model.error().text();
  const auto picture = plot::picture(*model, kEight, "space");
  ASSERT_TRUE(picture) << picture.error().text();
  const auto regions = layers_of<plot::Region>(*picture); // the box, the plane, the rings
  ASSERT_EQ(regions.size(), 3U);
  EXPECT_EQ(regions[1]->label, "f = 0");
  expect_places(regions[1]->x, regions[1]->y, plane(2.5));
  // The outline goes round: corners that follow each other share a side of the box, so edges are pairwise parallel.
  ASSERT_GE(regions[1]->x.size(), 5U);
  EXPECT_NEAR(regions[1]->x[0] - regions[1]->x[1], regions[1]->x[3] - regions[1]->x[2], 1e-9);
  EXPECT_NEAR(regions[1]->y[0] - regions[1]->y[1], regions[1]->y[3] - regions[1]->y[2], 1e-9);
  const plot::Line& margins = *layers_of<plot::Line>(*picture).back();
  EXPECT_EQ(margins.label, "margins, f = -1 and 1");
  std::vector<Spot> both = plane(1);
  for (const Spot& spot : plane(4)) both.push_back(spot);
  expect_places(margins.x, margins.y, both);
}

TEST(SpacePicture, HasTheRowsOfBothClassesAndRingsAroundSupportVectors) {
  const auto model = lifted_machine();
  const auto picture = plot::picture(*model, kEight, "space");
  ASSERT_TRUE(picture) << picture.error().text();
  const auto points = layers_of<plot::Points>(*picture);
  ASSERT_EQ(points.size(), 2U);
  const std::vector<Spot> inner = {expected(1, 0, 0), expected(0, 1, 0)},
                          outer = {expected(4, 0, 0), expected(0, 4, 0)};
  for (const plot::Points* one : points) {
    EXPECT_EQ(one->x.size(), 4U); // two by two at one place: the lift forgets the sign
    expect_places(one->x, one->y, one->label == "class 1" ? outer : inner);
  }
  // All eight rows are on a margin, and many multipliers are optimal; rings are around the rows that have one.
  const std::array<Spot, 8> places = {inner[0], inner[0], inner[1], inner[1], outer[0], outer[0], outer[1], outer[1]};
  const auto report = model->body->report(model->schema);
  const auto support = std::ranges::find(report.tables, "support", &Report::Table::name);
  ASSERT_NE(support, report.tables.end());
  const std::vector<Spot> centres = ring_centres(*layers_of<plot::Region>(*picture).back());
  ASSERT_EQ(centres.size(), support->rows.size());
  ASSERT_GE(centres.size(), 2U);
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const Spot& place = places.at(static_cast<std::size_t>(std::get<double>(support->rows[k][0])) - 1); // rows from 1
    EXPECT_NEAR(centres[k].across, place.across, 1e-9);
    EXPECT_NEAR(centres[k].up, place.up, 1e-9);
  }
}

TEST(SpacePicture, NamesItsAxesInPlaceOfThoseOfTheFrame) {
  const auto picture = plot::picture(*lifted_machine(), kEight, "space");
  ASSERT_TRUE(picture) << picture.error().text();
  const auto marks = layers_of<plot::Mark>(*picture);
  ASSERT_EQ(marks.size(), 3U);
  const std::array<Spot, 3> ends = {expected(4.32, -0.32, -1), expected(-0.32, 4.32, -1), expected(-0.32, -0.32, 1)};
  const std::array<const char*, 3> names = {"x1^2 from", "x2^2 from", "sqrt(2)*x1*x2 from"};
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_THAT(marks[j]->text, HasSubstr(names[j]));
    EXPECT_NEAR(marks[j]->x, ends[j].across, 1e-9);
    EXPECT_NEAR(marks[j]->y, ends[j].up, 1e-9);
  }
  const std::string drawing = plot::svg(*picture).value();
  EXPECT_THAT(drawing, HasSubstr("support vectors"));
  EXPECT_THAT(drawing, testing::Not(HasSubstr("class=\"axis\"")));
}

TEST(SpacePicture, CutsAPlaneAcrossTheBoxIntoASixCorneredFigure) {
  // The plane x + y + z = 3/2 through the middle of a cube: its section is a regular hexagon.
  const Dataset cube = table({{"x", {0, 1, 0, 0, 1, 1, 0, 1}},
                              {"y", {0, 0, 1, 0, 1, 0, 1, 1}},
                              {"z", {0, 0, 0, 1, 0, 1, 1, 1}},
                              {"side", {0, 0, 0, 0, 1, 1, 1, 1}}});
  const auto model = fit("svm", cube, {.target = {"side"}, .params = {{"hard", true}}});
  ASSERT_TRUE(model) << model.error().text();
  const auto picture = plot::picture(*model, cube, "space");
  ASSERT_TRUE(picture) << picture.error().text();
  const plot::Region& border = *layers_of<plot::Region>(*picture)[1];
  ASSERT_EQ(border.x.size(), 8U);       // six corners, the first again, a break
  for (std::size_t k = 0; k < 3; ++k) { // opposite edges are parallel and as long as each other
    EXPECT_NEAR(border.x[k + 1] - border.x[k], border.x[k + 3] - border.x[k + 4], 1e-9);
    EXPECT_NEAR(border.y[k + 1] - border.y[k], border.y[k + 3] - border.y[k + 4], 1e-9);
  }
}

TEST(SpacePicture, IsRefusedWithACureUnlessThereIsAPlaneOverThreeFeatures) {
  const auto refusal = [](const Result<Model>& model, const Dataset& data) {
    EXPECT_TRUE(model) << model.error().text();
    const auto picture = plot::picture(*model, data, "space");
    return picture ? std::string("it was drawn") : picture.error().text();
  };
  const auto flat = refusal(fit("svm", kEight, {.target = {"class"}}), kEight);
  EXPECT_THAT(flat, HasSubstr("has 2 features (x1, x2)"));
  EXPECT_THAT(flat, HasSubstr("--basis \"ring(x1, x2)\""));
  const auto bent = refusal(fit("svm", kEight, {.target = {"class"}, .params = {{"kernel", "rbf"}}}), kEight);
  EXPECT_THAT(bent, HasSubstr("the kernel rbf, whose border is not a plane"));
  EXPECT_THAT(bent, HasSubstr("--kernel linear"));
  const Dataset three = table(
      {{"a", {0, 1, 2, 3, 4, 5}}, {"b", {1, 0, 2, 0, 1, 3}}, {"c", {0, 2, 1, 1, 0, 2}}, {"y", {0, 0, 1, 1, 2, 2}}});
  EXPECT_THAT(refusal(fit("svm", three, {.target = {"y"}}), three), HasSubstr("3 classes have a plane for every pair"));
  EXPECT_THAT(refusal(fit("svr", three, {.target = {"y"}}), three), HasSubstr("svr predicts numbers"));
  const Dataset other = table({{"x1", {1, -1}}, {"x2", {0, 3}}, {"class", {-1, 1}}});
  EXPECT_THAT(refusal(lifted_machine(), other), HasSubstr("not the rows"));
}

} // namespace
} // namespace recta
