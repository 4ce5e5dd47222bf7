// Machines from end to end: exact answers of small sets, hard margins, several classes, files, proofs that fail.
#include "family/svm/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Points {
  Index cols;
  Values x, y;
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), std::ssize(y), cols);
    out.y = MatrixView::vector(y.data(), std::ssize(y));
    return out;
  }
};

double figure(const Model& model, const std::string& name) {
  for (const Report::Figure& one : model.body->report(model.schema).figures)
    if (one.name == name) return one.value;
  return std::nan("");
}

const svm::Machine& machine(const Model& model) {
  return dynamic_cast<const svm::MachineBody&>(*model.body).machine();
}

FitOptions with(Params params) {
  FitOptions out;
  out.params = std::move(params);
  return out;
}

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

TEST(MachineModel, SaysWhatItDoesNotTake) {
  const auto refusal = [](const std::string& word, Params params) {
    const auto model = fit(word, kFour.arrays(), with(std::move(params)));
    return model ? std::string("taken") : model.error().text();
  };
  EXPECT_THAT(refusal("svm", {{"C", 0.0}}), HasSubstr("C"));
  EXPECT_THAT(refusal("svm", {{"C", 1.0}, {"lambda", 1.0}}), HasSubstr("give one of them"));
  EXPECT_THAT(refusal("svm", {{"gamma", 1.0}}), HasSubstr("the kernel linear has none"));
  EXPECT_THAT(refusal("svm", {{"hard", true}, {"C", 1.0}}), HasSubstr("a hard margin has no losses"));
  EXPECT_THAT(refusal("svm", {{"kernel", std::string("polynomial")}, {"degree", 1.5}}), HasSubstr("no whole number"));
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

} // namespace
} // namespace recta
