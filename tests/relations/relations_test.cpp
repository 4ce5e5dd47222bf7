// Relations that hold between the answers to two tables, whatever the tables: permutations, repetitions, changes of
// unit and of origin. Numbers are multiples of 2^-10, so that shifts and scales are exact.
#include <recta/recta.hpp>

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace recta {
namespace {

constexpr std::size_t kRows = 5000, kCols = 5; // more than one block

struct Table {
  std::vector<std::vector<double>> x; // by column
  std::vector<double> y, weight;

  std::size_t rows() const { return y.size(); }
};

double grid(double value) {
  return std::round(value * 1024) / 1024;
}

Table table() {
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  Table t{std::vector<std::vector<double>>(kCols, std::vector<double>(kRows)), std::vector<double>(kRows), {}};
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kCols; ++j) t.x[j][i] = grid(normal(random) * static_cast<double>(j + 1));
    t.x[4][i] += t.x[0][i];
    t.y[i] = grid(t.x[0][i] - 2 * t.x[1][i] + 3 + normal(random));
    t.weight.push_back(1 + static_cast<double>(random() % 3));
  }
  return t;
}

struct Answer {
  std::vector<double> w;
  double b;
};

struct Kind {
  const char* name;
  std::string word;
  double lambda = 0;
  bool intercept = true, standardise = false;
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) {
  return out << kind.name;
}

class Relation : public testing::TestWithParam<Kind> {
public:
  Answer answer(const Table& t, double target_unit = 1) const {
    const auto n = static_cast<Index>(t.rows()), p = static_cast<Index>(t.x.size());
    std::vector<double> by_column;
    for (const auto& column : t.x) by_column.insert(by_column.end(), column.begin(), column.end());
    const Arrays arrays{.dense = MatrixView::col_major(by_column.data(), n, p),
                        .y = MatrixView::vector(t.y.data(), n),
                        .weights = t.weight.empty() ? nullptr : t.weight.data()};
    FitOptions options{.intercept = GetParam().intercept, .standardise = GetParam().standardise};
    const double lambda = GetParam().lambda;
    if (GetParam().word == "ridge") options.params["lambda"] = lambda;
    if (GetParam().word == "lasso") options.params["lambda"] = lambda * target_unit; // in units of y
    if (GetParam().word == "elastic-net")
      options.params = {{"lambda1", lambda / 2 * target_unit}, {"lambda2", lambda / 2}};
    const auto model = fit(GetParam().word, arrays, options);
    EXPECT_TRUE(model) << model.error().text();
    // Columns that depend on others only to rounding leave the proof open; a penalty closes it.
    const auto depends = [](const Alias& alias) { return !alias.equals.empty(); };
    const bool open = GetParam().word == "linear" && std::ranges::any_of(model->linear()->aliased, depends) &&
                      model->certificate.sentence().find("exactly, in every row") == std::string::npos;
    EXPECT_EQ(model->certificate.verdict, open ? Verdict::stopped_early : Verdict::proved)
        << model->certificate.sentence();
    Answer out{{}, model->linear()->targets[0].intercept.value};
    for (const Coefficient& c : model->linear()->targets[0].coefficients) out.w.push_back(c.value);
    return out;
  }
  // Penalised in the units of the data, a change of unit is another problem.
  bool unit_free() const { return GetParam().word == "linear" || GetParam().standardise; }
};

void expect_near(const Answer& a, const Answer& b, double bound = 1e-13) {
  ASSERT_EQ(a.w.size(), b.w.size());
  for (std::size_t j = 0; j < a.w.size(); ++j) EXPECT_NEAR(a.w[j], b.w[j], bound) << "column " << j;
  EXPECT_NEAR(a.b, b.b, bound);
}

Table with_rows(const Table& t, const std::vector<std::size_t>& rows) {
  Table out{std::vector<std::vector<double>>(t.x.size()), {}, {}};
  for (const std::size_t i : rows) {
    for (std::size_t j = 0; j < t.x.size(); ++j) out.x[j].push_back(t.x[j][i]);
    out.y.push_back(t.y[i]);
    out.weight.push_back(t.weight[i]);
  }
  return out;
}

TEST_P(Relation, TheOrderOfTheRowsDoesNotMatter) {
  const Table t = table();
  std::vector<std::size_t> order(kRows);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, std::mt19937_64(3));
  expect_near(answer(with_rows(t, order)), answer(t));
}

TEST_P(Relation, TheOrderOfTheColumnsDoesNotMatter) {
  Table t = table();
  const Answer before = answer(t);
  std::ranges::reverse(t.x);
  Answer after = answer(t);
  std::ranges::reverse(after.w);
  expect_near(after, before);
}

TEST_P(Relation, AWeightIsARepetitionAndWeightZeroAnAbsence) {
  Table t = table();
  std::vector<std::size_t> repeated, all;
  for (std::size_t i = 0; i < kRows; ++i) {
    if (i % 7 == 0) t.weight[i] = 0;
    for (int k = 0; k < static_cast<int>(t.weight[i]); ++k) repeated.push_back(i);
    if (t.weight[i] > 0) all.push_back(i);
  }
  Table rows = with_rows(t, repeated);
  rows.weight.clear();
  const Answer weighted = answer(t);
  expect_near(answer(rows), weighted);
  expect_near(answer(with_rows(t, all)), weighted);
}

TEST_P(Relation, APowerOfTwoInTheUnitOfAColumnDividesItsCoefficientExactly) {
  if (!unit_free()) GTEST_SKIP() << "penalised in the units of the data";
  Table t = table();
  const Answer before = answer(t);
  const int power[] = {7, -9, 40, 0, -30};
  for (std::size_t j = 0; j < kCols; ++j)
    for (double& x : t.x[j]) x = std::ldexp(x, power[j]);
  const Answer after = answer(t);
  for (std::size_t j = 0; j < kCols; ++j) EXPECT_EQ(std::ldexp(after.w[j], power[j]), before.w[j]) << j;
  EXPECT_EQ(after.b, before.b);
}

TEST_P(Relation, ShiftingAColumnChangesOnlyTheIntercept) {
  if (!GetParam().intercept) GTEST_SKIP() << "there is none";
  Table t = table();
  const Answer before = answer(t);
  const double shift[] = {1024, -3, 0.5, 1 << 20, 7};
  double moved = 0;
  for (std::size_t j = 0; j < kCols; ++j) {
    for (double& x : t.x[j]) x += shift[j];
    moved += before.w[j] * shift[j];
  }
  const Answer after = answer(t);
  for (std::size_t j = 0; j < kCols; ++j) EXPECT_NEAR(after.w[j], before.w[j], 1e-13) << j;
  EXPECT_NEAR(after.b, before.b - moved, 1e-9); // a slope's last digit times 2^20
}

TEST_P(Relation, ALinearChangeOfTheTargetIsOneOfTheAnswer) {
  Table t = table();
  const Answer before = answer(t);
  const double factor = -4, added = GetParam().intercept ? 160 : 0;
  for (double& y : t.y) y = factor * y + added;
  const Answer after = answer(t, std::abs(factor));
  for (std::size_t j = 0; j < kCols; ++j) EXPECT_NEAR(after.w[j], factor * before.w[j], 1e-12) << j;
  EXPECT_NEAR(after.b, factor * before.b + added, 1e-12);
}

TEST_P(Relation, AConstantColumnChangesNothing) {
  if (!GetParam().intercept) GTEST_SKIP() << "it would be one";
  Table t = table();
  const Answer before = answer(t);
  t.x.emplace_back(kRows, 3.0);
  Answer after = answer(t);
  EXPECT_EQ(after.w.back(), 0);
  after.w.pop_back();
  expect_near(after, before);
}

TEST_P(Relation, ADuplicatedColumnSharesTheCoefficientOfLeastSquares) {
  if (GetParam().word != "linear") GTEST_SKIP() << "another penalty";
  Table t = table();
  const Answer before = answer(t);
  t.x.push_back(t.x[1]);
  const Answer after = answer(t);
  EXPECT_NEAR(after.w[1] + after.w.back(), before.w[1], 1e-12);
  EXPECT_NEAR(after.w[1], after.w.back(), 1e-12);
  EXPECT_NEAR(after.w[0], before.w[0], 1e-12);
  EXPECT_NEAR(after.b, before.b, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Models, Relation,
                         testing::Values(Kind{"linear", "linear"}, Kind{"linear_through_zero", "linear", 0, false},
                                         Kind{"ridge", "ridge", 0.1}, Kind{"ridge_through_zero", "ridge", 0.1, false},
                                         Kind{"ridge_standardised", "ridge", 0.1, true, true},
                                         Kind{"lasso", "lasso", 0.5}, Kind{"lasso_through_zero", "lasso", 0.5, false},
                                         Kind{"lasso_standardised", "lasso", 0.3, true, true},
                                         Kind{"elastic_net", "elastic-net", 0.5}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Relations, ADuplicatedColumnChangesNoPredictionOfTheLasso) {
  Table t = table();
  std::vector<double> by_column;
  for (const auto& column : t.x) by_column.insert(by_column.end(), column.begin(), column.end());
  by_column.insert(by_column.end(), t.x[1].begin(), t.x[1].end());
  const auto n = static_cast<Index>(kRows);
  const auto x = MatrixView::col_major(by_column.data(), n, 6), without = MatrixView::col_major(by_column.data(), n, 5);
  const auto y = MatrixView::vector(t.y.data(), n);
  const FitOptions options{.params = {{"lambda", 0.5}}};
  const auto twice = fit("lasso", {.dense = x, .y = y}, options),
             once = fit("lasso", {.dense = without, .y = y}, options);
  const auto a = twice->predict(x).value(), b = once->predict(without).value();
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
  EXPECT_EQ(twice->linear()->aliased.size(), 1u);
}

TEST(Relations, RidgeWithoutAPenaltyIsLeastSquares) {
  const Dataset data = read("housing").value();
  const auto plain = fit("linear", data).value(), ridge = fit("ridge", data, {.params = {{"lambda", 0.0}}}).value();
  for (std::size_t j = 0; j < plain.linear()->targets[0].coefficients.size(); ++j)
    EXPECT_EQ(plain.linear()->targets[0].coefficients[j].value, ridge.linear()->targets[0].coefficients[j].value);
}

} // namespace
} // namespace recta
