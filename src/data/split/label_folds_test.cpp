// Folds of label sets: exact where an exact answer exists, close where none does.
#include "base/random.hpp"

#include <recta/split.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

constexpr Index kRows = 1003, kLabels = 12;

// Labels of very different shares, of which neighbours come together; a few rows have none.
SplitRows random_sets(std::uint64_t seed) {
  Random random(seed);
  SplitRows rows{.rows = kRows, .labels = kLabels};
  for (Index i = 0; i < kRows; ++i)
    for (Index k = 0; k < kLabels; ++k) {
      const bool after = k > 0 && rows.members.back() == 1;
      const double share = after ? 0.5 : 0.4 / (1 + static_cast<double>(k));
      rows.members.push_back(random.uniform() < share ? 1 : 0);
    }
  return rows;
}

// Rows left out by every split, by label; the last number is that of all rows.
std::vector<std::vector<double>> counts_of(const Splits& splits, const SplitRows& rows) {
  std::vector<std::vector<double>> out;
  for (Index f = 0; f < splits.count(); ++f) {
    std::vector<double>& counts = out.emplace_back(static_cast<std::size_t>(rows.labels + 1));
    for (const Index row : splits[f].held_out) {
      for (Index k = 0; k < rows.labels; ++k)
        counts[static_cast<std::size_t>(k)] += rows.members[static_cast<std::size_t>(row * rows.labels + k)];
      ++counts.back();
    }
  }
  return out;
}

// The largest distance of a count from the share that its fold should have, over all labels, and that of the sizes.
std::pair<double, double> distances(const std::vector<std::vector<double>>& counts) {
  std::pair<double, double> out{0, 0};
  const std::size_t last = counts[0].size() - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    double all = 0;
    for (const auto& one : counts) all += one[k];
    for (const auto& one : counts) {
      double& most = k == last ? out.second : out.first;
      most = std::max(most, std::abs(one[k] - all / static_cast<double>(counts.size())));
    }
  }
  return out;
}

TEST(LabelFolds, HaveTheSharesOfEveryLabel) {
  double worst = 0, worst_size = 0, dealt = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SplitRows rows = random_sets(seed);
    const auto [most, size] = distances(counts_of(make_splits({.seed = seed}, rows).value(), rows));
    worst = std::max(worst, most), worst_size = std::max(worst_size, size);
    dealt += distances(counts_of(make_splits({.seed = seed}, {.rows = kRows}).value(), rows)).first / 20;
  }
  EXPECT_LE(worst, 3.5);
  EXPECT_LE(worst_size, 3.5);
  EXPECT_GT(dealt, 3 * worst) << "folds that know nothing of the labels";
}

TEST(LabelFolds, OfTheRarestLabelDifferByOneRow) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SplitRows rows = random_sets(seed);
    const auto counts = counts_of(make_splits({.folds = 7, .seed = seed}, rows).value(), rows);
    std::vector<double> all(kLabels), rarest;
    for (const auto& one : counts)
      for (std::size_t k = 0; k < all.size(); ++k) all[k] += one[k];
    const auto place = static_cast<std::size_t>(std::ranges::min_element(all) - all.begin());
    for (const auto& one : counts) rarest.push_back(one[place]);
    const auto [least, most] = std::ranges::minmax(rarest);
    EXPECT_LE(most - least, 1);
  }
}

// With one label per row a set is a class, whose rows can be spread evenly.
TEST(LabelFolds, OfOneLabelPerRowDifferByOneRow) {
  SplitRows rows{.rows = 100, .labels = 3};
  for (Index i = 0; i < rows.rows; ++i)
    for (Index k = 0; k < 3; ++k) rows.members.push_back((i % 10 == 0 ? 2 : i % 2) == k ? 1 : 0);
  const auto counts = counts_of(make_splits({.folds = 4, .seed = 5}, rows).value(), rows);
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> of_label;
    for (const auto& one : counts) of_label.push_back(one[k]);
    const auto [least, most] = std::ranges::minmax(of_label);
    EXPECT_LE(most - least, 1) << k;
  }
}

// Label b has one row per fold; the other rows of label a make up for those that have both, and the row without labels
// goes where a row is missing.
TEST(LabelFolds, AreThoseOfAnExampleOnPaper) {
  const SplitRows rows{.rows = 6, .labels = 2, .members = {1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0}};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto counts = counts_of(make_splits({.folds = 2, .seed = seed}, rows).value(), rows);
    for (const auto& one : counts) EXPECT_THAT(one, testing::ElementsAre(2, 1, 3));
  }
}

TEST(LabelFolds, ComeFromTheSeedAndLeaveOutRowsThatTakeNoPart) {
  SplitRows rows = random_sets(1);
  const auto one = make_splits({.seed = 3}, rows).value(), again = make_splits({.seed = 3}, rows).value();
  for (Index f = 0; f < 5; ++f) EXPECT_EQ(one[f].held_out, again[f].held_out);
  EXPECT_NE(one[0].held_out, make_splits({.seed = 4}, rows)->parts[0].held_out);
  rows.used.assign(kRows, true);
  for (std::size_t i = 0; i < kRows; i += 3) rows.used[i] = false;
  const auto some = make_splits({.seed = 3}, rows).value();
  EXPECT_EQ(std::ssize(some.used), kRows - (kRows + 2) / 3);
  EXPECT_LE(distances(counts_of(some, rows)).first, 3.5);
}

TEST(LabelFolds, HoldOutsAndGroupsHaveTheSharesToo) {
  SplitRows rows = random_sets(2);
  std::vector<double> all(kLabels + 1);
  for (const auto& one : counts_of(make_splits({}, rows).value(), rows))
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += one[k];
  const auto held = counts_of(make_splits({.kind = SplitPlan::Kind::holdout, .share = 0.3}, rows).value(), rows)[0];
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_NEAR(held[k], 0.3 * all[k], 3.5) << k;
  for (Index i = 0; i < kRows; ++i) rows.group.push_back(i / 5); // 201 groups
  SplitRows unknown{.rows = kRows, .group = rows.group};
  const double with = distances(counts_of(make_splits({}, rows).value(), rows)).first,
               without = distances(counts_of(make_splits({}, unknown).value(), rows)).first;
  EXPECT_LT(2 * with, without);
}

} // namespace
} // namespace recta
