// Outlier factors that can be checked by hand, equal rows, files and refusals.
#include "family/outlier_factor/body.hpp"

#include <recta/estimator.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

Result<Model> factors_of(const std::vector<double>& x, const Params& params) {
  FitOptions options;
  options.params = params;
  return fit("lof", Arrays{.dense = MatrixView::row_major(x.data(), static_cast<Index>(x.size()), 1)}, options);
}

const std::vector<double>& factors(const Model& model) {
  return dynamic_cast<const neighbours::OutlierBody&>(*model.body).density().factor;
}

TEST(OutlierFactor, IsTheRatioOfDensities) {
  // k = 1 on 0, 1, 3: distances to the nearest are 1, 1, 2; m is 1, 1 and max(1, 2) = 2. Factors 1, 1, 2 / 1.
  const auto model = factors_of({0, 1, 3}, {{"k", 1.0}});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(factors(*model), (std::vector<double>{1, 1, 2}));
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  // A new row at 7: its nearest is 3, m = max(2, 4) = 4, against 2.
  const std::vector<double> query{7};
  EXPECT_EQ(model->predict(MatrixView::vector(query.data(), 1))->at(0), 2);
  const auto again = Model::from_bytes(model->to_bytes(), "memory");
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->to_bytes(), model->to_bytes());
}

TEST(OutlierFactor, OfEqualRowsIsOne) {
  const auto model = factors_of({5, 5, 5, 5, 9}, {{"k", 2.0}});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(factors(*model)[0], 1);
  EXPECT_EQ(factors(*model)[4], neighbours::kLargestFactor); // infinitely denser neighbours
}

TEST(OutlierFactor, NeedsMoreRowsThanNeighbours) {
  const auto model = factors_of({1, 2, 3}, {{"k", 3.0}});
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), testing::HasSubstr("a row has 2 others"));
}

} // namespace
} // namespace recta
