// Weights, targets and columns near the ends of the doubles: a fit either proves what it proves of ordinary numbers, or
// says why it cannot.
#include <recta/recta.hpp>

#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace recta {
namespace {

using testing::HasSubstr;

const std::vector<double> kX{0.3, -1.2, 0.8, 2.1, -0.4, 0.9, 1.7, -2.2, 0.1, 1.1, -0.6, 0.5, 0.2, -0.7, 1.4, 0.6};
const std::vector<double> kY{1, 2, 4, 1, 3, 0.5, 2, 5};
constexpr Index kRows = 8;
constexpr double kNone = std::numeric_limits<double>::infinity(); // no distance is stated

struct Problem {
  std::string word;
  Params params;
};
const std::vector<Problem> kNumbers{
    {"linear", {}},
    {"ridge", {{"lambda", 0.1}}},
    {"lasso", {{"lambda", 0.01}}},
    {"elastic-net", {{"lambda", 0.05}, {"l1-share", 0.5}}},
    {"group-lasso", {{"lambda", 0.01}}},
    {"huber", {{"delta", 1.0}}},
    {"quantile", {}},
    {"poisson", {}},
    {"gamma", {}},
    {"constant", {}},
    {"kernel-ridge", {{"kernel", std::string("rbf")}, {"gamma", 0.5}, {"lambda", 0.1}}}};

Arrays arrays_of(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& weights) {
  Arrays out{.y = MatrixView::vector(y.data(), std::ssize(y))};
  const Index rows = std::ssize(y);
  out.dense = MatrixView::col_major(x.data(), rows, std::ssize(x) / rows);
  if (!weights.empty()) out.weights = weights.data();
  return out;
}

std::string csv_of(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& weights) {
  const std::size_t rows = y.size(), cols = x.size() / rows;
  std::string text;
  for (std::size_t j = 0; j < cols; ++j) text += fmt::format("x{},", j + 1);
  text += weights.empty() ? "y\n" : "y,v\n";
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) text += fmt::format("{},", x[i + j * rows]);
    text += fmt::format("{}", y[i]) + (weights.empty() ? "\n" : fmt::format(",{}\n", weights[i]));
  }
  return text;
}

Dataset table_of(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& weights = {}) {
  auto data = parse(csv_of(x, y, weights), "t.csv", {.format = "csv"});
  EXPECT_TRUE(data) << data.error().text();
  return *std::move(data);
}

Result<Model> fitted(const Problem& problem, const Dataset& data, FitOptions options = {}) {
  options.target = {"y"};
  if (data.find("v")) options.weights = "v";
  options.params = problem.params;
  if (problem.word == "group-lasso") options.params["groups"] = std::string("x1,x2");
  return fit(problem.word, data, options);
}

std::string refusal(const Problem& problem, const Dataset& data, const FitOptions& options = {}) {
  const auto model = fitted(problem, data, options);
  return model ? model->certificate.sentence() : model.error().text();
}

std::vector<double> times(std::vector<double> numbers, double factor) {
  for (double& each : numbers) each *= factor;
  return numbers;
}

TEST(FarNumbers, WeightsCountByTheirRatiosHoweverSmallOrLarge) {
  const std::vector<double> weights{1, 2, 1.5, 3, 0, 1, 2.5, 1};
  const Dataset usual = table_of(kX, kY, weights);
  for (const double size : {0x1p-1000, 0x1p-1071, 0x1p990}) {
    const std::vector<double> far = times(weights, size);
    const Dataset table = table_of(kX, kY, far);
    for (const Problem& problem : kNumbers) {
      if (size == 0x1p-1071 && problem.word != "lasso") continue;
      const auto one = fitted(problem, usual), other = fitted(problem, table);
      ASSERT_TRUE(one && other) << problem.word << other.error().text();
      EXPECT_EQ(other->certificate.verdict, Verdict::proved) << problem.word << other->certificate.sentence();
      EXPECT_NEAR(other->certificate.objective, one->certificate.objective, 1e-9 * one->certificate.objective);
      EXPECT_THAT(other->certificate.sentence(), HasSubstr("the weights were multiplied by 2^"));
      const auto verified = verify(*other, table);
      ASSERT_TRUE(verified) << verified.error().text();
      EXPECT_EQ(verified->verdict, Verdict::proved) << problem.word << verified->sentence();
    }
    FitOptions options{.weights = "v"};
    options.params = {{"lambda", 0.01}};
    const auto of_arrays = fit("lasso", arrays_of(kX, kY, far), options);
    ASSERT_TRUE(of_arrays) << of_arrays.error().text();
    EXPECT_EQ(of_arrays->certificate.verdict, Verdict::proved) << of_arrays->certificate.sentence();
    const auto verified = verify(*of_arrays, arrays_of(kX, kY, far));
    ASSERT_TRUE(verified) << verified.error().text();
    EXPECT_EQ(verified->verdict, Verdict::proved) << verified->sentence();
  }
}

TEST(FarNumbers, WhatStandsBesideTheSumOfFarWeightsIsRefused) {
  const Dataset data = table_of(kX, kY, std::vector<double>(kRows, 1e-290));
  EXPECT_THAT(refusal({"ridge", {{"tau", 1.0}}}, data), HasSubstr("multiply the weights by a power of ten"));
  EXPECT_THAT(refusal({"linear", {}}, data, {.weights_are = WeightMeaning::frequency}),
              HasSubstr("multiply the weights by a power of ten"));
}

TEST(FarNumbers, TargetsWhoseSquaresAreNoDoublesAreRefused) {
  for (const Problem& problem : kNumbers)
    for (const double size : {1e-110, 1e-165, 1e-300}) {
      const std::string text = refusal(problem, table_of(kX, times(kY, size)));
      EXPECT_THAT(text, HasSubstr("multiply the target by a power of ten")) << problem.word;
      EXPECT_THAT(text, HasSubstr("target y")) << problem.word;
    }
  for (const Problem& problem : kNumbers)
    EXPECT_THAT(refusal(problem, table_of(kX, times(kY, 1e200))), HasSubstr("divide the target by a power of ten"));
  const auto small = fitted({"lasso", {{"lambda", 1e-92}}}, table_of(kX, times(kY, 1e-90)));
  ASSERT_TRUE(small) << small.error().text();
  EXPECT_EQ(small->certificate.verdict, Verdict::proved) << small->certificate.sentence();
}

// Columns near 2^53 vary in a few last bits only, and the squares of subnormal ones are not doubles.
TEST(FarNumbers, ColumnsThatAreLeftOutLeaveNoDistance) {
  constexpr double kAway = 0x1p53;
  const std::vector<double> alike{kAway + 4,  kAway + 2,  kAway + 8,  kAway + 16, kAway - 2, kAway + 12,
                                  kAway + 16, kAway + 10, kAway - 14, kAway - 8,  kAway + 2, kAway - 16,
                                  kAway + 4,  kAway + 8,  kAway + 10, kAway};
  for (const bool intercept : {true, false})
    for (const bool standardise : {true, false})
      for (const Problem& problem :
           {Problem{"linear", {}}, Problem{"ridge", {{"lambda", 1e-46}}}, Problem{"ridge", {{"lambda", 1e-3}}},
            Problem{"elastic-net", {{"lambda", 1e-8}, {"l1-share", 0.5}}},
            Problem{"group-lasso", {{"lambda", 1e-8}}}}) {
        if (problem.word == "group-lasso" && !intercept) continue; // its search leaves the doubles, and says so
        FitOptions options{.intercept = intercept};
        options.standardise = standardise;
        const auto model = fitted(problem, table_of(alike, kY), options);
        ASSERT_TRUE(model) << model.error().text();
        const Certificate& c = model->certificate;
        const auto* exact = std::get_if<ExactOptimum>(&c.claim);
        const auto* gap = std::get_if<DualityGap>(&c.claim);
        const double stated = exact ? exact->suboptimality + c.slack : gap ? gap->gap + c.slack : kNone;
        EXPECT_TRUE(c.verdict == Verdict::proved || stated > 0.999 * c.objective) << problem.word << c.sentence();
        EXPECT_NE(c.verdict, Verdict::within_tolerance) << problem.word << c.sentence();
      }
}

TEST(FarNumbers, ColumnsWhoseSquaresAreNoDoublesAreRefused) {
  std::vector<double> x = kX;
  for (std::size_t i = 0; i < kRows; ++i) x[i] *= 1e-320;
  for (const bool standardise : {true, false})
    for (const Problem& problem :
         {Problem{"ridge", {{"lambda", 0.1}}}, Problem{"lasso", {{"lambda", 0.1}}},
          Problem{"elastic-net", {{"lambda", 1e-8}, {"l1-share", 0.5}}}, Problem{"group-lasso", {{"lambda", 0.1}}}}) {
      FitOptions options;
      options.standardise = standardise;
      EXPECT_THAT(refusal(problem, table_of(x, kY), options), HasSubstr("multiply the column by a power of ten"));
    }
}

} // namespace
} // namespace recta
