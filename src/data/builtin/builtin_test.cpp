#include "data/builtin/builtin.hpp"

#include <gtest/gtest.h>

namespace recta {
namespace {

std::vector<double> row(const Dataset& data, Index i) {
  std::vector<double> values;
  for (const Column& column : data.columns)
    if (column.numeric()) values.push_back(column.values[static_cast<std::size_t>(i)]);
  return values;
}

const std::string& species(const Dataset& iris, std::size_t i) {
  const Column& column = iris.columns.back();
  return column.levels[static_cast<std::size_t>(column.codes[i])];
}

using Numbers = std::vector<double>;

TEST(Builtin, iris_has_the_rows_of_the_courses) {
  const Dataset iris = load_builtin("iris");
  ASSERT_EQ(iris.rows, 150);
  EXPECT_EQ(row(iris, 0), (Numbers{5.1, 3.5, 1.4, 0.2}));
  EXPECT_EQ(row(iris, 1), (Numbers{4.9, 3.0, 1.4, 0.2}));
  EXPECT_EQ(row(iris, 2), (Numbers{4.7, 3.2, 1.3, 0.2}));
  EXPECT_EQ(row(iris, 50), (Numbers{7.0, 3.2, 4.7, 1.4}));
  EXPECT_EQ(row(iris, 51), (Numbers{6.4, 3.2, 4.5, 1.5}));
  EXPECT_EQ(row(iris, 52), (Numbers{6.9, 3.1, 4.9, 1.5}));
  EXPECT_EQ(row(iris, 100), (Numbers{6.3, 3.3, 6.0, 2.5}));
  EXPECT_EQ(row(iris, 101), (Numbers{5.8, 2.7, 5.1, 1.9}));
  EXPECT_EQ(row(iris, 102), (Numbers{7.1, 3.0, 5.9, 2.1}));
  EXPECT_EQ(iris.columns.back().levels, (std::vector<std::string>{"Iris-setosa", "Iris-versicolor", "Iris-virginica"}));
  EXPECT_EQ(species(iris, 0), "Iris-setosa");
  EXPECT_EQ(species(iris, 49), "Iris-setosa");
  EXPECT_EQ(species(iris, 50), "Iris-versicolor");
  EXPECT_EQ(species(iris, 149), "Iris-virginica");
}

TEST(Builtin, iris_has_fishers_values_in_the_two_rows_that_the_archive_got_wrong) {
  const Dataset iris = load_builtin("iris");
  EXPECT_EQ(row(iris, 34), (Numbers{4.9, 3.1, 1.5, 0.2}));
  EXPECT_EQ(row(iris, 37), (Numbers{4.9, 3.6, 1.4, 0.1}));
}

TEST(Builtin, housing_begins_with_the_nine_rows_of_the_courses) {
  const Dataset housing = load_builtin("housing");
  ASSERT_EQ(housing.rows, 506);
  ASSERT_EQ(housing.columns.size(), 14u);
  const std::vector<Numbers> first = {
      {0.00632, 18.00, 2.310, 0, 0.5380, 6.5750, 65.20, 4.0900, 1, 296.0, 15.30, 396.90, 4.98, 24.00},
      {0.02731, 0.00, 7.070, 0, 0.4690, 6.4210, 78.90, 4.9671, 2, 242.0, 17.80, 396.90, 9.14, 21.60},
      {0.02729, 0.00, 7.070, 0, 0.4690, 7.1850, 61.10, 4.9671, 2, 242.0, 17.80, 392.83, 4.03, 34.70},
      {0.03237, 0.00, 2.180, 0, 0.4580, 6.9980, 45.80, 6.0622, 3, 222.0, 18.70, 394.63, 2.94, 33.40},
      {0.06905, 0.00, 2.180, 0, 0.4580, 7.1470, 54.20, 6.0622, 3, 222.0, 18.70, 396.90, 5.33, 36.20},
      {0.02985, 0.00, 2.180, 0, 0.4580, 6.4300, 58.70, 6.0622, 3, 222.0, 18.70, 394.12, 5.21, 28.70},
      {0.08829, 12.50, 7.870, 0, 0.5240, 6.0120, 66.60, 5.5605, 5, 311.0, 15.20, 395.60, 12.43, 22.90},
      {0.14455, 12.50, 7.870, 0, 0.5240, 6.1720, 96.10, 5.9505, 5, 311.0, 15.20, 396.90, 19.15, 27.10},
      {0.21124, 12.50, 7.870, 0, 0.5240, 5.6310, 100.00, 6.0821, 5, 311.0, 15.20, 386.63, 29.93, 16.50}};
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(row(housing, static_cast<Index>(i)), first[i]);
}

TEST(Builtin, housing_says_what_is_objected_to_its_column_b) {
  EXPECT_NE(find_builtin("housing")->summary.find("race"), std::string::npos);
}

TEST(Builtin, digits_are_grids_of_ink_from_0_to_16) {
  const Dataset digits = load_builtin("digits");
  ASSERT_EQ(digits.rows, 1797);
  ASSERT_EQ(digits.columns.size(), 65u);
  std::vector<int> count(10);
  for (double digit : digits.columns.back().values) ++count.at(static_cast<std::size_t>(digit));
  EXPECT_EQ(count, (std::vector<int>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}));
  double ink = 0;
  for (std::size_t j = 0; j < 64; ++j)
    for (double v : digits.columns[j].values) {
      ASSERT_TRUE(v >= 0 && v <= 16);
      ink += v;
    }
  EXPECT_EQ(ink, 561718);
  EXPECT_EQ(digits.columns[2].name, "x3");
  EXPECT_EQ(digits.columns[2].values[0], 5);
}

TEST(Builtin, every_set_has_the_rows_columns_and_target_that_the_list_says) {
  for (const BuiltinSet& set : builtin_sets()) {
    const Dataset data = load_builtin(set.name);
    EXPECT_EQ(data.rows, set.rows) << set.name;
    EXPECT_EQ(static_cast<Index>(data.columns.size()), set.columns) << set.name;
    EXPECT_EQ(data.source, set.name);
    EXPECT_FALSE(set.summary.empty());
    int targets = 0;
    for (const Column& column : data.columns) {
      targets += column.name == set.target;
      const auto held = column.type == ColumnType::text ? column.levels.size()
                        : column.numeric()              ? column.values.size()
                                                        : column.codes.size();
      EXPECT_EQ(static_cast<Index>(held), set.rows) << set.name << ' ' << column.name;
    }
    EXPECT_EQ(targets, set.target.empty() ? 0 : 1) << set.name;
  }
}

TEST(Builtin, longley_is_the_certified_table) {
  const Dataset longley = load_builtin("longley");
  EXPECT_EQ(row(longley, 0), (Numbers{60323, 83.0, 234289, 2356, 1590, 107608, 1947}));
  EXPECT_EQ(row(longley, 15), (Numbers{70551, 116.9, 554894, 4007, 2827, 130081, 1962}));
}

TEST(Builtin, the_nist_sets_hold_the_certified_rows) {
  const Dataset filip = load_builtin("filip");
  EXPECT_EQ(filip.rows, 82);
  EXPECT_EQ(row(filip, 0), (Numbers{0.8116, -6.860120914}));
  const Dataset pontius = load_builtin("pontius");
  EXPECT_EQ(row(pontius, 0), (Numbers{0.11019, 150000}));
  const Dataset wampler = load_builtin("wampler1");
  for (Index x = 0; x < 21; ++x) {
    const double d = static_cast<double>(x);
    EXPECT_EQ(row(wampler, x), (Numbers{1 + d + d * d + d * d * d + d * d * d * d + d * d * d * d * d, d}));
  }
}

TEST(Builtin, text_columns_stay_text_and_classes_become_levels) {
  const Dataset documents = load_builtin("chinese");
  EXPECT_EQ(documents.columns[0].type, ColumnType::text);
  EXPECT_EQ(documents.columns[0].levels[3], "Tokyo Japan Chinese");
  EXPECT_EQ(documents.columns[1].levels, (std::vector<std::string>{"c", "j"}));
  EXPECT_EQ(documents.columns[1].codes, (std::vector<std::int32_t>{0, 0, 0, 1}));
}

TEST(Builtin, an_unknown_name_is_not_found) {
  EXPECT_EQ(find_builtin("irsi"), nullptr);
}

} // namespace
} // namespace recta
