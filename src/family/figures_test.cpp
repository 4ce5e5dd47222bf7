#include "model/linear/body.hpp"

#include <recta/estimator.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Fitted {
  Dataset data = read("housing").value();
  Model model;
  explicit Fitted(const std::string& word, const FitOptions& options = {}) : model(fit(word, data, options).value()) {}
  std::string sentence() const { return verify(model, data).value().sentence(); }
};

TEST(Figures, ThatTheRowsGiveAreProvedAndOthersRefutedByName) {
  Fitted one("linear");
  EXPECT_THAT(one.sentence(), StartsWith("Proved"));
  own_linear(one.model).targets[0].r2 /= 2;
  EXPECT_THAT(one.sentence(), StartsWith("Refuted: the rows give other figures than the file: R^2 0.37"));
  EXPECT_THAT(one.sentence(), HasSubstr("in the file, 0.74"));
  EXPECT_EQ(verify(one.model, one.data)->verdict, Verdict::refuted);
}

TEST(Figures, ThatAreMoreThanAHandfulAreCounted) {
  Fitted one("linear");
  for (Coefficient& c : own_linear(one.model).targets[0].coefficients) c.standard_error *= 1.001;
  EXPECT_THAT(one.sentence(), HasSubstr("the standard error of crim "));
  EXPECT_THAT(one.sentence(), HasSubstr(", and 8 more"));
}

TEST(Figures, ThatAModelDoesNotHaveAreRefutedAndThoseItLeavesOutAreNot) {
  Fitted one("ridge", {.params = {{"lambda", 1.0}}});
  own_linear(one.model).targets[0].coefficients[0].p_value = 0.001;
  EXPECT_THAT(one.sentence(), HasSubstr("the p-value of crim 0.001 in the file, none by the rows"));
  Fitted other("linear");
  own_linear(other.model).targets[0].coefficients[0].p_value = std::nan("");
  EXPECT_THAT(other.sentence(), StartsWith("Proved"));
}

TEST(Figures, BesideAnOptimumThatIsRefutedStandBehindIt) {
  Fitted one("linear");
  own_linear(one.model).targets[0].coefficients[0].value += 1;
  EXPECT_THAT(one.sentence(), StartsWith("Refuted: the objective "));
  EXPECT_THAT(one.sentence(), HasSubstr("the rows give other figures than the file: "));
}

} // namespace
} // namespace recta
