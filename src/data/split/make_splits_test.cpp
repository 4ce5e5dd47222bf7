// Splits keep what they promise, for every kind, on rows of which some take no part.
#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace recta {
namespace {

using Kind = SplitPlan::Kind;
using testing::ElementsAre;
using testing::HasSubstr;

SplitRows plain_rows(Index rows) {
  return {.rows = rows};
}

Splits splits_of(const SplitPlan& plan, const SplitRows& rows) {
  const auto made = make_splits(plan, rows);
  EXPECT_TRUE(made) << made.error().text();
  return made.value();
}

std::string refusal(const SplitPlan& plan, const SplitRows& rows) {
  const auto made = make_splits(plan, rows);
  return made ? "no refusal" : made.error().text();
}

std::vector<Index> every_row(Index rows) {
  std::vector<Index> out(static_cast<std::size_t>(rows));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// Trained on and left out are all rows that take part, in order, and have none in common.
void expect_partition(const Splits& splits) {
  for (Index k = 0; k < splits.count(); ++k) {
    const Split split = splits[k];
    EXPECT_TRUE(std::ranges::is_sorted(split.train));
    EXPECT_TRUE(std::ranges::is_sorted(split.held_out));
    std::vector<Index> both = split.train;
    both.insert(both.end(), split.held_out.begin(), split.held_out.end());
    std::ranges::sort(both);
    EXPECT_EQ(both, splits.used);
  }
}

std::vector<Index> all_left_out(const Splits& splits, Index from, Index to) {
  std::vector<Index> out;
  for (Index k = from; k < to; ++k) {
    const Split split = splits[k];
    out.insert(out.end(), split.held_out.begin(), split.held_out.end());
  }
  std::ranges::sort(out);
  return out;
}

TEST(Splits, FoldsLeaveEveryRowOutOnceInEveryRepeat) {
  const Splits splits = splits_of({.folds = 4, .repeats = 3, .seed = 5}, plain_rows(43));
  ASSERT_EQ(splits.count(), 12);
  expect_partition(splits);
  for (Index r = 0; r < 3; ++r) EXPECT_EQ(all_left_out(splits, 4 * r, 4 * r + 4), every_row(43));
  EXPECT_NE(splits[0].held_out, splits[4].held_out);
  for (Index k = 0; k < splits.count(); ++k) EXPECT_NEAR(static_cast<double>(splits[k].held_out.size()), 43.0 / 4, 1);
  const Splits again = splits_of({.folds = 4, .repeats = 3, .seed = 5}, plain_rows(43));
  for (Index k = 0; k < splits.count(); ++k) EXPECT_EQ(splits[k].held_out, again[k].held_out);
}

TEST(Splits, ContiguousFoldsAreThoseOfScikitLearn) {
  const Splits splits = splits_of({.folds = 3, .contiguous = true}, plain_rows(8));
  EXPECT_THAT(splits[0].held_out, ElementsAre(0, 1, 2));
  EXPECT_THAT(splits[1].held_out, ElementsAre(3, 4, 5));
  EXPECT_THAT(splits[2].held_out, ElementsAre(6, 7));
}

TEST(Splits, RowsThatTakeNoPartAreNowhere) {
  SplitRows rows = plain_rows(10);
  rows.used = std::vector<bool>(10, true);
  rows.used[3] = rows.used[7] = false;
  for (const Kind kind : {Kind::folds, Kind::leave_one_out, Kind::holdout, Kind::bootstrap}) {
    const Splits splits = splits_of({.kind = kind, .folds = 2}, rows);
    EXPECT_THAT(splits.used, ElementsAre(0, 1, 2, 4, 5, 6, 8, 9));
    for (Index k = 0; k < splits.count(); ++k)
      for (const auto& part : {splits[k].train, splits[k].held_out})
        EXPECT_FALSE(std::ranges::count(part, 3) + std::ranges::count(part, 7));
  }
}

// 60 rows of one class and 15 of another: 5 folds have 12 and 3 of them.
TEST(Splits, FoldsOfClassesHaveTheirShares) {
  SplitRows rows = plain_rows(75);
  for (Index i = 0; i < 75; ++i) rows.label.push_back(i % 5 == 0 ? 1 : -1);
  const Splits splits = splits_of({.folds = 5, .seed = 2}, rows);
  expect_partition(splits);
  EXPECT_EQ(all_left_out(splits, 0, 5), every_row(75));
  for (Index k = 0; k < 5; ++k) {
    EXPECT_EQ(splits[k].held_out.size(), 15u);
    EXPECT_EQ(std::ranges::count_if(splits[k].held_out, [](Index i) { return i % 5 == 0; }), 3);
  }
  const Split once = splits_of({.kind = Kind::holdout, .share = 0.2, .seed = 2}, rows)[0];
  EXPECT_EQ(once.held_out.size(), 15u);
  EXPECT_EQ(std::ranges::count_if(once.held_out, [](Index i) { return i % 5 == 0; }), 3);
}

TEST(Splits, GroupsStayTogether) {
  SplitRows rows = plain_rows(100);
  for (Index i = 0; i < 100; ++i) rows.group.push_back(i * i % 17), rows.label.push_back(i % 3 == 0 ? 1 : 0);
  for (const Kind kind : {Kind::folds, Kind::leave_one_out, Kind::holdout, Kind::bootstrap}) {
    const Splits splits = splits_of({.kind = kind, .folds = 3, .seed = 8}, rows);
    for (Index k = 0; k < splits.count(); ++k) {
      const Split split = splits[k];
      std::set<Index> trained;
      for (const Index i : split.train) trained.insert(rows.group[static_cast<std::size_t>(i)]);
      for (const Index i : split.held_out) EXPECT_FALSE(trained.contains(rows.group[static_cast<std::size_t>(i)]));
    }
  }
  const std::set<Index> groups(rows.group.begin(), rows.group.end());
  EXPECT_EQ(splits_of({.kind = Kind::leave_one_out}, rows).count(), std::ssize(groups));
  EXPECT_EQ(all_left_out(splits_of({.folds = 3}, rows), 0, 3), every_row(100));
}

// Groups of 4, 3, 3, 2, 2, 2 rows make two folds of 8: the largest go first, each to the smaller fold.
TEST(Splits, FoldsOfGroupsAreAboutOfOneSize) {
  SplitRows rows = plain_rows(16);
  Index number = 0;
  for (const int size : {2, 4, 2, 3, 3, 2}) {
    rows.group.insert(rows.group.end(), static_cast<std::size_t>(size), number);
    ++number;
  }
  const Splits splits = splits_of({.folds = 2, .seed = 1}, rows);
  EXPECT_EQ(splits[0].held_out.size(), 8u);
  EXPECT_EQ(splits[1].held_out.size(), 8u);
}

// As scikit-learn's TimeSeriesSplit(3) splits 10 rows, here in the reverse order of time.
TEST(Splits, OfTimeTrainOnThePastAlone) {
  SplitRows rows = plain_rows(10);
  for (Index i = 0; i < 10; ++i) rows.time.push_back(static_cast<double>(9 - i));
  const Splits splits = splits_of({.kind = Kind::time, .folds = 3}, rows);
  ASSERT_EQ(splits.count(), 3);
  EXPECT_THAT(splits[0].train, ElementsAre(6, 7, 8, 9));
  EXPECT_THAT(splits[0].held_out, ElementsAre(4, 5));
  EXPECT_THAT(splits[2].train, ElementsAre(2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_THAT(splits[2].held_out, ElementsAre(0, 1));
  EXPECT_THAT(splits_of({.kind = Kind::holdout, .share = 0.3}, rows)[0].held_out, ElementsAre(0, 1, 2));
}

TEST(Splits, RowsOfOneTimeAreOnOneSide) {
  SplitRows rows = plain_rows(9);
  rows.time = {1, 1, 1, 2, 2, 2, 2, 3, 3};
  const Splits splits = splits_of({.kind = Kind::time, .folds = 2}, rows);
  EXPECT_THAT(splits[0].held_out, ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(splits[1].train, ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(refusal({.kind = Kind::time, .folds = 4}, rows), HasSubstr("too few different times for 5 parts"));
}

// A row is never drawn with probability (1 - 1/n)^n, about 1/e.
TEST(Splits, BootstrapsDrawAsManyRowsAsThereAre) {
  const Splits splits = splits_of({.kind = Kind::bootstrap, .repeats = 20, .seed = 3}, plain_rows(1000));
  ASSERT_EQ(splits.count(), 20);
  double left_out = 0;
  for (Index k = 0; k < 20; ++k) {
    const Split split = splits[k];
    EXPECT_EQ(split.train.size(), 1000u);
    EXPECT_TRUE(std::ranges::is_sorted(split.train));
    std::vector<Index> both;
    std::ranges::set_intersection(split.train, split.held_out, std::back_inserter(both));
    EXPECT_TRUE(both.empty());
    left_out += static_cast<double>(split.held_out.size());
  }
  EXPECT_NEAR(left_out / 20000, std::exp(-1.0), 0.02);
}

// The fold of an identifier is the same whichever rows it is read with.
TEST(Splits, ByHashAgreeBetweenShards) {
  SplitRows all = plain_rows(200), half = plain_rows(100);
  for (Index i = 0; i < 200; ++i) all.id.push_back(static_cast<std::uint64_t>(i * 7919));
  half.id.assign(all.id.begin() + 100, all.id.end());
  const SplitPlan plan{.kind = Kind::hash, .folds = 3, .seed = 4};
  const Splits one = splits_of(plan, all), other = splits_of(plan, half);
  for (Index k = 0; k < 3; ++k) {
    std::vector<Index> later;
    for (const Index i : one[k].held_out)
      if (i >= 100) later.push_back(i - 100);
    EXPECT_EQ(later, other[k].held_out);
  }
}

TEST(Splits, RowsLeftOutOneByOneTakeLittleMemory) {
  const Splits splits = splits_of({.kind = Kind::leave_one_out}, plain_rows(100000)); // all lists would be 80 GB
  EXPECT_EQ(splits.count(), 100000);
  EXPECT_EQ(splits[99999].train.size(), 99999u);
  EXPECT_THAT(splits[7].held_out, ElementsAre(7));
}

TEST(Splits, SayWhatIsWrong) {
  SplitRows grouped = plain_rows(6), timed = plain_rows(6);
  grouped.group = {0, 0, 1, 1, 2, 2};
  timed.time = {1, 2, 3, NAN, 5, 6};
  EXPECT_THAT(refusal({.folds = 5}, grouped), HasSubstr("3 groups do not make 5 folds"));
  EXPECT_THAT(refusal({.folds = 7}, plain_rows(6)), HasSubstr("6 rows do not make 7 folds"));
  EXPECT_THAT(refusal({.folds = 1}, plain_rows(6)), HasSubstr("ask for two or more"));
  EXPECT_THAT(refusal({.kind = Kind::time, .folds = 2}, timed), HasSubstr("row 4: its time is missing"));
  EXPECT_THAT(refusal({.kind = Kind::time, .folds = 2}, plain_rows(6)), HasSubstr("name the column of the times"));
  EXPECT_THAT(refusal({.kind = Kind::hash}, plain_rows(6)), HasSubstr("name the column of the identifiers"));
  EXPECT_THAT(refusal({.kind = Kind::leave_one_out, .repeats = 2}, plain_rows(6)), HasSubstr("leave the repeats out"));
  EXPECT_THAT(refusal({.kind = Kind::holdout, .share = 1.5}, plain_rows(6)), HasSubstr("1.5 is not a share"));
  EXPECT_THAT(refusal({.kind = Kind::leave_one_out}, plain_rows(1)), HasSubstr("train on none of them"));
  EXPECT_THAT(refusal({.kind = Kind::holdout, .share = 0.01}, plain_rows(6)), HasSubstr("leave none of them out"));
  timed.group = grouped.group;
  EXPECT_THAT(refusal({.kind = Kind::time}, timed), HasSubstr("not by both"));
  EXPECT_THAT(refusal({.folds = 2, .contiguous = true}, grouped), HasSubstr("leave out contiguous"));
}

} // namespace
} // namespace recta
