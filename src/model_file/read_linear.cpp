#include "model_file/fields.hpp"
#include "model_file/linear_body.hpp"

#include <algorithm>

namespace recta {
namespace {

using namespace model_fields;

// Every target repeats the names of the features, so a file of few bytes could ask for very many: names of up to 256
// bytes on average are always fine.
bool names_are_affordable(const std::vector<std::string>& names, Index copies, std::uint64_t file_size) {
  std::uint64_t bytes = 0;
  for (const std::string& name : names) bytes += name.size();
  return bytes / 16 <= ((std::uint64_t{4} << 20) + file_size) / static_cast<std::uint64_t>(std::max<Index>(copies, 1));
}

std::vector<TargetFit> read_targets(FieldReader& in, std::uint64_t file_size) {
  const auto features = in.strings("features");
  const auto names = in.strings("targets");
  const auto intercepts = in.strings("intercept.names");
  const auto p = std::ssize(features), k = std::ssize(names);
  in.require(k > 0, "it has no target");
  in.require(std::ssize(intercepts) == k, "\"intercept.names\" is not as long as \"targets\"");
  in.require(in.shape("intercept") == std::vector<Index>{k}, "\"intercept\" is not as long as \"targets\"");
  in.require(p == 0 || in.shape("coefficients") == std::vector<Index>{p, k},
             "\"coefficients\" does not have one row per feature and one column per target");
  in.require(names_are_affordable(features, k, file_size), "its feature names are too long");
  if (!in.ok()) return {};

  std::vector<TargetFit> targets(names.size());
  for (std::size_t t = 0; t < targets.size(); ++t) {
    targets[t].target = names[t];
    targets[t].intercept.feature = intercepts[t];
    targets[t].coefficients.resize(features.size());
    for (std::size_t j = 0; j < features.size(); ++j) targets[t].coefficients[j].feature = features[j];
  }
  for (const auto& field : kCoefficient) {
    const std::string slope_name = "coefficients" + std::string(field.name);
    const std::string intercept_name = "intercept" + std::string(field.name);
    const auto slopes = field.required ? in.doubles(slope_name) : in.doubles_or_nan(slope_name, {p, k});
    const auto bases = field.required ? in.doubles(intercept_name) : in.doubles_or_nan(intercept_name, {k});
    if (!in.ok()) return {};
    for (std::size_t t = 0; t < targets.size(); ++t) {
      targets[t].intercept.*field.member = bases[t];
      for (std::size_t j = 0; j < features.size(); ++j)
        targets[t].coefficients[j].*field.member = slopes[j * targets.size() + t];
    }
  }
  for (const auto& field : kTargetFit) {
    const auto values = in.doubles_or_nan("fit" + std::string(field.name), {k});
    if (!in.ok()) return {};
    for (std::size_t t = 0; t < targets.size(); ++t) targets[t].*field.member = values[t];
  }
  return targets;
}

std::vector<Alias> read_aliases(FieldReader& in) {
  auto names = in.strings("aliased.names");
  const auto terms = in.counts("aliased.terms");
  const auto factors = in.doubles("aliased.factors");
  std::size_t name = 0, factor = 0;
  std::vector<Alias> aliases;
  for (const Index count : terms) {
    const auto needed = static_cast<std::size_t>(count);
    in.require(name < names.size() && needed < names.size() - name && needed <= factors.size() - factor,
               "its aliased columns are damaged");
    if (!in.ok()) return {};
    Alias& alias = aliases.emplace_back();
    alias.feature = std::move(names[name++]);
    for (Index i = 0; i < count; ++i) alias.equals.emplace_back(std::move(names[name++]), factors[factor++]);
  }
  in.require(name == names.size() && factor == factors.size(), "its aliased columns are damaged");
  return aliases;
}

} // namespace

LinearSummary read_linear(FieldReader& in, const ObjectReader& json, std::uint64_t file_size) {
  LinearSummary linear;
  linear.solver = json.text("solver");
  linear.reason = json.text("reason");
  linear.rows = json.count("rows");
  linear.weight_sum = json.number("weight_sum");
  linear.degrees_of_freedom = json.number("degrees_of_freedom");
  linear.rank = json.count("rank");
  linear.condition = json.number("condition");
  linear.condition_is_estimate = json.flag("condition_is_estimate");
  if (json.member("lambda1") != nullptr) linear.lambda1 = json.number("lambda1"); // not in the first files
  linear.lambda2 = json.number("lambda2");
  if (json.member("psi") != nullptr) linear.psi = json.number("psi");
  linear.intercept = json.flag("intercept");
  linear.standardised = json.flag("standardised");
  linear.weights_are = static_cast<WeightMeaning>(json.choice("weights_are", kWeightMeanings));
  linear.confidence = json.number("confidence");
  in.require(linear.confidence > 0 && linear.confidence < 1, "the confidence does not lie between 0 and 1");
  if (json.member("errors")) { // files of 0.1.0 have none
    linear.errors = static_cast<StandardErrors>(json.choice("errors", kErrors));
    linear.clusters = json.count("clusters");
  }

  linear.targets = read_targets(in, file_size);
  linear.means = in.doubles("means");
  linear.deviations = in.doubles("deviations");
  const auto values = in.doubles("singular.values"), shrinkage = in.doubles("singular.shrinkage");
  linear.aliased = read_aliases(in);
  in.require(values.size() == shrinkage.size(), "\"singular.values\" and \"singular.shrinkage\" differ in length");
  if (!in.ok()) return {};
  for (std::size_t i = 0; i < values.size(); ++i) linear.singular.push_back({values[i], shrinkage[i]});
  const std::size_t p = linear.targets[0].coefficients.size();
  in.require(linear.means.size() == linear.deviations.size() && (linear.means.empty() || linear.means.size() == p),
             "\"means\" and \"deviations\" do not have one number per feature");
  linear.inverse_root = in.doubles("inverse_root");
  in.require(linear.inverse_root.empty() ||
                 (linear.means.size() == p &&
                  in.shape("inverse_root") == std::vector<Index>{linear.rank, std::ssize(linear.means)}),
             "\"inverse_root\" does not have one row per rank and one column per feature");
  return linear;
}

} // namespace recta
