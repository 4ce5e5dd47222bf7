// Small models for the tests of the file: every field filled, every kind of column, absent numbers.
#pragma once

#include "base/sha256.hpp"
#include "certificate/stated_verdict.hpp"
#include "feature/schema.hpp"
#include "model/linear/body.hpp"

#include <recta/model.hpp>

#include <cstring>
#include <limits>

namespace recta {

inline Coefficient example_coefficient(const std::string& name, double value) {
  return {name, value, value / 3, 0.1 * value * value, value * 1e-300, 1e-17, value - 1 / 3.0, value + 1 / 3.0};
}

inline Model example_model() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Model model;
  model.word = "ridge";
  model.params = {
      {"lambda", 0.1}, {"solver", std::string("auto")}, {"path", false}, {"cap", 1 / 0.0}, {"inf", std::string("inf")}};
  model.objective = "(1/2) sum s_i (y_i - b - <w, x_i>)^2 + (lambda/2) |w|^2 with \"quotes\" and \\";
  model.schema.columns = {{"age", ColumnType::integer, {}, {}, 41.5, true},
                          {"größe", ColumnType::real, {}, {}, -0.0, false},
                          {"city", ColumnType::category, {"Lima", "Oslo", "Rome"}, "Lima", 0, false}};
  model.schema.targets = {"price", "rent"};
  model.schema.weights = "w";
  model.schema.ignored = {"id", ""};
  model.schema.missing = Missing::indicator;
  model.schema.unseen = Unseen::zeros;
  LinearSummary& linear = own_linear(model);
  linear.solver = "gram-cholesky";
  linear.reason = "n = 506 is at least 2 p = 26";
  linear.rows = Index{1} << 40;
  linear.weight_sum = 0.1 + 0.2;
  linear.degrees_of_freedom = 4.75;
  linear.rank = 4;
  linear.condition = 1 / 0.0;
  linear.lambda1 = 0.3;
  linear.lambda2 = 5e-324;
  linear.psi = 2.5;
  linear.weights_are = WeightMeaning::frequency;
  linear.means = {41.5, 1.0 / 3, 0.25, 0.5, 1e22};
  linear.deviations = {1, 2, 3, 4, 5};
  linear.singular = {{3.5, 0.9}, {0.5, 0.1}};
  linear.aliased = {{"city=Rome", {{"age", 0.98}, {"city=Oslo", -1}}}, {"age", {}}};
  const auto features = feature::feature_names(model.schema);
  for (const std::string& target : model.schema.targets) {
    TargetFit& fit = linear.targets.emplace_back();
    fit.target = target;
    fit.intercept = example_coefficient("(intercept)", 22.5);
    for (std::size_t j = 0; j < features.size(); ++j)
      fit.coefficients.push_back(example_coefficient(features[j], 0.7 * static_cast<double>(j) - 1.1));
    fit.coefficients[3].standard_error = fit.coefficients[3].t = nan;
    for (Coefficient& coefficient : fit.coefficients) coefficient.p_value = nan;
    fit.rss = 1e308;
    fit.f = nan;
    fit.lambda1 = 0.25;
    fit.log_likelihood = -1 / 0.0;
  }
  model.certificate.claim = ExactOptimum{1e-31, 2e-16, 3e-17, true};
  model.certificate.verdict = stated_verdict(Verdict::proved);
  model.certificate.objective = 5.5;
  model.certificate.slack = nan;
  model.certificate.passes = 2;
  model.certificate.stop = "solved in closed form";
  model.certificate.conditions = {"rank 4 of 5"};
  model.fingerprint.rows = 506;
  for (std::size_t i = 0; i < 32; ++i) model.fingerprint.digest[i] = static_cast<std::uint8_t>(i * 7);
  return model;
}

// A model of as few bytes as possible: for tests that try every one of them.
inline Model small_model() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Model model;
  model.word = "linear";
  model.schema.columns = {{"c", ColumnType::category, {"a", "b"}, "a", 0, false}};
  model.schema.targets = {"y"};
  TargetFit& fit = own_linear(model).targets.emplace_back();
  fit.target = "y";
  fit.intercept = {"", 2, nan, nan, nan, nan, nan, nan};
  fit.coefficients.push_back({"c=b", 3, nan, nan, nan, nan, nan, nan});
  fit.mse = fit.r2 = fit.adjusted_r2 = fit.sigma = fit.log_likelihood = fit.f = fit.f_p_value = nan;
  model.certificate.claim = Counted{};
  return model;
}

// Makes the last 32 bytes the checksum of those before them, as a forger would.
inline std::string with_checksum(std::string bytes) {
  if (bytes.size() < 32) return bytes;
  const auto digest = sha256(std::string_view(bytes).substr(0, bytes.size() - 32));
  std::memcpy(bytes.data() + bytes.size() - 32, digest.data(), digest.size());
  return bytes;
}

} // namespace recta
