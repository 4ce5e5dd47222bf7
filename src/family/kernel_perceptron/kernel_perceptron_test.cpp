// The kernel perceptron on paper, beside the linear one, and what is proved of it.
#include "family/kernel_perceptron/body.hpp"

#include <recta/recta.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::HasSubstr;

struct Set {
  Index cols;
  std::vector<double> x, y;
  std::vector<double> weight = {};
  Arrays arrays() const {
    Arrays out;
    out.dense = MatrixView::row_major(x.data(), static_cast<Index>(y.size()), cols);
    out.y = MatrixView::vector(y.data(), static_cast<Index>(y.size()));
    if (!weight.empty()) out.weights = weight.data();
    return out;
  }
};

const Set kLine{1, {1, 2, 3, 4}, {0, 0, 1, 1}};
const Set kXor{2, {0, 0, 1, 1, 0, 1, 1, 0}, {0, 0, 1, 1}};

const kernel_perceptron::Learned& learned(const Model& model) {
  return dynamic_cast<const kernel_perceptron::PerceptronBody&>(*model.body).learned();
}

// Rows 1 and 3 in turn: f = (1 + x z) sums. Row 1 (x = 1, y = -1): f = 0, a mistake; row 2: f = -3, right; row 3
// (x = 3, y = 1): f = -4, a mistake; row 4: f = -5 + 13, right; and so on as the linear rule does.
TEST(KernelPerceptron, WithTheLinearKernelMakesTheMistakesOfTheLinearOne) {
  const auto kernel = fit("kernel-perceptron", kLine.arrays(), {});
  const auto plain = fit("perceptron", kLine.arrays(), {.params = {{"order", std::string("cyclic")}}});
  ASSERT_TRUE(kernel && plain) << kernel.error().text();
  EXPECT_EQ(kernel->certificate.verdict, Verdict::proved) << kernel->certificate.sentence();
  const ClassFit &a = kernel->body->summary().classes, &b = plain->body->summary().classes;
  EXPECT_EQ(a.mistakes, b.mistakes);
  EXPECT_EQ(a.presented, b.presented);
  EXPECT_LE(a.mistakes, a.mistake_bound);
  const auto f = kernel->predict(kLine.arrays().dense, 1, Answer::decision);
  const auto g = plain->predict(kLine.arrays().dense, 1, Answer::decision);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ((*f)[i], (*g)[i]);
}

TEST(KernelPerceptron, OfDegreeTwoSeparatesWhatNoHyperplaneDoes) {
  FitOptions options{.params = {{"kernel", std::string("polynomial")}, {"degree", 2.0}, {"coef", 1.0}, {"gamma", 1.0}}};
  const auto model = fit("kernel-perceptron", kXor.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_EQ(model->body->summary().classes.accuracy, 1);
  // |w|^2 = 40 and the nearest row has y f = 1; the longest row has k + 1 = 10.
  EXPECT_NEAR(learned(*model).parts[0].bound, 400, 1e-9);
  EXPECT_LE(learned(*model).parts[0].mistakes, 400);
  EXPECT_EQ(verify(*model, kXor.arrays())->verdict, Verdict::proved);
  options.params = {{"passes", 50.0}};
  const auto line = fit("kernel-perceptron", kXor.arrays(), options);
  EXPECT_EQ(line->certificate.verdict, Verdict::stopped_early);
}

TEST(KernelPerceptron, OfAWholeWeightIsTheRowTwice) {
  Set twice = kLine, weighted = kLine;
  twice.x = {1, 1, 2, 3, 4}, twice.y = {0, 0, 0, 1, 1};
  weighted.weight = {2, 1, 1, 1};
  const auto a = fit("kernel-perceptron", twice.arrays(), {}), b = fit("kernel-perceptron", weighted.arrays(), {});
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->body->summary().classes.mistakes, b->body->summary().classes.mistakes);
  EXPECT_EQ(*a->predict(kLine.arrays().dense, 1, Answer::decision),
            *b->predict(kLine.arrays().dense, 1, Answer::decision));
}

TEST(KernelPerceptron, OfSeveralClassesHasOneEachAndIsVerifiedFromItsFile) {
  const Dataset iris = *read("iris");
  const FitOptions options{.params = {{"kernel", std::string("rbf")}, {"gamma", 5.0}, {"passes", 200.0}}};
  const auto model = fit("kernel-perceptron", iris, options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(learned(*model).parts.size(), 3U);
  const auto again = Model::from_bytes(model->to_bytes(), "bytes");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), model->to_bytes());
  EXPECT_EQ(*again->predict(iris), *model->predict(iris));
  EXPECT_EQ(verify(*again, iris)->verdict, model->certificate.verdict);
  FitOptions pairs = options;
  pairs.multiclass = "ovo";
  const auto composite = fit("kernel-perceptron", iris, pairs);
  ASSERT_TRUE(composite) << composite.error().text();
  EXPECT_EQ(composite->body->parts().size(), 3U);
}

TEST(KernelPerceptron, ThatWasChangedIsRefuted) {
  const auto model = fit("kernel-perceptron", kLine.arrays(), {});
  const auto changed = [&](auto change) {
    auto other = learned(*model);
    change(other.parts[0]);
    Model moved = *model;
    moved.body = std::make_shared<kernel_perceptron::PerceptronBody>(other, model->body->summary());
    return verify(moved, kLine.arrays())->verdict;
  };
  EXPECT_EQ(changed([](kernel_perceptron::Part&) {}), Verdict::proved);
  EXPECT_EQ(changed([](kernel_perceptron::Part& part) { part.beta[0] -= 1; }), Verdict::refuted);
  EXPECT_EQ(changed([](kernel_perceptron::Part& part) { part.mistakes += 1; }), Verdict::refuted);
  EXPECT_EQ(changed([](kernel_perceptron::Part& part) { part.bound /= 2; }), Verdict::refuted);
}

TEST(KernelPerceptron, WhoseCountsWereChangedIsRefuted) {
  const auto model = fit("kernel-perceptron", kLine.arrays(), {});
  ASSERT_TRUE(model) << model.error().text();
  const auto changed = [&](auto change) {
    FitSummary summary = model->body->summary();
    change(summary.classes);
    Model moved = *model;
    moved.body = std::make_shared<kernel_perceptron::PerceptronBody>(learned(*model), summary);
    return verify(moved, kLine.arrays())->verdict;
  };
  EXPECT_EQ(changed([](ClassFit&) {}), Verdict::proved);
  EXPECT_EQ(changed([](ClassFit& counts) { counts.mistakes -= 1; }), Verdict::refuted);
  EXPECT_EQ(changed([](ClassFit& counts) { counts.presented += 4; }), Verdict::refuted);
  EXPECT_EQ(changed([](ClassFit& counts) { counts.radius *= 2; }), Verdict::refuted);
  EXPECT_EQ(changed([](ClassFit& counts) { counts.norm /= 2; }), Verdict::refuted);
  EXPECT_EQ(changed([](ClassFit& counts) { counts.mistake_bound /= 2; }), Verdict::refuted);
  EXPECT_EQ(changed([](ClassFit& counts) { counts.accuracy = 0.5; }), Verdict::refuted);
  EXPECT_EQ(changed([](ClassFit& counts) { counts.null_log_likelihood = -1; }), Verdict::refuted);
}

// A run that was stopped ended with a pass, and is repeated as far as it went.
TEST(KernelPerceptron, ThatWasStoppedIsRunAgainAsFarAsItWent) {
  FitOptions options{.params = {{"passes", 2.0}}};
  const auto model = fit("kernel-perceptron", kXor.arrays(), options);
  ASSERT_TRUE(model) << model.error().text();
  const auto verdict_of = [&](double more) {
    auto other = learned(*model);
    other.parts[0].mistakes += more;
    FitSummary summary = model->body->summary();
    summary.classes.mistakes += more;
    Model stopped = *model;
    stopped.params["passes"] = 100.0;
    stopped.certificate.stop = Stop(Stop::time_limit);
    stopped.body = std::make_shared<kernel_perceptron::PerceptronBody>(other, summary);
    return verify(stopped, kXor.arrays())->verdict;
  };
  EXPECT_EQ(verdict_of(0), Verdict::stopped_early);
  EXPECT_EQ(verdict_of(1), Verdict::refuted);
  EXPECT_EQ(verdict_of(-1), Verdict::refuted);
}

TEST(KernelPerceptron, SaysWhatItDoesNotTake) {
  const auto half = fit("kernel-perceptron", kLine.arrays(), {.params = {{"passes", 1.5}}});
  ASSERT_FALSE(half);
  EXPECT_THAT(half.error().text(), HasSubstr("whole number"));
  const Set one{1, {1, 2}, {3, 3}};
  EXPECT_FALSE(fit("kernel-perceptron", one.arrays(), {}));
}

} // namespace
} // namespace recta
