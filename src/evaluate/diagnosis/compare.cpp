// Two nested least-squares fits of the same rows. With q = f_small - f_large:
//
//   F = ((RSS_small - RSS_large) / q) / (RSS_large / f_large)       against F(q, f_large)
//   LR = 2 (ln L_large - ln L_small)                                against chi squared with q
//   Cp = RSS_small / sigma_large^2 - N + 2 k_small                  (Mallows 1973)
#include "evaluate/inference/tails.hpp"
#include "model/linear/body.hpp"

#include <recta/diagnosis.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta {
namespace {

double counted_rows(const LinearSummary& linear) { // without weights their sum is the number of rows
  return linear.weights_are == WeightMeaning::frequency ? linear.weight_sum : static_cast<double>(linear.rows);
}

std::unexpected<Error> refuse(std::string_view what, std::string_view advice) {
  return fail(ErrorCode::usage, "compare", what, advice);
}

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (const Coefficient& c : linear_or_none(model).targets.at(0).coefficients) names.push_back(c.feature);
  return names;
}

Result<std::vector<std::string>> added_features(const Model& small, const Model& large) {
  const std::vector<std::string> few = names_of(small), many = names_of(large);
  std::vector<std::string> added;
  for (const std::string& name : many)
    if (std::ranges::count(few, name) == 0) added.push_back(name);
  for (const std::string& name : few)
    if (std::ranges::count(many, name) == 0)
      return refuse(fmt::format("the first model has the feature \"{}\" and the second does not", name),
                    "the first must be contained in the second; give the smaller one first");
  return added;
}

Result<void> check_pair(const Model& small, const Model& large) {
  for (const Model* model : {&small, &large})
    if (const ModelInfo* info = model_info(model->word); info == nullptr || !info->normal_errors)
      return refuse(fmt::format("one is a model {}", model->word), "the tests are for least squares without a penalty");
  const LinearSummary &a = linear_or_none(small), &b = linear_or_none(large);
  if (small.schema.targets != large.schema.targets) return refuse("they have different targets", "fit the same one");
  if (a.rows != b.rows || a.weight_sum != b.weight_sum || small.schema.weights != large.schema.weights ||
      small.schema.offset != large.schema.offset || a.weights_are != b.weights_are)
    return refuse(fmt::format("they were fitted to different rows: {} and {}", a.rows, b.rows),
                  "fit both to the same rows; columns with missing values may have dropped some");
  if (a.intercept && !b.intercept)
    return refuse("the first has an intercept and the second has none", "the first must be contained in the second");
  if (!(a.degrees_of_freedom > b.degrees_of_freedom))
    return refuse("the second adds nothing: both have the same degrees of freedom", "give the smaller one first");
  if (!(b.degrees_of_freedom > 0)) return refuse("the second leaves no degrees of freedom", "fit fewer features");
  return {};
}

std::string sentence(const Comparison& all, const Comparison::Target& t) {
  const std::string p = fmt::format("F = {:.4g} with {:.4g} and {:.4g} degrees of freedom, p = {:.3g}", t.f, all.added,
                                    all.degrees_of_freedom, t.f_p_value);
  const std::string what =
      all.features.empty() ? std::string("the intercept") : fmt::format("{}", fmt::join(all.features, ", "));
  if (t.f_p_value < 0.05) return fmt::format("{} improve the fit of {} beyond chance ({})", what, t.target, p);
  return fmt::format("no sign that {} improve the fit of {} ({})", what, t.target, p);
}

} // namespace

Information information(const LinearSummary& linear, const TargetFit& fit) {
  Information out;
  const double n = counted_rows(linear), k = n - linear.degrees_of_freedom;
  out.parameters = k;
  const double likelihood = std::isnan(linear.classes.accuracy) ? fit.log_likelihood : linear.classes.log_likelihood;
  out.aic = 2 * k - 2 * likelihood;
  out.aicc = n - k - 1 > 0 ? out.aic + 2 * k * (k + 1) / (n - k - 1) : std::nan("");
  out.bic = k * std::log(n) - 2 * likelihood;
  return out;
}

Result<Comparison> compare(const Model& small, const Model& large) {
  if (auto good = check_pair(small, large); !good) return std::unexpected(good.error());
  const auto added = added_features(small, large);
  if (!added) return std::unexpected(added.error());
  Comparison out;
  out.features = *added;
  out.degrees_of_freedom = linear_or_none(large).degrees_of_freedom;
  out.added = linear_or_none(small).degrees_of_freedom - out.degrees_of_freedom;
  for (std::size_t t = 0; t < linear_or_none(small).targets.size(); ++t) {
    const TargetFit &a = linear_or_none(small).targets[t], &b = linear_or_none(large).targets[t];
    Comparison::Target& target = out.targets.emplace_back();
    target.target = a.target;
    const double sigma2 = b.rss / out.degrees_of_freedom;
    target.f = std::max(0.0, a.rss - b.rss) / out.added / sigma2;
    target.f_p_value = fisher_upper(target.f, out.added, out.degrees_of_freedom);
    target.likelihood_ratio = std::max(0.0, 2 * (b.log_likelihood - a.log_likelihood));
    target.likelihood_ratio_p_value = chi_squared_upper(target.likelihood_ratio, out.added);
    target.small = information(linear_or_none(small), a);
    target.large = information(linear_or_none(large), b);
    target.mallows_cp = a.rss / sigma2 - counted_rows(linear_or_none(small)) + 2 * target.small.parameters;
    target.sentence = sentence(out, target);
  }
  return out;
}

} // namespace recta
