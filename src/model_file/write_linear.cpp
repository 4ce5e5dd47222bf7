#include "model/linear/body.hpp"
#include "model_file/fields.hpp"
#include "model_file/linear_body.hpp"
#include "model_file/put.hpp"

namespace recta {
namespace {

using namespace model_fields;

void put_targets(TensorWriter& out, const std::vector<TargetFit>& targets) {
  if (targets.empty()) return;
  const auto k = std::ssize(targets);
  const auto p = std::ssize(targets[0].coefficients);
  for (const auto& field : kCoefficient) {
    std::vector<double> slopes, intercepts;
    for (Index j = 0; j < p; ++j)
      for (const TargetFit& target : targets) slopes.push_back(target.coefficients.at(j).*field.member);
    for (const TargetFit& target : targets) intercepts.push_back(target.intercept.*field.member);
    const std::string slope_name = "coefficients" + std::string(field.name);
    const std::string intercept_name = "intercept" + std::string(field.name);
    if (field.required)
      out.add(slope_name, slopes, {p, k}), out.add(intercept_name, intercepts, {k});
    else
      put(out, slope_name, slopes, {p, k}), put(out, intercept_name, intercepts, {k});
  }
  for (const auto& field : kTargetFit) {
    std::vector<double> values;
    for (const TargetFit& target : targets) values.push_back(target.*field.member);
    put(out, "fit" + std::string(field.name), std::move(values), {k});
  }
  std::vector<std::string> features, names, intercepts;
  for (const Coefficient& coefficient : targets[0].coefficients) features.push_back(coefficient.feature);
  for (const TargetFit& target : targets)
    names.push_back(target.target), intercepts.push_back(target.intercept.feature);
  out.add("features", features);
  out.add("targets", names);
  out.add("intercept.names", intercepts);
}

void put_figures(TensorWriter& out, const LinearSummary& linear) {
  if (!linear.inverse_root.empty() && !linear.means.empty()) {
    const Index p = std::ssize(linear.means);
    out.add("inverse_root", linear.inverse_root, {std::ssize(linear.inverse_root) / p, p});
  }
  put_vector(out, "means", linear.means);
  put_vector(out, "deviations", linear.deviations);
  std::vector<double> values, shrinkage;
  for (const SingularDirection& direction : linear.singular)
    values.push_back(direction.singular_value), shrinkage.push_back(direction.shrinkage);
  put_vector(out, "singular.values", values);
  put_vector(out, "singular.shrinkage", shrinkage);
  std::vector<std::string> names;
  std::vector<Index> terms;
  std::vector<double> factors;
  for (const Alias& alias : linear.aliased) {
    names.push_back(alias.feature);
    terms.push_back(std::ssize(alias.equals));
    for (const auto& [feature, factor] : alias.equals) names.push_back(feature), factors.push_back(factor);
  }
  out.add("aliased.names", names);
  if (!terms.empty()) out.add("aliased.terms", terms, {std::ssize(terms)});
  put_vector(out, "aliased.factors", factors);
}

} // namespace

void LinearBody::write(TensorWriter& out) const {
  put_targets(out, summary_.targets);
  put_figures(out, summary_);
}

Json linear_json(const LinearSummary& linear) {
  return {JsonObject{{"solver", {linear.solver}},
                     {"reason", {linear.reason}},
                     {"rows", {linear.rows}},
                     {"weight_sum", json_number(linear.weight_sum)},
                     {"degrees_of_freedom", json_number(linear.degrees_of_freedom)},
                     {"rank", {linear.rank}},
                     {"condition", json_number(linear.condition)},
                     {"condition_is_estimate", {linear.condition_is_estimate}},
                     {"lambda1", json_number(linear.lambda1)},
                     {"lambda2", json_number(linear.lambda2)},
                     {"psi", json_number(linear.psi)},
                     {"intercept", {linear.intercept}},
                     {"standardised", {linear.standardised}},
                     {"weights_are", word_of(linear.weights_are, kWeightMeanings)},
                     {"confidence", json_number(linear.confidence)},
                     {"errors", word_of(linear.errors, kErrors)},
                     {"clusters", {linear.clusters}}}};
}

} // namespace recta
