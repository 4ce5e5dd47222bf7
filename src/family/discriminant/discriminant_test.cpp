// Gaussian discriminants: answers on paper, a reference in double-double, laws, hard rows, files, refusals.
#include "base/double_double.hpp"

#include <recta/explain.hpp>

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace recta {
namespace {

using ::testing::HasSubstr;
using S = std::string;

struct Table {
  Index columns;
  std::vector<double> x, y;

  Index rows() const { return std::ssize(y); }
  Arrays arrays() const {
    return {.dense = MatrixView::row_major(x.data(), rows(), columns), .y = MatrixView::vector(y.data(), rows())};
  }
};

FitOptions asking(Params params = {}) {
  FitOptions options;
  options.params = std::move(params);
  return options;
}

Model proved(const S& word, const Table& table, const FitOptions& options = {}) {
  auto model = fit(word, table.arrays(), options);
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

Values answers(const Model& model, const Table& table, Answer what) {
  auto found = model.predict(table.arrays().dense, 1, what);
  EXPECT_TRUE(found) << found.error().text();
  return *std::move(found);
}

Table gaussian_classes(Index n, Index p, int classes, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Table out{p, {}, {}};
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<double>(i % classes);
    out.y.push_back(k);
    double before = 0;
    for (Index j = 0; j < p; ++j)
      out.x.push_back(before = normal(random) * (1 + 0.3 * k) + 0.5 * before +
                               k * std::cos(static_cast<double>(j) * (k + 1)));
  }
  return out;
}

const Table kLine{1, {0, 2, 4, 6}, {0, 0, 1, 1}};

TEST(Discriminants, LinearOnesOnPaper) {
  const Model model = proved("lda", kLine); // means 1 and 5, variance 1: 4 (x - 3)
  const Values s = answers(model, {1, {3, 4}, {0, 0}}, Answer::decision);
  EXPECT_NEAR(s[1] - s[0], 0, 1e-14);
  EXPECT_NEAR(s[3] - s[2], 4, 1e-13);
  EXPECT_NEAR(answers(model, {1, {4}, {0}}, Answer::probability)[1], 1 / (1 + std::exp(-4.0)), 1e-15);
}

TEST(Discriminants, QuadraticOnesOnPaper) {
  const Table rows{1, {0, 2, 3, 7}, {0, 0, 1, 1}}; // N(1, 1) and N(5, 4)
  const Values s = answers(proved("qda", rows), {1, {3}, {0}}, Answer::decision);
  EXPECT_NEAR(s[0], std::log(0.5) - 2, 1e-14);
  EXPECT_NEAR(s[1], std::log(0.5) - 0.5 - std::log(4.0) / 2, 1e-14);
}

TEST(Discriminants, GivenPriorsMoveTheScoresByTheirLogarithms) {
  const Values even = answers(proved("lda", kLine), kLine, Answer::decision);
  const Values odd = answers(proved("lda", kLine, asking({{"priors", S("0=0.9,1=0.1")}})), kLine, Answer::decision);
  EXPECT_NEAR((odd[1] - odd[0]) - (even[1] - even[0]), std::log(0.1 / 0.9), 1e-13);
}

TEST(Discriminants, PosteriorsAreSoftmaxOfTheScores) {
  const Table rows = gaussian_classes(300, 4, 3, 1);
  for (const S word : {"lda", "qda"}) {
    const Model model = proved(word, rows);
    const Values s = answers(model, rows, Answer::decision), p = answers(model, rows, Answer::probability);
    for (std::size_t i = 0; i < s.size(); i += 3) {
      const double most = std::max({s[i], s[i + 1], s[i + 2]});
      const double sum = std::exp(s[i] - most) + std::exp(s[i + 1] - most) + std::exp(s[i + 2] - most);
      for (std::size_t k = i; k < i + 3; ++k) EXPECT_NEAR(p[k], std::exp(s[k] - most) / sum, 1e-14);
    }
  }
}

// S w = m_1 - m_0 by Gaussian elimination, all in double-double.
std::vector<double> reference(const Table& rows) {
  const auto p = static_cast<std::size_t>(rows.columns);
  std::vector<DoubleDouble> mean(2 * p), a(p * p), b(p);
  DoubleDouble weight[2];
  for (std::size_t i = 0; i < rows.y.size(); ++i) weight[rows.y[i] > 0 ? 1 : 0] += 1.0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) mean[(rows.y[i / p] > 0 ? p : 0) + i % p] += rows.x[i];
  for (std::size_t i = 0; i < 2 * p; ++i) mean[i] = mean[i] / weight[i / p];
  for (std::size_t i = 0; i < rows.y.size(); ++i)
    for (std::size_t j = 0; j < p * p; ++j) {
      const std::size_t first = rows.y[i] > 0 ? p : 0;
      a[j] += (DoubleDouble(rows.x[i * p + j / p]) - mean[first + j / p]) *
              (DoubleDouble(rows.x[i * p + j % p]) - mean[first + j % p]) / (weight[0] + weight[1]);
    }
  for (std::size_t j = 0; j < p; ++j) b[j] = mean[p + j] - mean[j];
  for (std::size_t c = 0; c < p; ++c)
    for (std::size_t r = 0; r < p; ++r) {
      if (r == c) continue;
      const DoubleDouble f = a[r * p + c] / a[c * p + c];
      for (std::size_t j = c; j < p; ++j) a[r * p + j] = a[r * p + j] - f * a[c * p + j];
      b[r] = b[r] - f * b[c];
    }
  std::vector<double> w(p);
  for (std::size_t j = 0; j < p; ++j) w[j] = (b[j] / a[j * p + j]).hi;
  return w;
}

TEST(Discriminants, OfNearlyCollinearColumnsEqualAReferenceInDoubleDouble) {
  Table rows = gaussian_classes(400, 4, 2, 2);
  for (std::size_t i = 0; i < 400; ++i)
    rows.x[4 * i + 3] = rows.x[4 * i] + rows.x[4 * i + 1] + 1e-3 * rows.x[4 * i + 3] + 1e5;
  const std::vector<double> w = reference(rows);
  const Model model = proved("lda", rows);
  // The weights, from the scores of the unit vectors and of zero.
  Table unit{4, std::vector<double>(20), std::vector<double>(5)};
  for (std::size_t j = 0; j < 4; ++j) unit.x[4 * (j + 1) + j] = 1e6;
  const Values s = answers(model, unit, Answer::decision);
  for (std::size_t j = 0; j < 4; ++j) {
    const double got = ((s[2 * j + 3] - s[2 * j + 2]) - (s[1] - s[0])) / 1e6;
    EXPECT_NEAR(got, w[j], 1e-7 * std::abs(w[3]));
  }
}

TEST(Discriminants, DoNotChangeWithTheOrderOfTheRowsOrAnOffset) {
  const Table rows = gaussian_classes(500, 5, 3, 3);
  Table turned{5, {}, {}};
  for (std::size_t i = 500; i-- > 0;) {
    turned.y.push_back(rows.y[i]);
    for (std::size_t j = 0; j < 5; ++j) turned.x.push_back(rows.x[5 * i + j] + 1e6);
  }
  Table moved = rows;
  for (double& x : moved.x) x += 1e6;
  for (const S word : {"lda", "qda"}) {
    const Values a = answers(proved(word, rows), rows, Answer::probability);
    const auto other = fit(word, turned.arrays());
    ASSERT_TRUE(other) << other.error().text();
    EXPECT_NE(other->certificate.verdict, Verdict::refuted) << other->certificate.sentence();
    const Values b = answers(*other, moved, Answer::probability);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-7);
  }
}

TEST(Discriminants, HaveTheSameBitsAtAnyNumberOfThreads) {
  const Table rows = gaussian_classes(40000, 6, 3, 4);
  for (const S word : {"lda", "qda"}) {
    FitOptions one = asking({{"shrinkage", S("auto")}}), three = one;
    one.threads = 1;
    three.threads = 3;
    EXPECT_EQ(proved(word, rows, one).to_bytes(), proved(word, rows, three).to_bytes());
  }
}

TEST(Discriminants, DirectionsHaveUnitVarianceInsideTheClassesAndFishersRatioBetweenThem) {
  const Table rows = gaussian_classes(600, 4, 3, 5);
  const Model model = proved("lda", rows);
  const auto z = transform(model, rows.arrays());
  ASSERT_TRUE(z) << z.error().text();
  ASSERT_EQ(model.body->coordinates(), (std::vector<S>{"LD1", "LD2"}));
  const Report report = model.body->report(model.schema);
  for (std::size_t c = 0; c < 2; ++c) {
    double mean[3] = {}, inside = 0, between = 0;
    for (std::size_t i = 0; i < 600; ++i) mean[i % 3] += (*z)[2 * i + c] / 200;
    for (std::size_t i = 0; i < 600; ++i) inside += std::pow((*z)[2 * i + c] - mean[i % 3], 2) / 600;
    for (const double m : mean) between += m * m / 3;
    EXPECT_NEAR(inside, 1, 1e-12);
    EXPECT_NEAR(between, std::get<double>(report.tables[3].rows[c][1]), 1e-12 * between);
  }
}

TEST(Discriminants, LinearOnesLeaveOutWhatDoesNotVaryInsideTheClassesAndSaySo) {
  Table rows = gaussian_classes(200, 2, 2, 6), more{4, {}, rows.y};
  for (std::size_t i = 0; i < 200; ++i) // a constant inside classes, and a constant
    more.x.insert(more.x.end(), {rows.x[2 * i], rows.x[2 * i + 1], 1e6 + rows.y[i], 0.1});
  const Model model = proved("lda", more);
  const Values a = answers(model, more, Answer::probability),
               b = answers(proved("lda", rows), rows, Answer::probability);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-10);
  const auto remarks = model.body->report(model.schema).remarks;
  EXPECT_THAT(report::to_text(remarks.at(0)), HasSubstr("x3 is constant inside every class and differs between them"));
  EXPECT_THAT(report::to_text(remarks.at(1)), HasSubstr("x4 is constant in all rows"));
  EXPECT_THAT(report::to_text(remarks.at(2)), HasSubstr("rank 2 of 4"));
}

TEST(Discriminants, MoreColumnsThanRowsAreShrunkOrProjected) {
  const Table rows = gaussian_classes(20, 50, 2, 7);
  const Model projected = proved("lda", rows);
  EXPECT_EQ(projected.body->report(projected.schema).figures[0].value, 18);
  for (const S shrinkage : {"auto", "oas", "0.3"}) {
    EXPECT_EQ(proved("lda", rows, asking({{"shrinkage", shrinkage}})).body->summary().classes.accuracy, 1);
    EXPECT_EQ(proved("qda", rows, asking({{"shrinkage", shrinkage}})).body->summary().classes.accuracy, 1);
  }
}

TEST(Discriminants, AClassOfOneRowIsWidenedAndItIsSaid) {
  Table rows = gaussian_classes(40, 2, 2, 8);
  rows.x.insert(rows.x.end(), {50, 50});
  rows.y.push_back(2);
  const Model model = proved("qda", rows);
  EXPECT_EQ(answers(model, rows, Answer::prediction).back(), 2);
  EXPECT_THAT(report::to_text(model.body->report(model.schema).remarks.at(0)),
              HasSubstr("The rows of class 2 do not vary"));
  EXPECT_EQ(proved("qda", rows, asking({{"towards-pooled", 0.2}})).body->report(model.schema).remarks.size(), 0u);
}

TEST(Discriminants, TravelInFilesAndAreProvedAgain) {
  const Table rows = gaussian_classes(300, 3, 3, 9);
  for (const S word : {"lda", "qda"})
    for (const S shrinkage : {"none", "auto", "0.2"}) {
      const Model model = proved(word, rows, asking({{"shrinkage", shrinkage}}));
      const auto again = Model::from_bytes(model.to_bytes(), "memory");
      ASSERT_TRUE(again) << again.error().text();
      EXPECT_EQ(again->to_bytes(), model.to_bytes());
      EXPECT_EQ(answers(*again, rows, Answer::decision), answers(model, rows, Answer::decision));
      const auto proof = verify(*again, rows.arrays());
      ASSERT_TRUE(proof) << proof.error().text();
      EXPECT_EQ(proof->verdict, Verdict::proved) << proof->sentence();
    }
  Table other = rows;
  other.x[5] += 1e-9;
  EXPECT_FALSE(verify(proved("lda", rows), other.arrays()));
}

// A class-conditional density of one exponential family with equal dispersion has linear log-odds.
TEST(Discriminants, AreTheLinearModelThatTheyConvertTo) {
  for (const int classes : {2, 3}) {
    const Table rows = gaussian_classes(300, 4, classes, 10);
    const Model model = proved("lda", rows);
    const auto linear = as_linear(model);
    ASSERT_TRUE(linear) << linear.error().text();
    EXPECT_TRUE(linear->is_linear());
    const auto again = Model::from_bytes(linear->to_bytes(), "memory");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(answers(*again, rows, Answer::prediction), answers(model, rows, Answer::prediction));
    const Values a = answers(*again, rows, Answer::probability), b = answers(model, rows, Answer::probability);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-13);
  }
  EXPECT_FALSE(as_linear(proved("qda", kLine)));
}

TEST(Discriminants, ExplainARowByTermsThatAddUpToItsScores) {
  const Table rows = gaussian_classes(100, 3, 2, 11);
  const Model model = proved("lda", rows);
  const auto report = explain(model, rows.arrays(), 7);
  ASSERT_TRUE(report) << report.error().text();
  const Values s = answers(model, rows, Answer::decision);
  const auto& table = report->tables.at(0);
  EXPECT_NEAR(std::get<double>(table.rows.back()[2]), s[15] - s[14], 1e-12);
  double sum = 0;
  for (std::size_t r = 0; r + 1 < table.rows.size(); ++r) sum += std::get<double>(table.rows[r][2]);
  EXPECT_NEAR(sum, s[15] - s[14], 1e-12);
  EXPECT_FALSE(explain(model, rows.arrays(), 100));
  EXPECT_FALSE(explain(proved("qda", rows), rows.arrays(), 0));
}

TEST(Discriminants, NameTheFeatureOfAMissingValueInRowsToPredict) {
  const Table table = gaussian_classes(40, 3, 2, 5);
  Table holed = table;
  holed.x[4] = std::nan("");
  for (const S word : {"lda", "qda"}) {
    const Model model = proved(word, table);
    const auto found = model.predict(holed.arrays().dense, 1, Answer::prediction);
    ASSERT_FALSE(found) << word;
    EXPECT_EQ(found.error().code, ErrorCode::bad_data) << found.error().text();
    EXPECT_THAT(found.error().text(), HasSubstr("x2")) << word;
  }
}

TEST(Discriminants, RefuseWhatTheyCannotDo) {
  const auto error = [](const S& word, const Table& rows, const FitOptions& options) {
    const auto model = fit(word, rows.arrays(), options);
    return model ? S("fitted") : model.error().text();
  };
  EXPECT_THAT(error("lda", kLine, asking({{"shrinkage", S("much")}})), HasSubstr("\"much\" is not known"));
  EXPECT_THAT(error("lda", kLine, asking({{"shrinkage", S("1.5")}})), HasSubstr("from 0 to 1"));
  EXPECT_THAT(error("qda", kLine, asking({{"priors", S("0=1,1=0")}})), HasSubstr("the prior of class 1 is 0"));
  EXPECT_THAT(error("lda", kLine, asking({{"priors", S("0.5/0.6")}})), HasSubstr("add up to 1.1"));
  EXPECT_THAT(error("lda", {1, {0, 1}, {0, 1}}, {}), HasSubstr("more than the number of classes"));
  EXPECT_THAT(error("lda", {1, {0, 0, 1, 1}, {0, 0, 1, 1}}, {}), HasSubstr("no column varies inside any class"));
  EXPECT_THAT(error("qda", {1, {1, 1, 1, 1}, {0, 0, 1, 1}}, {}), HasSubstr("no column varies"));
  EXPECT_THAT(error("lda", {1, {0, NAN, 4, 6}, {0, 0, 1, 1}}, {}), HasSubstr("row 2"));
  FitOptions bare;
  bare.intercept = false;
  EXPECT_THAT(error("lda", kLine, bare), HasSubstr("no intercept to leave out"));
}

} // namespace
} // namespace recta
