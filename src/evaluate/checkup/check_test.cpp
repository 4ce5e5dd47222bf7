// The data doctor against exact answers: Longley's inflation in rationals, housing's by an independent regression, and
// tables whose dependencies are known.
#include <recta/evaluate.hpp>

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <random>

namespace recta {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Rational = boost::multiprecision::cpp_rational;

Column numbers(const std::string& name, const std::vector<double>& values, ColumnType type = ColumnType::real) {
  Column column;
  column.name = name;
  column.type = type;
  column.values.assign(values.begin(), values.end());
  return column;
}

Column categories(const std::string& name, std::vector<std::string> levels, std::vector<std::int32_t> codes) {
  Column column;
  column.name = name;
  column.type = ColumnType::category;
  column.levels = std::move(levels);
  column.codes = std::move(codes);
  return column;
}

Dataset table(std::vector<Column> columns) {
  Dataset data;
  data.source = "t.csv";
  data.rows = columns.empty() ? 0 : columns[0].rows();
  data.columns = std::move(columns);
  return data;
}

Checkup checked(const Dataset& data, const FitOptions& options = {}) {
  auto out = check(data, options);
  if (!out) ADD_FAILURE() << out.error().text();
  return out ? *out : Checkup{};
}

const ColumnCheck& column(const Checkup& checkup, const std::string& name) {
  for (const ColumnCheck& check : checkup.columns)
    if (check.name == name) return check;
  ADD_FAILURE() << "no column " << name;
  return checkup.columns.front();
}

std::vector<double> random_values(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(n);
  for (double& x : values) x = normal(random);
  return values;
}

// 1 / (1 - R_j^2) without rounding: the determinant form, det(C without j) C_jj / det(C), C the scatter matrix.
template <class T>
T determinant(std::vector<std::vector<T>> a) {
  T det = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::size_t pivot = k;
    while (pivot < a.size() && a[pivot][k] == 0) ++pivot;
    if (pivot == a.size()) return 0;
    if (pivot != k) std::swap(a[pivot], a[k]), det = -det;
    det *= a[k][k];
    for (std::size_t i = k + 1; i < a.size(); ++i) {
      const T factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < a.size(); ++j) a[i][j] -= factor * a[k][j];
    }
  }
  return det;
}

template <class T>
std::vector<double> exact_inflation(const std::vector<const Column*>& columns) {
  const std::size_t p = columns.size(), n = columns[0]->values.size();
  std::vector<std::vector<T>> c(p, std::vector<T>(p));
  std::vector<T> mean(p);
  for (std::size_t j = 0; j < p; ++j) {
    for (const double x : columns[j]->values) mean[j] += T(x);
    mean[j] /= T(static_cast<long>(n));
  }
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t k = 0; k < p; ++k)
      for (std::size_t i = 0; i < n; ++i)
        c[j][k] += (T(columns[j]->values[i]) - mean[j]) * (T(columns[k]->values[i]) - mean[k]);
  const T all = determinant(c);
  std::vector<double> out;
  for (std::size_t j = 0; j < p; ++j) {
    auto minor = c;
    minor.erase(minor.begin() + static_cast<std::ptrdiff_t>(j));
    for (auto& row : minor) row.erase(row.begin() + static_cast<std::ptrdiff_t>(j));
    out.push_back(static_cast<double>(T(determinant(minor) * c[j][j] / all)));
  }
  return out;
}

TEST(Check, GivesLongleysInflationToTwelveDigits) {
  const auto data = read("longley");
  ASSERT_TRUE(data) << data.error().text();
  const Checkup out = checked(*data);
  std::vector<const Column*> features;
  for (const ColumnCheck& check : out.columns) features.push_back(data->find(check.name));
  ASSERT_EQ(features.size(), 6u);
  const auto exact = exact_inflation<Rational>(features);
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(out.columns[j].variance_inflation / exact[j], 1, 1e-10) << j;
  EXPECT_NEAR(*std::ranges::max_element(exact), 1788.51, 0.01); // of gross national product, as in the literature
  EXPECT_EQ(out.rank, 6);
  EXPECT_NEAR(out.condition, 110.54, 0.02);
  EXPECT_FALSE(out.dependencies.empty());
  EXPECT_FALSE(out.dependencies[0].exact);
}

TEST(Check, NamesHousingsTaxAndRad) {
  const auto data = read("housing");
  ASSERT_TRUE(data) << data.error().text();
  const Checkup out = checked(*data);
  EXPECT_EQ(out.features, 13);
  EXPECT_EQ(out.rank, 13);
  ASSERT_EQ(out.dependencies.size(), 1u);
  EXPECT_EQ(out.dependencies[0].column, "tax");
  EXPECT_EQ(out.dependencies[0].terms[0].first, "rad");
  EXPECT_THAT(out.dependencies[0].sentence(),
              testing::MatchesRegex("tax = [0-9.]+ rad .*explains 8[6-8][.][0-9] % of tax"));
  EXPECT_THAT(out.advice, Contains("select: pass --max-vif 5, or --ignore tax"));
  std::vector<const Column*> features;
  for (const ColumnCheck& check : out.columns) features.push_back(data->find(check.name));
  const auto slow = exact_inflation<double>(features);
  for (std::size_t j = 0; j < features.size(); ++j) EXPECT_NEAR(out.columns[j].variance_inflation / slow[j], 1, 1e-9);
  EXPECT_NEAR(column(out, "tax").variance_inflation, 9.0086, 1e-4);
  EXPECT_NEAR(column(out, "rad").variance_inflation, 7.4845, 1e-4);
}

TEST(Check, FindsAnExactDependencyAndItsFactors) {
  const auto a = random_values(50, 1), b = random_values(50, 2), other = random_values(50, 3);
  std::vector<double> c(50);
  for (std::size_t i = 0; i < 50; ++i) c[i] = 2 * a[i] - b[i] + 3;
  const Checkup out = checked(table({numbers("a", a), numbers("b", b), numbers("other", other), numbers("c", c)}));
  EXPECT_EQ(out.rank, 3);
  EXPECT_TRUE(std::isinf(out.condition));
  ASSERT_EQ(out.dependencies.size(), 1u);
  const NearDependency& found = out.dependencies[0];
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(found.sentence(), "c = 2 a - b + 3 exactly, in every row");
  ASSERT_EQ(found.terms.size(), 2u);
  EXPECT_NEAR(found.terms[0].second, 2, 1e-12);
  EXPECT_TRUE(std::isinf(column(out, "a").variance_inflation));
  EXPECT_TRUE(std::isinf(column(out, "c").variance_inflation));
  EXPECT_NEAR(column(out, "other").variance_inflation, 1, 0.2);
}

TEST(Check, TellsNearlyExactFromExact) { // relative difference 1e-7: 1 - R^2 is 1e-14, too little for correlations
  const auto a = random_values(200, 1), b = random_values(200, 2), noise = random_values(200, 3);
  std::vector<double> c(200);
  for (std::size_t i = 0; i < 200; ++i) c[i] = a[i] + b[i] + 1e-7 * noise[i];
  const Checkup out = checked(table({numbers("a", a), numbers("b", b), numbers("c", c)}));
  EXPECT_EQ(out.rank, 3);
  EXPECT_GT(out.condition, 1e6);
  EXPECT_TRUE(std::isfinite(out.condition));
  ASSERT_EQ(out.dependencies.size(), 1u);
  EXPECT_FALSE(out.dependencies[0].exact);
  EXPECT_GT(out.dependencies[0].r2, 1 - 1e-9);
}

TEST(Check, FindsDuplicatesAndConstants) {
  const auto a = random_values(20, 4);
  const Checkup out = checked(table({numbers("a", a), numbers("one", std::vector<double>(20, 1)), numbers("a2", a),
                                     categories("c", {"x", "y"}, std::vector<std::int32_t>(20, 1))}));
  EXPECT_EQ(column(out, "a2").duplicate_of, "a");
  EXPECT_EQ(column(out, "a").duplicate_of, "");
  EXPECT_TRUE(column(out, "one").constant);
  EXPECT_EQ(column(out, "one").deviation, 0);
  EXPECT_TRUE(std::isnan(column(out, "one").variance_inflation));
  EXPECT_TRUE(column(out, "c").constant);
  EXPECT_EQ(out.features, 3);
  EXPECT_EQ(out.rank, 1);
  EXPECT_THAT(out.advice, Contains("a2 repeats a in every row: pass --ignore a2"));
  EXPECT_THAT(out.advice, Contains(HasSubstr("one, c never change")));
}

TEST(Check, CountsAndDescribesColumns) {
  const double nan = std::nan("");
  const Checkup out =
      checked(table({numbers("x", {1, nan, 3, nan, -0.0, 0.0}), categories("c", {"p", "q", "r"}, {0, 0, -1, 2, 2, 0}),
                     numbers("k", {5, 5, 7, 7, 9, 9}, ColumnType::integer)}));
  const ColumnCheck& x = column(out, "x");
  EXPECT_EQ(x.missing, 2);
  EXPECT_EQ(x.first_missing_row, 2);
  EXPECT_EQ(x.distinct, 3); // the two zeros are one
  EXPECT_EQ(x.mean, 1);
  EXPECT_EQ(x.lowest, 0);
  EXPECT_EQ(x.highest, 3);
  EXPECT_DOUBLE_EQ(x.deviation, std::sqrt(1.5));
  EXPECT_EQ(column(out, "c").missing, 1);
  EXPECT_EQ(column(out, "c").first_missing_row, 3);
  EXPECT_EQ(column(out, "c").distinct, 2);
  EXPECT_TRUE(std::isnan(column(out, "c").mean));
  EXPECT_EQ(column(out, "k").type, ColumnType::integer);
  EXPECT_THAT(
      out.advice,
      Contains("values are missing in x, c (first in x, row 2): pass --missing mean, indicator, neighbours or drop"));
}

TEST(Check, LeavesOutTargetWeightsAndIgnored) {
  const auto data = table({numbers("y", random_values(9, 1)), numbers("w", std::vector<double>(9, 1)),
                           numbers("id", random_values(9, 2)), numbers("x", random_values(9, 3))});
  FitOptions options;
  options.target = {"y"};
  options.weights = "w";
  options.ignore = {"id"};
  const Checkup out = checked(data, options);
  ASSERT_EQ(out.columns.size(), 1u);
  EXPECT_EQ(out.columns[0].name, "x");
  EXPECT_EQ(out.features, 1);
  EXPECT_THAT(out.dependencies, IsEmpty());
  options.target = {"Y"};
  EXPECT_THAT(check(data, options).error().text(), HasSubstr("there is no column \"Y\"; did you mean \"y\"?"));
}

TEST(Check, LooksAtTheTarget) {
  const double nan = std::nan("");
  FitOptions options;
  options.target = {"y", "c", "one"};
  const Checkup out = checked(
      table({numbers("x", random_values(5, 1)), numbers("y", {2, nan, 4, 3, 2}, ColumnType::integer),
             categories("c", {"p", "q", "unused"}, {0, 0, -1, 1, 0}), numbers("one", {1.5, 1.5, 1.5, 1.5, 1.5})}),
      options);
  ASSERT_EQ(out.targets.size(), 3u);
  EXPECT_EQ(out.targets[0].column.missing, 1);
  EXPECT_EQ(out.targets[0].column.first_missing_row, 2);
  using Classes = std::vector<std::pair<std::string, Index>>;
  EXPECT_EQ(out.targets[0].classes, (Classes{{"2", 2}, {"3", 1}, {"4", 1}}));
  EXPECT_EQ(out.targets[1].classes, (Classes{{"p", 3}, {"q", 1}}));
  EXPECT_TRUE(out.targets[2].column.constant);
  EXPECT_THAT(out.targets[2].classes, IsEmpty()); // 1.5 is an amount
  EXPECT_THAT(out.advice, Contains("the target y is missing in 1 of 5 rows (first in row 2) and cannot be filled in: "
                                   "pass --missing drop"));
  EXPECT_THAT(out.advice, Contains("the target c holds labels of 2 classes: it takes a classifier, such as logistic"));
  EXPECT_THAT(out.advice, Contains("the target one never changes: there is nothing to predict"));
}

TEST(Check, SeesOnlyRowsOfPositiveWeight) { // without the last row a and b are the same
  auto a = random_values(30, 5), b = a, w = std::vector<double>(30, 1);
  b[29] += 1;
  w[29] = 0;
  FitOptions options;
  const auto data = table({numbers("a", a), numbers("b", b), numbers("w", w)});
  options.ignore = {"w"};
  EXPECT_EQ(checked(data, options).rank, 2);
  options.ignore = {};
  options.weights = "w";
  EXPECT_EQ(checked(data, options).rank, 1);
}

TEST(Check, SaysThatScalesDiffer) {
  const Checkup out = checked(table({numbers("a", {1, 2, 4, 3}), numbers("b", {1e6, 5e6, 2e6, 3e6})}));
  EXPECT_GT(out.scale_spread, 1e6);
  EXPECT_THAT(out.advice, Contains(HasSubstr("pass --standardise")));
}

TEST(Check, LooksAtSparseColumns) {
  Dataset data = table({numbers("label", {1, 2, 3, 4})});
  data.sparse.cols = 4;
  data.sparse.start = {0, 2, 4, 5, 5};
  data.sparse.index = {0, 2, 0, 2, 1};
  data.sparse.value = {1.0, 2.0, 3.0, 6.0, 5.0};
  const Checkup out = checked(data);
  EXPECT_EQ(out.features, 4);
  EXPECT_EQ(out.columns.size(), 4u);
  EXPECT_EQ(column(out, "1").mean, 1);
  EXPECT_TRUE(column(out, "4").constant);
  EXPECT_EQ(out.rank, 2);
  ASSERT_EQ(out.dependencies.size(), 1u);
  EXPECT_EQ(out.dependencies[0].sentence(), "\"3\" = 2 \"1\" exactly, in every row");
  EXPECT_THAT(
      out.advice,
      Contains(HasSubstr("in 4 sparse columns are stored, the others are zero; 1 of these columns never changes")));
}

TEST(Check, BearsMoreColumnsThanRows) {
  std::vector<Column> columns;
  for (unsigned j = 0; j < 30; ++j) columns.push_back(numbers(fmt::format("x{}", j), random_values(10, j)));
  const Checkup out = checked(table(std::move(columns)));
  EXPECT_EQ(out.rank, 9);
  EXPECT_TRUE(std::isinf(out.condition));
  EXPECT_TRUE(std::isinf(out.columns[0].variance_inflation));
  EXPECT_THAT(out.advice, Contains(HasSubstr("30 columns and only 10 rows")));
  EXPECT_THAT(out.dependencies, IsEmpty()); // any column is a combination of nine others: that tells nothing
}

TEST(Check, BearsOneRowNoColumnsAndInfinities) {
  EXPECT_EQ(checked(table({numbers("x", {3})})).rank, 0);
  FitOptions options;
  options.target = {"x"};
  EXPECT_EQ(checked(table({numbers("x", {3, 4})}), options).features, 0);
  const Checkup out = checked(table({numbers("x", {1, 2, 1 / 0.0}), numbers("z", {1, 2, 4})}));
  EXPECT_EQ(out.rank, 1);
  EXPECT_THAT(out.advice, Contains(HasSubstr("x holds an infinity")));
  EXPECT_THAT(check(table({})).error().text(), HasSubstr("there are no rows"));
}

TEST(Check, SaysWhatAFitWouldCost) {
  const Checkup out = checked(table({numbers("a", random_values(100, 1)), numbers("b", random_values(100, 2))}));
  EXPECT_GT(out.fit_seconds, 0);
  EXPECT_LT(out.fit_seconds, 1);
  EXPECT_GT(out.fit_bytes, 0u);
  EXPECT_LT(out.fit_bytes, 1u << 20);
  EXPECT_GE(out.table_bytes, 2u * 100 * sizeof(double));
}

TEST(Check, TheCostIsThatOfTheSolverThatWillBeChosen) {
  // 20,000 rows of a category with 15,000 levels: p x p products of them would take 1.8 GB and hours.
  Column levels;
  levels.name = "id";
  levels.type = ColumnType::category;
  std::vector<double> y;
  for (Index i = 0; i < 20'000; ++i) {
    if (i < 15'000) levels.levels.push_back(std::to_string(10'000 + i));
    levels.codes.push_back(static_cast<std::int32_t>(i % 15'000));
    y.push_back(static_cast<double>(i % 7));
  }
  FitOptions options;
  options.target = {"y"};
  const Checkup out = checked(table({levels, numbers("y", y)}), options);
  EXPECT_LT(out.fit_bytes, 64u << 20);
  EXPECT_GT(out.fit_bytes, 15'000u * 64);
  EXPECT_LT(out.fit_seconds, 20);
}

TEST(Check, NamesRowNumbersAndFreeText) {
  std::vector<double> id(12);
  for (std::size_t i = 0; i < 12; ++i) id[i] = static_cast<double>(i) + 1;
  Column text;
  text.name = "note";
  text.type = ColumnType::text;
  text.levels.assign(12, "hello");
  text.levels[3] = "bye";
  const Checkup out =
      checked(table({numbers("id", id, ColumnType::integer), text, numbers("x", random_values(12, 1))}));
  EXPECT_EQ(column(out, "note").distinct, 2);
  EXPECT_THAT(out.advice, Contains("id numbers the rows: pass --ignore id unless the order means something"));
  EXPECT_THAT(out.advice, Contains("free text is not a feature by itself: pass --ignore note"));
}

} // namespace
} // namespace recta
