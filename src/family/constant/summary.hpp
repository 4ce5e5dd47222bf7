// The summary of a model without slopes.
#pragma once

#include "base/numbers.hpp"
#include "certificate/stated/figures.hpp"
#include "driver/work.hpp"
#include "feature/schema.hpp"

#include <recta/estimator.hpp>

namespace recta {

inline TargetFit without_slopes(std::string target, const std::vector<std::string>& features, double b) {
  const auto coefficient = [](std::string name, double value) {
    return Coefficient{.feature = std::move(name),
                       .value = value,
                       .standardised = value,
                       .standard_error = kNaN,
                       .t = kNaN,
                       .p_value = kNaN,
                       .lower = kNaN,
                       .upper = kNaN};
  };
  TargetFit fit;
  fit.target = std::move(target);
  fit.intercept = coefficient("intercept", b);
  for (const std::string& feature : features) fit.coefficients.push_back(coefficient(feature, 0));
  for (double* none :
       {&fit.rss, &fit.mse, &fit.r2, &fit.adjusted_r2, &fit.sigma, &fit.log_likelihood, &fit.f, &fit.f_p_value})
    *none = kNaN;
  return fit;
}

// A file that says it is a constant may have slopes all the same.
inline void refute_slopes(const Model& model, Certificate& certificate) {
  for (const TargetFit& target : model.linear()->targets)
    for (const Coefficient& slope : target.coefficients)
      if (slope.value != 0)
        return contradict(certificate, "the model has a slope along " + slope.feature + ", and a constant has none");
}

// The same for its solver and the reason for it, which are known of a constant.
inline void compare_constant(const Work& work, Certificate& certificate) {
  refute_slopes(*work.stated, certificate);
  const LinearSummary &stated = *work.stated->linear(), &again = *work.model.linear();
  compare_text("the solver", stated.solver, again.solver, certificate);
  compare_text("its reason", stated.reason, again.reason, certificate);
}

inline LinearSummary constant_summary(const FitOptions& options, std::string solver, std::string reason) {
  LinearSummary out;
  out.solver = std::move(solver);
  out.reason = std::move(reason);
  out.degrees_of_freedom = out.condition = kNaN;
  out.weights_are = options.weights_are;
  out.confidence = options.confidence;
  return out;
}

} // namespace recta
