#include "base/numbers.hpp"
#include "combine/code.hpp"
#include "combine/coupling.hpp"
#include "model/linear/body.hpp"

#include <recta/estimator.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::combine {
namespace {

using ::testing::HasSubstr;

// Four classes of twelve rows around the corners of a square, with a few that lie among others.
struct Corners {
  std::vector<double> x, y;
  Corners() {
    for (int i = 0; i < 48; ++i) {
      const int k = i % 4;
      x.push_back((k % 2) * 2.0 + 0.9 * std::sin(3.7 * i));
      x.push_back((k / 2) * 2.0 + 0.9 * std::cos(2.3 * i));
      y.push_back(k);
    }
  }
  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), 48, 2), .y = MatrixView::vector(y.data(), 48)};
  }
};

FitOptions options_for(const std::string& multiclass) {
  FitOptions options;
  options.multiclass = multiclass;
  options.params["lambda"] = 0.05;
  return options;
}

Model fitted_by(const std::string& multiclass, const Corners& rows) {
  auto model = fit("logistic", rows.arrays(), options_for(multiclass));
  EXPECT_TRUE(model) << model.error().text();
  return *std::move(model);
}

TEST(Multiclass, OneAgainstAllHasThePartsThatPositiveGives) {
  const Corners rows;
  const Model model = fitted_by("ova", rows);
  ASSERT_EQ(model.body->parts().size(), 4U);
  EXPECT_EQ(model.certificate.verdict, Verdict::proved);
  EXPECT_THAT(model.certificate.sentence(), HasSubstr("4 of 4 parts proved"));
  const auto decisions = model.predict(rows.arrays().dense, 1, Answer::decision);
  ASSERT_TRUE(decisions);
  for (int k = 0; k < 4; ++k) {
    FitOptions one = options_for("");
    one.positive = std::to_string(k);
    const auto alone = fit("logistic", rows.arrays(), one);
    ASSERT_TRUE(alone) << alone.error().text();
    const auto scores = alone->predict(rows.arrays().dense, 1, Answer::decision);
    ASSERT_TRUE(scores);
    for (std::size_t i = 0; i < 48; ++i) EXPECT_NEAR((*decisions)[4 * i + at(k)], (*scores)[i], 1e-12);
  }
}

TEST(Multiclass, AllAgainstAllVotesAsItsPairsDo) {
  const Corners rows;
  const Model model = fitted_by("ovo", rows);
  ASSERT_EQ(model.body->parts().size(), 6U);
  const auto said = model.predict(rows.arrays().dense);
  ASSERT_TRUE(said);
  std::vector<std::array<double, 4>> votes(48, {0, 0, 0, 0}), margins = votes;
  std::size_t part = 0;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t l = k + 1; l < 4; ++l, ++part) {
      Corners pair;
      pair.x.clear(), pair.y.clear();
      for (std::size_t i = 0; i < 48; ++i)
        if (rows.y[i] == static_cast<double>(k) || rows.y[i] == static_cast<double>(l)) {
          pair.x.insert(pair.x.end(), {rows.x[2 * i], rows.x[2 * i + 1]});
          pair.y.push_back(rows.y[i]);
        }
      FitOptions options = options_for("");
      options.positive = std::to_string(k);
      const auto alone =
          fit("logistic",
              Arrays{.dense = MatrixView::row_major(pair.x.data(), 24, 2), .y = MatrixView::vector(pair.y.data(), 24)},
              options);
      ASSERT_TRUE(alone) << alone.error().text();
      const auto z = alone->predict(rows.arrays().dense, 1, Answer::decision);
      for (std::size_t i = 0; i < 48; ++i) {
        ++votes[i][(*z)[i] >= 0 ? k : l];
        margins[i][k] += (*z)[i], margins[i][l] -= (*z)[i];
      }
    }
  for (std::size_t i = 0; i < 48; ++i) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < 4; ++k)
      if (std::pair(votes[i][k], margins[i][k]) > std::pair(votes[i][best], margins[i][best])) best = k;
    EXPECT_EQ((*said)[i], static_cast<double>(best)) << i;
  }
}

TEST(Multiclass, PartsMayHaveAScoreForEachOfTheirTwoClasses) {
  const Corners rows;
  for (const char* multiclass : {"ova", "ovo", "ecoc"}) {
    FitOptions options;
    options.multiclass = multiclass;
    const auto model = fit("naive-bayes", rows.arrays(), options);
    ASSERT_TRUE(model) << model.error().text();
    const auto again = Model::from_bytes(model->to_bytes(), "bytes");
    ASSERT_TRUE(again) << again.error().text();
    const auto said = model->predict(rows.arrays().dense);
    ASSERT_TRUE(said);
    EXPECT_EQ(*again->predict(rows.arrays().dense), *said);
    double right = 0;
    for (std::size_t i = 0; i < 48; ++i) right += (*said)[i] == rows.y[i] ? 1 : 0;
    EXPECT_GT(right, 36);
    EXPECT_EQ(verify(*again, rows.arrays())->verdict, model->certificate.verdict);
  }
}

TEST(Multiclass, ProbabilitiesAddUpToOneAndAgreeWithTheDecision) {
  const Corners rows;
  for (const char* multiclass : {"ova", "ovo", "ecoc"}) {
    const Model model = fitted_by(multiclass, rows);
    const auto said = model.predict(rows.arrays().dense);
    const auto shares = model.predict(rows.arrays().dense, 1, Answer::probability);
    ASSERT_TRUE(said && shares);
    for (std::size_t i = 0; i < 48; ++i) {
      const auto* p = shares->data() + 4 * i;
      EXPECT_NEAR(p[0] + p[1] + p[2] + p[3], 1, 1e-14);
      EXPECT_EQ(std::max_element(p, p + 4) - p, static_cast<std::ptrdiff_t>((*said)[i])) << multiclass << i;
    }
  }
}

TEST(Multiclass, ComesBackFromItsFileAndIsVerified) {
  const Corners rows;
  for (const char* multiclass : {"ova", "ovo", "ecoc"}) {
    const Model model = fitted_by(multiclass, rows);
    const auto again = Model::from_bytes(model.to_bytes(), "bytes");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->to_bytes(), model.to_bytes());
    const auto before = model.predict(rows.arrays().dense, 1, Answer::probability);
    const auto after = again->predict(rows.arrays().dense, 2, Answer::probability);
    EXPECT_EQ(*before, *after);
    const auto certificate = verify(*again, rows.arrays());
    ASSERT_TRUE(certificate) << certificate.error().text();
    EXPECT_EQ(certificate->verdict, Verdict::proved) << certificate->sentence();
  }
}

TEST(Multiclass, APartThatWasChangedIsRefuted) {
  const Corners rows;
  const Model model = fitted_by("ova", rows);
  Model part = model.body->parts()[2];
  std::string bytes = model.to_bytes();
  const double kept = part.linear()->targets[0].coefficients[0].value, changed = kept * 1.01;
  const auto at = bytes.find(std::string(reinterpret_cast<const char*>(&kept), sizeof kept));
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at, sizeof changed, reinterpret_cast<const char*>(&changed), sizeof changed);
  EXPECT_FALSE(Model::from_bytes(bytes, "bytes")); // the checksum sees it
  for (Model& each : std::span(const_cast<Model*>(model.body->parts().data()), 4))
    own_linear(each).targets[0].coefficients[0].value *= 1.01;
  const auto certificate = verify(model, rows.arrays());
  ASSERT_TRUE(certificate) << certificate.error().text();
  EXPECT_EQ(certificate->verdict, Verdict::refuted) << certificate->sentence();
}

TEST(Multiclass, TwoClassesAreFittedAsTheyAre) {
  Corners rows;
  for (double& label : rows.y) label = label > 1 ? 1 : 0;
  EXPECT_TRUE(fitted_by("ovo", rows).is_linear());
}

TEST(Multiclass, IsRefusedForNumbersAndForWordsNobodyKnows) {
  const Corners rows;
  FitOptions options;
  options.multiclass = "ova";
  const auto numbers = fit("linear", rows.arrays(), options);
  ASSERT_FALSE(numbers);
  EXPECT_THAT(numbers.error().text(), HasSubstr("predicts numbers"));
  options.multiclass = "best";
  const auto unknown = fit("logistic", rows.arrays(), options);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().text(), HasSubstr("ova, ovo, ecoc and native"));
}

TEST(Code, VotesAreTiedByMarginsAndThenByOrder) {
  const Code code = code_of(Scheme::ovo, 3, 0);
  double scores[3];
  const double circle[] = {2, -1, 1.5}; // 0 beats 1, 2 beats 0, 1 beats 2: margins 1, -0.5, -0.5
  combine_scores(code, false, circle, 1, scores);
  EXPECT_EQ(std::max_element(scores, scores + 3) - scores, 0);
  EXPECT_EQ(std::floor(scores[0] + 0.5), 1);
  EXPECT_EQ(scores[1], scores[2]);
  const double even[] = {1, -1, 1}; // margins all 0
  combine_scores(code, false, even, 1, scores);
  EXPECT_EQ(scores[0], scores[1]);
  EXPECT_EQ(scores[1], scores[2]);
}

TEST(Code, AllDivisionsOfFourClassesDifferInFourPlaces) {
  const Code code = code_of(Scheme::ecoc, 4, 0);
  EXPECT_EQ(code.parts, 7);
  EXPECT_TRUE(is_whole(code));
  for (Index k = 0; k < 4; ++k)
    for (Index l = 0; l < k; ++l) {
      Index differ = 0;
      for (Index j = 0; j < 7; ++j) differ += code.at(k, j) != code.at(l, j) ? 1 : 0;
      EXPECT_EQ(differ, 4);
    }
}

TEST(Code, RandomDivisionsOfManyClassesAreWholeAndSeeded) {
  const Code code = code_of(Scheme::ecoc, 20, 7);
  EXPECT_EQ(code.parts, 44);
  EXPECT_TRUE(is_whole(code));
  EXPECT_EQ(code.side, code_of(Scheme::ecoc, 20, 7).side);
  EXPECT_NE(code.side, code_of(Scheme::ecoc, 20, 8).side);
}

// If p_k / (p_k + p_l) are the pairs' probabilities, p makes the sum zero, so it is the answer.
TEST(Coupling, FindsTheProbabilitiesThatPairsWereMadeOf) {
  const std::vector<double> p = {0.1, 0.25, 0.05, 0.6};
  std::vector<double> first;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t l = k + 1; l < 4; ++l) first.push_back(p[k] / (p[k] + p[l]));
  std::vector<double> found(4);
  couple(4, first.data(), found.data());
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found[k], p[k], 1e-15);
}

} // namespace
} // namespace recta::combine
