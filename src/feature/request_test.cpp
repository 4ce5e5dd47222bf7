#include "base/numbers.hpp"
#include "feature/encode.hpp"
#include "feature/learn.hpp"
#include "feature/request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::feature {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Column numbers(std::string name, std::initializer_list<double> values) {
  Column column;
  column.name = std::move(name);
  column.values.assign(values.begin(), values.end());
  return column;
}

Dataset table(std::vector<Column> columns) {
  Dataset data;
  data.source = "t.csv";
  data.rows = static_cast<Index>(columns[0].values.size());
  data.columns = std::move(columns);
  return data;
}

Dataset houses() {
  return table({numbers("area", {1, 2, 4}), numbers("rooms", {3, 5, 7}), numbers("id", {9, 9, 9}),
                numbers("y", {1, 2, 3}), numbers("v", {1, 1, 0})});
}

Result<Schema> learned(const Dataset& data, const FitOptions& options) {
  const auto roles = assign_roles(data, options);
  if (!roles) return std::unexpected(roles.error());
  const auto draft = draft_schema(data, *roles, options);
  if (!draft) return draft;
  SchemaLearner learner(*draft, *roles);
  learner.accumulate(data);
  return learner.finish(Coding::all_levels, data.source);
}

std::string reason(const Dataset& data, const FitOptions& options) {
  const auto schema = learned(data, options);
  return schema ? "accepted" : schema.error().text();
}

struct Encoded {
  std::vector<std::vector<double>> high, low; // by row
};

Result<Encoded> encoded(const Schema& schema, const Dataset& data) {
  auto binding = bind(schema, data, Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  const Encoder encoder(schema, *std::move(binding));
  EncodedBlock block;
  const auto done = encoder.encode(data, encoder.map_levels(data), 0, data.rows, block);
  if (!done) return std::unexpected(done.error());
  const auto& x = std::get<MatrixView>(block.batch.x);
  Encoded all;
  for (Index i = 0; i < x.rows; ++i) {
    auto& high = all.high.emplace_back();
    auto& low = all.low.emplace_back();
    for (Index j = 0; j < x.cols; ++j) {
      high.push_back(static_cast<const double*>(x.data)[i + j * x.col_stride]);
      if (x.low) low.push_back(x.low[i + j * x.col_stride]);
    }
  }
  return all;
}

TEST(Maps, AFeatureStandsBesideItsColumnsAndABasisInTheirPlace) {
  const FitOptions common{.target = {"y"}, .ignore = {"id", "v"}};
  FitOptions options = common;
  options.feature = {"area*rooms"};
  EXPECT_THAT(feature_names(learned(houses(), options).value()), ElementsAre("area", "rooms", "area*rooms"));
  options = common;
  options.basis = {"log(area)"};
  EXPECT_THAT(feature_names(learned(houses(), options).value()), ElementsAre("rooms", "log(area)"));
  options.feature = {"area*rooms"};
  EXPECT_THAT(feature_names(learned(houses(), options).value()), ElementsAre("rooms", "log(area)", "area*rooms"));
  options = common;
  options.poly = 2;
  EXPECT_THAT(feature_names(learned(houses(), options).value()),
              ElementsAre("area", "rooms", "area^2", "area*rooms", "rooms^2"));
  options.basis = {"sqrt(rooms)"};
  EXPECT_THAT(feature_names(learned(houses(), options).value()), ElementsAre("area", "area^2", "sqrt(rooms)"));
}

TEST(Maps, AColumnThatIsIgnoredCanBeRead) {
  const FitOptions options{.target = {"y"}, .ignore = {"id", "v", "area"}, .feature = {"1/area"}};
  const Schema schema = learned(houses(), options).value();
  EXPECT_THAT(feature_names(schema), ElementsAre("rooms", "1/area"));
  EXPECT_THAT(encoded(schema, houses()).value().high,
              ElementsAre(ElementsAre(3, 1), ElementsAre(5, 0.5), ElementsAre(7, 0.25)));
}

TEST(Maps, FeaturesFollowTheColumnsAndOnlyProductsHaveLowParts) {
  const Dataset data = table({numbers("x", {0.1, 0.2}), numbers("y", {0, 1})});
  const auto square = encoded(learned(data, {.target = {"y"}, .feature = {"x^2"}}).value(), data).value();
  EXPECT_THAT(square.high, ElementsAre(ElementsAre(0.1, 0.1 * 0.1), ElementsAre(0.2, 0.2 * 0.2)));
  EXPECT_EQ(square.low[0][0], 0);
  EXPECT_EQ(square.low[0][1], std::fma(0.1, 0.1, -(0.1 * 0.1)));
  const auto logarithm = encoded(learned(data, {.target = {"y"}, .feature = {"log(x)"}}).value(), data).value();
  EXPECT_TRUE(logarithm.low[0].empty());
}

TEST(Maps, KnotsLieBetweenTheLeastAndTheLargestValueOfRowsThatCount) {
  FitOptions options{.target = {"y"}, .weights = "v", .ignore = {"id", "rooms"}, .basis = {"spline(area, 3)"}};
  EXPECT_THAT(learned(houses(), options).value().maps[0].learned,
              ElementsAre(1, 1.5, 2)); // the third row has no weight
  options.weights.clear();
  options.ignore.emplace_back("v");
  EXPECT_THAT(learned(houses(), options).value().maps[0].learned, ElementsAre(1, 2.5, 4));
  options.basis = {"radial(id, 3)"};
  EXPECT_THAT(reason(houses(), options), HasSubstr("t.csv, column id: its values do not spread far enough"));
}

TEST(Maps, WithoutAnInterceptASplineKeepsAllItsFunctions) {
  FitOptions options{.target = {"y"}, .ignore = {"id", "rooms", "v"}, .basis = {"spline(area, 2, degree=1)"}};
  EXPECT_EQ(feature_count(learned(houses(), options).value()), 1);
  options.intercept = false;
  const Schema schema = learned(houses(), options).value();
  EXPECT_EQ(schema.maps[0].text, "spline(area, 2, bias=yes, degree=1)");
  EXPECT_THAT(encoded(schema, houses()).value().high[0], ElementsAre(1, 0));
}

TEST(Maps, AbsentRowsNeedNoFeature) { // log(0) in a row of weight zero, and in a dropped one
  const Dataset data = table({numbers("x", {1, 0, kNaN}), numbers("y", {1, 2, 3}), numbers("v", {1, 0, 1})});
  const FitOptions options{.target = {"y"}, .weights = "v", .basis = {"log(x)"}, .missing = Missing::drop};
  EXPECT_THAT(encoded(learned(data, options).value(), data).value().high,
              ElementsAre(ElementsAre(0), ElementsAre(0), ElementsAre(0)));
}

TEST(Maps, AMissingNumberIsFilledInBeforeItIsMapped) {
  const Dataset data = table({numbers("x", {1, kNaN, 3}), numbers("y", {1, 2, 3})});
  FitOptions options{.target = {"y"}, .basis = {"x^2"}, .missing = Missing::indicator};
  const Schema schema = learned(data, options).value();
  EXPECT_THAT(feature_names(schema), ElementsAre("x is missing", "x^2"));
  EXPECT_THAT(encoded(schema, data).value().high, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 4), ElementsAre(0, 9)));
}

TEST(Maps, AValueOutsideTheDomainNamesRowColumnValueAndCure) {
  Dataset data = table({numbers("x", {1, -2}), numbers("y", {1, 2})});
  data.first_row = 1000; // of a stream
  const Schema schema = learned(data, {.target = {"y"}, .basis = {"log(x)"}}).value();
  const auto error = encoded(schema, data).error().text();
  EXPECT_THAT(error, HasSubstr("t.csv, row 1002, column x: log(x) is not a number at x = -2"));
  EXPECT_THAT(error, HasSubstr("add a constant inside it"));
}

TEST(Maps, WhatCannotBeMadeIsRefusedWithACure) {
  const auto refusal = [](FitOptions options) {
    options.target = {"y"};
    return reason(houses(), options);
  };
  EXPECT_THAT(refusal({.feature = {"aera^2"}}), HasSubstr("no column \"aera\"; did you mean \"area\"?"));
  EXPECT_THAT(refusal({.feature = {"y^2"}}), HasSubstr("is the target"));
  EXPECT_THAT(refusal({.poly = 2, .feature = {"area^2"}}), HasSubstr("\"area^2\" is made twice"));
  EXPECT_THAT(refusal({.poly = 0}), HasSubstr("the degree is 0"));
  EXPECT_THAT(refusal({.poly = 101}), HasSubstr("the degree is 101"));
  EXPECT_THAT(refusal({.feature = {std::string(5000, '1')}}), HasSubstr("longer than 4096 bytes"));
  EXPECT_THAT(refusal({.ignore = {"area", "rooms", "id", "v"}, .poly = 3}), HasSubstr("no column of numbers left"));
  EXPECT_THAT(refusal({.basis = {"spline(area, [1, 1])"}}), HasSubstr("do not ascend"));
}

} // namespace
} // namespace recta::feature
