// A linear model with other coefficients than those of its fit.
#include "base/guard.hpp"
#include "base/numbers.hpp"
#include "certificate/by_hand.hpp"
#include "model/linear/body.hpp"
#include "model/shared_body.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

void set(Coefficient& coefficient, double value, double standardised) {
  coefficient = {std::move(coefficient.feature), value, standardised, kNaN, kNaN, kNaN, kNaN, kNaN};
}

void set(TargetFit& fit, const double* w, double b, const std::vector<double>& deviations) {
  for (std::size_t j = 0; j < fit.coefficients.size(); ++j)
    set(fit.coefficients[j], w[j], deviations.empty() ? kNaN : w[j] * deviations[j]);
  set(fit.intercept, b, kNaN);
  fit.rss = fit.mse = fit.r2 = fit.adjusted_r2 = fit.sigma = fit.log_likelihood = fit.f = fit.f_p_value = kNaN;
  fit.deviance = fit.d2 = kNaN;
}

Result<void> check_new_coefficients(const Model& model, std::span<const double> weights,
                                    std::span<const double> intercepts) {
  const auto refuse = [&](const std::string& what, std::string_view advice) {
    return fail(ErrorCode::usage, "coefficients", what, advice);
  };
  if (auto good = check_fitted(model); !good) return good;
  if (!model.is_linear())
    return refuse(fmt::format("a model {} is not linear and has none", model.word), "fit a linear model");
  const std::size_t targets = model.linear()->targets.size(), cols = static_cast<std::size_t>(model.body->features());
  if (weights.size() != targets * cols || intercepts.size() != targets)
    return refuse(fmt::format("{} weights and {} intercepts came for {} targets of {} features", weights.size(),
                              intercepts.size(), targets, cols),
                  "give one weight per target and feature, by target, and one intercept per target");
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto bad = std::ranges::find_if_not(weights, finite);
  if (bad != weights.end())
    return refuse(fmt::format("weight {} is {}", bad - weights.begin() + 1, *bad), "give finite numbers");
  const auto bad_intercept = std::ranges::find_if_not(intercepts, finite);
  if (bad_intercept != intercepts.end())
    return refuse(fmt::format("intercept {} is {}", bad_intercept - intercepts.begin() + 1, *bad_intercept),
                  "give finite numbers");
  return {};
}

} // namespace

Result<Model> Model::with_coefficients(std::span<const double> weights, std::span<const double> intercepts) const {
  return guarded("coefficients", cure::kFree, [&]() -> Result<Model> {
    if (auto good = check_new_coefficients(*this, weights, intercepts); !good) return std::unexpected(good.error());
    Model out = *this;
    LinearSummary& linear = own_linear(out);
    const auto cols = static_cast<std::size_t>(body->features());
    for (std::size_t t = 0; t < linear.targets.size(); ++t)
      set(linear.targets[t], weights.data() + t * cols, intercepts[t], linear.deviations);
    // An intercept where the fit had none: its distance to the optimum is then that among all models with one.
    linear.intercept = linear.intercept || std::ranges::any_of(intercepts, [](double value) { return value != 0; });
    linear.inverse_root.clear();
    linear.classes = {};
    out.certificate = changed_by_hand(certificate);
    return out;
  });
}

} // namespace recta
