#include "feature/label_set.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::feature {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> labels_in(std::string_view cell, std::string_view separator) {
  std::vector<std::string> out;
  for_each_label(cell, separator, [&](std::string_view label) { out.emplace_back(label); });
  return out;
}

TEST(LabelSets, ACellIsCutAtItsSeparatorAndBlanksGo) {
  EXPECT_THAT(labels_in("a|b b| c ", "|"), ElementsAre("a", "b b", "c"));
  EXPECT_THAT(labels_in("||a||", "|"), ElementsAre("a"));
  EXPECT_THAT(labels_in("", "|"), ElementsAre());
  EXPECT_THAT(labels_in(" \t", "|"), ElementsAre());
  EXPECT_THAT(labels_in("a; b;c", "; "), ElementsAre("a", "b;c"));
  EXPECT_THAT(labels_in("a|", "|"), ElementsAre("a"));
}

Column words(const std::vector<std::string>& cells) {
  Column column;
  column.name = "tags";
  column.type = ColumnType::text;
  column.levels = cells;
  return column;
}

TEST(LabelSets, AreSortedNumbersByValueAndWithoutRowsOfWeightZero) {
  LabelLearner learner("|");
  learner.accumulate(words({"10|9", "b", "a|10", "gone"}), std::vector<double>{1, 1, 2, 0});
  const auto found = learner.finish("t.csv", "tags");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->names, ElementsAre("9", "10", "a", "b"));
  EXPECT_THAT(LabelLearner("|").finish("t.csv", "tags").error().text(), HasSubstr("no row has a label"));
}

TEST(LabelSets, AreLearnedInPartsThatMerge) {
  const std::vector<std::string> cells = {"c|a", "", "b", "a", "10|b"};
  const std::vector<double> ones(cells.size(), 1.0);
  LabelLearner whole("|"), joined("|");
  whole.accumulate(words(cells), ones);
  for (const auto& [first, end] : {std::pair{3, 5}, std::pair{0, 2}, std::pair{2, 3}}) {
    LabelLearner part("|"), sent("|");
    part.accumulate(words({cells.begin() + first, cells.begin() + end}),
                    std::span(ones).first(static_cast<std::size_t>(end - first)));
    StateWriter out("part");
    part.write(out);
    const std::string bytes = out.take();
    StateReader in("part", bytes);
    sent.read(in);
    ASSERT_TRUE(in.done());
    joined.merge(sent);
  }
  EXPECT_THAT(joined.finish("t.csv", "tags")->names, ElementsAre("10", "a", "b", "c"));
  EXPECT_EQ(joined.finish("t.csv", "tags")->names, whole.finish("t.csv", "tags")->names);
  StateReader cut_off("part", "part\x09");
  joined.read(cut_off);
  EXPECT_FALSE(cut_off.done());
}

TEST(LabelSets, AColumnReadAsNumbersHoldsOneLabelACell) {
  Column column;
  column.name = "tags";
  column.type = ColumnType::integer;
  column.values = {3, std::nan(""), 12};
  LabelLearner learner("|");
  learner.accumulate(column, std::vector<double>{1, 1, 1});
  const auto labels = learner.finish("t.csv", "tags");
  ASSERT_TRUE(labels);
  EXPECT_THAT(labels->names, ElementsAre("3", "12"));
  Dataset data;
  data.source = "t.csv";
  const LabelFinder finder(*labels);
  std::vector<double> members(2, -1);
  ASSERT_TRUE(finder.cell(data, column, 1, false, members.data(), 1));
  EXPECT_THAT(members, ElementsAre(0, 0));
  ASSERT_TRUE(finder.cell(data, column, 2, false, members.data(), 1));
  EXPECT_THAT(members, ElementsAre(0, 1));
}

TEST(LabelSets, AnUnseenLabelIsNamedOrPassedOver) {
  const LabelSet labels{{"blue", "red"}, "|"};
  const LabelFinder finder(labels);
  Dataset data;
  data.source = "t.csv";
  std::vector<double> members(2);
  const Column column = words({"red|red", "rid"});
  ASSERT_TRUE(finder.cell(data, column, 0, false, members.data(), 1));
  EXPECT_THAT(members, ElementsAre(0, 1));
  EXPECT_THAT(finder.cell(data, column, 1, false, members.data(), 1).error().text(),
              HasSubstr("t.csv, row 2, column tags: the label \"rid\" was not seen in training; is it \"red\"?"));
  EXPECT_TRUE(finder.cell(data, column, 1, true, members.data(), 1));
}

TEST(LabelSets, AColumnOfItsOwnHoldsZeroOneOrWordsForThem) {
  Dataset data;
  data.source = "t.csv";
  const Column column = words({"0", "1", "true", "false", "", "yes"});
  EXPECT_EQ(*LabelFinder::member(data, column, 0), 0);
  EXPECT_EQ(*LabelFinder::member(data, column, 1), 1);
  EXPECT_EQ(*LabelFinder::member(data, column, 2), 1);
  EXPECT_EQ(*LabelFinder::member(data, column, 3), 0);
  EXPECT_TRUE(std::isnan(*LabelFinder::member(data, column, 4)));
  EXPECT_THAT(LabelFinder::member(data, column, 5).error().text(),
              HasSubstr("row 6, column tags: \"yes\" is neither 0 nor 1"));
}

} // namespace
} // namespace recta::feature
