// Names one by one are those of the list.
#include "feature/names.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace recta::feature {
namespace {

TextMap words(std::string column, std::vector<std::string> terms) {
  TextMap map;
  map.column = std::move(column);
  map.vocabulary = std::make_shared<const std::vector<std::string>>(std::move(terms));
  return map;
}

void expect_the_list(const Schema& schema, std::size_t count) {
  const std::vector<std::string> list = feature_names(schema);
  ASSERT_EQ(list.size(), count);
  const FeatureNames names(schema);
  for (std::size_t j = 0; j < list.size(); ++j) EXPECT_EQ(names[static_cast<Index>(j)], list[j]);
}

TEST(FeatureNames, AreThoseOfTheListWhateverStandsBesideTheTerms) {
  Schema schema;
  schema.texts = {words("body", {"a", "b c"})};
  expect_the_list(schema, 2);
  EXPECT_EQ(FeatureNames(schema)[1], "b c");
  schema.texts.push_back(words("title", {"a"}));
  expect_the_list(schema, 3);
  EXPECT_EQ(FeatureNames(schema)[2], "title:a");
  SchemaColumn x, city;
  x.name = "x";
  x.indicator = true;
  city.name = "city";
  city.type = ColumnType::category;
  city.levels = {"Bonn", "Rome"};
  schema.columns = {x, city};
  expect_the_list(schema, 7);
  schema.maps.push_back({.text = "x^2"});
  expect_the_list(schema, 8);
  schema.maps.clear();
  schema.sparse_cols = 3;
  schema.sparse_base = 1;
  expect_the_list(schema, 10);
  EXPECT_EQ(FeatureNames(schema)[9], "3");
}

} // namespace
} // namespace recta::feature
