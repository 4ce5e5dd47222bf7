// Measures of label sets, by hand and against counting every pair.
#include "base/random.hpp"

#include <recta/label_metrics.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::metric {
namespace {

using ::testing::HasSubstr;

TEST(LabelMetrics, AreThoseOfAnExampleOnPaper) {
  const std::vector<std::uint8_t> truth = {1, 0, 1, 0, 0, 0}, said = {1, 1, 0, 0, 0, 0}; // two rows of three labels
  const auto counts = label_counts(truth, said, 3);
  ASSERT_TRUE(counts);
  EXPECT_DOUBLE_EQ(counts->hamming_loss(), 2.0 / 6);
  EXPECT_DOUBLE_EQ(counts->subset_accuracy(), 0.5);
  EXPECT_DOUBLE_EQ(counts->rates(Average::micro).f, 2.0 * 1 / (2 + 2));
  EXPECT_DOUBLE_EQ(counts->rates(Average::macro).f, 1.0 / 3);
  EXPECT_DOUBLE_EQ(counts->rates(Average::macro, 0, 1, 1).precision, (1 + 0 + 1) / 3.0); // the third is never said
  const std::vector<double> weights = {3, 1};
  EXPECT_DOUBLE_EQ(label_counts(truth, said, 3, weights)->hamming_loss(), 6.0 / 12);
  EXPECT_DOUBLE_EQ(label_counts(truth, said, 3, weights)->subset_accuracy(), 0.25);
  const std::vector<double> score = {0.9, 0.4, 0.4, 0, 0, 0}; // of the pairs (1,2) and (3,2) the tie is wrong
  EXPECT_DOUBLE_EQ(*ranking_loss(truth, score, 3), 0.25);
  EXPECT_DOUBLE_EQ(*ranking_loss(truth, score, 3, weights), 0.375);
}

TEST(LabelMetrics, RankingLossIsTheShareOfWrongPairs) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const Index labels = 1 + static_cast<Index>(random.below(7)), rows = 1 + static_cast<Index>(random.below(9));
    std::vector<std::uint8_t> truth;
    std::vector<double> score, weights;
    for (Index e = 0; e < rows * labels; ++e) {
      truth.push_back(static_cast<std::uint8_t>(random.below(2)));
      score.push_back(static_cast<double>(random.below(5)) / 4);
    }
    double sum = 0, total = 0;
    for (Index i = 0; i < rows; ++i) {
      weights.push_back(0.25 + random.uniform());
      double pairs = 0, wrong = 0;
      for (Index k = 0; k < labels; ++k)
        for (Index l = 0; l < labels; ++l) {
          const auto there = static_cast<std::size_t>(i * labels + k),
                     not_there = static_cast<std::size_t>(i * labels + l);
          if (truth[there] != 1 || truth[not_there] != 0) continue;
          ++pairs;
          wrong += score[there] <= score[not_there] ? 1 : 0;
        }
      total += weights.back();
      sum += pairs > 0 ? weights.back() * wrong / pairs : 0;
    }
    EXPECT_NEAR(*ranking_loss(truth, score, labels, weights), sum / total, 1e-14);
  }
}

TEST(LabelMetrics, RefuseWhatIsNoSetOfLabels) {
  const std::vector<std::uint8_t> five = {1, 0, 1, 0, 0}, three = {1, 0, 2};
  const std::vector<double> score = {1, 2, 3};
  EXPECT_THAT(label_counts(five, five, 3).error().text(), HasSubstr("5 elements do not make rows of 3 labels"));
  EXPECT_THAT(label_counts(three, three, 3).error().text(), HasSubstr("row 1, label 3: it is 2"));
  EXPECT_THAT(ranking_loss(three, score, 3).error().text(), HasSubstr("it is 2"));
  EXPECT_FALSE(label_counts({}, {}, 3));
}

} // namespace
} // namespace recta::metric
