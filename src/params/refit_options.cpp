#include "params/refit_options.hpp"

#include "base/numbers.hpp"
#include "model/linear/body.hpp"
#include "params/given_params.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace recta {
namespace {

// A map in the place of the columns it reads was asked for as a basis, one beside them as a feature.
bool replaces_columns(const Schema& schema, const std::string& map) {
  const auto read = columns_read(map);
  return read && std::ranges::all_of(*read, [&](const std::string& name) {
           const auto column = std::ranges::find(schema.columns, name, &SchemaColumn::name);
           return column != schema.columns.end() && !column->plain;
         });
}

double components_of(const std::string& map) {
  const std::size_t comma = map.rfind(',');
  double count = 0;
  if (!map.starts_with("components(") || comma == map.npos) return 0;
  const char* first = map.data() + map.find_first_not_of(' ', comma + 1);
  std::from_chars(first, map.data() + map.size(), count);
  return count;
}

} // namespace

FitOptions options_of(const Model& model) {
  const LinearSummary& linear = linear_or_none(model);
  return {.intercept = linear.intercept,
          .standardise = linear.standardised,
          .weights_are = linear.weights_are,
          .tolerance = model.certificate.tolerance,
          .confidence = linear.confidence,
          .errors = linear.errors,
          .intervals = !linear.inverse_root.empty(),
          .params = model.params};
}

FitOptions refit_options(const Model& model) {
  const Schema& schema = model.schema;
  const auto parts = model.body->parts();
  FitOptions out = options_of(model.is_linear() || parts.empty() ? model : parts[0]);
  if (!model.is_linear() && (parts.empty() || !parts[0].is_linear())) out.intercept = true, out.confidence = 0.95;
  out.target = schema.targets;
  out.weights = schema.weights, out.offset = schema.offset, out.cluster = schema.cluster;
  out.weights_are = model.body->summary().weights_are;
  out.tolerance = model.certificate.tolerance > 0 ? model.certificate.tolerance : out.tolerance;
  const Classes& classes = schema.classes;
  if (classes.count() == 2) out.positive = classes.labels[at(classes.positive)];
  for (std::size_t k = 0; k < classes.factor.size(); ++k)
    out.class_weights.emplace_back(classes.labels[k], classes.factor[k]);
  out.ignore = schema.ignored;
  out.missing = schema.missing, out.unseen = schema.unseen;
  if (schema.donors) out.missing_neighbours = schema.donors->neighbours;
  for (const FeatureMap& map : schema.maps)
    if (const double components = components_of(map.text); components > 0)
      out.components = components;
    else
      (replaces_columns(schema, map.text) ? out.basis : out.feature).push_back(map.text);
  if (model.body->kind() == "composite") out.multiclass = model.body->summary().solver;
  if (const ModelInfo* info = model_info(model.word)) out.params = given_params(*info, model.params);
  return out;
}

} // namespace recta
