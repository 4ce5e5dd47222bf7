// From data to proven models and back, through the public headers.
#include "model/linear/body.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;

Dataset table(std::string_view csv) {
  auto data = parse(csv, "t.csv", {.format = "csv"});
  EXPECT_TRUE(data) << data.error().text();
  return data ? *std::move(data) : Dataset{};
}

Model fitted(const std::string& word, const Dataset& data, const FitOptions& options = {}) {
  auto model = fit(word, data, options);
  EXPECT_TRUE(model) << model.error().text();
  return model ? *std::move(model) : Model{};
}

double coefficient(const Model& model, const std::string& feature) {
  for (const Coefficient& c : model.linear()->targets.at(0).coefficients)
    if (c.feature == feature) return c.value;
  ADD_FAILURE() << "no feature " << feature;
  return 0;
}

// Everything except how many rows were known beforehand, which shows in the reason for the solver and in the number of
// passes.
void expect_same_numbers(Model a, Model b) {
  for (Model* model : {&a, &b}) {
    own_linear(*model).reason.clear();
    model->certificate.passes = 0;
  }
  EXPECT_TRUE(a.to_bytes() == b.to_bytes());
}

// A file that ends with the test.
struct TemporaryFile {
  std::filesystem::path path;
  TemporaryFile(const std::string& name, std::string_view text)
      : path(std::filesystem::temp_directory_path() / (std::to_string(std::random_device{}()) + "-" + name)) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path); }
};

std::string random_csv(int rows, int cols, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::string text;
  for (int j = 0; j < cols; ++j) text += "x" + std::to_string(j + 1) + ",";
  text += "y\n";
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j <= cols; ++j) text += std::to_string(normal(random)) + (j == cols ? "\n" : ",");
  }
  return text;
}

} // namespace

TEST(Fit, ALineThroughPointsOnALineIsFoundAndProved) {
  const Model model = fitted("linear", table("x,y\n1,3\n2,5\n3,7\n4,9\n"), {.target = {"y"}});
  EXPECT_DOUBLE_EQ(coefficient(model, "x"), 2);
  EXPECT_DOUBLE_EQ(model.linear()->targets[0].intercept.value, 1);
  EXPECT_EQ(model.certificate.verdict, Verdict::proved);
  EXPECT_EQ(model.linear()->rank, 1);
}

TEST(Fit, HousingHasTheKnownDeterminationAndCoefficients) {
  const Model model = fitted("linear", read("housing").value());
  EXPECT_NEAR(model.linear()->targets[0].r2, 0.7406426641094095, 1e-13);
  EXPECT_NEAR(coefficient(model, "rm"), 3.8098652068092282, 1e-11);
  EXPECT_EQ(model.certificate.verdict, Verdict::proved);
  const auto& claim = std::get<ExactOptimum>(model.certificate.claim);
  EXPECT_LT(claim.suboptimality, 1e-20 * model.certificate.null_objective);
}

TEST(Fit, TauIsLambdaTimesTheSumOfWeights) {
  const auto data = read("housing").value();
  const Model by_tau = fitted("ridge", data, {.params = {{"tau", 50.6}}});
  const Model by_lambda = fitted("ridge", data, {.params = {{"lambda", 50.6 / 506}}});
  EXPECT_DOUBLE_EQ(by_tau.linear()->lambda2, by_lambda.linear()->lambda2);
  EXPECT_DOUBLE_EQ(coefficient(by_tau, "nox"), coefficient(by_lambda, "nox"));
  const Model unset = fitted("ridge", data);
  EXPECT_DOUBLE_EQ(unset.linear()->lambda2, 1.0 / 506);
}

TEST(Fit, TheClosedFormOfTheCourseComesOut) { // R8: X = (1, 2), y = (1, 1), tau = 1, no intercept: w = 3 / 6
  const Model model =
      fitted("ridge", table("x,y\n1,1\n2,1\n"), {.target = {"y"}, .intercept = false, .params = {{"tau", 1.0}}});
  EXPECT_DOUBLE_EQ(coefficient(model, "x"), 0.5);
  ASSERT_EQ(model.linear()->singular.size(), 1u);
  EXPECT_DOUBLE_EQ(model.linear()->singular[0].shrinkage, 5.0 / 6);
}

TEST(Fit, TwoStrengthsForOnePenaltyAreRefused) {
  const auto model = fit("ridge", read("housing").value(), {.params = {{"tau", 1.0}, {"lambda", 1.0}}});
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::usage);
  EXPECT_THAT(model.error().text(), HasSubstr("given more than once"));
}

TEST(Fit, UnknownWordsAreAnsweredWithTheNearest) {
  EXPECT_THAT(fit("rigde", read("housing").value()).error().text(), HasSubstr("did you mean \"ridge\"?"));
  EXPECT_THAT(fit("ridge", read("housing").value(), {.params = {{"lamda", 1.0}}}).error().text(),
              HasSubstr("did you mean \"lambda\"?"));
  EXPECT_THAT(fit("ridge", read("housing").value(), {.params = {{"lambda", -1.0}}}).error().text(),
              HasSubstr("-1 is out of range"));
  EXPECT_THAT(fit("linear", read("housing").value(), {.params = {{"solver", std::string("gramm")}}}).error().text(),
              HasSubstr("did you mean \"gram\"?"));
}

TEST(Fit, WeightTwoIsTheRowTwiceAndWeightZeroIsTheRowAbsent) {
  const Model weighted = fitted("ridge", table("x,v,y\n1,2,3\n2,1,5\n9,0,99\n3,1,4\n"),
                                {.target = {"y"}, .weights = "v", .params = {{"lambda", 0.1}}});
  const Model repeated =
      fitted("ridge", table("x,y\n1,3\n1,3\n2,5\n3,4\n"), {.target = {"y"}, .params = {{"lambda", 0.1}}});
  EXPECT_NEAR(coefficient(weighted, "x"), coefficient(repeated, "x"), 1e-15);
  EXPECT_EQ(weighted.certificate.verdict, Verdict::proved);
}

TEST(Fit, AllWeightsZeroIsAnError) {
  const auto model = fit("linear", table("x,v,y\n1,0,3\n2,0,5\n"), {.target = {"y"}, .weights = "v"});
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("no row has a positive weight"));
}

TEST(Fit, AnOffsetIsSubtractedInTrainingAndAddedInPrediction) {
  const auto data = table("x,o,y\n1,10,13\n2,20,25\n3,5,12\n");
  const Model model = fitted("linear", data, {.target = {"y"}, .offset = "o"});
  EXPECT_NEAR(coefficient(model, "x"), 2, 1e-14);
  const auto z = model.predict(data).value();
  EXPECT_NEAR(z[0], 13, 1e-13);
  EXPECT_NEAR(z[2], 12, 1e-13);
}

TEST(Fit, SeveralTargetsAreFittedAtOnce) {
  const auto data = table("x,a,b\n1,3,1\n2,5,0\n3,7,-1\n");
  const Model model = fitted("linear", data, {.target = {"a", "b"}});
  ASSERT_EQ(model.linear()->targets.size(), 2u);
  EXPECT_NEAR(model.linear()->targets[0].coefficients[0].value, 2, 1e-14);
  EXPECT_NEAR(model.linear()->targets[1].coefficients[0].value, -1, 1e-14);
  const auto z = model.predict(data).value();
  ASSERT_EQ(z.size(), 6u);
  EXPECT_NEAR(z[4], 7, 1e-13);
  EXPECT_NEAR(z[5], -1, 1e-13);
}

TEST(Fit, CategoriesLeaveOutOneLevelOnlyWithoutAPenalty) {
  const auto data = table("c,y\na,1\nb,2\na,1\nb,4\nc,6\n");
  const Model plain = fitted("linear", data, {.target = {"y"}});
  EXPECT_EQ(plain.feature_names(), (std::vector<std::string>{"c=b", "c=c"}));
  EXPECT_NEAR(plain.linear()->targets[0].intercept.value, 1, 1e-14);
  EXPECT_NEAR(coefficient(plain, "c=c"), 5, 1e-14);
  const Model penalised = fitted("ridge", data, {.target = {"y"}});
  EXPECT_EQ(penalised.feature_names().size(), 3u);
}

TEST(Fit, DependentColumnsAreNamedAndTheAnswerIsOfLeastNorm) {
  const Model model = fitted("linear", table("a,b,y\n1,2,1\n2,4,2\n3,6,3\n4,8,5\n"), {.target = {"y"}});
  EXPECT_EQ(model.linear()->rank, 1);
  ASSERT_EQ(model.linear()->aliased.size(), 1u);
  EXPECT_NEAR(coefficient(model, "b"), 2 * coefficient(model, "a"), 1e-14);
  EXPECT_FALSE(model.certificate.conditions.empty());
  EXPECT_NE(model.certificate.verdict, Verdict::refuted);
}

TEST(Fit, MoreColumnsThanRowsIsAnswered) {
  const Model model = fitted("linear", table(random_csv(5, 12, 3)), {.target = {"y"}});
  EXPECT_LE(model.linear()->rank, 4);
  EXPECT_LT(model.certificate.objective, 1e-20);
  EXPECT_NE(model.certificate.verdict, Verdict::refuted);
}

TEST(Fit, AConstantTargetHasSlopeZero) {
  const Model model = fitted("linear", table("x,y\n1,3\n2,3\n3,3\n"), {.target = {"y"}});
  EXPECT_EQ(coefficient(model, "x"), 0);
  EXPECT_DOUBLE_EQ(model.linear()->targets[0].intercept.value, 3);
  EXPECT_NE(model.certificate.verdict, Verdict::refuted);
}

TEST(Fit, OneRowIsAnswered) {
  const Model model = fitted("linear", table("x,y\n1,3\n"), {.target = {"y"}});
  EXPECT_DOUBLE_EQ(model.predict(table("x\n1\n")).value()[0], 3);
}

TEST(Fit, ShiftingTheColumnsDoesNotMoveTheSlopes) { // P6: an exact shift by 2^20
  auto data = table(random_csv(300, 4, 5));
  for (Column& column : data.columns)
    for (double& x : column.values) x = std::round(x * 1048576) / 1048576;
  const Model before = fitted("ridge", data, {.target = {"y"}, .params = {{"lambda", 0.3}}});
  for (std::size_t j = 0; j < 4; ++j)
    for (double& x : data.columns[j].values) x += 1048576;
  const Model after = fitted("ridge", data, {.target = {"y"}, .params = {{"lambda", 0.3}}});
  for (const char* name : {"x1", "x2", "x3", "x4"})
    EXPECT_THAT(coefficient(after, name),
                DoubleNear(coefficient(before, name), 1e-9 * std::abs(coefficient(before, name))));
}

TEST(Fit, AllSolversAgree) {
  const auto data = read("housing").value();
  const Model base = fitted("ridge", data, {.params = {{"lambda", 0.5}}});
  const std::vector<std::string> by_steps{"gradient-descent", "sgd", "accelerated", "svrg", "saga"};
  for (const ParamInfo& param : models()[1].params) {
    if (param.name != "solver") continue;
    for (const std::string& solver : param.choices) {
      const bool descent = std::ranges::find(by_steps, solver) != by_steps.end();
      Params params{{"lambda", 0.5}, {"solver", solver}};
      if (descent) params["passes"] = 2.0;
      const Model model = fitted("ridge", data, {.params = params});
      EXPECT_NE(model.certificate.verdict, Verdict::refuted) << solver;
      if (descent) { // two passes are not enough, and that is what is said
        EXPECT_EQ(model.certificate.verdict, Verdict::stopped_early) << solver;
        EXPECT_GT(std::get<ExactOptimum>(model.certificate.claim).suboptimality, 0) << solver;
        continue;
      }
      for (const Coefficient& c : base.linear()->targets[0].coefficients)
        EXPECT_NEAR(coefficient(model, c.feature), c.value, 1e-7 * (1 + std::abs(c.value))) << solver;
    }
  }
}

TEST(SameBits, AtAnyNumberOfThreads) {
  const auto data = table(random_csv(9000, 7, 7));
  const std::string one = fitted("linear", data, {.target = {"y"}, .threads = 1}).to_bytes();
  for (const int threads : {2, 3, 8})
    EXPECT_TRUE(fitted("linear", data, {.target = {"y"}, .threads = threads}).to_bytes() == one) << threads;
}

TEST(SameBits, StreamedAndInMemory) {
  const TemporaryFile file("rows.csv", random_csv(9000, 5, 11));
  const auto whole = read(file.path).value();
  const Model in_memory = fitted("linear", whole, {.target = {"y"}});
  const auto streamed = fit_stream("linear", file.path, {}, {.target = {"y"}});
  ASSERT_TRUE(streamed) << streamed.error().text();
  expect_same_numbers(*streamed, in_memory);
  EXPECT_EQ(streamed->certificate.verdict, Verdict::proved);
  const auto again = verify_stream(*streamed, file.path);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->verdict, Verdict::proved);
}

TEST(SameBits, StreamedCategoriesFirstSeenLate) {
  std::string text = "c,y\n";
  for (int i = 0; i < 6000; ++i) text += (i % 2 ? "a," : "b,") + std::to_string(i % 7) + "\n";
  text += "late,3\n";
  const TemporaryFile file("late.csv", text);
  const auto streamed = fit_stream("linear", file.path, {}, {.target = {"y"}});
  ASSERT_TRUE(streamed) << streamed.error().text();
  expect_same_numbers(*streamed, fitted("linear", read(file.path).value(), {.target = {"y"}}));
}

TEST(Fit, AWideRidgeIsProvedByItsGapAndRefutedByIt) {
  const auto data = table(random_csv(1300, 1010, 23));
  Model model = fitted("ridge", data, {.target = {"y"}, .params = {{"lambda", 0.1}}});
  const auto& gap = std::get<DualityGap>(model.certificate.claim);
  EXPECT_EQ(model.certificate.verdict, Verdict::proved);
  EXPECT_LT(gap.gap, 1e-20);
  EXPECT_EQ(verify(model, data)->verdict, Verdict::proved);

  // Moving one coefficient by d costs d^2 (C_jj / W + lambda) / 2, and the gap is no less.
  constexpr double kStep = 0.01;
  own_linear(model).targets[0].coefficients[7].value += kStep;
  const auto refuted = verify(model, data);
  ASSERT_TRUE(refuted);
  EXPECT_EQ(refuted->verdict, Verdict::refuted);
  const double sd = model.linear()->deviations[7];
  EXPECT_GE(std::get<DualityGap>(refuted->claim).gap, kStep * kStep * (sd * sd + 0.1) / 2 * (1 - 1e-9));
}

TEST(Verify, HoldsForTheTrainingRowsAndRefusesOthers) {
  const auto data = read("housing").value();
  const Model model = fitted("ridge", data, {.weights = "", .params = {{"lambda", 0.1}}});
  EXPECT_EQ(verify(model, data)->verdict, Verdict::proved);
  auto other = data;
  other.columns[3].values[17] += 1;
  const auto refused = verify(model, other);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("not the training data: 506 rows as then, but with other values"));
}

TEST(Verify, TellsColumnsApartThatTheFitToldApart) {
  std::string text = "x,almost,y\n";
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  char row[128];
  for (int i = 0; i < 20000; ++i) {
    const double x = normal(random), z = normal(random);
    std::snprintf(row, sizeof row, "%.17g,%.17g,%.17g\n", x, x + 1e-7 * z, x + z + normal(random));
    text += row;
  }
  const auto data = table(text);
  for (int copies : {1, 60}) { // few rows are read in double-double at once, many only when that turns out to be needed
    auto many = data;
    for (Column& column : many.columns) {
      const auto once = column.values;
      for (int c = 1; c < copies; ++c) column.values.insert(column.values.end(), once.begin(), once.end());
    }
    many.rows = data.rows * copies;
    const Model model = fitted("linear", many, {.target = {"y"}});
    EXPECT_EQ(model.linear()->rank, 2);
    EXPECT_EQ(model.certificate.verdict, Verdict::proved) << model.certificate.sentence();
    EXPECT_EQ(verify(model, many)->verdict, Verdict::proved) << verify(model, many)->sentence();
  }
}

TEST(Verify, RefutesAModelWhoseNumbersWereChanged) {
  const auto data = read("housing").value();
  Model model = fitted("ridge", data, {.params = {{"lambda", 0.1}}});
  own_linear(model).targets[0].coefficients[5].value *= 1.01;
  EXPECT_EQ(verify(model, data)->verdict, Verdict::refuted);
}

TEST(Verify, ReplaysWeightsCategoriesAndFilledInValues) {
  std::string text = "c,x,v,y\n";
  for (int i = 0; i < 50; ++i)
    text += std::string(1, static_cast<char>('a' + i % 3)) + "," + (i % 9 ? std::to_string(i) : "NA") + "," +
            std::to_string(i % 4) + "," + std::to_string(i * i % 17) + "\n";
  const auto data = table(text);
  for (const Missing missing : {Missing::drop, Missing::mean, Missing::indicator}) {
    const Model model = fitted("linear", data, {.target = {"y"}, .weights = "v", .missing = missing});
    EXPECT_EQ(verify(model, data)->verdict, Verdict::proved);
  }
}

TEST(Predict, ABatchOfOneEqualsABatchOfManyBitwise) {
  const auto data = read("housing").value();
  const Model model = fitted("linear", data);
  const auto all = model.predict(data).value();
  for (const Index i : {Index{0}, Index{17}, Index{505}}) {
    std::vector<double> row;
    for (std::size_t j = 0; j < 13; ++j) row.push_back(data.columns[j].values[static_cast<std::size_t>(i)]);
    const auto one = model.predict(MatrixView::row_major(row.data(), 1, 13)).value();
    EXPECT_EQ(one[0], all[static_cast<std::size_t>(i)]);
  }
}

TEST(Predict, RowsWithGapsHaveNoPredictionUnderDrop) {
  const Model model =
      fitted("linear", table("x,y\n1,1\n2,2\nNA,9\n3,3\n"), {.target = {"y"}, .missing = Missing::drop});
  const auto z = model.predict(table("x\n1\nNA\n2\n")).value();
  ASSERT_EQ(z.size(), 3u);
  EXPECT_NEAR(z[0], 1, 1e-14);
  EXPECT_TRUE(std::isnan(z[1]));
  EXPECT_NEAR(z[2], 2, 1e-14);
}

TEST(Predict, NotANumberInAnArrayIsNamedWithItsPlace) {
  const Model model = fitted("linear", table("a,b,y\n1,2,1\n2,1,2\n3,5,3\n"), {.target = {"y"}});
  const double x[] = {1, 2, 3, std::nan("")};
  const auto z = model.predict(MatrixView::row_major(x, 2, 2));
  ASSERT_FALSE(z);
  EXPECT_THAT(z.error().text(), HasSubstr("row 2, feature b: the value is missing (NaN)"));
}

TEST(Arrays, EveryLayoutGivesTheSameModel) {
  const auto data = table(random_csv(3000, 6, 13));
  std::vector<double> by_row(3000 * 6), by_col(3000 * 6), value;
  std::vector<Index> start{0}, index;
  for (std::size_t i = 0; i < 3000; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double x = data.columns[j].values[i];
      by_row[i * 6 + j] = by_col[j * 3000 + i] = x;
      if (x != 0) index.push_back(static_cast<Index>(j)), value.push_back(x);
    }
    start.push_back(static_cast<Index>(index.size()));
  }
  Arrays arrays{.dense = MatrixView::row_major(by_row.data(), 3000, 6),
                .y = MatrixView::vector(data.columns[6].values.data(), 3000),
                .names = {"x1", "x2", "x3", "x4", "x5", "x6"}};
  const auto c_order = fit("linear", arrays, {});
  ASSERT_TRUE(c_order) << c_order.error().text();
  const Model from_table = fitted("linear", data, {.target = {"y"}});
  EXPECT_EQ(c_order->fingerprint, from_table.fingerprint);
  arrays.dense = MatrixView::col_major(by_col.data(), 3000, 6);
  EXPECT_TRUE(fit("linear", arrays, {})->to_bytes() == c_order->to_bytes());
  arrays.sparse = {3000, 6, start.data(), index.data(), value.data()};
  const auto sparse = fit("linear", arrays, {});
  ASSERT_TRUE(sparse) << sparse.error().text();
  EXPECT_EQ(sparse->fingerprint, c_order->fingerprint);
  for (std::size_t j = 0; j < 6; ++j)
    EXPECT_NEAR(sparse->linear()->targets[0].coefficients[j].value, c_order->linear()->targets[0].coefficients[j].value,
                1e-13);
}

TEST(Arrays, CuresThatChooseColumnsAskForATable) {
  const std::vector<double> x{1, 2, 3, 5, 8, 13}, y{1, 2, 4};
  const Arrays arrays{.dense = MatrixView::row_major(x.data(), 3, 2), .y = MatrixView::vector(y.data(), 3)};
  EXPECT_THAT(fit("linear", arrays, {.max_inflation = 10}).error().text(),
              HasSubstr("columns of arrays are not dropped"));
  EXPECT_THAT(fit("linear", arrays, {.components = 1}).error().text(),
              HasSubstr("principal components are made of the columns of a table"));
}

TEST(Arrays, ShapesThatDoNotFitTogetherAreRefused) {
  const double x[] = {1, 2, 3, 4}, y[] = {1, 2};
  const auto short_y = fit("linear", Arrays{.dense = MatrixView::row_major(x, 4, 1), .y = MatrixView::vector(y, 2)});
  ASSERT_FALSE(short_y);
  EXPECT_THAT(short_y.error().text(), HasSubstr("x has 4 rows and y has 2"));
}

TEST(Interruption, BeforeThereIsAnAnswerIsAnErrorOfItsOwn) {
  const auto data = table(random_csv(9000, 4, 17));
  const auto model = fit("linear", data, {.target = {"y"}}, [](const Progress&) { return false; });
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::interrupted);
}

TEST(Interruption, ALongFactorisationIsAnnouncedAndCanBeDeclined) {
  const auto data = table(random_csv(1100, 1005, 29));
  std::string announced;
  const auto model = fit("ridge", data, {.target = {"y"}}, [&](const Progress& progress) {
    const bool factoring = progress.stage.starts_with("factoring");
    if (factoring) announced = progress.stage;
    return !factoring;
  });
  EXPECT_THAT(announced, HasSubstr("factoring 1005 x 1005, about"));
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::interrupted);
}

TEST(Interruption, AFactorisationUnderWayIsStopped) {
  const auto data = table(random_csv(1100, 1005, 29));
  int asked = 0;
  const auto model = fit("linear", data, {.target = {"y"}, .threads = 1}, [&](const Progress& progress) {
    return !progress.stage.starts_with("factoring") || asked++ == 0;
  });
  ASSERT_GE(asked, 1);
  if (asked == 1) return; // it took less than 20 ms
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::interrupted);
}

TEST(Interruption, WhileDescribingALargeAnswerKeepsItWithoutStandardErrors) {
  const auto data = table(random_csv(1100, 1005, 29));
  const auto whole = fit("linear", data, {.target = {"y"}});
  const auto model = fit("linear", data, {.target = {"y"}},
                         [](const Progress& progress) { return progress.stage != "describing the answer"; });
  ASSERT_TRUE(whole) << whole.error().text();
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.stop.text(), "interrupted");
  EXPECT_NE(model->certificate.verdict, Verdict::proved);
  EXPECT_TRUE(std::holds_alternative<KktResidual>(model->certificate.claim)); // a bound would need one more factor
  EXPECT_THAT(model->certificate.sentence(), testing::Not(HasSubstr("fresh pass")));
  EXPECT_EQ(model->linear()->rank, whole->linear()->rank);
  for (std::size_t j = 0; j < 1005; ++j) {
    EXPECT_EQ(model->linear()->targets[0].coefficients[j].value, whole->linear()->targets[0].coefficients[j].value);
    EXPECT_TRUE(std::isnan(model->linear()->targets[0].coefficients[j].standard_error));
  }
}

TEST(Interruption, WhileCheckingKeepsTheAnswerAndSaysSo) {
  const auto data = table(random_csv(60000, 4, 17));
  const auto model = fit("linear", data, {.target = {"y"}, .threads = 1},
                         [](const Progress& progress) { return progress.stage != "certifying"; });
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.stop.text(), "interrupted");
  EXPECT_NE(model->certificate.verdict, Verdict::proved);
  EXPECT_TRUE(std::get<ExactOptimum>(model->certificate.claim).from_merged_statistics);
}

} // namespace recta
