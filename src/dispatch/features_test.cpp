#include <recta/recta.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace recta {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<double> kRows{1, 2, 3, -1, 5, 4}; // three rows of a and b

Arrays rows_of(const std::vector<double>& x) {
  return {.dense = MatrixView::row_major(x.data(), static_cast<Index>(x.size()) / 2, 2), .names = {"a", "b"}};
}

} // namespace

TEST(Features, ArePlainColumnsThenPolynomialsThenMapsInTheirPlaceThenMapsBeside) {
  const FitOptions options{.basis = {"b^3"}, .feature = {"a*b"}};
  const auto schema = learn_features(rows_of(kRows), options);
  ASSERT_TRUE(schema);
  EXPECT_THAT(feature_names(*schema), ElementsAre("a", "b^3", "a*b"));
  const auto made = make_features(*schema, rows_of(kRows).dense);
  ASSERT_TRUE(made);
  EXPECT_THAT(*made, ElementsAre(1, 8, 2, 3, -1, -3, 5, 64, 20));
}

TEST(Features, AreThoseThatAFitHasCoefficientsFor) {
  std::vector<double> x, y;
  for (Index i = 0; i < 20; ++i) {
    x.insert(x.end(), {static_cast<double>(i % 7), static_cast<double>(i * i % 11)});
    y.push_back(static_cast<double>(i % 5));
  }
  Arrays rows = rows_of(x);
  rows.y = MatrixView::vector(y.data(), 20);
  const FitOptions options{.poly = 2, .basis = {"radial(b, 3)"}};
  const auto schema = learn_features(rows, options);
  const auto model = fit("linear", rows, options);
  ASSERT_TRUE(schema && model);
  EXPECT_EQ(feature_names(*schema), model->feature_names());
  const auto made = make_features(*schema, rows.dense);
  ASSERT_TRUE(made);
  const auto fitted = model->predict(rows.dense).value();
  const auto cols = feature_names(*schema).size();
  for (std::size_t i = 0; i < 20; ++i) {
    double z = model->linear()->targets[0].intercept.value;
    for (std::size_t j = 0; j < cols; ++j)
      z += (*made)[i * cols + j] * model->linear()->targets[0].coefficients[j].value;
    EXPECT_NEAR(z, fitted[i], 1e-10);
  }
}

// The accuracy that a learned map costs stands first in the conditions of every proof, once.
TEST(Features, ThatWereLearnedAreNotedByEveryModel) {
  std::string csv = "a,b,class\n";
  for (int i = 0; i < 60; ++i)
    csv += std::to_string(i % 7) + "," + std::to_string(i * i % 11) + "," + "uvw"[i % 3] + "\n";
  const auto labels = parse(csv, "t.csv", {.format = "csv"});
  ASSERT_TRUE(labels);
  int fitted = 0;
  for (const ModelInfo& info : models()) {
    if (info.without_target) continue;
    FitOptions options{.target = {info.classes ? "class" : "b"}, .feature = {"nystrom(a, 4)"}, .time_limit = 5};
    const auto model = fit(info.word, *labels, options);
    if (!model) continue; // two classes only, or no maps
    ++fitted;
    ASSERT_FALSE(model->certificate.conditions.empty()) << info.word;
    EXPECT_THAT(model->certificate.conditions[0], HasSubstr("4 landmarks stand for the kernel")) << info.word;
  }
  EXPECT_GE(fitted, 20);
  const auto composite =
      fit("logistic", *labels, {.target = {"class"}, .feature = {"nystrom(a, 4)"}, .multiclass = "ova"});
  ASSERT_TRUE(composite) << composite.error().text();
  EXPECT_THAT(composite->certificate.conditions[0], HasSubstr("4 landmarks stand for the kernel"));
}

TEST(Features, OfRowsThatHaveNoneNameRowAndColumn) {
  const auto schema = learn_features(rows_of(kRows), {.feature = {"log(b)"}});
  ASSERT_TRUE(schema);
  const auto made = make_features(*schema, rows_of(kRows).dense);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text(), HasSubstr("row 2, column b"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> missing{nan, 2};
  const auto none = make_features(*schema, rows_of(missing).dense);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text(), HasSubstr("row 1, column a: the value is missing"));
  EXPECT_THAT(make_features(*schema, MatrixView::vector(kRows.data(), 6)).error().text(),
              HasSubstr("x has 1 columns and the maps read 2"));
  EXPECT_THAT(learn_features(rows_of(kRows), {.feature = {"c^2"}}).error().text(), HasSubstr("no column \"c\""));
}

TEST(Features, LearnedAndMadeAtOnceHaveTheBitsOfOneAfterTheOther) {
  std::vector<double> x;
  for (Index i = 0; i < 400; ++i) x.push_back(static_cast<double>(i * i % 37) / 7);
  const std::vector<double> some(200, 1.0);
  for (const FitOptions& options :
       {FitOptions{.basis = {"nystrom(9, gamma=0.3)"}}, FitOptions{.basis = {"nystrom(a, 5)"}},
        FitOptions{.feature = {"nystrom(4)"}}, FitOptions{.basis = {"random_fourier(6)"}}, FitOptions{.poly = 2}})
    for (const bool weighted : {false, true}) {
      Arrays rows = rows_of(x);
      if (weighted) rows.weights = some.data();
      const auto schema = learn_features(rows, options);
      const auto both = learn_and_make_features(rows, options);
      ASSERT_TRUE(schema && both);
      EXPECT_EQ(feature_names(*schema), feature_names(both->schema));
      EXPECT_EQ(make_features(*schema, rows.dense).value(), both->made);
      for (std::size_t k = 0; k < schema->maps.size(); ++k)
        EXPECT_EQ(schema->maps[k].learned, both->schema.maps[k].learned);
    }
}

TEST(Features, ColumnsReadByAMapAreNamedOnce) {
  EXPECT_THAT(columns_read("a*b + a^2").value(), ElementsAre("a", "b"));
  EXPECT_FALSE(columns_read("a**b"));
}

} // namespace recta
