// Perceptrons, the delta rule and separability through the public calls.
#include "model/linear/body.hpp"

#include <recta/curve.hpp>
#include <recta/separability.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

const std::vector<double> kX{1, 2, 3, 4}, kY{0, 0, 1, 1};

Arrays four() {
  Arrays arrays;
  arrays.dense = MatrixView::row_major(kX.data(), 4, 1);
  arrays.y = MatrixView::vector(kY.data(), 4);
  return arrays;
}

// Spec W9.
TEST(ThresholdUnits, APerceptronIsFittedSavedAndVerified) {
  const FitOptions options{.params = {{"order", std::string("cyclic")}}};
  const auto model = fit("perceptron", four(), options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->linear()->targets[0].intercept.value, -7);
  EXPECT_EQ(model->linear()->targets[0].coefficients[0].value, 3);
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_EQ(model->linear()->classes.accuracy, 1);
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->certificate.conditions, model->certificate.conditions);
  EXPECT_EQ(again->linear()->classes.mistakes, 25);
  EXPECT_EQ(again->linear()->classes.presented, 44);
  EXPECT_NEAR(again->linear()->classes.radius, std::sqrt(17.0), 1e-9);
  EXPECT_NEAR(again->linear()->classes.norm, std::sqrt(29.0), 1e-9);
  EXPECT_EQ(again->linear()->classes.mistake_bound, 493);
  EXPECT_EQ(verify(*again, four())->verdict, Verdict::proved);
  Model moved = *again;
  own_linear(moved).targets[0].intercept.value = -12;
  EXPECT_NE(verify(moved, four())->verdict, Verdict::proved);
}

// On either side of 2 by a unit of the last place: prediction takes that score for zero, and so for the other class.
TEST(ThresholdUnits, AHyperplaneThroughARowIsNoProof) {
  auto model = fit("perceptron", four(), {});
  ASSERT_TRUE(model) << model.error().text();
  own_linear(*model).targets[0].coefficients[0].value = 0.3;
  own_linear(*model).targets[0].intercept.value = std::nextafter(-0.6, -1);
  ASSERT_LT(0.3 * 2 + model->linear()->targets[0].intercept.value, 0);
  EXPECT_EQ((*model->predict(four().dense))[1], 1);
  const auto certificate = verify(*model, four());
  ASSERT_TRUE(certificate) << certificate.error().text();
  EXPECT_NE(certificate->verdict, Verdict::proved);
  EXPECT_EQ(std::get<SeparatingHyperplane>(certificate->claim).margin, 0);
}

// Rows of whole numbers around a plane of whole numbers, told apart by `classes` - 1 parallels of it.
struct WholeNumbers {
  Index rows, cols;
  std::vector<double> x{}, y{};

  WholeNumbers(std::mt19937_64& random, double unit, int classes)
      : rows(2 + static_cast<Index>(random() % 12)), cols(1 + static_cast<Index>(random() % 3)) {
    const auto whole = [&](std::uint64_t most) {
      return static_cast<double>(random() % (2 * most + 1)) - static_cast<double>(most);
    };
    std::vector<double> w;
    for (Index j = 0; j < cols; ++j) w.push_back(whole(3));
    for (Index i = 0; i < rows; ++i) {
      double f = 0.5;
      for (const double v : w) x.push_back(whole(6)), f += v * x.back();
      y.push_back(i < classes ? static_cast<double>(i) : classes == 2 ? (f > 0 ? 1 : 0) : std::clamp(f, 0.0, 2.0));
      y.back() = std::floor(y.back());
      for (Index j = 0; j < cols; ++j) x[x.size() - static_cast<std::size_t>(j) - 1] *= unit;
    }
  }
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), rows, cols);
    out.y = MatrixView::vector(y.data(), rows);
    return out;
  }
  double accuracy(const Model& model) const {
    const auto found = model.predict(arrays().dense);
    double right = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      right += model.schema.classes.labels[static_cast<std::size_t>((*found)[i])] == std::to_string(std::lround(y[i]));
    return right / static_cast<double>(rows);
  }
};

// The counts and the proof are about what prediction does, whatever the rounding on the way.
TEST(ThresholdUnits, WhatIsProvedIsPredicted) {
  std::mt19937_64 random(5);
  int proofs = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const WholeNumbers set(random, trial % 2 == 0 ? 1 : 0.1, trial % 4 == 3 ? 3 : 2);
    const std::string variant = std::array{"batch", "rosenblatt", "criterion", "pocket", "averaged"}[trial % 5];
    double mistakes = -1;
    for (const double rate : {1.0, 0.3, 7.0, 0.1})
      for (const char* schedule : {"constant", "c/(c+t)"}) {
        Params params{{"variant", variant}, {"rate", rate}, {"schedule", std::string(schedule)}, {"passes", 50.0}};
        if (trial % 3 == 1) params["order"] = std::string("cyclic");
        const auto model = fit("perceptron", set.arrays(), {.threads = 1, .params = params});
        ASSERT_TRUE(model) << model.error().text();
        const double accuracy = set.accuracy(*model);
        const auto* plane = std::get_if<SeparatingHyperplane>(&model->certificate.claim);
        const bool proved = plane && plane->margin > 0 && model->certificate.verdict == Verdict::proved;
        proofs += proved ? 1 : 0;
        EXPECT_TRUE(!proved || accuracy == 1) << trial << ' ' << variant << ' ' << rate << ' ' << schedule;
        EXPECT_DOUBLE_EQ(model->linear()->classes.accuracy, accuracy) << trial << ' ' << variant << ' ' << rate;
        EXPECT_EQ(verify(*model, set.arrays())->verdict, model->certificate.verdict);
        if (schedule != std::string_view("constant")) continue;
        if (rate == 1) mistakes = model->linear()->classes.mistakes;
        EXPECT_EQ(model->linear()->classes.mistakes, mistakes) << trial << ' ' << variant << ' ' << rate;
      }
  }
  EXPECT_GT(proofs, 500);
}

// A column far from zero, whose spread is all but lost in its squares, and one with a zero.
TEST(ThresholdUnits, ColumnsOfSparseRowsHaveTheSpreadOfDenseOnes) {
  const std::vector<double> dense{1e8, 0, 1e8 + 1, 2, 1e8 + 2, -1, 1e8 + 5, 4}, v{1, 2, 0, 3};
  const std::vector<double> value{1e8, 1e8 + 1, 2, 1e8 + 2, -1, 1e8 + 5, 4};
  const std::vector<std::int64_t> start{0, 1, 3, 5, 7}, index{0, 0, 1, 0, 1, 0, 1};
  Arrays rows = four(), same = four();
  rows.dense = MatrixView::row_major(dense.data(), 4, 2);
  same.dense = {};
  same.sparse = {4, 2, start.data(), index.data(), value.data()};
  rows.weights = same.weights = v.data();
  const FitOptions options{.params = {{"passes", 3.0}}};
  const auto a = fit("perceptron", rows, options), b = fit("perceptron", same, options);
  ASSERT_TRUE(a && b) << b.error().text();
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_DOUBLE_EQ(b->linear()->means[j], a->linear()->means[j]);
    EXPECT_NEAR(b->linear()->deviations[j], a->linear()->deviations[j], 1e-7);
  }
  EXPECT_NEAR(a->linear()->deviations[0], std::sqrt(77 / 6.0 - 17.0 * 17 / 36), 1e-12);
}

TEST(ThresholdUnits, WhatNothingSeparatesIsProved) {
  const std::vector<double> y{0, 1, 0, 1};
  Arrays arrays = four();
  arrays.y = MatrixView::vector(y.data(), 4);
  const auto model = fit("perceptron", arrays);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_TRUE(std::holds_alternative<NotSeparable>(model->certificate.claim));
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_EQ(separability(arrays)->verdict, Separation::not_separable);
}

TEST(ThresholdUnits, TheDeltaRuleClaimsNoMoreThanItsGradient) {
  const FitOptions options{.params = {{"solver", std::string("gradient-descent")}, {"steps", 3.0}}};
  const auto model = fit("delta", four(), options);
  ASSERT_TRUE(model) << model.error().text();
  const auto* claim = std::get_if<Stationary>(&model->certificate.claim);
  ASSERT_NE(claim, nullptr);
  EXPECT_GT(claim->gradient_norm, 1e-3);
  EXPECT_EQ(model->certificate.verdict, Verdict::stopped_early);
}

TEST(ThresholdUnits, TheTrainingCurveEndsWithEveryRowRight) {
  const auto curve = training_curve("perceptron", four());
  ASSERT_TRUE(curve) << curve.error().text();
  EXPECT_EQ(curve->rows, 4);
  EXPECT_EQ(curve->trace.steps.back().step, 23);
  EXPECT_EQ(curve->correct.back(), 4);
  EXPECT_EQ(trace("perceptron", four())->steps.size(), curve->correct.size());
  const auto picture = curve_picture(*curve);
  ASSERT_TRUE(picture);
  const auto& right = std::get<plot::Line>(picture->layers.back());
  EXPECT_EQ(right.y.back(), 1);
  EXPECT_EQ(right.x.back(), static_cast<double>(curve->trace.steps.back().rows));
  EXPECT_FALSE(curve_picture({}));
  EXPECT_FALSE(training_curve("linear", four()));
}

TEST(ThresholdUnits, TheCurveOfAFitIsThatOfAllItsSteps) {
  for (const char* word : {"perceptron", "delta"}) {
    const auto curve = training_curve(word, four(), {}, 0);
    const auto model = fit(word, four());
    ASSERT_TRUE(curve && model);
    EXPECT_EQ(curve->trace.weights, std::vector<double>{model->linear()->targets[0].coefficients[0].value});
    EXPECT_EQ(curve->trace.stop, model->certificate.stop.text());
    EXPECT_LE(curve->trace.steps.size(), 402U);
  }
}

// 0 and 2 lie at the ends and can be separated from the rest, 1 in the middle cannot.
TEST(ThresholdUnits, OfMoreClassesEachLearnsAgainstTheRest) {
  const std::vector<double> y{0, 1, 1, 2};
  Arrays arrays = four();
  arrays.y = MatrixView::vector(y.data(), 4);
  for (const char* word : {"perceptron", "delta"}) {
    const auto model = fit(word, arrays);
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_EQ(model->linear()->targets.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> own;
      for (const double label : y) own.push_back(label == static_cast<double>(k) ? 1 : 0);
      Arrays two = four();
      two.y = MatrixView::vector(own.data(), 4);
      const auto alone = fit(word, two);
      EXPECT_EQ(model->linear()->targets[k].intercept.value, alone->linear()->targets[0].intercept.value);
      EXPECT_EQ(model->linear()->targets[k].coefficients[0].value, alone->linear()->targets[0].coefficients[0].value);
    }
    const auto again = Model::from_bytes(model->to_bytes(), "bytes");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(verify(*again, arrays)->verdict, model->certificate.verdict);
    const auto predicted = *model->predict(arrays.dense);
    double right = 0;
    for (std::size_t i = 0; i < 4; ++i) right += predicted[i] == y[i] ? 0.25 : 0;
    EXPECT_EQ(model->linear()->classes.accuracy, right);
  }
  const auto model = fit("perceptron", arrays);
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_TRUE(
      model->certificate.conditions[0].starts_with("3 classes, each against the rest: \"0\" separated (margin "));
  EXPECT_NE(model->certificate.conditions[0].find("\"1\" not separable (3 rows cancel), \"2\" separated"),
            std::string::npos);
  const auto each = class_separability(arrays);
  ASSERT_TRUE(each) << each.error().text();
  EXPECT_EQ((*each)[0].verdict, Separation::separable);
  EXPECT_EQ((*each)[0].negative, "the rest");
  EXPECT_EQ((*each)[0].margin_lower, 0.5);
  EXPECT_EQ((*each)[1].verdict, Separation::not_separable);
  EXPECT_EQ((*each)[2].positive, "2");
  const auto refused = training_curve("perceptron", arrays);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "there are 3 classes, and a hyperplane has two sides: 0, 1, 2");
  EXPECT_EQ(refused.error().advice, "set one of them against the rest with --positive LABEL");
}

void expect_same(const Trace& a, const Trace& b) {
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t s = 0; s < a.steps.size(); ++s) {
    EXPECT_EQ(a.steps[s].rows, b.steps[s].rows);
    EXPECT_EQ(a.steps[s].weights, b.steps[s].weights);
    EXPECT_EQ(a.steps[s].intercept, b.steps[s].intercept);
    EXPECT_EQ(a.steps[s].cost, b.steps[s].cost);
    EXPECT_EQ(a.steps[s].gradient_norm, b.steps[s].gradient_norm);
  }
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.stop, b.stop);
}

// The oracle is the same rows with labels of 0 and 1.
TEST(ThresholdUnits, OfMoreClassesEachHasTheCurveOfItsOwnTwo) {
  const std::vector<double> y{5, 7, 7, 9}, v{2, 1, 0.5, 1};
  Arrays arrays = four();
  arrays.y = MatrixView::vector(y.data(), 4);
  arrays.weights = v.data();
  for (const char* word : {"perceptron", "delta"})
    for (const Index every : {0, 1, 3}) {
      const FitOptions options{.standardise = every == 3, .params = {{"passes", 9.0}}};
      const auto curves = class_training_curves(word, arrays, options, every);
      ASSERT_TRUE(curves) << curves.error().text();
      ASSERT_EQ(curves->size(), 3U);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::string label = std::to_string(5 + 2 * k);
        std::vector<double> own;
        for (const double each : y) own.push_back(each == static_cast<double>(5 + 2 * k) ? 1 : 0);
        Arrays two = arrays;
        two.y = MatrixView::vector(own.data(), 4);
        const auto alone = class_training_curves(word, two, options, every);
        ASSERT_TRUE(alone && alone->size() == 1);
        FitOptions named = options;
        named.positive = label;
        const auto one = training_curve(word, arrays, named, every);
        ASSERT_TRUE(one) << one.error().text();
        for (const TrainingCurve& curve : {(*curves)[k], *one}) {
          EXPECT_EQ(curve.trace.label, label);
          EXPECT_EQ(curve.row, (*alone)[0].row);
          EXPECT_EQ(curve.correct, (*alone)[0].correct);
          EXPECT_EQ(curve.rows, (*alone)[0].rows);
          expect_same(curve.trace, (*alone)[0].trace);
        }
        EXPECT_EQ((*alone)[0].trace.label, "");
      }
    }
  EXPECT_EQ(curve_picture((*class_training_curves("delta", arrays))[1])->title,
            "Rows right while delta learned 7 against the rest");
  EXPECT_FALSE(class_training_curves("linear", arrays));
}

TEST(ThresholdUnits, OneClassAgainstTheRestIsAModelOfTwo) {
  const std::vector<double> y{0, 1, 1, 2}, own{0, 0, 0, 1};
  Arrays arrays = four(), two = four();
  arrays.y = MatrixView::vector(y.data(), 4);
  two.y = MatrixView::vector(own.data(), 4);
  for (const char* word : {"perceptron", "delta", "logistic"}) {
    FitOptions options{.params = word == std::string("logistic") ? Params{{"lambda", 0.1}} : Params{}};
    const auto alone = fit(word, two, options);
    options.positive = "2";
    const auto model = fit(word, arrays, options);
    ASSERT_TRUE(model && alone) << model.error().text();
    EXPECT_EQ(model->schema.classes.labels, (std::vector<std::string>{"not 2", "2"}));
    EXPECT_EQ(model->linear()->targets[0].coefficients[0].value, alone->linear()->targets[0].coefficients[0].value);
    EXPECT_EQ(model->linear()->targets[0].intercept.value, alone->linear()->targets[0].intercept.value);
    EXPECT_EQ(model->linear()->classes.accuracy, alone->linear()->classes.accuracy);
    EXPECT_EQ(model->certificate.sentence(), alone->certificate.sentence());
    const auto again = Model::from_bytes(model->to_bytes(), "bytes");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(verify(*again, arrays)->sentence(), verify(*alone, two)->sentence());
    EXPECT_EQ(*again->predict(arrays.dense), *alone->predict(two.dense));
    options.positive = "3";
    EXPECT_EQ(fit(word, arrays, options).error().text(), "positive: there is no class \"3\"; the classes are 0, 1, 2");
  }
  const auto one = separability(arrays, {.positive = "2"});
  ASSERT_TRUE(one) << one.error().text();
  const Separability last = class_separability(arrays)->back();
  EXPECT_EQ(one->sentence(), last.sentence());
  EXPECT_EQ(one->positive, "2");
  EXPECT_EQ(one->negative, last.negative);
  EXPECT_EQ(one->weights, last.weights);
  EXPECT_EQ(one->b, last.b);
}

TEST(ThresholdUnits, FiguresThatNoFitStatesAreRefuted) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6}, y{0, 1, 2, 0, 1, 2};
  Arrays three;
  three.dense = MatrixView::row_major(x.data(), 6, 1);
  three.y = MatrixView::vector(y.data(), 6);
  for (const char* const name : {"delta", "perceptron"}) {
    FitOptions options{.params = {{"passes", 5.0}}};
    if (name == std::string("perceptron")) options.params["variant"] = std::string("pocket");
    const auto model = fit(name, three, options);
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_NE(verify(*model, three)->verdict, Verdict::refuted) << name;
    for (double ClassFit::* const figure : {&ClassFit::log_likelihood, &ClassFit::null_log_likelihood, &ClassFit::ratio,
                                            &ClassFit::ratio_freedom, &ClassFit::ratio_p_value}) {
      Model added = *model;
      own_linear(added).classes.*figure = 0.25;
      EXPECT_EQ(verify(added, three)->verdict, Verdict::refuted) << name;
    }
  }
}

// A run that ends elsewhere, as on another machine, is not repeated, and what it counted stays as stated. A bound on
// its mistakes it never had.
TEST(ThresholdUnits, RowsThatNothingSeparatesHaveNoBoundOnMistakes) {
  const std::vector<double> y{0, 1, 0, 1};
  Arrays mixed = four();
  mixed.y = MatrixView::vector(y.data(), 4);
  auto model = fit("perceptron", mixed, {.params = {{"passes", 5.0}}});
  ASSERT_TRUE(model) << model.error().text();
  own_linear(*model).targets[0].coefficients[0].value *= 1 + 1e-12;
  own_linear(*model).targets[0].coefficients[0].standardised *= 1 + 1e-12;
  const auto proof = verify(*model, mixed);
  ASSERT_TRUE(std::holds_alternative<NotSeparable>(proof->claim)) << proof->sentence();
  ASSERT_NE(proof->verdict, Verdict::refuted) << proof->sentence();
  for (double ClassFit::* const figure : {&ClassFit::mistake_bound, &ClassFit::radius, &ClassFit::norm}) {
    Model added = *model;
    own_linear(added).classes.*figure = 0.25;
    EXPECT_EQ(verify(added, mixed)->verdict, Verdict::refuted);
  }
}

TEST(ThresholdUnits, AnotherVariantThanTheOneThatRanIsRefuted) {
  const auto model = fit("perceptron", four(), {});
  ASSERT_TRUE(model) << model.error().text();
  for (const char* const variant : {"rosenblatt", "criterion", "pocket", "averaged"}) {
    Model other = *model;
    other.params["variant"] = std::string(variant);
    EXPECT_EQ(verify(other, four())->verdict, Verdict::refuted) << variant;
  }
}

} // namespace
} // namespace recta
