// P7: numbers in the caller's memory that no model can use are refused by row and column, with the column's own name;
// shapes and compressed indices that make no matrix are refused before they are followed.
#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace recta {
namespace {

using testing::HasSubstr;
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Numbers {
  std::vector<double> x = std::vector<double>(6000 * 3), y = std::vector<double>(6000);
  std::vector<double> weights = std::vector<double>(6000, 1.0), offset = std::vector<double>(6000, 0.0);
  Arrays arrays;
  Numbers() {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i * i % 97);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i * 7 % 31);
    arrays.dense = MatrixView::row_major(x.data(), 6000, 3);
    arrays.y = MatrixView::vector(y.data(), 6000);
    arrays.weights = weights.data();
    arrays.offset = offset.data();
    arrays.names = {"size", "age of the house", "rooms"};
  }
  // Both models, gathered by sums and by rows.
  void expect_refused(const std::string& place, const std::string& found) const {
    for (const char* word : {"linear", "ridge"})
      for (const char* solver : {"auto", "svd", "lsmr"}) {
        const auto model = fit(word, arrays, {.params = {{"solver", std::string(solver)}}});
        ASSERT_FALSE(model) << word << " by " << solver;
        EXPECT_EQ(model.error().code, ErrorCode::bad_data);
        EXPECT_THAT(model.error().text(), HasSubstr(place)) << word << " by " << solver;
        EXPECT_THAT(model.error().text(), HasSubstr(found)) << word << " by " << solver;
        EXPECT_FALSE(model.error().advice.empty());
      }
  }
};

TEST(BadArrays, AFeatureThatIsNotFiniteIsNamed) {
  for (const double bad : {std::nan(""), kInf, -kInf}) {
    Numbers numbers;
    numbers.x[5000 * 3 + 1] = bad;
    numbers.x[5001 * 3 + 2] = bad;
    numbers.expect_refused("row 5001, column age of the house", "");
  }
}

TEST(BadArrays, WithoutNamesColumnsAreNumbered) {
  Numbers numbers;
  numbers.arrays.names.clear();
  numbers.x[4] = std::nan("");
  numbers.expect_refused("row 2, column x2", "nan");
}

TEST(BadArrays, TargetsWeightsAndOffsetsAreNamed) {
  Numbers numbers;
  numbers.y[17] = std::nan("");
  numbers.expect_refused("row 18, target y", "nan");
  numbers.y[17] = 1;
  numbers.weights[4999] = -2;
  numbers.expect_refused("row 5000, weight", "-2");
  numbers.weights[4999] = kInf;
  numbers.expect_refused("row 5000, weight", "inf");
  numbers.weights[4999] = 0;
  numbers.offset[3] = kInf;
  numbers.expect_refused("row 4, offset", "inf");
}

TEST(BadArrays, ANumberWhoseSquareIsNoDoubleIsNamed) {
  Numbers numbers;
  numbers.x[5000 * 3 + 2] = 1e200;
  const auto model = fit("linear", numbers.arrays);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("row 5001, column rooms: 1e+200 is so large"));
}

TEST(BadArrays, ARowOfWeightZeroMayHoldAnything) {
  Numbers numbers;
  numbers.x[300] = std::nan("");
  numbers.weights[100] = 0;
  const auto model = fit("linear", numbers.arrays);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  EXPECT_EQ(model->linear()->rows, 5999);
}

TEST(BadArrays, AnInfinityInATableIsNamedByFileRowAndColumn) {
  Dataset data = parse("a,b,y\n1,2,3\n2,1,4\n5,5,5\n", "t.csv", {}).value();
  data.columns[1].values[1] = kInf;
  const auto model = fit("linear", data, {.target = {"y"}});
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("t.csv"));
  EXPECT_THAT(model.error().text(), HasSubstr("row 2, column b"));
}

TEST(BadArrays, NoRowsNoColumnsAndNoMemoryAreToldApart) {
  const double x[] = {1, 2}, y[] = {3, 4};
  EXPECT_THAT(fit("linear", Arrays{.dense = {x, 0, 2, 2, 1}, .y = {y, 0, 1, 1, 1}}).error().text(),
              HasSubstr("there are no rows"));
  EXPECT_THAT(fit("linear", Arrays{.dense = {nullptr, 2, 1, 1, 1}, .y = MatrixView::vector(y, 2)}).error().text(),
              HasSubstr("x"));
  EXPECT_THAT(fit("linear", Arrays{.dense = MatrixView::vector(x, 2), .y = {nullptr, 2, 1, 1, 1}}).error().text(),
              HasSubstr("y"));
  EXPECT_FALSE(fit("linear", Arrays{.dense = {x, 2, -1, 1, 1}, .y = MatrixView::vector(y, 2)}));
  const auto mean = fit("linear", Arrays{.dense = {nullptr, 2, 0, 0, 1}, .y = MatrixView::vector(y, 2)});
  ASSERT_TRUE(mean) << mean.error().text();
  EXPECT_EQ(mean->linear()->targets[0].intercept.value, 3.5);
  EXPECT_EQ(mean->certificate.verdict, Verdict::proved);
}

TEST(BadArrays, CompressedIndicesThatMakeNoMatrixAreRefused) {
  const double value[] = {1, 2, 3}, y[] = {1, 2};
  const Index good_start[] = {0, 2, 3}, back[] = {0, 3, 2}, late[] = {1, 2, 3};
  const Index good[] = {0, 2, 1}, outside[] = {0, 3, 1}, negative[] = {-1, 2, 1}, twice[] = {2, 2, 1};
  const auto refused = [&](const Index* start, const Index* index) {
    const SparseView x{2, 3, start, index, value};
    const auto model = fit("ridge", Arrays{.sparse = x, .y = MatrixView::vector(y, 2)});
    const auto right = fit("ridge", Arrays{.sparse = {2, 3, good_start, good, value}, .y = MatrixView::vector(y, 2)});
    EXPECT_TRUE(right) << right.error().text();
    const auto predicted = right->predict(x);
    return !model && !predicted && model.error().code == ErrorCode::bad_data &&
           predicted.error().code == ErrorCode::bad_data;
  };
  EXPECT_FALSE(refused(good_start, good));
  EXPECT_TRUE(refused(back, good));
  EXPECT_TRUE(refused(late, good));
  EXPECT_TRUE(refused(good_start, outside));
  EXPECT_TRUE(refused(good_start, negative));
  EXPECT_TRUE(refused(good_start, twice));
}

TEST(BadArrays, AnAnswerThatWasSolvedIsKeptWhenItsCheckIsStopped) { // more columns than rows: no products are kept
  std::vector<double> x(40 * 90), y(40);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::cos(static_cast<double>(i));
  const Arrays arrays{.dense = MatrixView::row_major(x.data(), 40, 90), .y = MatrixView::vector(y.data(), 40)};
  const auto model =
      fit("ridge", arrays, {.threads = 1}, [](const Progress& progress) { return progress.stage != "certifying"; });
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.stop.text(), "interrupted");
}

} // namespace
} // namespace recta
