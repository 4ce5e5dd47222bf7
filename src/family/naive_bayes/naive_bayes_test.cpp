// Naive Bayes: exact answers on paper, what is refused, files, and what is said.
#include <recta/explain.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::HasSubstr;
using S = std::string;

struct Words { // spec W5: Chinese, Beijing, Shanghai, Macao, Tokyo, Japan
  std::vector<double> x{2, 1, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1};
  std::vector<double> y{0, 0, 0, 1};
  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), 4, 6), .y = MatrixView::vector(y.data(), 4)};
  }
};
const std::vector<double> kDocument{3, 0, 0, 0, 1, 1};

FitOptions with(Params params) {
  FitOptions options;
  options.params = std::move(params);
  return options;
}

Model fitted(const Arrays& arrays, const FitOptions& options) {
  auto model = fit("naive-bayes", arrays, options);
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

std::vector<double> answer(const Model& model, const std::vector<double>& row, Answer what) {
  const auto found = model.predict(MatrixView::row_major(row.data(), 1, std::ssize(row)), 1, what);
  EXPECT_TRUE(found) << found.error().text();
  return {found->begin(), found->end()};
}

TEST(NaiveBayes, OfDocumentsAboutChinaHasThePosteriorOfTheBook) {
  const Words words;
  const Model model = fitted(words.arrays(), with({{"likelihood", S("multinomial")}}));
  EXPECT_TRUE(std::holds_alternative<Counted>(model.certificate.claim));
  const auto joint = answer(model, kDocument, Answer::decision);
  EXPECT_NEAR(std::exp(joint[0]), 81.0 / 268912, 1e-12 * 81 / 268912);
  EXPECT_NEAR(std::exp(joint[1]), 8.0 / 59049, 1e-12 * 8 / 59049);
  EXPECT_NEAR(answer(model, kDocument, Answer::probability)[0], 4782969.0 / 6934265, 1e-14);
}

TEST(NaiveBayes, WithoutSmoothingGivesNothingToWordsThatAClassLacks) {
  const Words words;
  const Model model = fitted(words.arrays(), with({{"likelihood", S("multinomial")}, {"alpha", S("0")}}));
  const auto joint = answer(model, kDocument, Answer::decision);
  EXPECT_EQ(joint[0], -std::numeric_limits<double>::infinity());
  EXPECT_NEAR(std::exp(joint[1]), 1.0 / 972, 1e-15);
  EXPECT_EQ(answer(model, kDocument, Answer::probability), (std::vector{0.0, 1.0}));
  // No class has both words: what is left is the prior.
  EXPECT_NEAR(answer(model, {0, 1, 0, 0, 1, 0}, Answer::probability)[0], 0.75, 1e-15);
}

TEST(NaiveBayes, BernoulliAndCategoricalFollowLaplacesRule) {
  const Words words;
  const Model bits = fitted(words.arrays(), with({{"likelihood", S("bernoulli")}}));
  // c: Chinese 4/5, each city 2/5, Tokyo and Japan 1/5; j: 2/3, 1/3, 2/3. The document has Chinese, Tokyo and Japan.
  EXPECT_NEAR(answer(bits, kDocument, Answer::decision)[0], std::log(0.75 * 0.8 * 0.6 * 0.6 * 0.6 * 0.2 * 0.2), 1e-13);
  EXPECT_NEAR(answer(bits, kDocument, Answer::decision)[1], std::log(0.25 * 64 / 729), 1e-13);
  const Model codes = fitted(words.arrays(), with({{"likelihood", S("categorical:3/2/2/2/2/2")}}));
  EXPECT_FALSE(fit("naive-bayes", words.arrays(), with({{"likelihood", S("categorical:3/x")}})));
  EXPECT_NEAR(answer(codes, {2, 0, 0, 0, 0, 0}, Answer::decision)[0],
              std::log(0.75 * (3.0 / 6) * 0.6 * 0.6 * 0.6 * 0.8 * 0.8), 1e-13);
}

// Columns of all kinds, codes beside each other and apart: rows that are scored together have the bits of each alone.
TEST(NaiveBayes, ScoresOfARowDoNotDependOnTheRowsAroundIt) {
  constexpr Index kRows = 101, kCols = 7;
  for (const int classes : {2, 3, 5}) {
    std::vector<double> x, y;
    for (Index i = 0; i < kRows; ++i) {
      const int k = static_cast<int>(i % classes);
      for (const double value :
           {std::sin(1.7 * static_cast<double>(i)) + k, static_cast<double>(i * 7 % 4), static_cast<double>(i * i % 3),
            static_cast<double>(i % 2), 0.5 * k + std::cos(3.1 * i), static_cast<double>(i * 5 % 6),
            static_cast<double>(2 + 3 * (i % 3))})
        x.push_back(value);
      y.push_back(k);
    }
    for (const std::size_t i : {4U, 41U, 99U}) x[i * kCols] = std::nan(""); // in whole groups of rows and in the rest
    FitOptions options = with({{"likelihood", S("gaussian/categorical:4/categorical:3/bernoulli/gaussian/categorical:6/"
                                                "categorical")}});
    options.missing = Missing::skip;
    const Arrays arrays{.dense = MatrixView::row_major(x.data(), kRows, kCols),
                        .y = MatrixView::vector(y.data(), kRows)};
    const Model model = fitted(arrays, options);
    const auto all = model.predict(arrays.dense, 1, Answer::decision);
    ASSERT_TRUE(all) << all.error().text();
    std::vector<double> columns(x.size()); // the same by column
    for (Index i = 0; i < kRows; ++i)
      for (Index j = 0; j < kCols; ++j)
        columns[static_cast<std::size_t>(j * kRows + i)] = x[static_cast<std::size_t>(i * kCols + j)];
    const auto turned = model.predict(MatrixView::col_major(columns.data(), kRows, kCols), 1, Answer::decision);
    ASSERT_TRUE(turned) << turned.error().text();
    std::vector<double> alone;
    for (Index i = 0; i < kRows; ++i) {
      const std::vector<double> row(x.begin() + i * kCols, x.begin() + (i + 1) * kCols);
      const auto one = answer(model, row, Answer::decision);
      alone.insert(alone.end(), one.begin(), one.end());
    }
    EXPECT_EQ(std::vector<double>(all->begin(), all->end()), alone);
    EXPECT_EQ(std::vector<double>(turned->begin(), turned->end()), alone);
  }
}

TEST(NaiveBayes, TakesPriorsThatAreGiven) {
  const Words words;
  const Model given = fitted(words.arrays(), with({{"likelihood", S("multinomial")}, {"priors", S("0=0.2,1=0.8")}}));
  const Model equal = fitted(words.arrays(), with({{"likelihood", S("multinomial")}, {"priors", S("uniform")}}));
  const double c = 81.0 / 268912 / 0.75, j = 8.0 / 59049 / 0.25;
  EXPECT_NEAR(answer(given, kDocument, Answer::probability)[0], 0.2 * c / (0.2 * c + 0.8 * j), 1e-14);
  EXPECT_NEAR(answer(equal, kDocument, Answer::probability)[0], c / (c + j), 1e-14);
}

TEST(NaiveBayes, ComplementWeighsWhatOtherClassesHave) {
  const Words words;
  const Model model = fitted(words.arrays(), with({{"likelihood", S("complement")}}));
  // The complement of c is j: (2, 1, 1, 1, 2, 2) / 9; that of j is c: (6, 2, 2, 2, 1, 1) / 14.
  const auto scores = answer(model, kDocument, Answer::decision);
  EXPECT_NEAR(scores[0], -5 * std::log(2.0 / 9), 1e-13);
  EXPECT_NEAR(scores[1], -3 * std::log(6.0 / 14) - 2 * std::log(1.0 / 14), 1e-13);
}

struct Numbers {
  std::vector<double> x{1, 2, 3, 5, 7, 9}, y{0, 0, 0, 1, 1, 1};
  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), 6, 1), .y = MatrixView::vector(y.data(), 6)};
  }
};

TEST(NaiveBayes, GaussianHasTheDensityOfEachClass) {
  const Numbers numbers;
  const Model model = fitted(numbers.arrays(), with({{"smoothing", 0.0}}));
  EXPECT_TRUE(std::holds_alternative<KktResidual>(model.certificate.claim));
  const auto density = [](double x, double mean, double variance) {
    return std::log(0.5) - 0.5 * std::log(2 * M_PI * variance) - (x - mean) * (x - mean) / (2 * variance);
  };
  const auto joint = answer(model, {4}, Answer::decision);
  EXPECT_NEAR(joint[0], density(4, 2, 2.0 / 3), 1e-14);
  EXPECT_NEAR(joint[1], density(4, 7, 8.0 / 3), 1e-14);
}

TEST(NaiveBayes, SkipsTheFactorOfAMissingValue) {
  Numbers numbers;
  numbers.x[1] = std::nan("");
  auto refused = fit("naive-bayes", numbers.arrays(), {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("row 2, column x1: the value is missing"));
  FitOptions options;
  options.missing = Missing::skip;
  const Model model = fitted(numbers.arrays(), options);
  const auto nothing = answer(model, {std::nan("")}, Answer::probability);
  EXPECT_EQ(nothing, (std::vector{0.5, 0.5}));
  EXPECT_EQ(verify(model, numbers.arrays())->verdict, Verdict::proved);
  EXPECT_FALSE(fit("logistic", numbers.arrays(), options));
}

TEST(NaiveBayes, OfAConstantColumnInOneClassSaysSoOrRefuses) {
  Numbers numbers;
  numbers.x = {1, 1, 1, 5, 7, 9};
  const Model model = fitted(numbers.arrays(), {});
  const Report report = model.body->report(model.schema);
  EXPECT_THAT(report::to_text(report.remarks.at(0)), HasSubstr("x1 is constant in class 0"));
  const auto refused = fit("naive-bayes", numbers.arrays(), with({{"smoothing", 0.0}}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("constant in class 0"));
}

TEST(NaiveBayes, IsTheSameFromItsFile) {
  const Words words;
  for (const char* kind :
       {"multinomial", "bernoulli", "gaussian", "complement", "categorical", "x1=gaussian,bernoulli"}) {
    const Model model = fitted(words.arrays(), with({{"likelihood", S(kind)}}));
    const auto again = Model::from_bytes(model.to_bytes(), "memory");
    ASSERT_TRUE(again) << kind << ": " << again.error().text();
    EXPECT_EQ(again->to_bytes(), model.to_bytes());
    EXPECT_EQ(answer(*again, {1, 0, 0, 0, 1, 1}, Answer::decision),
              answer(model, {1, 0, 0, 0, 1, 1}, Answer::decision));
    EXPECT_EQ(verify(*again, words.arrays())->verdict, Verdict::proved);
  }
}

TEST(NaiveBayes, CountsItsParametersBesideThoseOfTheJoint) {
  const Words words;
  const Model model = fitted(words.arrays(), with({{"likelihood", S("categorical:3/2/2/2/2/2")}}));
  const Report report = model.body->report(model.schema);
  EXPECT_EQ(report.figures.at(0).value, 1 + 2 * (2 + 5));
  EXPECT_EQ(report.figures.at(1).value, 2 * 3 * 32 - 1);
}

TEST(NaiveBayes, WeightsAreRepetitions) {
  Numbers numbers;
  const std::vector<double> weights{1, 2, 1, 0, 3, 1};
  Arrays weighted = numbers.arrays();
  weighted.weights = weights.data();
  const Model model = fitted(weighted, {});
  const std::vector<double> x{1, 2, 2, 3, 7, 7, 7, 9}, y{0, 0, 0, 0, 1, 1, 1, 1};
  const Model repeated =
      fitted({.dense = MatrixView::row_major(x.data(), 8, 1), .y = MatrixView::vector(y.data(), 8)}, {});
  for (Index k = 0; k < 2; ++k)
    EXPECT_NEAR(answer(model, {4}, Answer::decision)[k], answer(repeated, {4}, Answer::decision)[k], 1e-12);
}

TEST(NaiveBayes, RefusesWhatItCannotCount) {
  Words words;
  const auto why = [&](Params params) {
    const auto model = fit("naive-bayes", words.arrays(), with(std::move(params)));
    return model ? S("fitted") : model.error().text();
  };
  EXPECT_THAT(why({{"priors", S("0.3/0.3")}}), HasSubstr("add up to 0.6"));
  EXPECT_THAT(why({{"likelihood", S("gausian")}}), HasSubstr("\"gausian\" is not known"));
  EXPECT_THAT(why({{"likelihood", S("x9=gaussian")}}), HasSubstr("no column \"x9\""));
  EXPECT_THAT(why({{"likelihood", S("complement,x1=gaussian")}}), HasSubstr("all columns together"));
  EXPECT_THAT(why({{"alpha", S("-1")}}), HasSubstr("not a number from zero up"));
  words.x[7] = -1;
  EXPECT_THAT(why({{"likelihood", S("multinomial")}}), HasSubstr("row 2, column x2: -1 is below zero"));
}

TEST(NaiveBayes, OfAValueThatIsNoLevelRefusesOrSkips) {
  const Words words;
  FitOptions options = with({{"likelihood", S("categorical:3/2/2/2/2/2")}});
  const Model strict = fitted(words.arrays(), options);
  const std::vector<double> row{7, 0, 0, 0, 0, 0};
  const auto refused = strict.predict(MatrixView::row_major(row.data(), 1, 6), 1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("row 1, column x1: the category 7 was not seen"));
  options.unseen = Unseen::zeros;
  const Model lenient = fitted(words.arrays(), options);
  EXPECT_NEAR(answer(lenient, row, Answer::decision)[0], std::log(0.75 * 0.6 * 0.6 * 0.6 * 0.8 * 0.8), 1e-13);
}

TEST(NaiveBayes, OfCountsOrBitsIsTheLinearModelThatItConvertsTo) {
  const Words words;
  std::vector<double> bits = words.x;
  for (double& x : bits) x = x > 0 ? 1 : 0;
  for (const S kind : {"multinomial", "bernoulli", "complement"}) {
    const Arrays rows{.dense = MatrixView::row_major(bits.data(), 4, 6), .y = MatrixView::vector(words.y.data(), 4)};
    const Model model = fitted(rows, with({{"likelihood", kind}}));
    const auto linear = as_linear(model);
    ASSERT_TRUE(linear) << linear.error().text();
    ASSERT_TRUE(linear->is_linear());
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<double> row(bits.begin() + static_cast<Index>(6 * i),
                                    bits.begin() + static_cast<Index>(6 * i + 6));
      const auto joint = answer(model, row, Answer::decision);
      EXPECT_NEAR(answer(*linear, row, Answer::decision)[0], joint[1] - joint[0], 1e-13);
      EXPECT_EQ(answer(*linear, row, Answer::prediction), answer(model, row, Answer::prediction));
      EXPECT_NEAR(answer(*linear, row, Answer::probability)[1], answer(model, row, Answer::probability)[1], 1e-13);
    }
  }
}

TEST(NaiveBayes, GaussianOrWithoutSmoothingIsNotConverted) {
  const Words words;
  const auto refusal = [&](Params params) {
    const auto linear = as_linear(fitted(words.arrays(), with(std::move(params))));
    return linear ? S("converted") : linear.error().text();
  };
  EXPECT_THAT(refusal({{"likelihood", S("multinomial")}, {"alpha", S("0")}}), HasSubstr("alpha above 0"));
  const std::vector<double> x{0, 1, 4, 6}, y{0, 0, 1, 1};
  const Arrays rows{.dense = MatrixView::row_major(x.data(), 4, 1), .y = MatrixView::vector(y.data(), 4)};
  const auto linear = as_linear(fitted(rows, with({{"likelihood", S("gaussian")}})));
  ASSERT_FALSE(linear);
  EXPECT_THAT(linear.error().text(), HasSubstr("column x1 is gaussian"));
}

TEST(NaiveBayes, ExplainsARowByLogOddsThatAddUp) {
  const Words words;
  const Model model = fitted(words.arrays(), with({{"likelihood", S("multinomial")}}));
  const auto report = explain(model, {.dense = MatrixView::row_major(kDocument.data(), 1, 6)}, 0);
  ASSERT_TRUE(report) << report.error().text();
  const auto& rows = report->tables.at(0).rows;
  ASSERT_EQ(rows.size(), 5u); // prior, three words, sum
  EXPECT_EQ(std::get<S>(rows[0][0]), "(prior)");
  EXPECT_NEAR(std::get<double>(rows[0][2]), std::log(1.0 / 3), 1e-14);
  EXPECT_EQ(std::get<S>(rows[1][0]), "x1"); // three times (2/9) / (3/7), the largest
  EXPECT_NEAR(std::get<double>(rows[1][2]), 3 * std::log(14.0 / 27), 1e-14);
  EXPECT_EQ(std::get<S>(rows[2][0]), "x5"); // (2/9) / (1/14), as x6
  EXPECT_NEAR(std::get<double>(rows[3][2]), std::log(28.0 / 9), 1e-14);
  EXPECT_NEAR(std::get<double>(rows[4][2]), std::log(8.0 / 59049 / (81.0 / 268912)), 1e-12);
}

} // namespace
} // namespace recta
