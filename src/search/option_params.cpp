#include "search/option_params.hpp"

#include "params/params.hpp"

#include <recta/cross_validate.hpp>

#include <algorithm>

namespace recta::search {
namespace {

template <class Enum>
Enum choice_of(const ParamValue& value, const std::vector<std::string>& words) {
  const auto found = std::ranges::find(words, std::get<std::string>(value));
  return static_cast<Enum>(found - words.begin());
}

const std::vector<std::string> kPolyTermWords = {"all", "powers", "interactions"};
const std::vector<std::string> kMulticlassWords = {"native", "ova", "ovo", "ecoc"};
const std::vector<std::string> kMissingWords = {"refuse", "drop", "mean", "indicator", "skip", "neighbours"};

std::vector<OptionParam> made_options() {
  return {
      {{"poly", 1.0, "monomials of the columns of numbers up to this degree, in their place", 1, 100, {}, -1},
       [](FitOptions& o, const ParamValue& v) { o.poly = static_cast<Index>(std::get<double>(v)); },
       true},
      {{"poly-terms", std::string("all"), "all monomials, powers of one column, or products of different ones", 0, 0,
        kPolyTermWords},
       [](FitOptions& o, const ParamValue& v) { o.poly_terms = choice_of<PolyTerms>(v, kPolyTermWords); }},
      {{"basis", std::string(), "a map in place of the columns it reads, such as \"spline(age, 5)\"", 0, 0, {}},
       [](FitOptions& o, const ParamValue& v) { o.basis.push_back(std::get<std::string>(v)); }},
      {{"feature", std::string(), "a map beside the columns it reads, such as \"area*rooms\"", 0, 0, {}},
       [](FitOptions& o, const ParamValue& v) { o.feature.push_back(std::get<std::string>(v)); }},
      {{"standardise", false, "penalise coefficients of (x - mean) / sd", 0, 0, {}},
       [](FitOptions& o, const ParamValue& v) { o.standardise = std::get<bool>(v); }},
      {{"intercept", true, "a constant term", 0, 0, {}},
       [](FitOptions& o, const ParamValue& v) { o.intercept = std::get<bool>(v); }},
      {{"missing", std::string("refuse"), "rows with missing values", 0, 0, kMissingWords},
       [](FitOptions& o, const ParamValue& v) { o.missing = choice_of<Missing>(v, kMissingWords); }},
      {{"missing-neighbours", 5.0, "rows whose mean fills in a missing number under missing=neighbours", 1, 1e9, {}},
       [](FitOptions& o, const ParamValue& v) { o.missing_neighbours = static_cast<Index>(std::get<double>(v)); },
       true},
      {{"balanced", false, "factors that make all classes weigh the same", 0, 0, {}},
       [](FitOptions& o, const ParamValue& v) { o.balanced = std::get<bool>(v); }},
      {{"multiclass", std::string("native"), "more than two classes by models of two", 0, 0, kMulticlassWords},
       [](FitOptions& o, const ParamValue& v) { o.multiclass = std::get<std::string>(v); }},
      {{"components",
        0.0,
        "principal components in place of the columns of numbers: this many, or this share of the variance",
        0,
        kHuge,
        {},
        -1},
       [](FitOptions& o, const ParamValue& v) { o.components = std::get<double>(v); }},
      {{"max-vif", 0.0, "leave out columns until no variance inflation is above this", 0, kHuge, {}, -1},
       [](FitOptions& o, const ParamValue& v) { o.max_inflation = std::get<double>(v); }}};
}

const ParamInfo* own_param(const ModelInfo& model, const std::string& name) {
  const auto found = std::ranges::find(model.params, name, &ParamInfo::name);
  return found == model.params.end() ? nullptr : &*found;
}

} // namespace

const std::vector<OptionParam>& option_params() {
  static const std::vector<OptionParam> all = made_options();
  return all;
}

const OptionParam* find_option(const ModelInfo& model, const std::string& name) {
  if (own_param(model, name)) return nullptr;
  const std::string known = name == "degree" ? "poly" : name;
  for (const OptionParam& one : option_params())
    if (one.info.name == known) return &one;
  return nullptr;
}

const ParamInfo* find_param(const ModelInfo& model, const std::string& name) {
  if (const ParamInfo* own = own_param(model, name)) return own;
  const OptionParam* option = find_option(model, name);
  return option ? &option->info : nullptr;
}

} // namespace recta::search

namespace recta {

std::vector<ParamInfo> grid_parameters(const ModelInfo& model) {
  std::vector<ParamInfo> all = model.params;
  for (const search::OptionParam& one : search::option_params())
    if (search::find_option(model, one.info.name)) all.push_back(one.info);
  return all;
}

} // namespace recta
