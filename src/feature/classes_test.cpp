#include "base/numbers.hpp"
#include "feature/classes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::feature {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Column numbers(std::initializer_list<double> values, ColumnType type = ColumnType::integer) {
  Column column;
  column.type = type;
  column.values.assign(values.begin(), values.end());
  return column;
}

Column words(std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  Column column;
  column.type = ColumnType::category;
  column.levels = std::move(levels);
  column.codes = std::move(codes);
  return column;
}

Result<Classes> learned(const Column& column, std::vector<double> weights, const std::string& positive = "") {
  ClassLearner learner;
  learner.accumulate(column, weights);
  return learner.finish({.positive = positive}, "t.csv", "y");
}

std::string refusal(const Result<Classes>& classes) {
  EXPECT_FALSE(classes);
  return classes ? "" : classes.error().text();
}

TEST(Classes, AreSortedNumbersByValueAndTextByCodePoint) {
  const auto counted = learned(numbers({10, 9, -0.0, 0, 10}), {1, 1, 1, 1, 2});
  ASSERT_TRUE(counted);
  EXPECT_THAT(counted->labels, ElementsAre("0", "9", "10"));
  EXPECT_THAT(counted->weight, ElementsAre(2, 1, 3));
  EXPECT_EQ(counted->type, ColumnType::integer);
  EXPECT_EQ(counted->majority(), 2);
  const auto named = learned(words({"ü", "Z", "a"}, {0, 1, 2, -1}), {1, 1, 1, 1});
  ASSERT_TRUE(named);
  EXPECT_THAT(named->labels, ElementsAre("Z", "a", "ü"));
}

TEST(Classes, OfRowsWithoutWeightAreAbsent) {
  const auto two = learned(words({"a", "b", "c"}, {0, 1, 2, 0}), {1, 0.5, 0, 1});
  ASSERT_TRUE(two);
  EXPECT_THAT(two->labels, ElementsAre("a", "b"));
  EXPECT_THAT(refusal(learned(words({"a", "b"}, {0, 1, 0}), {1, 0, 1})),
              HasSubstr("t.csv, target y: every row is \"a\" where the weight is not zero: \"b\" is only in rows of "
                        "weight 0; a classifier needs rows of at least two classes"));
}

TEST(Classes, OneIsTooFewAndSomeAreTooMany) {
  EXPECT_THAT(refusal(learned(numbers({3, 3}), {1, 1})), HasSubstr("every row is \"3\""));
  EXPECT_THAT(refusal(learned(numbers({kNaN, kNaN}), {1, 1})), HasSubstr("no row has a class"));
  Column prices = numbers({}, ColumnType::real), names = words({}, {});
  for (int i = 0; i < 200; ++i) {
    prices.values.push_back(i % 60 + 0.5);
    names.levels.push_back("n" + std::to_string(i));
    names.codes.push_back(i);
  }
  const std::vector<double> ones(200, 1.0);
  EXPECT_THAT(refusal(learned(prices, ones)), HasSubstr("it has 60 different values in 200 rows, and a classifier "
                                                        "needs classes; to predict a number fit a regression"));
  EXPECT_THAT(refusal(learned(names, ones)), HasSubstr("200 different values in 200 rows"));
  Column ids = numbers({});
  for (int i = 0; i < 4000; ++i) ids.values.push_back(i % 1500);
  EXPECT_THAT(refusal(learned(ids, std::vector<double>(4000, 1.0))), HasSubstr("more than 1000 different values"));
}

TEST(Classes, TwoOfThemAreMinusOneAndOne) {
  auto classes = learned(words({"no", "yes"}, {0, 1}), {1, 1});
  ASSERT_TRUE(classes);
  EXPECT_EQ(class_number(*classes, 0), -1);
  EXPECT_EQ(class_number(*classes, 1), 1);
  classes = learned(words({"no", "yes"}, {0, 1}), {1, 1}, "no");
  ASSERT_TRUE(classes);
  EXPECT_EQ(classes->positive, 0);
  EXPECT_EQ(class_number(*classes, 0), 1);
  for (const Index k : {0, 1}) EXPECT_EQ(class_place(*classes, class_number(*classes, k)), k);
  EXPECT_THAT(refusal(learned(words({"no", "yes"}, {0, 1}), {1, 1}, "yse")), HasSubstr("did you mean \"yes\"?"));
}

TEST(Classes, OneOfMoreIsSetAgainstTheRest) {
  const auto two = learned(numbers({1, 2, 3, 3}), {1, 4, 0.5, 1}, "2");
  ASSERT_TRUE(two);
  EXPECT_THAT(two->labels, ElementsAre("not 2", "2"));
  EXPECT_THAT(two->rest, ElementsAre("1", "3"));
  EXPECT_THAT(two->weight, ElementsAre(2.5, 4));
  EXPECT_EQ(two->positive, 1);
  EXPECT_EQ(two->type, ColumnType::category);
  EXPECT_EQ(label_against_rest(*two), "2");
  EXPECT_THAT(refusal(learned(words({"red", "green", "blue"}, {0, 1, 2}), {1, 1, 1}, "gren")),
              HasSubstr("positive: there is no class \"gren\"; did you mean \"green\"?"));
  EXPECT_THAT(refusal(learned(numbers({1, 2, 3}), {1, 1, 1}, "70")), HasSubstr("the classes are 1, 2, 3"));
  const auto none = learned(words({"a", "b"}, {0, 1}), {1, 1}, "a");
  ASSERT_TRUE(none);
  EXPECT_EQ(label_against_rest(*none), "");
}

TEST(Classes, OfTheRestWeighAsOne) {
  ClassLearner learner;
  learner.accumulate(words({"a", "b", "c"}, {0, 1, 2, 2}), std::vector<double>(4, 1.0));
  const auto balanced = learner.finish({.positive = "a", .balanced = true}, "t.csv", "y");
  ASSERT_TRUE(balanced);
  EXPECT_THAT(balanced->factor, ElementsAre(4.0 / 6, 2));
  const auto given = learner.finish({.positive = "a", .class_weights = {{"not a", 3}}}, "t.csv", "y");
  ASSERT_TRUE(given);
  EXPECT_THAT(given->weight, ElementsAre(9, 1));
  const auto part = learner.finish({.positive = "a", .class_weights = {{"b", 3}}}, "t.csv", "y");
  EXPECT_THAT(refusal(part), HasSubstr("there is no class \"b\""));
}

TEST(Classes, MoreAreTheirPlaces) {
  const auto classes = learned(numbers({5, 7, 9}), {1, 1, 1});
  ASSERT_TRUE(classes);
  for (const Index k : {0, 1, 2}) {
    EXPECT_EQ(class_number(*classes, k), static_cast<double>(k));
    EXPECT_EQ(class_place(*classes, static_cast<double>(k)), k);
  }
}

TEST(ClassFinder, FindsLabelsHoweverAColumnWasRead) {
  const auto classes = learned(numbers({1, 2.5}, ColumnType::real), {1, 1});
  ASSERT_TRUE(classes);
  const ClassFinder finder(*classes);
  EXPECT_EQ(finder.place(1.0), 0);
  EXPECT_EQ(finder.place(2.5), 1);
  EXPECT_EQ(finder.place(3.0), kUnknownLabel);
  EXPECT_EQ(finder.place(kNaN), kNoLabel);
  EXPECT_EQ(finder.place("1.0"), 0);
  EXPECT_EQ(finder.place("x"), kUnknownLabel);
  EXPECT_EQ(finder.place(""), kNoLabel);
  const Column column = words({"2.50", "none", "1"}, {0, 1, 2, -1});
  const auto levels = finder.places(column.levels);
  EXPECT_EQ(finder.place(column, levels, 0), 1);
  EXPECT_EQ(finder.place(column, levels, 1), kUnknownLabel);
  EXPECT_EQ(finder.place(column, levels, 2), 0);
  EXPECT_EQ(finder.place(column, levels, 3), kNoLabel);
  const auto named = learned(words({"1", "one"}, {0, 1}), {1, 1}); // text that may look like a number
  ASSERT_TRUE(named);
  EXPECT_EQ(ClassFinder(*named).place(1.0), 0);
  EXPECT_EQ(ClassFinder(*named).place("1.0"), kUnknownLabel);
}

TEST(ClassFinder, FindsTheRestByTheLabelsOfItsRows) {
  const auto classes = learned(numbers({1, 2, 3}), {1, 1, 1}, "2");
  ASSERT_TRUE(classes);
  const ClassFinder finder(*classes);
  EXPECT_EQ(finder.place(2.0), 1);
  EXPECT_EQ(finder.place(1.0), 0);
  EXPECT_EQ(finder.place(3.0), 0);
  EXPECT_EQ(finder.place(4.0), kUnknownLabel);
  EXPECT_EQ(finder.place("3.0"), 0);
  EXPECT_EQ(finder.place("not 2"), 0); // as a prediction calls it
  EXPECT_EQ(finder.place("not 1"), kUnknownLabel);
  EXPECT_THAT(unknown_label(*classes, "t.csv, row 4", "4").text(),
              HasSubstr("the class \"4\" was not seen in training; the classes are 1, 2, 3"));
  // A label that reads "not a" is one of the others.
  const auto odd = learned(words({"a", "b", "not a"}, {0, 1, 2}), {1, 1, 1}, "a");
  ASSERT_TRUE(odd);
  EXPECT_THAT(odd->labels, ElementsAre("not a", "a"));
  EXPECT_EQ(ClassFinder(*odd).place("not a"), 0);
  EXPECT_EQ(ClassFinder(*odd).place("b"), 0);
  EXPECT_EQ(ClassFinder(*odd).place("a"), 1);
}

} // namespace
} // namespace recta::feature
