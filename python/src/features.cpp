// The maps of a fit by themselves: learned from rows, made of others.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

using Columns = std::vector<std::pair<std::string, bool>>;             // name, whether it is a feature by itself
using Maps = std::vector<std::pair<std::string, std::vector<double>>>; // text, what it learned

Schema learn(nb::handle x, nb::handle weights, std::vector<std::string> names, const FitOptions& options) {
  const Rows rows(x, nb::none(), weights, std::move(names));
  Result<Schema> schema;
  {
    const nb::gil_scoped_release release;
    schema = learn_features(rows.arrays(), options);
  }
  return unwrap(std::move(schema));
}

std::pair<Schema, Numbers> learn_and_make(nb::handle x, const FitOptions& options) {
  const Rows rows(x, nb::none(), nb::none(), {});
  Result<LearnedFeatures> learned;
  {
    const nb::gil_scoped_release release;
    learned = learn_and_make_features(rows.arrays(), options);
  }
  auto [schema, made] = unwrap(std::move(learned));
  const std::size_t count = feature_names(schema).size();
  const auto height = static_cast<std::size_t>(rows.arrays().dense.rows);
  return {std::move(schema), array(std::move(made), {height, count})};
}

Numbers make(const Schema& schema, nb::handle x) {
  const Input input(x);
  Result<Values> made;
  {
    const nb::gil_scoped_release release;
    made = make_features(schema, input.dense());
  }
  return array(unwrap(std::move(made)), {static_cast<std::size_t>(input.rows()), feature_names(schema).size()});
}

Columns columns(const Schema& schema) {
  Columns all;
  for (const SchemaColumn& column : schema.columns) all.emplace_back(column.name, column.plain);
  return all;
}

void restore(Schema& schema, const std::pair<Columns, Maps>& state) {
  new (&schema) Schema();
  for (const auto& [name, plain] : state.first) {
    SchemaColumn& column = schema.columns.emplace_back();
    column.name = name;
    column.plain = plain;
  }
  for (const auto& [text, learned] : state.second) schema.maps.push_back({text, learned});
}

Maps maps(const Schema& schema) {
  Maps all;
  for (const FeatureMap& map : schema.maps) all.emplace_back(map.text, map.learned);
  return all;
}

} // namespace

void bind_features(nb::module_& m) {
  nb::class_<Schema>(m, "Features", "Columns and the maps that make features of them.")
      .def_prop_ro("names", [](const Schema& schema) { return feature_names(schema); })
      .def_prop_ro("maps", maps)
      .def("make", make, nb::arg("x"))
      .def("__getstate__", [](const Schema& schema) { return std::pair(columns(schema), maps(schema)); })
      .def("__setstate__", restore);
  m.def("learn_features", learn, nb::arg("x"), nb::arg("weights").none(), nb::arg("names"), nb::arg("options"));
  m.def("learn_and_make_features", learn_and_make, nb::arg("x"), nb::arg("options"));
}

} // namespace recta::python
