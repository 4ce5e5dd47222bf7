// Models: what was learned, prediction, and the file.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "change.hpp"
#include "model_parts.hpp"
#include "predictor.hpp"
#include "report.hpp"

#include <recta/class_names.hpp>
#include <recta/options.hpp>

#include <algorithm>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

std::size_t features(const Model& model) {
  return static_cast<std::size_t>(model.body->features());
}

// A model that is not linear has no coefficients.
const LinearSummary& linear_of(const Model& model) {
  if (!model.is_linear()) throw nb::attribute_error((model.word + " is not linear and has no coefficients").c_str());
  return *model.linear();
}

Numbers coefficients(const Model& model) {
  std::vector<double> w;
  for (const TargetFit& target : linear_of(model).targets)
    for (const Coefficient& c : target.coefficients) w.push_back(c.value);
  return array(std::move(w), {figures_of(model).targets.size(), features(model)});
}

Numbers intercepts(const Model& model) {
  std::vector<double> b;
  for (const TargetFit& target : linear_of(model).targets) b.push_back(target.intercept.value);
  return array(std::move(b));
}

// The intercept first, then the features; the columns are those of Coefficient.
Numbers table(const Model& model, std::size_t target) {
  const TargetFit& fit = linear_of(model).targets.at(target);
  std::vector<double> cells;
  const auto add = [&](const Coefficient& c) {
    cells.insert(cells.end(), {c.value, c.standardised, c.standard_error, c.t, c.p_value, c.lower, c.upper});
  };
  add(fit.intercept);
  for (const Coefficient& c : fit.coefficients) add(c);
  return array(std::move(cells), {features(model) + 1, 7});
}

nb::dict quality(const Model& model, std::size_t target) {
  const TargetFit& fit = linear_of(model).targets.at(target);
  nb::dict d;
  d["target"] = fit.target;
  d["rss"] = fit.rss;
  d["mse"] = fit.mse;
  d["r2"] = fit.r2;
  d["adjusted_r2"] = fit.adjusted_r2;
  d["sigma"] = fit.sigma;
  d["log_likelihood"] = fit.log_likelihood;
  d["f"] = fit.f;
  d["f_p_value"] = fit.f_p_value;
  d["scale"] = fit.scale;
  d["deviance"] = fit.deviance;
  d["d2"] = fit.d2;
  const Information criteria = information(figures_of(model), fit);
  d["parameters"] = criteria.parameters;
  d["aic"] = criteria.aic;
  d["aicc"] = criteria.aicc;
  d["bic"] = criteria.bic;
  return d;
}

Numbers singular(const Model& model) {
  std::vector<double> values;
  for (const SingularDirection& s : figures_of(model).singular) values.push_back(s.singular_value);
  return array(std::move(values));
}

std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>> aliased(const Model& model) {
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>> all;
  for (const Alias& alias : figures_of(model).aliased) all.emplace_back(alias.feature, alias.equals);
  return all;
}

std::vector<std::string> columns(const Model& model) {
  std::vector<std::string> names;
  for (const SchemaColumn& column : model.schema.columns) names.push_back(column.name);
  for (Index j = 0; j < model.schema.sparse_cols; ++j) names.push_back(std::to_string(model.schema.sparse_base + j));
  return names;
}

std::vector<std::string> text_columns(const Model& model) {
  std::vector<std::string> names;
  for (const TextMap& map : model.schema.texts) names.push_back(map.column);
  return names;
}

std::vector<std::string> categories(const Model& model) {
  std::vector<std::string> names;
  for (const SchemaColumn& column : model.schema.columns)
    if (column.type == ColumnType::category) names.push_back(column.name);
  return names;
}

// Whether rows of plain numbers are what the model reads: no categories, nothing filled in.
bool takes_arrays(const Model& model) {
  return std::ranges::all_of(model.schema.columns,
                             [](const SchemaColumn& c) { return c.type != ColumnType::category && !c.indicator; });
}

// The text of each map, and whether it stands in the place of the columns it reads.
std::vector<std::pair<std::string, bool>> maps(const Model& model) {
  std::vector<std::pair<std::string, bool>> all;
  for (const FeatureMap& map : model.schema.maps) {
    const auto read = unwrap(columns_read(map.text));
    const bool in_place = std::ranges::none_of(model.schema.columns, [&](const SchemaColumn& c) {
      return c.plain && std::ranges::find(read, c.name) != read.end();
    });
    all.emplace_back(map.text, in_place);
  }
  return all;
}

// Python's classes were fitted as their places 0, 1, ...; from now on they have their names.
constexpr const char* kTypes[] = {"real", "integer", "category", "text"}; // by the value of ColumnType

void name_classes(Model& model, std::vector<std::string> labels, const std::string& type) {
  const auto at = std::find(std::begin(kTypes), std::end(kTypes), type);
  const auto known = at == std::end(kTypes) ? ColumnType::category : static_cast<ColumnType>(at - std::begin(kTypes));
  model = with_class_labels(std::move(model), std::move(labels), known);
}

nb::dict report_data(const Model& model) {
  return python_of(report::document_of(model.body->report(model.schema)).data);
}

// {table: [(column, numbers), ...]} of the columns that hold nothing but numbers: quick, if there are many rows.
nb::dict report_numbers(const Model& model) {
  nb::dict out;
  for (const Report::Table& table : model.body->report(model.schema).tables) {
    nb::list columns;
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      std::vector<double> numbers;
      numbers.reserve(table.rows.size());
      for (const auto& row : table.rows)
        if (const double* number = std::get_if<double>(&row[j])) numbers.push_back(*number);
      if (numbers.size() == table.rows.size())
        columns.append(nb::make_tuple(table.columns[j], array(std::move(numbers))));
    }
    out[table.name.c_str()] = columns;
  }
  return out;
}

nb::dict class_quality(const Model& model) {
  const ClassFit& fit = model.body->summary().classes;
  nb::dict d;
  d["accuracy"] = fit.accuracy;
  d["log_likelihood"] = fit.log_likelihood;
  d["null_log_likelihood"] = fit.null_log_likelihood;
  d["ratio"] = fit.ratio;
  d["ratio_freedom"] = fit.ratio_freedom;
  d["ratio_p_value"] = fit.ratio_p_value;
  d["mistakes"] = fit.mistakes;
  d["presented"] = fit.presented;
  d["radius"] = fit.radius;
  d["norm"] = fit.norm;
  d["mistake_bound"] = fit.mistake_bound;
  return d;
}

// The fingerprint of the training rows, whatever held them.
nb::bytes fingerprint(const Model& model) {
  return nb::bytes(model.fingerprint.digest.data(), model.fingerprint.digest.size());
}

nb::bytes to_bytes(const Model& model) {
  const std::string bytes = model.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Model from_bytes(const nb::bytes& bytes) {
  return unwrap(Model::from_bytes({bytes.c_str(), bytes.size()}, "bytes"));
}

Model load(const std::string& path) {
  const nb::gil_scoped_release release;
  return unwrap(Model::load(path));
}

void save(const Model& model, const std::string& path) {
  const nb::gil_scoped_release release;
  unwrap(model.save(path));
}

std::string errors(const Model& model) {
  return word_of(fit_option("errors"), {.errors = figures_of(model).errors});
}

std::string weights_are(const Model& model) {
  return word_of(fit_option("weights_are"), {.weights_are = model.body->summary().weights_are});
}

std::string unseen(const Model& model) {
  return word_of(fit_option("unseen"), {.unseen = model.schema.unseen});
}

template <class Class>
void bind_figures(Class& type) {
  type.def_prop_ro("rows", [](const Model& model) { return model.body->summary().rows; })
      .def_prop_ro("weight_sum", [](const Model& model) { return model.body->summary().weight_sum; })
      .def_prop_ro("rank", [](const Model& model) { return figures_of(model).rank; })
      .def_prop_ro("lambda1", [](const Model& model) { return figures_of(model).lambda1; })
      .def_prop_ro("lambda2", [](const Model& model) { return figures_of(model).lambda2; })
      .def_prop_ro("has_intercept", [](const Model& model) { return figures_of(model).intercept; })
      .def_prop_ro("confidence", [](const Model& model) { return figures_of(model).confidence; })
      .def_prop_ro("solver", [](const Model& model) { return model.body->summary().solver; })
      .def_prop_ro("errors", errors)
      .def_prop_ro("weights_are", weights_are)
      .def_prop_ro("singular", singular, nb::rv_policy::automatic)
      .def_prop_ro("aliased", aliased)
      .def("table", table, nb::arg("target") = 0)
      .def("quality", quality, nb::arg("target") = 0);
}

} // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model> type(m, "Model", "A fitted model as the .recta file holds it.");
  type.def_ro("word", &Model::word)
      .def_ro("params", &Model::params)
      .def_ro("objective", &Model::objective)
      .def_prop_ro("certificate", [](const Model& model) { return model.certificate; })
      .def_prop_ro("feature_names", &Model::feature_names)
      .def_prop_ro("columns", columns)
      .def_prop_ro("sparse_columns", [](const Model& model) { return model.schema.sparse_cols; })
      .def_prop_ro("texts", text_columns)
      .def_prop_ro("categories", categories)
      .def_prop_ro("unseen", unseen)
      .def_prop_ro("maps", maps)
      .def_prop_ro("targets", [](const Model& model) { return model.schema.targets; })
      .def_prop_ro("weights", [](const Model& model) { return model.schema.weights; })
      .def_prop_ro("offset", [](const Model& model) { return model.schema.offset; })
      .def_prop_ro("ignored", [](const Model& model) { return model.schema.ignored; })
      .def_prop_ro("fingerprint", fingerprint)
      .def_prop_ro("takes_arrays", takes_arrays)
      .def_prop_ro("coefficients", coefficients, nb::rv_policy::automatic)
      .def_prop_ro("intercepts", intercepts, nb::rv_policy::automatic)
      .def("holds", holds, nb::arg("coefficients"), nb::arg("intercepts"))
      .def("changed", changed, nb::arg("coefficients"), nb::arg("intercepts"))
      .def_prop_ro("classes", [](const Model& model) { return model.schema.classes.labels; })
      .def_prop_ro("class_type", [](const Model& model) { return kTypes[static_cast<int>(model.schema.classes.type)]; })
      .def_prop_ro("class_weights", [](const Model& model) { return model.schema.classes.weight; })
      .def_prop_ro("positive_class", [](const Model& model) { return model.schema.classes.positive; })
      .def_prop_ro("class_rest", [](const Model& model) { return model.schema.classes.rest; })
      .def_prop_ro("labels", [](const Model& model) { return model.schema.labels.names; })
      .def_prop_ro("label_separator", [](const Model& model) { return model.schema.labels.separator; })
      .def_prop_ro("part_models",
                   [](const Model& model) {
                     const std::span<const Model> parts = model.body->parts();
                     return std::vector<Model>(parts.begin(), parts.end());
                   })
      .def_prop_ro("has_probabilities", &Model::has_probabilities)
      .def("name_classes", name_classes, nb::arg("labels"), nb::arg("type"))
      .def("class_quality", class_quality)
      .def_prop_ro("is_linear", &Model::is_linear)
      .def_prop_ro("report", report_data)
      .def("report_numbers", report_numbers)
      .def_prop_ro("objective_with_strengths", report::objective_of)
      .def(
          "document",
          [](const Model& model, const std::string& title, const Diagnosis* diagnosis) {
            return report::document_of(model, title, diagnosis);
          },
          nb::arg("title") = "", nb::arg("diagnosis").none() = nb::none())
      .def("fast_predictor", fast_predictor)
      .def("save", save, nb::arg("path"))
      .def_static("load", load, nb::arg("path"))
      .def("to_bytes", to_bytes)
      .def_static("from_bytes", from_bytes, nb::arg("bytes"))
      .def("__getstate__", to_bytes)
      .def("__setstate__", [](Model& model, const nb::bytes& bytes) { new (&model) Model(from_bytes(bytes)); });
  bind_figures(type);
  bind_answers(m, type);
  m.def("same_bits", same_bits, nb::arg("coefficients"), nb::arg("intercepts"), nb::arg("kept"),
        nb::arg("kept_intercepts"));
}

} // namespace recta::python
