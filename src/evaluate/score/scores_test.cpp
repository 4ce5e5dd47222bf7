// Scores by their words: each is the measure it names, applies to what it says, and has an interval that repeats
// itself.
#include <recta/scores.hpp>

#include <cmath>
#include <gmock/gmock.h>

namespace recta {
namespace {

using testing::HasSubstr;

JudgedRows two_classes() {
  JudgedRows rows{.target = "c", .rows = 6, .weight_sum = 6, .labels = {"no", "yes"}};
  rows.truth = {0, 0, 0, 1, 1, 1};
  rows.score = {-2, -1, 0.5, -0.5, 1, 2};
  for (const double z : rows.score) {
    rows.predicted.push_back(z >= 0);
    rows.probability.insert(rows.probability.end(), {1 / (1 + std::exp(z)), 1 / (1 + std::exp(-z))});
  }
  return rows;
}

double value_of(const JudgedRows& rows, const std::string& word) {
  return scores_of(rows, {.words = {word}})->at(0).value;
}

TEST(Scores, OfTwoClassesOnPaper) {
  const JudgedRows rows = two_classes();
  EXPECT_NEAR(value_of(rows, "accuracy"), 4.0 / 6, 1e-15);
  EXPECT_NEAR(value_of(rows, "error_rate"), 2.0 / 6, 1e-15);
  EXPECT_NEAR(value_of(rows, "roc_area"), 8.0 / 9, 1e-15); // -0.5 is below 0.5
  EXPECT_NEAR(value_of(rows, "recall"), 2.0 / 3, 1e-15);
  EXPECT_NEAR(value_of(rows, "f2"), 2.0 / 3, 1e-15);
  EXPECT_NEAR(value_of(rows, "lift_0.5"), 4.0 / 3, 1e-15); // two of the best three rows
  EXPECT_NEAR(value_of(rows, "gain_0.5"), 2.0 / 3, 1e-15);
}

TEST(Scores, AllThatApplyAreGivenAndOthersAreRefused) {
  JudgedRows rows = two_classes();
  const auto all = *scores_of(rows);
  EXPECT_EQ(all.size(), 24u);
  rows.probability.clear();
  EXPECT_EQ(scores_of(rows)->size(), 19u);
  const auto refusal = [&](const std::string& word) { return scores_of(rows, {.words = {word}}).error().text(); };
  EXPECT_THAT(refusal("log_loss"), HasSubstr("the model has no probabilities"));
  EXPECT_THAT(refusal("top_2"), HasSubstr("more than two classes"));
  EXPECT_THAT(refusal("acuracy"), HasSubstr("did you mean accuracy?"));
  EXPECT_THAT(refusal("mse"), HasSubstr("not a score of classes"));
  EXPECT_THAT(refusal("lift_2"), HasSubstr("at most 1"));
  EXPECT_THAT(refusal("f-1"), HasSubstr("from 0 up"));
}

TEST(Scores, HaveDeLongsIntervalOrThatOfABootstrapAtAnyNumberOfThreads) {
  const JudgedRows rows = two_classes();
  EXPECT_EQ(scores_of(rows, {.words = {"roc_area"}})->at(0).interval, "delong");
  EXPECT_EQ(scores_of(rows, {.words = {"accuracy"}})->at(0).interval, "");
  const auto one = *scores_of(rows, {.resamples = 300, .seed = 3, .threads = 1});
  const auto four = *scores_of(rows, {.resamples = 300, .seed = 3, .threads = 4});
  for (std::size_t s = 0; s < one.size(); ++s) {
    EXPECT_EQ(one[s].interval, "bootstrap") << one[s].word;
    EXPECT_EQ(one[s].lower, four[s].lower) << one[s].word;
    EXPECT_EQ(one[s].standard_error, four[s].standard_error) << one[s].word;
    EXPECT_LE(one[s].lower, one[s].upper) << one[s].word;
  }
  EXPECT_THAT(scores_of(rows, {.resamples = 1}).error().text(), HasSubstr("two the fewest"));
}

TEST(Scores, OfNumbers) {
  JudgedRows rows{.target = "y", .rows = 3, .weight_sum = 3};
  rows.y = {1, 2, 3};
  rows.prediction = {1, 2, 6};
  EXPECT_EQ(value_of(rows, "mse"), 3);
  EXPECT_EQ(value_of(rows, "largest_error"), 3);
  EXPECT_EQ(value_of(rows, "median_error"), 0);
  EXPECT_EQ(value_of(rows, "pinball_0.25"), 0.75);
  rows.y = {2, 2, 2};
  EXPECT_TRUE(std::isnan(value_of(rows, "r2")));
}

TEST(ScorePictures, ExistForEveryKindAndSayWhatTheyLack) {
  JudgedRows rows = two_classes();
  for (const std::string& kind : score_picture_kinds()) {
    const auto picture = score_picture(rows, kind);
    ASSERT_TRUE(picture) << kind;
    EXPECT_TRUE(plot::svg(*picture)) << kind;
  }
  EXPECT_THAT(*plot::svg(*score_picture(rows, "confusion")), HasSubstr(">yes</text>"));
  EXPECT_THAT(*plot::svg(*score_picture(rows, "roc")), HasSubstr("area 0.8889"));
  rows.probability.clear();
  EXPECT_THAT(score_picture(rows, "calibration").error().text(), HasSubstr("no probabilities"));
  rows.truth.assign(6, 1);
  EXPECT_THAT(score_picture(rows, "roc").error().text(), HasSubstr("all rows are of the class yes"));
  EXPECT_THAT(score_picture(JudgedRows{}, "roc").error().text(), HasSubstr("predicts numbers"));
}

} // namespace
} // namespace recta
