#include "option/recall.hpp"

#include "base/numbers.hpp"
#include "params/given_params.hpp"
#include "params/stated_options.hpp"

#include <recta/options.hpp>

#include <algorithm>
#include <charconv>

namespace recta {
namespace option {
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

void recall_maps(const Schema& schema, bool replacing, std::vector<std::string>& maps) {
  for (const FeatureMap& map : schema.maps)
    if (!(components_of(map.text) > 0) && replaces_columns(schema, map.text) == replacing) maps.push_back(map.text);
}

} // namespace

void recall_positive(const Model& model, FitOptions& options) {
  const Classes& classes = model.schema.classes;
  if (classes.count() == 2) options.positive = classes.labels[at(classes.positive)];
}

void recall_class_weights(const Model& model, FitOptions& options) {
  const Classes& classes = model.schema.classes;
  for (std::size_t k = 0; k < classes.factor.size(); ++k)
    options.class_weights.emplace_back(classes.labels[k], classes.factor[k]);
}

void recall_missing_neighbours(const Model& model, FitOptions& options) {
  if (model.schema.donors) options.missing_neighbours = model.schema.donors->neighbours;
}

void recall_multiclass(const Model& model, FitOptions& options) {
  if (model.body->kind() == "composite") options.multiclass = model.body->summary().solver;
}

void recall_basis(const Model& model, FitOptions& options) {
  recall_maps(model.schema, true, options.basis);
}

void recall_feature(const Model& model, FitOptions& options) {
  recall_maps(model.schema, false, options.feature);
}

void recall_components(const Model& model, FitOptions& options) {
  for (const FeatureMap& map : model.schema.maps)
    if (const double components = components_of(map.text); components > 0) options.components = components;
}

void recall_tolerance(const Model& model, FitOptions& options) {
  const double tolerance = model.certificate.tolerance;
  options.tolerance = tolerance > 0 ? tolerance : stated(model).tolerance;
}

void recall_params(const Model& model, FitOptions& options) {
  const ModelInfo* info = model_info(model.word);
  options.params = info ? given_params(*info, model.params) : stated(model).params;
}

FitOptions stated(const Model& model) {
  const auto parts = model.body->parts();
  const Model& part = model.is_linear() || parts.empty() ? model : parts[0];
  FitOptions out = stated_options(part);
  if (!part.is_linear()) out.intercept = true, out.confidence = FitOptions{}.confidence;
  return out;
}

} // namespace option

FitOptions refit_options(const Model& model) {
  FitOptions out;
  for (const Option<FitOptions>& one : fit_option_table())
    if (one.more.recall) one.more.recall(model, out);
  return out;
}

} // namespace recta
