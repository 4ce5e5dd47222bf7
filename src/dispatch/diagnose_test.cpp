// Influence by its own definition: rows are deleted and the rest is fitted again in exact rational arithmetic.
#include "objective/test_exact.hpp"

#include <recta/recta.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {
namespace {

using testing::Exact;
using testing::exact_least_squares;
using testing::Rational;
using testing::to_double;
using Table = testing::Rows;

Table table(Index n, Index p) {
  Table rows(n, p, {}, {});
  std::uint64_t state = 7;
  const auto draw = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>((state >> 33) % 4001) / 64 - 31;
  };
  for (Index i = 0; i < n; ++i) {
    double y = draw() / 4;
    for (Index j = 0; j < p; ++j) {
      rows.x.push_back(draw());
      y += static_cast<double>(j + 1) * rows.x.back() / 8;
    }
    rows.y.push_back(y);
  }
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

Diagnosis diagnosis_of(const Table& rows, const FitOptions& options = {}, const std::string& word = "linear",
                       int threads = 2) {
  const auto model = fit(word, arrays(rows), options);
  EXPECT_TRUE(model) << model.error().text();
  auto diagnosis = diagnose(*model, arrays(rows), threads);
  EXPECT_TRUE(diagnosis) << diagnosis.error().text();
  return *std::move(diagnosis);
}

Table without(const Table& rows, Index i) {
  Table out = rows;
  --out.n;
  const auto drop = [](std::vector<double>& v, Index at, Index count) {
    if (!v.empty()) v.erase(v.begin() + at, v.begin() + at + count);
  };
  drop(out.x, i * rows.p, rows.p);
  drop(out.y, i, 1);
  drop(out.weights, i, 1);
  drop(out.offset, i, 1);
  return out;
}

Rational predicted(const Exact& fit, const Table& rows, Index i, bool intercept) {
  Rational z = intercept ? fit.w[0] : Rational(0);
  for (Index j = 0; j < rows.p; ++j) z += fit.w[j + (intercept ? 1 : 0)] * Rational(rows.x[i * rows.p + j]);
  return z;
}

// The derivative of a fitted value by its own target: the fit of the unit vector for that row.
double exact_leverage(Table rows, Index i, bool intercept, const Rational& tau = 0) {
  rows.offset.clear();
  std::fill(rows.y.begin(), rows.y.end(), 0.0);
  rows.y[i] = 1;
  return to_double(predicted(exact_least_squares(rows, intercept, tau), rows, i, intercept));
}

void expect_near(double found, double expected, const char* what, Index row) {
  EXPECT_NEAR(found, expected, 1e-13 * std::max(1.0, std::abs(expected))) << what << " of row " << row;
}

void expect_as_refitted(const Table& rows, bool intercept, bool frequency) {
  FitOptions options;
  options.intercept = intercept;
  options.weights_are = frequency ? WeightMeaning::frequency : WeightMeaning::precision;
  const Diagnosis found = diagnosis_of(rows, options);
  const Exact whole = exact_least_squares(rows, intercept);
  const double k = static_cast<double>(rows.p + (intercept ? 1 : 0));
  double counted = 0;
  for (Index i = 0; i < rows.n; ++i) counted += frequency ? rows.weights[i] : 1;
  const double s2 = to_double(whole.rss) / (counted - k);
  EXPECT_EQ(found.parameters, k);
  double sum = 0, press = 0;
  for (Index i = 0; i < rows.n; ++i) {
    const RowInfluence& row = found.targets[0].rows[i];
    const double v = rows.weights.empty() ? 1 : rows.weights[i], c = frequency ? v : 1;
    const Exact rest = exact_least_squares(without(rows, i), intercept);
    const Rational offset = rows.offset.empty() ? 0 : Rational(rows.offset[i]);
    const Rational y = Rational(rows.y[i]) - offset;
    const double h = exact_leverage(rows, i, intercept);
    const double deleted = to_double(y - predicted(rest, rows, i, intercept));
    const double s = std::sqrt(to_double(rest.rss) / (counted - c - k));
    expect_near(row.leverage, h, "leverage", i);
    expect_near(row.deleted, deleted, "deleted residual", i);
    expect_near(row.dffits,
                to_double(predicted(whole, rows, i, intercept) - predicted(rest, rows, i, intercept)) /
                    (s * std::sqrt(h / v)),
                "DFFITS", i);
    Rational moved = 0;
    for (Index j = 0; j < rows.n; ++j) {
      const Rational d = predicted(whole, rows, j, intercept) - predicted(rest, rows, j, intercept);
      moved += d * d * Rational(rows.weights.empty() ? 1 : rows.weights[j]);
    }
    expect_near(row.cooks_distance, to_double(moved) / (k * s2), "Cook's distance", i);
    // A new observation here would have the row's own variance and that of the fit without it.
    const double own = frequency ? 1 : 1 / v;
    expect_near(row.studentised, deleted / (s * std::sqrt(own + h / v / (1 - h))), "studentised residual", i);
    const double r = to_double(y - predicted(whole, rows, i, intercept));
    expect_near(row.standardised, r / std::sqrt(s2 * (own - h / v)), "standardised residual", i);
    sum += row.leverage;
    press += v * deleted * deleted;
  }
  EXPECT_NEAR(sum, k, 1e-12);
  EXPECT_NEAR(found.targets[0].press, press, 1e-12 * press);
}

TEST(Diagnose, ARowDeletedAndTheRestFittedAgainIsWhatInfluenceMeans) {
  expect_as_refitted(table(12, 3), true, false);
  expect_as_refitted(table(9, 2), false, false);
}

TEST(Diagnose, SoItIsWithPrecisionsAndOffsets) {
  Table rows = table(11, 2);
  for (Index i = 0; i < rows.n; ++i) {
    rows.weights.push_back(0.25 * static_cast<double>(i % 4 + 1));
    rows.offset.push_back(static_cast<double>(i % 3));
  }
  expect_as_refitted(rows, true, false);
}

TEST(Diagnose, SoItIsWithFrequenciesAllCopiesGo) {
  Table rows = table(10, 2);
  for (Index i = 0; i < rows.n; ++i) rows.weights.push_back(static_cast<double>(i % 3 + 1));
  expect_as_refitted(rows, true, true);
}

TEST(Diagnose, RidgeKeepsItsPenaltyWhenARowIsDeleted) {
  const Table rows = table(10, 3);
  FitOptions options;
  options.params["tau"] = 4.0;
  const Diagnosis found = diagnosis_of(rows, options, "ridge");
  double sum = 0;
  for (Index i = 0; i < rows.n; ++i) {
    const RowInfluence& row = found.targets[0].rows[i];
    const Exact rest = exact_least_squares(without(rows, i), true, 4);
    expect_near(row.deleted, to_double(Rational(rows.y[i]) - predicted(rest, rows, i, true)), "deleted residual", i);
    expect_near(row.leverage, exact_leverage(rows, i, true, 4), "leverage", i);
    EXPECT_TRUE(std::isnan(row.cooks_distance) && std::isnan(row.studentised) && std::isnan(row.dffits));
    sum += row.leverage;
  }
  EXPECT_NEAR(found.parameters, sum, 1e-13);
  EXPECT_LT(found.parameters, 4);
}

TEST(Diagnose, LeveragesOfDependentColumnsSumToTheRank) {
  Table rows = table(8, 3);
  for (Index i = 0; i < rows.n; ++i) rows.x[i * 3 + 2] = 2 * rows.x[i * 3] - rows.x[i * 3 + 1];
  const Diagnosis found = diagnosis_of(rows);
  double sum = 0;
  for (const RowInfluence& row : found.targets[0].rows) sum += row.leverage;
  EXPECT_NEAR(sum, 3, 1e-13);
  EXPECT_EQ(found.parameters, 3);
  for (const double inflation : found.variance_inflation) EXPECT_TRUE(std::isinf(inflation));
  EXPECT_TRUE(std::isinf(found.condition_indices.back().index));
}

TEST(Diagnose, ARowThatAloneDeterminesACoefficientIsFlaggedAndInfinite) {
  Table rows = table(9, 2);
  for (Index i = 0; i < rows.n; ++i) rows.x[i * 2 + 1] = i == 4 ? 1 : 0;
  const Diagnosis found = diagnosis_of(rows);
  const RowInfluence& row = found.targets[0].rows[4];
  EXPECT_TRUE(row.alone);
  EXPECT_NEAR(row.leverage, 1, 1e-14);
  EXPECT_TRUE(std::isinf(row.deleted) && std::isinf(row.cooks_distance));
  EXPECT_TRUE(std::isinf(found.targets[0].press));
  EXPECT_FALSE(found.targets[0].rows[3].alone);
  EXPECT_NE(found.findings.at(0).find("row 5 alone determines"), std::string::npos);
}

TEST(Diagnose, WeightZeroIsAbsent) {
  Table rows = table(9, 2);
  rows.weights.assign(9, 1.0);
  rows.weights[3] = 0;
  Table rest = without(rows, 3);
  const Diagnosis a = diagnosis_of(rows), b = diagnosis_of(rest);
  ASSERT_EQ(a.rows, 8);
  for (Index i = 0; i < 8; ++i) {
    const RowInfluence &x = a.targets[0].rows[i], &y = b.targets[0].rows[i];
    EXPECT_EQ(x.row, i < 3 ? i + 1 : i + 2);
    EXPECT_DOUBLE_EQ(x.leverage, y.leverage);
    EXPECT_NEAR(x.studentised, y.studentised, 1e-12);
  }
  for (std::size_t t = 0; t < a.targets[0].tests.size(); ++t)
    EXPECT_NEAR(a.targets[0].tests[t].statistic, b.targets[0].tests[t].statistic, 1e-11) << a.targets[0].tests[t].word;
}

TEST(Diagnose, SameBitsAtAnyNumberOfThreads) {
  const Table rows = table(70000, 3); // several blocks
  const Diagnosis a = diagnosis_of(rows, {}, "linear", 1), b = diagnosis_of(rows, {}, "linear", 4);
  for (Index i = 0; i < rows.n; i += 997) {
    EXPECT_EQ(a.targets[0].rows[i].leverage, b.targets[0].rows[i].leverage);
    EXPECT_EQ(a.targets[0].rows[i].dffits, b.targets[0].rows[i].dffits);
  }
  for (std::size_t t = 0; t < a.targets[0].tests.size(); ++t)
    EXPECT_EQ(a.targets[0].tests[t].p_value, b.targets[0].tests[t].p_value) << a.targets[0].tests[t].word;
}

// Mean and variance of e'Ae / e'e by the n x n matrices themselves.
TEST(Diagnose, DurbinWatsonHasItsExactMoments) {
  const Index n = 13;
  Table rows(n, 1, {}, {});
  for (Index i = 0; i < n; ++i) {
    rows.x.push_back(static_cast<double>((i * i) % 7));
    rows.y.push_back(static_cast<double>((i * 5) % 11));
  }
  const Diagnosis found = diagnosis_of(rows);
  std::vector<double> m(n * n), ma(n * n);
  double mean = 0, scatter = 0, steps = 0, squares = 0;
  for (const double x : rows.x) mean += x / n;
  for (const double x : rows.x) scatter += (x - mean) * (x - mean);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) m[i + j * n] = (i == j) - 1.0 / n - (rows.x[i] - mean) * (rows.x[j] - mean) / scatter;
  const auto a = [&](Index i, Index j) {
    return i == j ? (i == 0 || i == n - 1 ? 1.0 : 2.0) : std::abs(i - j) == 1 ? -1.0 : 0.0;
  };
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      for (Index s = 0; s < n; ++s) ma[i + j * n] += m[i + s * n] * a(s, j);
  double trace = 0, second = 0;
  for (Index i = 0; i < n; ++i) {
    trace += ma[i + i * n];
    for (Index j = 0; j < n; ++j) second += ma[i + j * n] * ma[j + i * n];
  }
  const double free = n - 2, centre = trace / free;
  const double variance = 2 * (second - trace * centre) / (free * (free + 2));
  for (Index i = 0; i < n; ++i) {
    const double r = found.targets[0].rows[i].residual;
    squares += r * r;
    if (i > 0) steps += std::pow(r - found.targets[0].rows[i - 1].residual, 2);
  }
  const ResidualTest& test = found.targets[0].tests.back();
  ASSERT_EQ(test.word, "durbin-watson");
  EXPECT_NEAR(test.statistic, steps / squares, 1e-13);
  EXPECT_NEAR(test.p_value, std::erfc(std::abs(test.statistic - centre) / std::sqrt(2 * variance)), 1e-12);
}

TEST(Diagnose, SharesOfEveryCoefficientSumToOne) {
  const Diagnosis found = diagnosis_of(table(20, 4));
  ASSERT_EQ(found.condition_indices.size(), 5u);
  EXPECT_EQ(found.condition_indices[0].index, 1);
  for (std::size_t j = 0; j < 5; ++j) {
    double sum = 0;
    for (const ConditionIndex& direction : found.condition_indices) sum += direction.shares[j];
    EXPECT_NEAR(sum, 1, 1e-14);
  }
}

// Two columns of correlation c: inflation is 1 / (1 - c^2), without a constant column among them.
TEST(Diagnose, InflationNeedsNoConstantColumn) {
  Table rows(4, 2, {101, 201, 99, 201, 101, 199, 99, 197}, {1, 2, 3, 5});
  const Diagnosis found = diagnosis_of(rows); // centred: (1,1,1,-1) x and (1.5, 1.5, -.5, -2.5) about the means
  double xy = 0, xx = 0, yy = 0;
  const double mx = 100, my = 199.5;
  for (Index i = 0; i < 4; ++i) {
    xy += (rows.x[2 * i] - mx) * (rows.x[2 * i + 1] - my);
    xx += std::pow(rows.x[2 * i] - mx, 2);
    yy += std::pow(rows.x[2 * i + 1] - my, 2);
  }
  EXPECT_NEAR(found.variance_inflation[0], 1 / (1 - xy * xy / (xx * yy)), 1e-13);
  EXPECT_NEAR(found.variance_inflation[1], found.variance_inflation[0], 1e-13);
}

TEST(Diagnose, OtherRowsAreRefused) {
  const Table rows = table(9, 2);
  const auto model = fit("linear", arrays(rows));
  ASSERT_TRUE(model);
  Table other = rows;
  other.y[2] += 1;
  const auto refused = diagnose(*model, arrays(other));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_data);
  EXPECT_NE(refused.error().text().find("not the training data"), std::string::npos);
}

} // namespace
} // namespace recta
