#include "summary/objective.hpp"

#include <gtest/gtest.h>

namespace recta {

TEST(ObjectiveText, SaysOnlyWhatWasMinimised) {
  EXPECT_EQ(objective_text({}), "F(w, b) = sum_i s_i (y_i - b - <w, x_i>)^2 / 2,  s_i = weight_i / sum of weights");
  EXPECT_EQ(objective_text({.intercept = false}),
            "F(w) = sum_i s_i (y_i - <w, x_i>)^2 / 2,  s_i = weight_i / sum of weights");
}

TEST(ObjectiveText, NamesOffsetAndPenalty) {
  EXPECT_EQ(objective_text({.offset = true, .penalty = Penalty::squares}),
            "F(w, b) = sum_i s_i (y_i - o_i - b - <w, x_i>)^2 / 2 + (lambda / 2) sum_j w_j^2,  "
            "s_i = weight_i / sum of weights,  o_i = offset_i");
}

TEST(ObjectiveText, PutsThePenaltyInTheUnitsItIsIn) {
  EXPECT_EQ(objective_text({.penalty = Penalty::squares, .standardise = true}),
            "F(w, b) = sum_i s_i (y_i - b - <w, x_i>)^2 / 2 + (lambda / 2) sum_j (sd_j w_j)^2,  "
            "s_i = weight_i / sum of weights");
  EXPECT_EQ(objective_text({.standardise = true}), objective_text({}));
}

TEST(ObjectiveText, SaysThatStandardisedFeaturesAreCentredWhereNoInterceptTakesItUp) {
  EXPECT_EQ(objective_text({.intercept = false, .standardise = true}),
            "F(w) = sum_i s_i (y_i - <w, x_i - mean>)^2 / 2,  s_i = weight_i / sum of weights");
}

} // namespace recta
