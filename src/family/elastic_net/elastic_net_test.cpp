// Lasso and elastic net as users reach them, against exact answers in rational arithmetic.
#include "base/random.hpp"
#include "certificate/test_exact_lasso.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace recta {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::to_double;
using Table = testing::Rows;

double draw(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state >> 40) - (1 << 23)) / (1 << 20);
}

Table table(Index n, Index p, std::uint64_t seed = 11) {
  Table rows(n, p, {}, {});
  for (Index i = 0; i < n * p; ++i) rows.x.push_back(draw(seed));
  for (Index i = 0; i < n; ++i)
    rows.y.push_back(rows.x[i * p] - 2 * rows.x[i * p + (p > 1 ? 1 : 0)] + draw(seed) / 2 + 3);
  return rows;
}

Arrays arrays(const Table& rows) {
  Arrays out;
  out.dense = MatrixView::row_major(rows.x.data(), rows.n, rows.p);
  out.y = MatrixView::row_major(rows.y.data(), rows.n, rows.k);
  if (!rows.weights.empty()) out.weights = rows.weights.data();
  if (!rows.offset.empty()) out.offset = rows.offset.data();
  return out;
}

Model fitted(const std::string& word, const Arrays& data, const FitOptions& options) {
  auto model = fit(word, data, options);
  EXPECT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

std::vector<double> coefficients(const Model& model, std::size_t target = 0) {
  std::vector<double> w;
  for (const Coefficient& c : model.linear()->targets[target].coefficients) w.push_back(c.value);
  return w;
}

void expect_exact(const Model& model, const testing::ExactNet& exact, double bound = 1e-12) {
  const auto w = coefficients(model);
  ASSERT_EQ(w.size(), exact.w.size());
  for (std::size_t j = 0; j < w.size(); ++j) {
    EXPECT_NEAR(w[j], to_double(exact.w[j]), bound) << j;
    EXPECT_EQ(w[j] == 0, exact.w[j] == 0) << j;
  }
  EXPECT_NEAR(model.linear()->targets[0].intercept.value, to_double(exact.b), bound);
}

struct Case {
  const char* name;
  std::string word;
  Params params;
  ElasticNetObjective objective;
  bool intercept = true;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}
std::vector<Case> cases() {
  using S = std::string;
  return {
      {"lasso", "lasso", {{"lambda", 0.5}}, {.lambda1 = 0.5}},
      {"lasso_of_little_penalty", "lasso", {{"lambda1", 0x1p-30}}, {.lambda1 = 0x1p-30}},
      {"through_zero", "lasso", {{"lambda", 0.5}}, {.lambda1 = 0.5, .intercept = false}, false},
      {"elastic_net", "elastic-net", {{"lambda", 1.0}, {"l1-share", 0.25}}, {.lambda1 = 0.25, .lambda2 = 0.75}},
      {"both", "elastic-net", {{"lambda1", 0.5}, {"lambda2", 0.125}}, {.lambda1 = 0.5, .lambda2 = 0.125}},
      {"lasso_end", "elastic-net", {{"lambda", 0.5}, {"l1-share", 1.0}}, {.lambda1 = 0.5}},
      {"ridge_end", "elastic-net", {{"lambda", 0.5}, {"l1-share", 0.0}}, {.lambda2 = 0.5}},
      {"no_penalty", "lasso", {{"lambda", 0.0}}, {}},
      {"non_negative",
       "lasso",
       {{"lambda", 0.25}, {"non-negative", true}},
       {.lambda1 = 0.25, .lower = std::vector(5, 0.0)}},
      {"bounds",
       "lasso",
       {{"lambda", 0.125}, {"lower", S("x2=-0.5,x3=0")}, {"upper", S("x1=0.25")}},
       {.lambda1 = 0.125, .lower = {-1e9, -0.5, 0, -1e9, -1e9}, .upper = {0.25, 1e9, 1e9, 1e9, 1e9}}},
      {"factors",
       "elastic-net",
       {{"lambda1", 0.5}, {"lambda2", 0.25}, {"penalty-factors", S("x3=0,x4=2")}},
       {.lambda1 = 0.5, .lambda2 = 0.25, .factors1 = {1, 1, 0, 2, 1}, .factors2 = {1, 1, 0, 2, 1}}},
      {"nothing_in_use", "lasso", {{"lambda", 1e6}}, {.lambda1 = 1e6}},
  };
}

class NetOfArrays : public ::testing::TestWithParam<Case> {};

TEST_P(NetOfArrays, TheAnswerIsTheExactOneByEitherSolverAndLayout) {
  Table rows = table(24, 5);
  rows.weights.assign(24, 1.0);
  rows.weights[3] = 2.5;
  rows.weights[7] = 0;
  for (Index i = 0; i < 24; ++i) rows.offset.push_back(static_cast<double>(i % 3));
  const auto exact = testing::exact_elastic_net(rows, GetParam().objective);
  ASSERT_TRUE(exact);
  std::vector<double> by_column(rows.x.size());
  for (Index i = 0; i < 24; ++i)
    for (Index j = 0; j < 5; ++j) by_column[i + j * 24] = rows.x[i * 5 + j];
  for (const char* solver : {"auto", "gram", "columns"})
    for (const bool fortran : {false, true}) {
      FitOptions options{.intercept = GetParam().intercept, .params = GetParam().params};
      options.params["solver"] = std::string(solver);
      Arrays data = arrays(rows);
      if (fortran) data.dense = MatrixView::col_major(by_column.data(), 24, 5);
      const Model model = fitted(GetParam().word, data, options);
      expect_exact(model, *exact);
      EXPECT_NEAR(model.certificate.objective, to_double(exact->objective), 1e-12 * model.certificate.null_objective);
      const auto again = verify(model, data);
      ASSERT_TRUE(again) << again.error().text();
      EXPECT_EQ(again->verdict, Verdict::proved) << again->sentence();
      const auto loaded = Model::from_bytes(model.to_bytes(), "bytes");
      ASSERT_TRUE(loaded) << loaded.error().text();
      EXPECT_EQ(loaded->to_bytes(), model.to_bytes());
      EXPECT_EQ(verify(*loaded, data)->verdict, Verdict::proved);
    }
}

INSTANTIATE_TEST_SUITE_P(Objectives, NetOfArrays, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(NetOfRows, SparseColumnsAndRowsGiveTheAnswerOfDenseOnes) {
  Table rows = table(30, 6);
  for (std::size_t k = 0; k < rows.x.size(); ++k)
    if (k % 3 != 0) rows.x[k] = 0;
  const auto exact = testing::exact_elastic_net(rows, {.lambda1 = 0.125});
  ASSERT_TRUE(exact);
  std::vector<Index> start{0}, index, column_start{0}, row;
  std::vector<double> value, column_value;
  for (Index i = 0; i < 30; ++i, start.push_back(static_cast<Index>(index.size())))
    for (Index j = 0; j < 6; ++j)
      if (rows.x[i * 6 + j] != 0) index.push_back(j), value.push_back(rows.x[i * 6 + j]);
  for (Index j = 0; j < 6; ++j, column_start.push_back(static_cast<Index>(row.size())))
    for (Index i = 0; i < 30; ++i)
      if (rows.x[i * 6 + j] != 0) row.push_back(i), column_value.push_back(rows.x[i * 6 + j]);
  for (const bool by_column : {false, true})
    for (const char* solver : {"gram", "columns"}) {
      Arrays data = arrays(rows);
      data.dense = {};
      data.sparse = by_column ? SparseView{30, 6, column_start.data(), row.data(), column_value.data()}
                              : SparseView{30, 6, start.data(), index.data(), value.data()};
      data.sparse.compressed = by_column ? Compressed::by_column : Compressed::by_row;
      expect_exact(fitted("lasso", data, {.params = {{"lambda", 0.125}, {"solver", std::string(solver)}}}), *exact);
    }
}

TEST(NetOfRows, MoreColumnsThanRows) {
  const Table rows = table(8, 20);
  const auto exact = testing::exact_elastic_net(rows, {.lambda1 = 0.25}, 200000);
  ASSERT_TRUE(exact);
  const Model model = fitted("lasso", arrays(rows), {.params = {{"lambda", 0.25}}});
  EXPECT_EQ(model.linear()->solver, "columns");
  expect_exact(model, *exact, 1e-10);
}

TEST(NetOfRows, WideRowsGiveTheSameBytesInEveryLayoutAndAtAnyNumberOfThreads) {
  constexpr Index kRows = 45, kCols = 1300;
  const Table rows = table(kRows, kCols);
  std::vector<double> by_column(rows.x.size());
  for (Index i = 0; i < kRows; ++i)
    for (Index j = 0; j < kCols; ++j) by_column[i + j * kRows] = rows.x[i * kCols + j];
  std::string first;
  for (const bool fortran : {false, true})
    for (const int threads : {1, 2, 5}) {
      Arrays data = arrays(rows);
      if (fortran) data.dense = MatrixView::col_major(by_column.data(), kRows, kCols);
      FitOptions options{.params = {{"lambda", 0.2}}};
      options.threads = threads;
      Model model = fitted("lasso", data, options);
      EXPECT_EQ(model.certificate.verdict, Verdict::proved) << model.certificate.sentence();
      model.certificate.passes = 0; // rows are copied once, columns not at all
      if (first.empty()) first = model.to_bytes();
      EXPECT_EQ(model.to_bytes(), first) << fortran << threads;
    }
}

TEST(NetOfRows, SeveralTargetsAreOneProblemEach) {
  Table both = table(20, 4);
  Table one = both, two = both;
  both.k = 2;
  both.y.clear();
  for (Index i = 0; i < 20; ++i) {
    two.y[i] = static_cast<double>(i * i % 7);
    both.y.insert(both.y.end(), {one.y[i], two.y[i]});
  }
  for (const char* solver : {"gram", "columns"}) {
    const FitOptions options{.params = {{"lambda", 0.25}, {"solver", std::string(solver)}}};
    const Model joint = fitted("lasso", arrays(both), options);
    EXPECT_EQ(coefficients(joint, 0), coefficients(fitted("lasso", arrays(one), options)));
    EXPECT_EQ(coefficients(joint, 1), coefficients(fitted("lasso", arrays(two), options)));
  }
}

TEST(NetOfRows, WithoutAStrengthATenthOfLambdaMaxIsTakenAndSaid) {
  const Table rows = table(24, 5);
  const Model model = fitted("lasso", arrays(rows), {});
  const TargetFit& fit = model.linear()->targets[0];
  EXPECT_DOUBLE_EQ(fit.lambda1, fit.lambda1_max / 10);
  EXPECT_THAT(model.linear()->reason, HasSubstr("lambda_max"));
  const auto exact = testing::exact_elastic_net(rows, {.lambda1 = fit.lambda1});
  ASSERT_TRUE(exact);
  expect_exact(model, *exact);
  const Model at = fitted("lasso", arrays(rows), {.params = {{"lambda", fit.lambda1_max * (1 + 1e-12)}}});
  EXPECT_EQ(at.linear()->targets[0].nonzero(), 0);
  EXPECT_THAT(at.certificate.conditions, Contains(HasSubstr("lambda_max")));
  const Model below = fitted("lasso", arrays(rows), {.params = {{"lambda", fit.lambda1_max * (1 - 1e-3)}}});
  EXPECT_EQ(below.linear()->targets[0].nonzero(), 1);
  const Model net = fitted("elastic-net", arrays(rows), {.params = {{"l1-share", 0.25}}});
  EXPECT_DOUBLE_EQ(net.linear()->lambda1, net.linear()->targets[0].lambda1_max / 10);
  EXPECT_DOUBLE_EQ(net.linear()->lambda2, 3 * net.linear()->lambda1);
}

TEST(NetOfRows, TheBoundPsiGivesTheLassoOfItsMultiplier) {
  const Table rows = table(24, 6);
  for (const bool standardise : {false, true})
    for (const char* solver : {"gram", "columns"})
      for (const double lambda : {1.0, 0.3, 0.01}) {
        FitOptions options{.standardise = standardise, .params = {{"lambda", lambda}, {"solver", std::string(solver)}}};
        const Model lasso = fitted("lasso", arrays(rows), options);
        const TargetFit& fit = lasso.linear()->targets[0];
        double psi = 0;
        for (const Coefficient& c : fit.coefficients) psi += std::abs(standardise ? c.standardised : c.value);
        options.params = {{"psi", psi}, {"solver", std::string(solver)}};
        const Model bound = fitted("lasso", arrays(rows), options);
        EXPECT_NEAR(bound.linear()->targets[0].lambda1, lambda, 1e-9);
        EXPECT_EQ(bound.linear()->psi, psi);
        EXPECT_THAT(bound.objective, HasSubstr("<= psi"));
        for (std::size_t j = 0; j < 6; ++j)
          EXPECT_NEAR(bound.linear()->targets[0].coefficients[j].value, fit.coefficients[j].value, 1e-10);
        EXPECT_EQ(verify(bound, arrays(rows))->verdict, Verdict::proved);
        EXPECT_EQ(Model::from_bytes(bound.to_bytes(), "b")->linear()->psi, psi);
      }
  const Model none = fitted("lasso", arrays(rows), {.params = {{"psi", 0.0}}});
  EXPECT_EQ(none.linear()->targets[0].nonzero(), 0);
  const Model loose = fitted("lasso", arrays(rows), {.params = {{"psi", 1e3}}});
  EXPECT_THAT(loose.certificate.conditions, Contains(HasSubstr("not in use")));
  const auto squares = fit("linear", arrays(rows));
  for (std::size_t j = 0; j < 6; ++j) EXPECT_NEAR(coefficients(loose)[j], coefficients(*squares)[j], 1e-9);
}

TEST(NetOfRows, EquicorrelatedColumnsHaveAClosedForm) {
  // A Gram of 1 on the diagonal and 1/2 beside it, products c = (3, 2, 1) with y. At lambda = 3/2 only the first column
  // is in use: w = 3 - 3/2, and |2 - w / 2| = 5/4, |1 - w / 2| = 1/4 are below lambda. The rows are the triangle R of
  // R'R = A.
  Table rows(3, 3, {}, {});
  const double r[3][3] = {{1, 0.5, 0.5}, {0, std::sqrt(0.75), std::sqrt(0.75) / 3}, {0, 0, std::sqrt(2.0 / 3)}};
  std::vector<double> y(3);
  const double c[] = {3, 2, 1};
  for (int i = 0; i < 3; ++i) { // forward substitution: R' y = c
    y[i] = c[i];
    for (int k = 0; k < i; ++k) y[i] -= r[k][i] * y[k];
    y[i] /= r[i][i];
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) rows.x.push_back(std::sqrt(3.0) * r[i][j]); // the mean over three rows
    rows.y.push_back(std::sqrt(3.0) * y[i]);
  }
  const Model model = fitted("lasso", arrays(rows), {.intercept = false, .params = {{"lambda", 1.5}}});
  EXPECT_NEAR(coefficients(model)[0], 1.5, 1e-14);
  EXPECT_EQ(coefficients(model)[1], 0);
  EXPECT_EQ(coefficients(model)[2], 0);
}

TEST(NetOfRows, ColumnsOfVeryDifferentScalesAreOneProblemInStandardisedUnits) {
  Table rows = table(40, 4), scaled = rows;
  const int power[] = {40, -40, 13, 0};
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 4; ++j) scaled.x[i * 4 + j] = std::ldexp(scaled.x[i * 4 + j], power[j]);
  for (const char* solver : {"gram", "columns"}) {
    const FitOptions options{.standardise = true, .params = {{"lambda", 0.1}, {"solver", std::string(solver)}}};
    const auto plain = coefficients(fitted("lasso", arrays(rows), options));
    const auto other = coefficients(fitted("lasso", arrays(scaled), options));
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(std::ldexp(other[j], power[j]), plain[j], 1e-13);
  }
}

TEST(NetOfRows, MergedStatisticsGiveTheSameAnswerAndSaySo) {
  const Table rows = table(24, 5);
  const auto statistics = Statistics::gather(arrays(rows));
  ASSERT_TRUE(statistics);
  const auto model = fit("lasso", *statistics, {.params = {{"lambda", 0.25}}});
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::within_tolerance) << model->certificate.sentence();
  EXPECT_TRUE(std::get<DualityGap>(model->certificate.claim).from_merged_statistics);
  const auto exact = testing::exact_elastic_net(rows, {.lambda1 = 0.25});
  ASSERT_TRUE(exact);
  expect_exact(*model, *exact);
  EXPECT_EQ(verify(*model, arrays(rows))->verdict, Verdict::proved);
}

TEST(NetOfRows, DuplicatesAreNamed) {
  Table rows = table(20, 3);
  Table doubled(20, 4, {}, rows.y);
  for (Index i = 0; i < 20; ++i)
    for (const Index j : {0, 1, 2, 0}) doubled.x.push_back(rows.x[i * 3 + j]);
  const Model model = fitted("lasso", arrays(doubled), {.params = {{"lambda", 0.25}}});
  ASSERT_EQ(model.linear()->aliased.size(), 1u);
  EXPECT_EQ(model.linear()->aliased[0].feature, "x4");
  EXPECT_EQ(model.linear()->aliased[0].equals[0].first, "x1");
  EXPECT_THAT(model.certificate.conditions, Contains(HasSubstr("not unique")));
  const Model net = fitted("elastic-net", arrays(doubled), {.params = {{"lambda", 0.25}}});
  EXPECT_NEAR(coefficients(net)[0], coefficients(net)[3], 1e-12); // an equal split
}

TEST(NetOfRows, DuplicatesWithoutAPenaltyAreProvedAndNamed) {
  const Table rows = table(20, 3);
  Table doubled(20, 4, {}, rows.y);
  for (Index i = 0; i < 20; ++i)
    for (const Index j : {0, 1, 2, 0}) doubled.x.push_back(rows.x[i * 3 + j]);
  const double least = fitted("linear", arrays(rows), {}).certificate.objective;
  for (const char* word : {"lasso", "elastic-net", "group-lasso"}) {
    const Model model = fitted(word, arrays(doubled), {.params = {{"lambda", 0.0}}});
    EXPECT_NEAR(model.certificate.objective, least, 1e-14) << word;
    EXPECT_THAT(model.certificate.conditions, Contains(HasSubstr("not unique"))) << word;
    EXPECT_EQ(verify(model, arrays(doubled))->verdict, Verdict::proved) << word;
  }
}

TEST(NetOfRows, ABoundPsiIsProvedInAnyUnitsAndWithMoreColumnsThanRows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Table rows = seed % 2 == 0 ? table(8, 12, seed) : table(12, 6, seed);
    std::uint64_t state = seed;
    for (Index j = 0; j < rows.p; ++j) {
      const double unit = std::pow(10, std::round(draw(state) / 2));
      for (Index i = 0; i < rows.n; ++i) rows.x[i * rows.p + j] *= unit;
    }
    for (const double psi : {1.0, 100.0, 1e4}) fitted("lasso", arrays(rows), {.params = {{"psi", psi}}});
  }
}

// Many columns of few numbers, like words in texts; one of them twice if asked for.
struct Words {
  Index n = 900, p = 0;
  std::vector<std::int32_t> start{0}, index;
  std::vector<double> value, y, weight;

  explicit Words(Index cols, bool twice) {
    std::uint64_t seed = 5;
    for (Index i = 0; i < n; ++i) y.push_back(draw(seed) / 4 + 1), weight.push_back(static_cast<double>(1 + i % 3));
    for (Index j = 0; j < cols; ++j) {
      const double w = j >= 20 ? 0 : j % 2 ? 3 : -2;
      for (Index i = step(seed); i < n; i += step(seed)) add(i, 1 + std::abs(draw(seed)), w);
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    if (twice) {
      index.insert(index.end(), index.begin() + start[6], index.begin() + start[7]);
      value.insert(value.end(), value.begin() + start[6], value.begin() + start[7]);
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    p = static_cast<Index>(start.size()) - 1;
  }
  Arrays arrays(bool weighted = false) const {
    Arrays out;
    out.sparse = {n, p, start.data(), index.data(), value.data(), IndexWidth::bits32, Compressed::by_column};
    out.y = MatrixView::vector(y.data(), n);
    if (weighted) out.weights = weight.data();
    return out;
  }

private:
  static Index step(std::uint64_t& seed) { return 1 + static_cast<Index>(std::abs(draw(seed)) * 20); } // up to 160
  void add(Index i, double x, double w) {
    index.push_back(static_cast<std::int32_t>(i));
    value.push_back(x);
    y[static_cast<std::size_t>(i)] += w * x;
  }
};

TEST(NetOfRows, ManySparseColumnsGiveTheSameBytesAtAnyNumberOfThreadsAndTheAnswerOfDenseOnes) {
  const Words words(3000, false);
  std::vector<double> dense(static_cast<std::size_t>(words.n * words.p));
  for (Index j = 0; j < words.p; ++j)
    for (std::int32_t s = words.start[j]; s < words.start[j + 1]; ++s)
      dense[static_cast<std::size_t>(words.index[s] + j * words.n)] = words.value[s];
  for (const bool weighted : {false, true}) {
    std::string first;
    for (const int threads : {1, 2, 5}) {
      FitOptions options{.params = {{"lambda", 0.05}}};
      options.threads = threads;
      const Model model = fitted("lasso", words.arrays(weighted), options);
      if (first.empty()) first = model.to_bytes();
      EXPECT_EQ(model.to_bytes(), first) << threads;
      if (threads > 1) continue;
      Arrays same = words.arrays(weighted);
      same.sparse = {};
      same.dense = MatrixView::col_major(dense.data(), words.n, words.p);
      const auto w = coefficients(model), other = coefficients(fitted("lasso", same, options));
      for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], other[j], 1e-10) << j;
    }
  }
}

// The tolerance is that of the objective, and a support once known costs little to solve: sparse rows get the digits
// that dense ones do.
TEST(NetOfRows, FewSparseRowsOfMoreColumnsHaveTheDigitsOfDenseOnes) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::uint64_t state = seed;
    Table rows(6, 24, {}, {});
    for (Index i = 0; i < 6 * 24; ++i) rows.x.push_back(std::abs(draw(state)) < 4 ? 0 : draw(state));
    for (Index i = 0; i < 6; ++i) rows.y.push_back(draw(state));
    std::vector<std::int32_t> start{0}, index;
    std::vector<double> value;
    for (Index j = 0; j < 24; ++j) {
      for (Index i = 0; i < 6; ++i)
        if (rows.x[i * 24 + j] != 0) index.push_back(static_cast<std::int32_t>(i)), value.push_back(rows.x[i * 24 + j]);
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    Arrays sparse = arrays(rows);
    sparse.dense = {};
    sparse.sparse = {6, 24, start.data(), index.data(), value.data(), IndexWidth::bits32, Compressed::by_column};
    const FitOptions options{.params = {{"lambda1", 0.0005}, {"lambda2", 0.0005}}};
    const auto w = coefficients(fitted("elastic-net", sparse, options)),
               other = coefficients(fitted("elastic-net", arrays(rows), options));
    for (std::size_t j = 0; j < w.size(); ++j) EXPECT_NEAR(w[j], other[j], 1e-11) << seed << ", " << j;
  }
}

// More columns in use than are multiplied out without need.
TEST(NetOfRows, ADuplicateAmongManySparseColumnsIsNamed) {
  for (const bool twice : {false, true}) {
    const Words words(150, twice);
    const Model model = fitted("lasso", words.arrays(), {.params = {{"lambda", 1e-3}}});
    EXPECT_GT(model.linear()->targets[0].nonzero(), 100);
    ASSERT_EQ(model.linear()->aliased.size(), twice ? 1u : 0u);
    if (!twice) continue;
    EXPECT_EQ(model.linear()->aliased[0].feature, "151");
    ASSERT_EQ(model.linear()->aliased[0].equals.size(), 1u);
    EXPECT_EQ(model.linear()->aliased[0].equals[0].first, "7");
    EXPECT_NEAR(model.linear()->aliased[0].equals[0].second, 1, 1e-9);
  }
}

TEST(NetOfRows, ACategoryTakesItsFactorToAllItsLevels) {
  Dataset data = read("iris").value();
  FitOptions options{.target = {"petal_width"}, .params = {{"lambda", 0.05}}};
  const auto names = fit("lasso", data, options);
  ASSERT_TRUE(names) << names.error().text();
  const std::string category = names->schema.columns.back().name;
  ASSERT_EQ(names->schema.columns.back().type, ColumnType::category);
  options.params["penalty-factors"] = category + "=1e6";
  const auto model = fit("lasso", data, options);
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->certificate.verdict, Verdict::proved);
  for (const Coefficient& c : model->linear()->targets[0].coefficients)
    if (c.feature.starts_with(category + "=")) {
      EXPECT_EQ(c.value, 0) << c.feature;
    }
  EXPECT_GT(model->linear()->targets[0].nonzero(), 0);
  EXPECT_GT(names->linear()->targets[0].nonzero(), 0);
}

TEST(NetRefusals, NameWhatIsWrongAndTheCure) {
  const Table rows = table(10, 3);
  using S = std::string;
  const std::vector<std::pair<Params, const char*>> bad = {
      {{{"lambda", -1.0}}, "out of range"},
      {{{"lambda", std::nan("")}}, "out of range"},
      {{{"lambda", 1.0}, {"lambda1", 1.0}}, "more than once"},
      {{{"lambda", 1.0}, {"psi", 1.0}}, "both a bound psi and a penalty"},
      {{{"psi", -1.0}}, "out of range"},
      {{{"penalty-factors", S("x9=1")}}, "no feature \"x9\""},
      {{{"penalty-factors", S("x1=-1")}}, "out of range"},
      {{{"penalty-factors", S("x1")}}, "not a column and a number"},
      {{{"lower", S("x1=0.5")}}, "out of range"},
      {{{"upper", S("x1=nan")}}, "out of range"},
      {{{"psi", 1.0}, {"upper", S("x1=1")}}, "not offered"},
      {{{"solver", S("lars")}}, "not known"}};
  for (const auto& [params, what] : bad) {
    const auto model = fit("lasso", arrays(rows), {.params = params});
    ASSERT_FALSE(model) << what;
    EXPECT_EQ(model.error().code, ErrorCode::usage);
    EXPECT_THAT(model.error().text(), HasSubstr(what));
    EXPECT_FALSE(model.error().advice.empty());
  }
  const auto twice = fit("elastic-net", arrays(rows), {.params = {{"lambda", 1.0}, {"lambda2", 1.0}}});
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().text(), HasSubstr("two ways"));
}

TEST(NetOfRows, AStoppedFitStillHasItsClaim) {
  const Table rows = table(60, 30);
  const auto model = fit("lasso", arrays(rows), {.params = {{"lambda", 1e-3}, {"solver", std::string("columns")}}},
                         [](const Progress& at) { return at.stage != "solving"; });
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_LE(model->certificate.verdict, Verdict::stopped_early) << model->certificate.sentence();
}

} // namespace
} // namespace recta
