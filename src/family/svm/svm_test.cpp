// Machines from end to end: exact answers of small sets, hard margins, several classes, files, proofs that fail.
#include "family/svm/test_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

using testing::HasSubstr;

const Points kLine{1, {-3, -1, 1, 2, 5, 9}, {-1, -1, 1, 1, 1, 1}}; // spec S3
const Points kFour{1, {1, 2, 3, 4}, {-1, -1, 1, 1}};
const Points kRings{2, {1, 0, -1, 0, 0, 1, 0, -1, 2, 0, -2, 0, 0, 2, 0, -2}, {-1, -1, -1, -1, 1, 1, 1, 1}};

TEST(HardMargin, OfALineIsExact) {
  const auto model = fit("svm", kLine.arrays(), with({{"hard", true}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  const svm::Part& part = machine(*model).parts[0];
  EXPECT_EQ(part.w, std::vector<double>{1});
  EXPECT_EQ(part.b, 0);
  EXPECT_EQ(part.beta, (std::vector<double>{-0.5, 0.5}));
  EXPECT_EQ(machine(*model).vectors.rows, (std::vector<Index>{1, 2}));
  EXPECT_EQ(figure(*model, "margin"), 2);
  EXPECT_EQ(figure(*model, "half_margin"), 1);
  EXPECT_EQ(verify(*model, kLine.arrays())->verdict, Verdict::proved);
}

TEST(HardMargin, OfOneTwoAgainstThreeFourHasTheWeightTwo) {
  const auto model = fit("svm", kFour.arrays(), with({{"hard", true}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(machine(*model).parts[0].w, std::vector<double>{2});
  EXPECT_EQ(machine(*model).parts[0].b, -5);
}

TEST(HardMargin, OfRingsHasAWitnessThatNoneExists) {
  const auto model = fit("svm", kRings.arrays(), with({{"hard", true}}));
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("no hyperplane separates the classes"));
  EXPECT_THAT(model.error().text(), HasSubstr("row "));
}

TEST(SoftMargin, OfALineIsTheHardOneIfNoMultiplierReachesC) {
  for (const double c : {0.6, 1.0, 1e6}) {
    const auto model = fit("svm", kLine.arrays(), with({{"C", c}}));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    EXPECT_NEAR(machine(*model).parts[0].w[0], 1, 1e-12);
    EXPECT_NEAR(machine(*model).parts[0].b, 0, 1e-12);
  }
}

TEST(SoftMargin, WithEveryMultiplierAtCHasAnIntervalOfIntercepts) {
  const Points two{1, {-1, 1}, {-1, 1}};
  const auto model = fit("svm", two.arrays(), with({{"C", 0.25}})); // w = 1/2, and every |b| <= 1/2 costs the same
  ASSERT_TRUE(model) << model.error().text();
  const svm::Part& part = machine(*model).parts[0];
  EXPECT_NEAR(part.w[0], 0.5, 1e-14);
  EXPECT_NEAR(part.b_low, -0.5, 1e-13);
  EXPECT_NEAR(part.b_high, 0.5, 1e-13);
  EXPECT_NEAR(part.b, 0, 1e-13);
}

TEST(SoftMargin, TakesLambdaInPlaceOfC) {
  const auto by_c = fit("svm", kFour.arrays(), with({{"C", 0.1}}));
  const auto by_lambda = fit("svm", kFour.arrays(), with({{"lambda", 1 / (0.1 * 4)}}));
  ASSERT_TRUE(by_c && by_lambda);
  EXPECT_NEAR(machine(*by_c).parts[0].w[0], machine(*by_lambda).parts[0].w[0], 1e-13);
  EXPECT_THAT(by_c->objective, HasSubstr("lambda = 2.5 (C = 0.1)"));
}

TEST(KernelMachine, OfRingsByAPolynomialIsTheOneOfTheBook) { // spec W7
  const auto model = fit("svm", kRings.arrays(),
                         with({{"kernel", std::string("polynomial")}, {"gamma", 1.0}, {"degree", 2.0}, {"C", 100.0}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_NEAR(figure(*model, "margin"), 3 / std::sqrt(2.0), 1e-12);
  const Values places{0, 0, 1, 2, 3, -1};
  const auto f = model->predict(MatrixView::row_major(places.data(), 3, 2), 1, Answer::decision);
  ASSERT_TRUE(f);
  for (std::size_t i = 0; i < 3; ++i) {
    const double x = places[2 * i], y = places[2 * i + 1];
    EXPECT_NEAR((*f)[i], 2.0 / 3 * (x * x + y * y) - 5.0 / 3, 1e-12);
  }
}

TEST(Regression, ThroughATubeTouchesItsCorners) {
  const Points line{1, {0, 1, 2, 3}, {0, 1.5, 2.5, 4}};
  const auto model = fit("svr", line.arrays(), with({{"epsilon", 0.5}, {"C", 10.0}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_NEAR(machine(*model).parts[0].w[0], 1, 1e-12); // from (0, 0.5) to (3, 3.5)
  EXPECT_NEAR(machine(*model).parts[0].b, 0.5, 1e-12);
}

class OverIris : public testing::TestWithParam<std::string> {};

TEST_P(OverIris, AllAgainstAllIsProvedAndVerifiedFromItsFile) {
  const Dataset iris = *read("iris");
  const auto model = fit("svm", iris, with({{"kernel", GetParam()}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_EQ(machine(*model).parts.size(), 3u);
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), model->to_bytes());
  EXPECT_EQ(*again->predict(iris), *model->predict(iris));
  EXPECT_EQ(verify(*again, iris)->verdict, Verdict::proved);
  const auto one = fit("svm", iris, [&] {
    FitOptions options = with({{"kernel", GetParam()}});
    options.threads = 1;
    return options;
  }());
  EXPECT_EQ(one->to_bytes(), model->to_bytes()) << "the same bits at any number of threads";
}

INSTANTIATE_TEST_SUITE_P(Kernels, OverIris, testing::Values("linear", "rbf", "polynomial"));

TEST(MachineModel, ThatWasChangedIsRefuted) {
  const auto model = fit("svm", kFour.arrays(), with({{"C", 0.1}}));
  ASSERT_TRUE(model);
  const auto changed = [&](auto change) {
    svm::Machine other = machine(*model);
    change(other.parts[0]);
    Model moved = *model;
    moved.body = std::make_shared<svm::MachineBody>(other, model->body->summary());
    return verify(moved, kFour.arrays())->verdict;
  };
  EXPECT_EQ(changed([](svm::Part&) {}), Verdict::proved);
  EXPECT_EQ(changed([](svm::Part& part) { part.w[0] += 1e-3; }), Verdict::refuted);
  EXPECT_EQ(changed([](svm::Part& part) { part.beta[0] *= 0.9; }), Verdict::refuted);
  EXPECT_EQ(changed([](svm::Part& part) { part.beta[0] *= 2; }), Verdict::refuted);
}

TEST(MachineModel, WhoseStatedWidthWasChangedIsRefuted) {
  for (const char* const kernel : {"linear", "rbf"}) {
    const auto model = fit("svm", kFour.arrays(), with({{"kernel", kernel}, {"C", 0.1}}));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(verify(*model, kFour.arrays())->verdict, Verdict::proved);
    for (const double squared : {machine(*model).parts[0].squared * (1 + 1e-7), 0.0, std::nan("")}) {
      svm::Machine other = machine(*model);
      other.parts[0].squared = squared;
      Model moved = *model;
      moved.body = std::make_shared<svm::MachineBody>(other, model->body->summary());
      EXPECT_EQ(verify(moved, kFour.arrays())->verdict, Verdict::refuted) << kernel << ' ' << squared;
    }
  }
}

TEST(MachineModel, SaysWhatItDoesNotTake) {
  const auto refusal = [](const std::string& word, Params params) {
    const auto model = fit(word, kFour.arrays(), with(std::move(params)));
    return model ? std::string("taken") : model.error().text();
  };
  EXPECT_THAT(refusal("svm", {{"C", 0.0}}), HasSubstr("C"));
  EXPECT_THAT(refusal("svm", {{"C", 1.0}, {"lambda", 1.0}}), HasSubstr("give one of them"));
  EXPECT_THAT(refusal("svm", {{"gamma", 1.0}}), HasSubstr("the kernel linear has none"));
  EXPECT_THAT(refusal("svm", {{"hard", true}, {"C", 1.0}}), HasSubstr("a hard margin has no losses"));
  EXPECT_THAT(refusal("svm", {{"kernel", std::string("polynomial")}, {"degree", 1.5}}),
              HasSubstr("not a whole number"));
  EXPECT_THAT(refusal("svm", {{"kernel", std::string("rbd")}}), HasSubstr("rbf"));
  const Points one{1, {1, 2}, {3, 3}};
  EXPECT_FALSE(fit("svm", one.arrays(), {}));
}

TEST(MachineModel, WithASigmoidClaimsAStationaryPointOnly) {
  const auto model = fit("svm", kRings.arrays(), with({{"kernel", std::string("sigmoid")}, {"gamma", 0.1}}));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_TRUE(std::holds_alternative<Stationary>(model->certificate.claim));
  EXPECT_NE(model->certificate.verdict, Verdict::proved);
}

// The dual as it is taught: spec S3.
TEST(DualAscent, ProjectsExactlyAndEndsInTheMultipliersOfTheHardMargin) {
  const auto found = trace("svm", kLine.arrays(), with({{"hard", true}, {"steps", 4000.0}}), 1000);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_EQ(found->features,
            (std::vector<std::string>{"x1", "lambda 1", "lambda 2", "lambda 3", "lambda 4", "lambda 5", "lambda 6"}));
  const std::vector<double> optimum{1, 0, 0.5, 0.5, 0, 0, 0};
  for (std::size_t j = 0; j < optimum.size(); ++j) EXPECT_NEAR(found->weights[j], optimum[j], 1e-9);
  EXPECT_FALSE(found->diverged);
  EXPECT_NEAR(found->cost, 0.5, 1e-9);
  EXPECT_LT(found->rate, found->safe_rate);
}

TEST(DualAscent, OfTheCourseDivergesOnSixRowsAndClaimsNothing) {
  const auto found = trace("svm", kLine.arrays(), with({{"hard", true}, {"solver", "course"}, {"steps", 1e5}}), 100);
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_TRUE(found->diverged);
  EXPECT_THAT(found->stop, HasSubstr("nothing is claimed"));
  EXPECT_TRUE(std::isnan(found->safe_rate));
  double unbalance = 0;
  for (std::size_t i = 0; i < 6; ++i) unbalance += kLine.y[i] * found->weights[i + 1];
  EXPECT_GT(std::abs(unbalance), 100);
  const auto fitted = fit("svm", kLine.arrays(), with({{"solver", "course"}}));
  ASSERT_FALSE(fitted);
  EXPECT_THAT(fitted.error().text(), HasSubstr("nothing to prove"));
}

// With the gradient 1 - (1/2) y sum ..., as one text prints it, the weight would be 4.
TEST(DualAscent, AlongTheGradientWithoutTheHalfHasTheWeightTwo) {
  for (const bool hard : {true, false}) {
    Params params{{"steps", 3000.0}};
    hard ? params.emplace("hard", true) : params.emplace("C", 10.0);
    const auto found = trace("svm", kFour.arrays(), with(params), 3000);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_NEAR(found->weights[0], 2, 1e-9);
    EXPECT_NEAR(found->answer_intercept, -5, 1e-8);
  }
}

TEST(DualAscent, RisesAtEveryStepAndKeepsItsConstraints) {
  const Points random{2,
                      {0.3, 1.2, -1, 0.4, 0.9, -0.7, 1.5, 0.1, -0.2, -0.9, 0.8, 0.8, -1.4, -0.3, 0.1, 0.2},
                      {1, -1, 1, 1, -1, -1, -1, 1}};
  for (const char* const kernel : {"linear", "rbf"}) {
    const auto found = trace("svm", random.arrays(), with({{"kernel", kernel}, {"C", 2.0}, {"steps", 200.0}}), 1);
    ASSERT_TRUE(found) << found.error().text();
    ASSERT_EQ(found->steps.size(), 201);
    for (const TraceStep& step : found->steps) {
      double sum = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        const double a = step.weights[step.weights.size() - 8 + i];
        EXPECT_TRUE(a >= 0 && a <= 2);
        sum += random.y[i] * a;
      }
      EXPECT_NEAR(sum, 0, 1e-12);
    }
    EXPECT_LT(found->steps.back().gradient_norm, found->steps[1].gradient_norm);
  }
}

TEST(DualAscent, FitsTheMachineOfTheOtherSolversWithAProof) {
  for (const char* const loss : {"hinge", "squared-hinge"}) {
    const auto taught = fit("svm", kRings.arrays(),
                            with({{"kernel", "polynomial"},
                                  {"degree", 2.0},
                                  {"gamma", 1.0},
                                  {"loss", loss},
                                  {"solver", "projected-gradient"}}));
    const auto usual =
        fit("svm", kRings.arrays(), with({{"kernel", "polynomial"}, {"degree", 2.0}, {"gamma", 1.0}, {"loss", loss}}));
    ASSERT_TRUE(taught && usual);
    EXPECT_EQ(taught->certificate.verdict, Verdict::proved) << taught->certificate.sentence();
    EXPECT_NEAR(taught->certificate.objective, usual->certificate.objective, 1e-9);
    EXPECT_EQ(verify(*taught, kRings.arrays())->verdict, Verdict::proved);
  }
}

// nu-svm is svm with the C that it finds.
TEST(NuMachine, IsTheMachineOfItsC) {
  const Points random{2,
                      {0.3, 1.2, -1, 0.4, 0.9, -0.7, 1.5, 0.1, -0.2, -0.9, 0.8, 0.8, -1.4, -0.3, 0.1, 0.2},
                      {1, -1, 1, 1, -1, -1, -1, 1}};
  for (const char* const kernel : {"linear", "rbf", "polynomial", "laplacian"})
    for (const double nu : {0.6, 0.9, 1.0}) {
      const auto own = fit("nu-svm", random.arrays(), with({{"kernel", kernel}, {"nu", nu}}));
      ASSERT_TRUE(own) << kernel << nu << own.error().text();
      EXPECT_EQ(own->certificate.verdict, Verdict::proved) << kernel << nu << own->certificate.sentence();
      const svm::Part& part = machine(*own).parts[0];
      double mass = 0;
      for (const double beta : part.beta) mass += std::abs(beta);
      EXPECT_NEAR(mass, nu * part.cost * 8, 1e-8 * mass);
      const auto usual = fit("svm", random.arrays(), with({{"kernel", kernel}, {"C", part.cost}}));
      ASSERT_TRUE(usual) << usual.error().text();
      EXPECT_NEAR(own->certificate.objective, usual->certificate.objective, 1e-8);
      EXPECT_EQ(verify(*own, random.arrays())->verdict, Verdict::proved);
    }
}

TEST(NuMachine, OfTwoAgainstTwoIsTheHardMarginWhateverNuIsSmall) {
  const auto model = fit("nu-svm", kFour.arrays(), with({{"nu", 0.25}}));
  ASSERT_TRUE(model) << model.error().text();
  const svm::Part& part = machine(*model).parts[0];
  EXPECT_NEAR(part.w[0], 2, 1e-12);
  EXPECT_NEAR(part.b, -5, 1e-12);
}

TEST(NuMachine, RefusesANuThatTheClassesDoNotAllowAndOneThatTellsNothing) {
  EXPECT_THAT(fit("nu-svm", kLine.arrays(), with({{"nu", 0.9}})).error().text(),
              HasSubstr("give nu = 0.6666666666666666 or less"));
  EXPECT_TRUE(fit("nu-svm", kLine.arrays(), with({{"nu", 2.0 / 3}})));
  const Points mixed{1, {1, 2, 3, 1, 2, 3}, {1, -1, 1, -1, 1, -1}};
  EXPECT_THAT(fit("nu-svm", mixed.arrays(), with({{"nu", 0.5}})).error().text(), HasSubstr("w = 0 is optimal"));
}

TEST(NuRegression, IsTheRegressionOfItsTube) {
  const Points rows{1, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1.5, 1.8, 3.3, 4.4, 4.6, 6.7, 6.9}};
  for (const char* const kernel : {"linear", "rbf"})
    for (const double nu : {0.2, 0.5, 1.0}) {
      const auto own = fit("nu-svr", rows.arrays(), with({{"kernel", kernel}, {"nu", nu}, {"C", 2.0}}));
      ASSERT_TRUE(own) << own.error().text();
      EXPECT_EQ(own->certificate.verdict, Verdict::proved) << kernel << nu << own->certificate.sentence();
      const double epsilon = machine(*own).parts[0].epsilon;
      EXPECT_EQ(figure(*own, "epsilon"), epsilon);
      const auto usual = fit("svr", rows.arrays(), with({{"kernel", kernel}, {"epsilon", epsilon}, {"C", 2.0}}));
      ASSERT_TRUE(usual) << usual.error().text();
      EXPECT_NEAR(own->certificate.objective, usual->certificate.objective + nu * epsilon, 1e-8);
      EXPECT_EQ(verify(*own, rows.arrays())->verdict, Verdict::proved);
    }
}

TEST(KernelMachine, BySumsAndProductsOfKernelsIsProvedAndKeptInFiles) {
  for (const char* const kernel : {"rbf+linear", "rbf*polynomial"}) {
    const auto model = fit("svm", kRings.arrays(), with({{"kernel", kernel}, {"gamma", 0.5}}));
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
    EXPECT_EQ(verify(*model, kRings.arrays())->verdict, Verdict::proved);
  }
  EXPECT_THAT(fit("svm", kRings.arrays(), with({{"kernel", "rbf+chi2"}})).error().text(),
              HasSubstr("not a sum or product of kernels"));
  EXPECT_THAT(fit("svm", kRings.arrays(), with({{"kernel", "rbf+linear"}, {"degree", 2.0}})).error().text(),
              HasSubstr("the kernel rbf+linear has none"));
}

// Of so many rows, rows of the kernel matrix are rounded to floats, which is enough for a loose tolerance.
TEST(KernelMachine, FoundWithFloatsHasAllDigitsOfItsMargin) {
  constexpr Index kRows = 2300;
  constexpr double kGamma = 0.5;
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  Points rows{2, {}, {}};
  for (Index i = 0; i < kRows; ++i) {
    rows.x.push_back(normal(engine)), rows.x.push_back(normal(engine));
    rows.y.push_back(rows.x.back() * rows.x[rows.x.size() - 2] + normal(engine) > 0 ? 1 : -1);
  }
  FitOptions options = with({{"kernel", "rbf"}, {"gamma", kGamma}});
  options.tolerance = 1e-3;
  const auto model = fit("svm", rows.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  const svm::Machine& found = machine(*model);
  const svm::Part& part = found.parts[0];
  double squared = 0;
  for (std::size_t a = 0; a < part.beta.size(); ++a)
    for (std::size_t b = 0; b < part.beta.size(); ++b) {
      const double* const x = rows.x.data() + 2 * found.vectors.rows[static_cast<std::size_t>(part.support[a])];
      const double* const z = rows.x.data() + 2 * found.vectors.rows[static_cast<std::size_t>(part.support[b])];
      const double across = x[0] - z[0], along = x[1] - z[1];
      squared += part.beta[a] * part.beta[b] * std::exp(-kGamma * (across * across + along * along));
    }
  EXPECT_NEAR(figure(*model, "margin"), 2 / std::sqrt(squared), 1e-11 / std::sqrt(squared));
  EXPECT_EQ(verify(*model, rows.arrays())->verdict, Verdict::proved);
}

// Most rows are known from the proofs of the machines of two classes, others from scores.
TEST(KernelMachine, StatesTheShareOfWeightThatItPredictsRight) {
  std::mt19937_64 engine(17);
  std::normal_distribution<double> normal;
  Points rows{2, {}, {}};
  Values weight;
  for (int i = 0; i < 160; ++i) { // four classes that overlap, around the corners of a square
    const int code = i % 4;
    rows.x.push_back(1.5 * (code % 2) + normal(engine) / 2);
    rows.x.push_back(code < 2 ? 0 : 1.5 + normal(engine) / 2);
    rows.y.push_back(code);
    weight.push_back(static_cast<double>(engine() % 4) / 2);
  }
  Arrays arrays = rows.arrays();
  arrays.weights = weight.data();
  for (const char* const against : {"all", "rest"})
    for (const char* const kernel : {"rbf", "polynomial"}) {
      const auto model = fit("svm", arrays, with({{"kernel", kernel}, {"against", against}}));
      ASSERT_TRUE(model) << model.error().text();
      const auto classes = predict(*model, arrays);
      ASSERT_TRUE(classes) << classes.error().text();
      double right = 0, all = 0;
      for (std::size_t i = 0; i < weight.size(); ++i)
        all += weight[i], right += (*classes)[i] == rows.y[i] ? weight[i] : 0;
      EXPECT_EQ(model->body->summary().classes.accuracy, right / all) << kernel << ' ' << against;
      EXPECT_GT(right, 0.5 * all);
      EXPECT_LT(right, all) << "some are predicted wrong";
    }
}

TEST(SoftMargin, ObjectiveHasAnInterceptIfTheMachineHas) {
  FitOptions options;
  EXPECT_THAT(fit("svm", kLine.arrays(), options)->objective, HasSubstr("F(w, b) ="));
  EXPECT_THAT(fit("svm", kLine.arrays(), options)->objective, HasSubstr("f(x) = <w, x> + b,"));
  options.intercept = false;
  EXPECT_THAT(fit("svm", kLine.arrays(), options)->objective, HasSubstr("F(w) ="));
  EXPECT_THAT(fit("svm", kLine.arrays(), options)->objective, HasSubstr("f(x) = <w, x>,"));
}

// 1/2 w^2 + 1/2 (b/s)^2 + hinge over the row x = 1 of the class 1 and the row x = -1 of the class -1, C = 1: without an
// intercept by symmetry. Moved by one, to 2 and 0, it is no longer free: the row 0 has the score b alone.
TEST(PenalisedIntercept, IsTheWeightOfAConstantColumn) {
  const Points moved{1, {2, 0}, {1, -1}};
  const Points with_column{2, {2, 3, 0, 3}, {1, -1}};
  FitOptions inside = with({{"penalised-intercept", true}, {"intercept-scaling", 3.0}});
  const auto model = fit("svm", moved.arrays(), inside);
  ASSERT_TRUE(model) << model.error().text();
  FitOptions without;
  without.intercept = false;
  const auto other = fit("svm", with_column.arrays(), without);
  ASSERT_TRUE(other) << other.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_NEAR(machine(*model).parts[0].w[0], machine(*other).parts[0].w[0], 1e-13);
  EXPECT_NEAR(machine(*model).parts[0].b, 3 * machine(*other).parts[0].w[1], 1e-13);
  EXPECT_NEAR(model->certificate.objective, other->certificate.objective, 1e-14);
  EXPECT_THAT(model->objective, HasSubstr("(lambda/2) (|w|^2 + (b / 3)^2)"));
  EXPECT_EQ(verify(*model, moved.arrays())->verdict, Verdict::proved);
}

TEST(PenalisedIntercept, IsRefusedWhereItHasNoMeaning) {
  const auto text = [](Params params) { return fit("svm", kFour.arrays(), with(std::move(params))).error().text(); };
  EXPECT_THAT(text({{"penalised-intercept", true}, {"kernel", std::string("rbf")}}), HasSubstr("linear kernel"));
  EXPECT_THAT(text({{"penalised-intercept", true}, {"hard", true}}), HasSubstr("leave out hard"));
  EXPECT_THAT(text({{"intercept-scaling", 2.0}}), HasSubstr("give penalised-intercept"));
  EXPECT_THAT(text({{"penalty", std::string("l1")}}), HasSubstr("squared-hinge"));
}

// With as many landmarks as rows nothing of the kernel is lost: the machine is that of the kernel itself.
TEST(Landmarks, AllRowsGiveTheMachineOfTheKernel) {
  const Params kernel{{"kernel", std::string("rbf")}, {"gamma", 0.5}, {"C", 2.0}};
  Params approximate = kernel;
  approximate["approximate"] = 8.0;
  const auto exact = fit("svm", kRings.arrays(), with(kernel));
  const auto model = fit("svm", kRings.arrays(), with(approximate));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  EXPECT_THAT(model->certificate.sentence(), HasSubstr("8 landmarks stand for the kernel"));
  EXPECT_NEAR(model->certificate.objective, exact->certificate.objective, 1e-9);
  const MatrixView x = kRings.arrays().dense;
  const auto a = exact->predict(x), b = model->predict(x);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(*a, *b);
  EXPECT_EQ(verify(*model, kRings.arrays())->verdict, Verdict::proved);
}

TEST(Landmarks, AreRefusedWithoutAKernelTheyCanKeep) {
  const auto text = [](Params params) { return fit("svm", kRings.arrays(), with(std::move(params))).error().text(); };
  EXPECT_THAT(text({{"approximate", 5.0}}), HasSubstr("name one of the kernels rbf, laplacian, polynomial, chi2"));
  EXPECT_THAT(text({{"approximate", 5.0}, {"kernel", std::string("sigmoid")}}),
              HasSubstr("does not take the kernel sigmoid"));
  EXPECT_THAT(text({{"approximate", 5.0}, {"kernel", std::string("laplacian")}, {"sigma", 2.0}}),
              HasSubstr("parameter sigma: the kernel laplacian has none; give gamma"));
  EXPECT_THAT(text({{"approximate", 5.0}, {"kernel", std::string("rbf")}, {"sigma", -2.0}}),
              HasSubstr("-2 is not a width; give a number above zero"));
  EXPECT_THAT(text({{"approximate", 2.5}, {"kernel", std::string("rbf")}}), HasSubstr("2.5 is not a whole number"));
}

} // namespace
} // namespace recta
