// What the worked examples share: a table written out in the test, and a fit that must succeed.
#pragma once

#include <recta/recta.hpp>

#include <cmath>
#include <gtest/gtest.h>

namespace recta {

inline Dataset table(std::string_view csv, const ReadOptions& options = {.format = "csv"}) {
  auto data = parse(csv, "table", options);
  EXPECT_TRUE(data) << data.error().text();
  return data ? *std::move(data) : Dataset{};
}

inline Model proved(const std::string& word, const Dataset& data, const FitOptions& options) {
  auto model = fit(word, data, options);
  EXPECT_TRUE(model) << model.error().text();
  if (!model) return {};
  EXPECT_EQ(model->certificate.verdict, Verdict::proved) << model->certificate.sentence();
  return *std::move(model);
}

inline double coefficient(const Model& model, const std::string& feature) {
  for (const Coefficient& c : model.linear()->targets.at(0).coefficients)
    if (c.feature == feature) return c.value;
  ADD_FAILURE() << "no feature " << feature;
  return 0;
}

inline double intercept(const Model& model) {
  return model.linear()->targets.at(0).intercept.value;
}

// "Exactly": 1e-12 of a closed form.
inline void expect_exactly(double found, double closed_form) {
  EXPECT_NEAR(found, closed_form, 1e-12 * std::max(1.0, std::abs(closed_form)));
}

} // namespace recta
