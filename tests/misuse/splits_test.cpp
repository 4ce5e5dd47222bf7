// Splits and orders of rows that cannot be are errors, whatever is asked for: nothing is thrown.
#include <recta/recta.hpp>
#include <recta/split.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace recta {
namespace {

using Kind = SplitPlan::Kind;
using testing::HasSubstr;

constexpr Index kMost = std::numeric_limits<Index>::max();

TEST(ImpossibleSplits, AreErrors) {
  for (const Index rows : {Index{-1}, kMost, Index{1} << 60}) {
    EXPECT_FALSE(shuffled_rows(rows, 1)) << rows;
    EXPECT_FALSE(split_rows(rows, 0.5, 1)) << rows;
  }
  for (const double share : {-0.1, 1.1, std::nan("")}) EXPECT_FALSE(split_rows(10, share, 1)) << share;
  EXPECT_EQ(shuffled_rows(0, 1)->size(), 0);
  EXPECT_EQ(split_rows(10, 1, 1)->held_out.size(), 10);
  for (const Kind kind : {Kind::folds, Kind::leave_one_out, Kind::time, Kind::holdout, Kind::bootstrap, Kind::hash})
    for (const Index rows : {Index{-1}, Index{1}})
      EXPECT_FALSE(make_splits({.kind = kind}, {.rows = rows})) << static_cast<int>(kind) << ' ' << rows;
  EXPECT_FALSE(make_splits({.folds = kMost}, {.rows = 5}));
  EXPECT_FALSE(make_splits({.kind = Kind::hash, .folds = kMost}, {.rows = 2, .id = {1, 2}}));
}

TEST(ImpossibleSplits, OfListsThatAreNotAsLongAsTheRowsAreErrors) {
  const auto said = [](const SplitRows& rows, SplitPlan plan = {}) {
    const auto splits = make_splits(plan, rows);
    return splits ? "no error" : splits.error().text();
  };
  EXPECT_THAT(said({.rows = 9, .used = {true}}), HasSubstr("\"used\" has 1 entries, and there are 9 rows"));
  EXPECT_THAT(said({.rows = 9, .label = {1}}), HasSubstr("\"label\" has 1 entries"));
  EXPECT_THAT(said({.rows = 9, .group = {1}}), HasSubstr("\"group\" has 1 entries"));
  EXPECT_THAT(said({.rows = 9, .time = {1}}, {.kind = Kind::time}), HasSubstr("\"time\" has 1 entries"));
  EXPECT_THAT(said({.rows = 9, .id = {1}}, {.kind = Kind::hash}), HasSubstr("\"id\" has 1 entries"));
  EXPECT_THAT(said({.rows = 9, .labels = 2}), HasSubstr("\"members\" has 0 entries"));
  EXPECT_THAT(said({.rows = 9, .labels = kMost, .members = {1}}), HasSubstr("\"members\" has 1 entries"));
  EXPECT_THAT(said({.rows = 2, .group = {0, -1}}), HasSubstr("row 2 is of group -1"));
  EXPECT_THAT(said({.rows = 6, .label = {0, 1, std::nan(""), 1, 0, 1}}, {.folds = 2}),
              HasSubstr("row 3: its label is missing"));
}

} // namespace
} // namespace recta
