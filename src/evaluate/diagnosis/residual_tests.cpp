#include "evaluate/diagnosis/residual_tests.hpp"

#include "base/numbers.hpp"
#include "base/sums.hpp"
#include "evaluate/inference/tails.hpp"

#include <cmath>
#include <fmt/format.h>

namespace recta::diagnosis {
namespace {

constexpr double kDoubt = 0.05;

std::string p_text(double p) {
  return p == 0 ? "p below 1e-307" : fmt::format("p = {:.3g}", p);
}

// Skewness as a normal deviate; needs eight rows.
double skewness_deviate(double skewness, double n) {
  const double y = skewness * std::sqrt((n + 1) * (n + 3) / (6 * (n - 2)));
  const double kurtosis = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9));
  const double w2 = std::sqrt(2 * (kurtosis - 1)) - 1;
  return std::asinh(y / std::sqrt(2 / (w2 - 1))) / std::sqrt(std::log(w2) / 2);
}

double kurtosis_deviate(double kurtosis, double n) {
  const double mean = 3 * (n - 1) / (n + 1);
  const double variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) * (n + 1) * (n + 3) * (n + 5));
  const double x = (kurtosis - mean) / std::sqrt(variance);
  const double skew =
      6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * std::sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)));
  const double a = 6 + 8 / skew * (2 / skew + std::sqrt(1 + 4 / (skew * skew)));
  const double below = 1 + x * std::sqrt(2 / (a - 4));
  const double root = std::copysign(std::cbrt((1 - 2 / a) / std::abs(below)), below);
  return (1 - 2 / (9 * a) - root) / std::sqrt(2 / (9 * a));
}

std::string shape_sentence(const char* name, double p) {
  if (std::isnan(p)) return fmt::format("{}: there is nothing to say about so few rows", name);
  if (p < kDoubt)
    return fmt::format("the residuals are not normal ({}, {}): intervals and p-values rest on the number of rows", name,
                       p_text(p));
  return fmt::format("the residuals may be normal ({}, {})", name, p_text(p));
}

double trace_of_square(const std::vector<double>& lower, Index size) {
  double sum = 0;
  for (Index c = 0; c < size; ++c)
    for (Index r = c; r < size; ++r) {
      const double x = lower[static_cast<std::size_t>(r + c * size)];
      sum += (r == c ? 1 : 2) * x * x;
    }
  return sum;
}

double squared_distance(const double* a, const double* b, Index size) {
  double sum = 0;
  for (Index s = 0; s < size; ++s) sum += (a[s] - b[s]) * (a[s] - b[s]);
  return sum;
}

struct Moments {
  double mean = kNaN, variance = kNaN;
};
Moments durbin_watson_moments(const Neighbours& near) {
  const auto n = static_cast<double>(near.rows), free = n - static_cast<double>(near.size);
  if (near.rows < 3 || !(free > 0)) return {};
  double trace = 0;
  for (Index s = 0; s < near.size; ++s) trace += near.differences[static_cast<std::size_t>(s * (near.size + 1))];
  const double second = near.seconds + squared_distance(near.first.data(), near.first.data() + near.size, near.size) +
                        squared_distance(near.last.data(), near.last.data() + near.size, near.size);
  const double p = 2 * (n - 1) - trace, s = 6 * n - 8 - 2 * second + trace_of_square(near.differences, near.size);
  const double mean = p / free;
  return {mean, 2 * (s - p * mean) / (free * (free + 2))};
}

} // namespace

Residuals weighted_residuals(const TargetDiagnosis& rows, bool frequency) {
  Residuals out;
  for (const RowInfluence& row : rows.rows) {
    out.e.push_back(frequency ? row.residual : std::sqrt(row.weight) * row.residual);
    out.count.push_back(frequency ? row.weight : 1);
    out.counted += out.count.back();
  }
  return out;
}

void test_shape(const Residuals& residuals, TargetDiagnosis& out) {
  const double n = residuals.counted;
  CompensatedSum sum;
  for (std::size_t i = 0; i < residuals.e.size(); ++i) sum.add_product(residuals.count[i], residuals.e[i]);
  const double mean = sum.value() / n;
  CompensatedSum second, third, fourth;
  for (std::size_t i = 0; i < residuals.e.size(); ++i) {
    const double d = residuals.e[i] - mean, c = residuals.count[i];
    second.add_product(c * d, d);
    third.add_product(c * d * d, d);
    fourth.add_product(c * d * d, d * d);
  }
  const double variance = second.value() / n;
  out.skewness = third.value() / n / (variance * std::sqrt(variance));
  out.kurtosis = fourth.value() / n / (variance * variance);
  const double s = out.skewness, k = out.kurtosis - 3;
  const double bera = n / 6 * (s * s + k * k / 4), p = chi_squared_upper(bera, 2);
  out.tests.push_back({"jarque-bera", bera, 2, p, shape_sentence("Jarque-Bera", p)});
  if (n < 8) return;
  const double za = skewness_deviate(s, n), zb = kurtosis_deviate(out.kurtosis, n), both = za * za + zb * zb;
  const double q = chi_squared_upper(both, 2);
  out.tests.push_back({"omnibus", both, 2, q, shape_sentence("D'Agostino-Pearson", q)});
}

ResidualTest test_order(const Residuals& residuals, const Neighbours& neighbours, const Setting& setting) {
  CompensatedSum squares, steps;
  for (std::size_t i = 0; i < residuals.e.size(); ++i) {
    squares.add_product(residuals.count[i] * residuals.e[i], residuals.e[i]);
    if (i == 0) continue;
    const double step = residuals.e[i] - residuals.e[i - 1];
    steps.add_product(step, step);
  }
  ResidualTest test{"durbin-watson", steps.value() / squares.value(), kNaN, kNaN, {}};
  const Moments moments = setting.penalised || setting.frequency ? Moments{} : durbin_watson_moments(neighbours);
  if (moments.variance > 0)
    test.p_value = normal_two_sided((test.statistic - moments.mean) / std::sqrt(moments.variance));
  const std::string figure = fmt::format("Durbin-Watson {:.3g}{}", test.statistic,
                                         std::isnan(test.p_value) ? "" : ", " + p_text(test.p_value));
  if (test.p_value < kDoubt)
    test.sentence = fmt::format("residuals of neighbouring rows go {} ({}): if the order of the rows means something, "
                                "rows are not independent: --cluster groups the rows that depend on one another",
                                test.statistic < moments.mean ? "together" : "against one another", figure);
  else
    test.sentence = fmt::format("no sign that neighbouring rows depend on one another ({})", figure);
  return test;
}

ResidualTest test_spread(const std::string& word, double r2, double counted, Index rank) {
  ResidualTest test{word, counted * r2, static_cast<double>(rank), kNaN, {}};
  test.p_value = chi_squared_upper(test.statistic, test.freedom);
  const std::string name = word == "white" ? "White" : "Breusch-Pagan";
  if (std::isnan(test.p_value))
    test.sentence = fmt::format("{}: there is no column that the spread could depend on", name);
  else if (test.p_value < kDoubt)
    test.sentence =
        fmt::format("the spread of the residuals depends on the features ({}, {}): standard errors of equal "
                    "variances mislead; fit with --errors hc3",
                    name, p_text(test.p_value));
  else
    test.sentence = fmt::format("no sign that the spread of the residuals depends on the features ({}, {})", name,
                                p_text(test.p_value));
  return test;
}

} // namespace recta::diagnosis
