// Nearest centroids: answers on paper, the limit of lda, files.
#include <recta/estimator.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using S = std::string;

const std::vector<double> kX{0, 0, 1, 0, 5, 0, 10, 4, 12, 4}, kY{0, 0, 0, 1, 1};

Arrays five() {
  return {.dense = MatrixView::row_major(kX.data(), 5, 2), .y = MatrixView::vector(kY.data(), 5)};
}

Model with_proof(const Params& params, const Arrays& rows) {
  FitOptions options;
  options.params = params;
  auto model = fit("nearest-centroid", rows, options);
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

double cell(const Model& model, std::size_t row, std::size_t column) {
  return std::get<double>(model.body->report(model.schema).tables[1].rows[row][column]);
}

TEST(NearestCentroid, HasMeansOrMedians) {
  const Model means = with_proof({}, five());
  EXPECT_EQ(cell(means, 0, 1), 2);
  EXPECT_EQ(cell(means, 0, 2), 11);
  const Model medians = with_proof({{"metric", S("manhattan")}}, five());
  EXPECT_EQ(cell(medians, 0, 1), 1);
  EXPECT_EQ(cell(medians, 0, 2), 11);
  const std::vector<double> x{6, 2};
  const auto s = medians.predict(MatrixView::row_major(x.data(), 1, 2), 1, Answer::decision);
  EXPECT_DOUBLE_EQ((*s)[0], std::log(0.5) - 7);
  EXPECT_DOUBLE_EQ((*s)[1], std::log(0.5) - 7);
}

TEST(NearestCentroid, OfWeightedRowsHasTheMedianOfTheirWeight) {
  Arrays rows = five();
  const std::vector<double> weights{1, 1, 5, 1, 3};
  rows.weights = weights.data();
  const Model model = with_proof({{"metric", S("manhattan")}}, rows);
  EXPECT_EQ(cell(model, 0, 1), 5);
  EXPECT_EQ(cell(model, 0, 2), 12);
}

TEST(NearestCentroid, ShrinksColumnsAwayThatDoNotTellClassesApart) {
  const std::vector<double> x{0, 1, 1, 2, 2, 3, 100, 1, 101, 2, 102, 3.01}, y{0, 0, 0, 1, 1, 1};
  const Arrays rows{.dense = MatrixView::row_major(x.data(), 6, 2), .y = MatrixView::vector(y.data(), 6)};
  const Model model = with_proof({{"shrink-threshold", 1.0}}, rows);
  EXPECT_EQ(cell(model, 1, 1), cell(model, 1, 2));
  EXPECT_LT(cell(model, 0, 1), 10);
  EXPECT_EQ(model.body->report(model.schema).figures[0].value, 1);
}

TEST(NearestCentroid, TravelsInFilesAndIsProvedAgain) {
  for (const Params& params : {Params{}, Params{{"metric", S("manhattan")}, {"shrink-threshold", 0.2}}}) {
    const Model model = with_proof(params, five());
    const auto again = Model::from_bytes(model.to_bytes(), "memory");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->to_bytes(), model.to_bytes());
    const auto proof = verify(*again, five());
    ASSERT_TRUE(proof) << proof.error().text();
    EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
  }
}

} // namespace
} // namespace recta
