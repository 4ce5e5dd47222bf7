// The best threshold against all of them, one by one.
#include "base/random.hpp"
#include "evaluate/decision/choose.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta::decision {
namespace {

using testing::HasSubstr;

TwoClassScores drawn_scores(unsigned seed, bool weighted) {
  std::mt19937_64 random(seed);
  TwoClassScores out;
  for (int i = 0; i < 40; ++i) {
    const bool positive = random() % 3 == 0;
    out.positive.push_back(positive);
    out.score.push_back(static_cast<double>(random() % 12) / 4 + (positive ? 1 : 0)); // with ties
    if (weighted) out.weights.push_back(static_cast<double>(1 + random() % 4));
  }
  return out;
}

struct Tried {
  double precision, recall, specificity, accuracy;
};

Tried tried(const TwoClassScores& rows, double threshold) {
  double tp = 0, fp = 0, fn = 0, tn = 0;
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    const double w = rows.weights.empty() ? 1 : rows.weights[i];
    (rows.positive[i] ? rows.score[i] >= threshold ? tp : fn : rows.score[i] >= threshold ? fp : tn) += w;
  }
  return {tp / (tp + fp), tp / (tp + fn), tn / (tn + fp), (tp + tn) / (tp + fp + fn + tn)};
}

TEST(DecisionThreshold, HasNoBetterOneAmongAll) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const TwoClassScores rows = drawn_scores(seed, seed % 2 == 1);
    const auto precise = best_threshold(rows, "precision >= 0.6"), full = best_threshold(rows, "recall>=0.8");
    const auto right = best_threshold(rows, "accuracy"), f2 = best_threshold(rows, "f2");
    ASSERT_TRUE(full && right && f2);
    for (const auto& found : {*full, *right, *f2}) {
      const Tried reached = tried(rows, found.threshold);
      EXPECT_NEAR(reached.recall, found.recall, 1e-12);
      EXPECT_NEAR(reached.accuracy, found.accuracy, 1e-12);
    }
    for (double t = -1; t < 6; t += 0.05) {
      const Tried other = tried(rows, t);
      EXPECT_GE(right->accuracy, other.accuracy - 1e-12);
      if (other.recall >= 0.8) {
        EXPECT_GE(full->precision, other.precision - 1e-12);
      }
      if (other.precision >= 0.6) {
        ASSERT_TRUE(precise);
        EXPECT_GE(precise->recall, other.recall - 1e-12);
      }
      const double f = 5 * other.precision * other.recall / (4 * other.precision + other.recall);
      if (!std::isnan(f)) {
        EXPECT_GE(f2->value, f - 1e-12);
      }
    }
    EXPECT_GE(full->recall, 0.8);
  }
}

TEST(DecisionThreshold, OfCostsIsTheCheapest) {
  const TwoClassScores rows = drawn_scores(3, true);
  const auto found = cheapest_threshold(rows, {0, 1, 7, -0.5});
  ASSERT_TRUE(found);
  const auto cost = [&](double threshold) {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < rows.score.size(); ++i) {
      const bool taken = rows.score[i] >= threshold;
      sum += rows.weights[i] * (rows.positive[i] ? taken ? -0.5 : 7 : taken ? 1 : 0);
      all += rows.weights[i];
    }
    return sum / all;
  };
  EXPECT_NEAR(found->value, cost(found->threshold), 1e-12);
  for (double t = -1; t < 6; t += 0.05) EXPECT_LE(found->value, cost(t) + 1e-12);
}

TEST(DecisionThreshold, ByHand) {
  const TwoClassScores rows{.score = {1, 2, 3, 4}, .positive = {0, 1, 0, 1}};
  EXPECT_EQ(best_threshold(rows, "precision>=1")->threshold, 3.5);
  EXPECT_EQ(best_threshold(rows, "recall>=1")->threshold, 1.5);
  EXPECT_EQ(cheapest_threshold(rows, {0, 100, 1, 0})->threshold, 3.5);
  EXPECT_EQ(cheapest_threshold(rows, {0, 1, 100, 0})->threshold, 1.5);
  EXPECT_GT(cheapest_threshold(rows, {0, 1, 0, 1})->threshold, 4); // nothing is worth taking
}

TEST(DecisionThreshold, RefusesAimsThatItCannotServe) {
  const TwoClassScores rows{.score = {1, 2, 3, 4}, .positive = {0, 1, 1, 0}};
  const auto text = [&](const char* aim) { return best_threshold(rows, aim).error().text(); };
  EXPECT_THAT(text("precision>=0.9"), HasSubstr("the most that a threshold reaches on these rows is 0.6667"));
  EXPECT_THAT(text("profit"), HasSubstr("it is not an aim of a decision"));
  EXPECT_THAT(text("accuracy>=0.9"), HasSubstr("hold it to precision, recall or specificity"));
  EXPECT_THAT(text("precision>=9"), HasSubstr("is not a share"));
  EXPECT_THAT(best_threshold({.score = {1, 2}, .positive = {1, 1}}, "f1").error().text(),
              HasSubstr("no row is of the other class"));
}

} // namespace
} // namespace recta::decision
