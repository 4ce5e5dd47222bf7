#include "model/votes.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace recta {
namespace {

TEST(Votes, CountFirstAndMarginsDecideBetweenEqualNumbers) {
  std::vector<double> score(3);
  const std::vector<PairVote> clear = {{0, 1, 2.0}, {0, 2, 0.5}, {1, 2, -9.0}};
  count_votes(clear, 3, score.data());
  EXPECT_DOUBLE_EQ(score[0], 2 + 2.5 / (3 * 3.5));
  EXPECT_DOUBLE_EQ(score[1], 0 - 11 / (3 * 12.0));
  EXPECT_DOUBLE_EQ(score[2], 1 + 8.5 / (3 * 9.5));
  const std::vector<PairVote> circle = {{0, 1, 1.0}, {0, 2, -2.0}, {1, 2, 4.0}}; // each has one vote
  count_votes(circle, 3, score.data());
  EXPECT_GT(score[1], score[0]);
  EXPECT_GT(score[1], score[2]);
}

TEST(Votes, AMarginOfZeroIsTheFirstClasssAndAnInfiniteOneIsALargeOne) {
  std::vector<double> score(2);
  const std::vector<PairVote> tie = {{0, 1, 0.0}};
  count_votes(tie, 2, score.data());
  EXPECT_EQ(score, (std::vector<double>{1, 0}));
  const std::vector<PairVote> sure = {{0, 1, -std::numeric_limits<double>::infinity()}};
  count_votes(sure, 2, score.data());
  EXPECT_DOUBLE_EQ(score[1], 1 + 1.0 / 3);
  EXPECT_DOUBLE_EQ(score[0], -1.0 / 3);
}

} // namespace
} // namespace recta
