// Models of label sets against the same fits made one by one.
#include "base/numbers.hpp"
#include "combine/label_body.hpp"

#include <recta/estimator.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta::combine {
namespace {

using ::testing::HasSubstr;

constexpr Index kRows = 60;

// Sixty rows of two numbers and three labels; the third follows from the first two.
struct Tagged {
  std::vector<double> x{}, y{};
  Tagged() {
    for (int i = 0; i < kRows; ++i) {
      const double a = std::sin(1.7 * i), b = std::cos(2.9 * i), noise = 0.6 * std::sin(5.1 * i);
      const bool first = a + noise > 0.1, second = b - noise > -0.2;
      x.insert(x.end(), {a, b});
      y.insert(y.end(), {first ? 1.0 : 0.0, second ? 1.0 : 0.0, first != second ? 1.0 : 0.0});
    }
  }
  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), kRows, 2), .y = MatrixView::row_major(y.data(), kRows, 3)};
  }
  // The first two features and these labels beside them, with one label as the target.
  Result<Model> alone(const std::string& word, const FitOptions& options, std::vector<Index> read, Index label) const {
    std::vector<double> wide, target;
    for (Index i = 0; i < kRows; ++i) {
      wide.insert(wide.end(), {x[at(2 * i)], x[at(2 * i + 1)]});
      for (const Index k : read) wide.push_back(y[at(3 * i + k)]);
      target.push_back(y[at(3 * i + label)]);
    }
    FitOptions one = options;
    one.label_columns.clear(), one.chain.clear();
    one.chains = 0;
    return fit(word,
               Arrays{.dense = MatrixView::row_major(wide.data(), kRows, 2 + std::ssize(read)),
                      .y = MatrixView::vector(target.data(), kRows)},
               one);
  }
};

FitOptions label_options() {
  FitOptions options;
  options.label_columns = {"a", "b", "c"};
  options.params["lambda"] = 0.05;
  return options;
}

TEST(LabelSet, EveryLabelHasTheModelItWouldHaveAlone) {
  const Tagged rows;
  const auto model = fit("logistic", rows.arrays(), label_options());
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_THAT(model->certificate.sentence(), HasSubstr("3 of 3 parts proved, by one model a label"));
  const MatrixView x = rows.arrays().dense;
  const auto said = model->predict(x), z = model->predict(x, 1, Answer::decision),
             p = model->predict(x, 2, Answer::probability);
  ASSERT_TRUE(said && z && p);
  for (Index k = 0; k < 3; ++k) {
    const auto alone = rows.alone("logistic", label_options(), {}, k);
    ASSERT_TRUE(alone) << alone.error().text();
    const auto own = alone->predict(x), score = alone->predict(x, 1, Answer::decision),
               share = alone->predict(x, 1, Answer::probability);
    for (Index i = 0; i < kRows; ++i) {
      EXPECT_EQ((*said)[at(3 * i + k)], (*own)[at(i)]);
      EXPECT_EQ((*z)[at(3 * i + k)], (*score)[at(i)]);
      EXPECT_NEAR((*p)[at(3 * i + k)], (*share)[at(2 * i + 1)], 1e-15);
    }
  }
}

TEST(LabelSet, AChainReadsTrueLabelsInTrainingAndItsOwnAtPrediction) {
  const Tagged rows;
  FitOptions options = label_options();
  options.chain = {"b", "c", "a"};
  const auto model = fit("logistic", rows.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  const auto said = model->predict(rows.arrays().dense);
  ASSERT_TRUE(said);
  std::vector<Index> read;
  std::vector<std::vector<double>> decided;
  for (const Index k : {1, 2, 0}) {
    const auto alone = rows.alone("logistic", options, read, k);
    ASSERT_TRUE(alone) << alone.error().text();
    std::vector<double> wide;
    for (Index i = 0; i < kRows; ++i) {
      wide.insert(wide.end(), {rows.x[at(2 * i)], rows.x[at(2 * i + 1)]});
      for (const auto& label : decided) wide.push_back(label[at(i)]);
    }
    const auto own = alone->predict(MatrixView::row_major(wide.data(), kRows, 2 + std::ssize(read)));
    ASSERT_TRUE(own);
    decided.emplace_back(own->begin(), own->end());
    read.push_back(k);
    for (Index i = 0; i < kRows; ++i) EXPECT_EQ((*said)[at(3 * i + k)], (*own)[at(i)]) << i << " " << k;
  }
}

TEST(LabelSet, AChainOfSparseRowsIsThatOfDenseOnes) {
  const Tagged rows;
  FitOptions options = label_options();
  options.chain = {"c", "a", "b"};
  std::vector<std::int64_t> start = {0}, index;
  std::vector<double> value;
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < 2; ++j) index.push_back(j), value.push_back(rows.x[at(2 * i + j)]);
    start.push_back(std::ssize(index));
  }
  const SparseView sparse{
      .rows = kRows, .cols = 2, .start = start.data(), .index = index.data(), .value = value.data()};
  const auto dense = fit("logistic", rows.arrays(), options);
  const auto model = fit("logistic", Arrays{.sparse = sparse, .y = rows.arrays().y}, options);
  ASSERT_TRUE(dense && model) << model.error().text();
  const auto p = dense->predict(rows.arrays().dense, 1, Answer::probability),
             q = model->predict(sparse, 1, Answer::probability);
  ASSERT_TRUE(p && q);
  for (std::size_t e = 0; e < p->size(); ++e) EXPECT_NEAR((*p)[e], (*q)[e], 1e-9);
  EXPECT_EQ(verify(*model, Arrays{.sparse = sparse, .y = rows.arrays().y})->verdict, Verdict::proved);
}

TEST(LabelSet, AChainStandsBesideCategoriesAndMaps) {
  std::string text = "u,v,kind,p,q\n";
  for (int i = 0; i < 60; ++i) {
    const double u = std::sin(1.7 * i), v = std::cos(2.9 * i);
    text += std::to_string(u) + "," + std::to_string(v) + "," +
            (i % 3 == 0   ? "x"
             : i % 3 == 1 ? "y"
                          : "z") +
            "," + (u * v + 0.2 * std::sin(7.0 * i) > 0 ? "1" : "0") + "," +
            (u + 0.3 * std::cos(5.0 * i) > 0 ? "1" : "0") + "\n";
  }
  const auto data = parse(text, "t.csv", {});
  ASSERT_TRUE(data) << data.error().text();
  FitOptions options;
  options.label_columns = {"p", "q"};
  options.chain = {"q", "p"};
  options.poly = 2;
  options.params["lambda"] = 0.1;
  const auto model = fit("logistic", *data, options);
  ASSERT_TRUE(model) << model.error().text();
  const Model& second = model->body->parts()[1];
  EXPECT_THAT(second.feature_names(),
              ::testing::ElementsAre("kind=x", "kind=y", "kind=z", "q", "u", "v", "u^2", "u*v", "v^2"));
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(verify(*again, *data)->verdict, Verdict::proved);
  EXPECT_EQ(*again->predict(*data), *model->predict(*data));
}

TEST(LabelSet, RandomChainsAreDrawnBySeedAndAverageTheirProbabilities) {
  const Tagged rows;
  FitOptions options = label_options();
  options.chains = 4;
  options.chain_seed = 11;
  const auto model = fit("logistic", rows.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_THAT(model->certificate.sentence(), HasSubstr("12 of 12 parts proved, by 4 chains of labels"));
  EXPECT_EQ(fit("logistic", rows.arrays(), options)->to_bytes(), model->to_bytes());
  const auto& plan = dynamic_cast<const LabelBody&>(*model->body).plan();
  const MatrixView x = rows.arrays().dense;
  std::vector<double> mean(at(3 * kRows));
  for (const auto& order : plan.orders) {
    FitOptions one = label_options();
    for (const Index k : order) one.chain.push_back(one.label_columns[at(k)]);
    const auto chain = fit("logistic", rows.arrays(), one);
    ASSERT_TRUE(chain);
    const auto p = chain->predict(x, 1, Answer::probability);
    for (std::size_t e = 0; e < mean.size(); ++e) mean[e] += (*p)[e] / 4;
  }
  const auto p = model->predict(x, 1, Answer::probability), z = model->predict(x, 1, Answer::decision),
             said = model->predict(x);
  for (std::size_t e = 0; e < mean.size(); ++e) {
    EXPECT_NEAR((*p)[e], mean[e], 1e-14);
    EXPECT_NEAR((*z)[e], std::log(mean[e] / (1 - mean[e])), 1e-9);
    EXPECT_EQ((*said)[e], (*p)[e] >= 0.5 ? 1 : 0);
  }
}

TEST(LabelSet, IsReadBackFromItsFileAndVerified) {
  const Tagged rows;
  for (const Index chains : {0, 2}) {
    for (const char* word : {"logistic", "perceptron"}) {
      FitOptions options = label_options();
      options.chains = chains;
      if (std::string(word) == "perceptron") options.params.clear();
      const auto model = fit(word, rows.arrays(), options);
      ASSERT_TRUE(model) << model.error().text();
      const auto again = Model::from_bytes(model->to_bytes(), "bytes");
      ASSERT_TRUE(again) << again.error().text();
      EXPECT_EQ(again->to_bytes(), model->to_bytes());
      const auto verified = verify(*again, rows.arrays());
      ASSERT_TRUE(verified) << verified.error().text();
      EXPECT_EQ(verified->verdict, model->certificate.verdict) << verified->sentence();
      EXPECT_EQ(*model->predict(rows.arrays().dense), *again->predict(rows.arrays().dense));
    }
  }
}

TEST(LabelSet, VerifyRefutesAnotherThresholdsFigures) {
  const Tagged rows;
  const auto model = fit("logistic", rows.arrays(), label_options());
  ASSERT_TRUE(model);
  const auto& body = dynamic_cast<const LabelBody&>(*model->body);
  LabelPlan plan = body.plan();
  plan.threshold = {0.99, 0.99, 0.99};
  Model changed = *model;
  changed.body = std::make_shared<LabelBody>(body.summary(), body.features(), plan,
                                             std::vector<Model>(body.parts().begin(), body.parts().end()), body.fit());
  const auto verified = verify(changed, rows.arrays());
  ASSERT_TRUE(verified);
  EXPECT_EQ(verified->verdict, Verdict::refuted);
}

TEST(LabelSet, AConstantLabelIsSaidAndHasNoModel) {
  Tagged rows;
  for (Index i = 0; i < kRows; ++i) rows.y[at(3 * i)] = 1, rows.y[at(3 * i + 1)] = 0;
  const auto model = fit("logistic", rows.arrays(), label_options());
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->body->parts().size(), 1U);
  EXPECT_THAT(model->certificate.conditions, ::testing::Contains(HasSubstr("2 labels are constant")));
  const auto said = model->predict(rows.arrays().dense);
  const auto p = model->predict(rows.arrays().dense, 1, Answer::probability);
  for (Index i = 0; i < kRows; ++i) {
    EXPECT_EQ((*said)[at(3 * i)], 1);
    EXPECT_EQ((*p)[at(3 * i)], 1);
    EXPECT_EQ((*said)[at(3 * i + 1)], 0);
    EXPECT_EQ((*p)[at(3 * i + 1)], 0);
  }
  for (Index i = 0; i < kRows; ++i) rows.y[at(3 * i + 2)] = 1;
  EXPECT_THAT(fit("logistic", rows.arrays(), label_options()).error().text(),
              HasSubstr("all rows have the same labels"));
}

TEST(LabelSet, ThresholdsAreGivenOrChosenOnRowsHeldOut) {
  const Tagged rows;
  FitOptions options = label_options();
  options.label_thresholds = {{"b", 0.9}};
  const MatrixView x = rows.arrays().dense;
  const auto model = fit("logistic", rows.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  const auto said = model->predict(x), p = model->predict(x, 1, Answer::probability);
  for (Index i = 0; i < kRows; ++i) {
    EXPECT_EQ((*said)[at(3 * i + 1)], (*p)[at(3 * i + 1)] >= 0.9 ? 1 : 0);
    EXPECT_EQ((*said)[at(3 * i)], (*p)[at(3 * i)] >= 0.5 ? 1 : 0);
  }
  options.label_thresholds.clear();
  options.threshold_share = 0.3;
  const auto chosen = fit("logistic", rows.arrays(), options);
  ASSERT_TRUE(chosen) << chosen.error().text();
  for (const double threshold : dynamic_cast<const LabelBody&>(*chosen->body).plan().threshold) {
    EXPECT_GT(threshold, 0);
    EXPECT_LT(threshold, 1);
  }
  options.label_thresholds = {{"z", 0.5}};
  options.threshold_share = 0;
  EXPECT_THAT(fit("logistic", rows.arrays(), options).error().text(), HasSubstr("there is no label \"z\""));
}

TEST(LabelSet, RefusesWhatIsNoSetOfLabels) {
  Tagged rows;
  EXPECT_THAT(fit("linear", rows.arrays(), {.label_columns = {"a", "b", "c"}}).error().text(),
              HasSubstr("it predicts numbers, and has no labels"));
  FitOptions options = label_options();
  options.chain = {"a", "b"};
  EXPECT_THAT(fit("logistic", rows.arrays(), options).error().text(), HasSubstr("\"c\" is not named"));
  options.chain = {"a", "b", "b"};
  EXPECT_THAT(fit("logistic", rows.arrays(), options).error().text(), HasSubstr("\"b\" is named twice"));
  options = label_options();
  options.label_columns = {"a", "b"};
  EXPECT_THAT(fit("logistic", rows.arrays(), options).error().text(), HasSubstr("y has 3 columns, and 2 labels"));
  rows.y[4] = 0.5;
  EXPECT_THAT(fit("logistic", rows.arrays(), label_options()).error().text(), HasSubstr("row 2, label 2: y is 0.5"));
  FitOptions alone;
  alone.chains = 3;
  EXPECT_THAT(fit("logistic", rows.arrays(), alone).error().text(),
              HasSubstr("applies only to rows with several labels"));
}

} // namespace
} // namespace recta::combine
