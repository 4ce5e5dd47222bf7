// Pictures of nearest neighbours, each layer against what comparing all rows gives.
#include "base/random.hpp"
#include "data/test_table.hpp"
#include "plot/test_layers.hpp"

#include <recta/estimator.hpp>
#include <recta/plot.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::plot {
namespace {

using testing::HasSubstr;

// Two columns of different spread, and classes 0 and 1 or the sum of both.
Dataset random_table(Index rows, bool classes, std::uint64_t seed = 1) {
  Random random(seed);
  std::vector<double> a, b, y;
  for (Index i = 0; i < rows; ++i) {
    a.push_back(random.uniform());
    b.push_back(3 * random.uniform());
    y.push_back(classes ? static_cast<double>(random.below(2)) : a.back() + b.back());
  }
  return table({{"a", a}, {"b", b}, {"y", y}});
}

Model fitted(const Dataset& data, const std::string& word, Params params, bool standardise = false) {
  auto model = fit(word, data, {.target = {"y"}, .standardise = standardise, .params = std::move(params)});
  EXPECT_TRUE(model) << model.error().text();
  return *model;
}

std::string refusal(const Model& model, const Dataset& data, const std::string& kind) {
  const auto made = picture(model, data, kind);
  return made ? "" : made.error().text();
}

// By the even-odd rule, over all closed lines of a region.
bool inside(const Region& region, double x, double y) {
  bool odd = false;
  std::size_t first = 0;
  for (std::size_t i = 0; i < region.x.size(); ++i) {
    if (std::isnan(region.x[i])) {
      first = i + 1;
      continue;
    }
    const std::size_t next = i + 1 == region.x.size() || std::isnan(region.x[i + 1]) ? first : i + 1;
    const double y0 = region.y[i], y1 = region.y[next];
    if ((y0 > y) != (y1 > y) && x < region.x[i] + (y - y0) / (y1 - y0) * (region.x[next] - region.x[i])) odd = !odd;
  }
  return odd;
}

TEST(VoronoiPicture, OfTwoRowsIsCutHalfway) {
  const Dataset data = table({{"a", {0, 2}}, {"b", {0, 1}}, {"y", {0, 1}}});
  const auto made = picture(fitted(data, "knn", {{"k", 1.0}}), data, "voronoi");
  ASSERT_TRUE(made) << made.error().text();
  const Line& border = *layers_of<Line>(*made).at(0);
  ASSERT_EQ(border.x.size(), 3U);      // two ends, and a break
  for (const std::size_t i : {0U, 1U}) // as far from (0, 0) as from (2, 1): 4 a + 2 b = 5
    EXPECT_NEAR(4 * border.x[i] + 2 * border.y[i], 5, 1e-12);
  EXPECT_EQ(layers_of<Region>(*made).size(), 2U);
  EXPECT_TRUE(svg(*made));
}

TEST(VoronoiPicture, HasEveryPlaceInTheCellsOfItsClass) {
  Dataset data = random_table(60, true);
  for (Column& column : data.columns) column.values.push_back(column.values[0]); // one row twice
  ++data.rows;
  for (const auto& [metric, standardise] :
       {std::pair{"euclidean", false}, {"euclidean", true}, {"mahalanobis", false}}) {
    const Model model = fitted(data, "knn", {{"k", 1.0}, {"metric", std::string(metric)}}, standardise);
    const auto made = picture(model, data, "voronoi");
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_THAT(made->title, HasSubstr("60 rows"));
    const auto cells = layers_of<Region>(*made);
    ASSERT_EQ(cells.size(), 2U);
    Random random(7);
    std::vector<double> a, b;
    for (Index i = 0; i < 300; ++i) a.push_back(random.uniform()), b.push_back(3 * random.uniform());
    const auto place = model.predict(table({{"a", a}, {"b", b}}));
    ASSERT_TRUE(place);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const auto own = static_cast<std::size_t>((*place)[i]);
      EXPECT_TRUE(inside(*cells[own], a[i], b[i])) << metric << " " << i;
      EXPECT_FALSE(inside(*cells[1 - own], a[i], b[i])) << metric << " " << i;
    }
  }
}

TEST(VoronoiPicture, IsRefusedWhereThereAreNoCells) {
  const Dataset data = random_table(20, true);
  EXPECT_THAT(refusal(fitted(data, "knn", {{"k", 3.0}}), data, "voronoi"),
              HasSubstr("fit with --k 1, or draw regions"));
  EXPECT_THAT(refusal(fitted(data, "knn", {{"k", 1.0}, {"metric", std::string("manhattan")}}), data, "voronoi"),
              HasSubstr("not straight lines by the metric manhattan"));
  const Dataset one = table({{"a", {0, 1}}, {"y", {0, 1}}});
  EXPECT_THAT(refusal(fitted(one, "knn", {{"k", 1.0}}), one, "voronoi"), HasSubstr("the model has 1 feature;"));
}

TEST(RegionsPicture, OfVotesHasThePredictionAwayFromTheBorder) {
  const Dataset data = random_table(40, true);
  const Model model = fitted(data, "knn", {{"k", 5.0}});
  const auto made = picture(model, data, "regions");
  ASSERT_TRUE(made) << made.error().text();
  const auto fields = layers_of<Field>(*made);
  ASSERT_EQ(fields.size(), 2U); // no lines of scores beside the border
  const Field& f = *fields[0];
  std::vector<double> a, b, value;
  for (Index i = 0; i < f.columns; i += 13)
    for (Index j = 0; j < f.rows; j += 11) {
      value.push_back(f.values[static_cast<std::size_t>(i + j * f.columns)]);
      a.push_back(f.left + (f.right - f.left) * static_cast<double>(i) / static_cast<double>(f.columns - 1));
      b.push_back(f.bottom + (f.top - f.bottom) * static_cast<double>(j) / static_cast<double>(f.rows - 1));
    }
  const auto place = model.predict(table({{"a", a}, {"b", b}}));
  ASSERT_TRUE(place);
  std::size_t sure = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (std::fabs(value[i]) < 1) continue; // a border is next to it
    ++sure;
    EXPECT_EQ((*place)[i], value[i] < 0 ? 0 : 1);
  }
  EXPECT_GT(sure, value.size() / 2);
}

TEST(NeighboursPicture, HasLinesToTheNearestRowsAndTheirBall) {
  const Dataset data = table({{"a", {0, 1, 0, 5}}, {"b", {0, 0, 2, 5}}, {"y", {0, 0, 1, 1}}});
  const Model model = fitted(data, "knn", {{"k", 3.0}, {"metric", std::string("manhattan")}});
  const auto made = picture(model, table({{"a", {0.5}}, {"b", {0.25}}}), "neighbours");
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->title, "Neighbours of row 1 of t.csv");
  EXPECT_EQ(made->subtitle, "3 of 4 training rows answer: 2 0, 1 1");
  const Line& ways = *layers_of<Line>(*made).at(0);
  ASSERT_EQ(ways.x.size(), 9U); // query, row, break
  EXPECT_EQ(ways.x[1], 0);      // rows 1 and 2 are equally far
  EXPECT_EQ(ways.x[4], 1);
  EXPECT_EQ(ways.y[7], 2);
  const Region& ball = *layers_of<Region>(*made).at(0);
  for (std::size_t i = 0; i < ball.x.size(); ++i)
    EXPECT_NEAR(std::fabs(ball.x[i] - 0.5) + std::fabs(ball.y[i] - 0.25), 2.25, 1e-12);
  EXPECT_EQ(layers_of<Mark>(*made).back()->text, "0");
  EXPECT_TRUE(svg(*made));
}

TEST(NeighboursPicture, OfNumbersNamesTheirTargetsAndMean) {
  const Dataset data = table({{"a", {0, 1, 9}}, {"b", {0, 0, 9}}, {"y", {1, 4, 100}}});
  const auto made = picture(fitted(data, "knn-regression", {{"k", 2.0}}), data, "neighbours");
  ASSERT_TRUE(made) << made.error().text();
  const auto marks = layers_of<Mark>(*made);
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_EQ(marks[0]->text, "1");
  EXPECT_EQ(marks[1]->text, "4");
  EXPECT_EQ(marks[2]->text, "2.5");
}

TEST(ErrorsPicture, HasTheErrorsOfFitsWithEachKAndOfEachRowLeftOut) {
  for (const char* word : {"knn", "knn-regression"}) {
    const bool classes = std::string(word) == "knn";
    const Dataset data = random_table(14, classes), fresh = random_table(9, classes, 2);
    const auto made = picture(fitted(data, word, {{"k", 3.0}}), fresh, "errors-over-k");
    ASSERT_TRUE(made) << made.error().text();
    const auto lines = layers_of<Line>(*made);
    ASSERT_EQ(lines.size(), 3U);
    ASSERT_EQ(lines[0]->y.size(), 13U); // one of 14 rows is left out
    const auto miss = [&](double found, double truth) {
      return classes ? (found != truth ? 1.0 : 0.0) : (found - truth) * (found - truth);
    };
    for (const double k : {1.0, 2.0, 5.0, 13.0}) {
      const auto of = [&](const Dataset& rows) {
        const auto z = fitted(data, word, {{"k", k}}).predict(rows);
        double sum = 0;
        for (std::size_t i = 0; i < z->size(); ++i) sum += miss((*z)[i], rows.columns[2].values[i]);
        return sum / static_cast<double>(rows.rows);
      };
      double left_out = 0;
      for (Index i = 0; i < data.rows; ++i) {
        Dataset others = data, own = data;
        others.rows = data.rows - 1, own.rows = 1;
        for (std::size_t j = 0; j < 3; ++j) {
          others.columns[j].values.erase(others.columns[j].values.begin() + i);
          own.columns[j].values = {data.columns[j].values[static_cast<std::size_t>(i)]};
        }
        left_out += miss((*fitted(others, word, {{"k", k}}).predict(own))[0], own.columns[2].values[0]);
      }
      const auto at = static_cast<std::size_t>(k) - 1;
      EXPECT_NEAR(lines[0]->y[at], of(data), 1e-12) << word << k;
      EXPECT_NEAR(lines[1]->y[at], left_out / static_cast<double>(data.rows), 1e-12) << word << k;
      EXPECT_NEAR(lines[2]->y[at], of(fresh), 1e-12) << word << k;
    }
    EXPECT_EQ(lines[0]->y[0], 0); // with k = 1 every row is its own neighbour
    EXPECT_EQ(layers_of<Rule>(*made).at(0)->at, 3);
  }
}

TEST(ErrorsPicture, OfTheTrainingRowsHasNoThirdLineAndOfARadiusThereIsNone) {
  const Dataset data = random_table(12, true);
  const auto made = picture(fitted(data, "knn", {{"k", 3.0}}), data, "errors-over-k");
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(layers_of<Line>(*made).size(), 2U);
  EXPECT_THAT(refusal(fitted(data, "knn", {{"radius", 9.0}}), data, "errors-over-k"), HasSubstr("there is no k"));
}

TEST(ConcentrationPicture, EndsAtTheRatioOfAllColumns) {
  Random random(3);
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  for (const char* name : {"a", "b", "c", "d", "e", "y"}) {
    columns.emplace_back(name, std::vector<double>{});
    for (Index i = 0; i < 40; ++i) columns.back().second.push_back(random.uniform());
  }
  const Dataset data = table(columns);
  const auto made = picture(fitted(data, "knn-regression", {{"k", 3.0}}), data, "concentration");
  ASSERT_TRUE(made) << made.error().text();
  std::vector<double> ratios;
  for (std::size_t q = 0; q < 40; ++q) {
    std::vector<double> apart;
    for (std::size_t i = 0; i < 40; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 5; ++j) sum += std::pow(columns[j].second[q] - columns[j].second[i], 2);
      if (i != q) apart.push_back(std::sqrt(sum));
    }
    std::ranges::sort(apart);
    ratios.push_back(apart[0] / apart[19]);
  }
  std::ranges::sort(ratios);
  const Line& own = *layers_of<Line>(*made).at(0);
  EXPECT_EQ(own.x, (std::vector<double>{1, 2, 3, 4, 5}));
  // The same 40 ratios for every order of the columns: the lower median of all is that of one.
  EXPECT_NEAR(own.y.back(), ratios[19], 1e-12);
  EXPECT_LT(own.y[0], own.y.back());
  EXPECT_THAT(
      refusal(fitted(data, "knn-regression", {{"k", 3.0}, {"metric", std::string("cosine")}}), data, "concentration"),
      HasSubstr("does not add up over the columns"));
}

} // namespace
} // namespace recta::plot
