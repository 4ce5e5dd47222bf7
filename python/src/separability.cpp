// Separability of two classes.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"
#include "watch.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

template <class Work>
auto watched(Work&& work) {
  PythonWatch watch{nb::object(nb::none())};
  std::invoke_result_t<Work, const Watch&> found;
  {
    const nb::gil_scoped_release release;
    found = work(watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(found));
}

Separability of_arrays(nb::handle x, nb::handle y, nb::handle weights, std::vector<std::string> names,
                       const FitOptions& options) {
  const Rows rows(x, y, weights, std::move(names));
  return watched([&](const Watch& watch) { return separability(rows.arrays(), options, watch); });
}

Separability of_table(const Dataset& data, const FitOptions& options) {
  return watched([&](const Watch& watch) { return separability(data, options, watch); });
}

std::vector<Separability> classes_of_table(const Dataset& data, const FitOptions& options) {
  return watched([&](const Watch& watch) { return class_separability(data, options, watch); });
}

std::vector<Separability> pairs_of_table(const Dataset& data, const FitOptions& options) {
  return watched([&](const Watch& watch) { return pair_separability(data, options, watch); });
}

} // namespace

void bind_separability(nb::module_& m) {
  nb::class_<Multiplier>(m, "Multiplier")
      .def_ro("row", &Multiplier::row)
      .def_ro("value", &Multiplier::value)
      .def_ro("fraction", &Multiplier::fraction);
  nb::class_<Separability>(m, "Separability")
      .def_prop_ro("verdict", [](const Separability& s) { return std::string(name(s.verdict)); })
      .def_ro("exact", &Separability::exact)
      .def_ro("proved", &Separability::proved)
      .def_ro("target", &Separability::target)
      .def_ro("negative", &Separability::negative)
      .def_ro("positive", &Separability::positive)
      .def_ro("rows", &Separability::rows)
      .def_ro("negatives", &Separability::negatives)
      .def_ro("positives", &Separability::positives)
      .def_ro("features", &Separability::features)
      .def_prop_ro(
          "weights", [](const Separability& s) { return array(std::vector<double>(s.weights)); },
          nb::rv_policy::automatic)
      .def_ro("b", &Separability::b)
      .def_ro("margin_lower", &Separability::margin_lower)
      .def_ro("margin_upper", &Separability::margin_upper)
      .def_ro("margin_squared", &Separability::margin_squared)
      .def_ro("multipliers", &Separability::multipliers)
      .def_ro("residual", &Separability::residual)
      .def_ro("on_hyperplane", &Separability::on_hyperplane)
      .def_ro("rounded", &Separability::rounded)
      .def_ro("overlap", &Separability::overlap)
      .def_ro("radius", &Separability::radius)
      .def_ro("norm", &Separability::norm)
      .def_ro("mistakes", &Separability::mistakes)
      .def_ro("looks", &Separability::looks)
      .def_prop_ro("sentence", &Separability::sentence);
  m.def("separability", of_arrays, nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("names"),
        nb::arg("options"));
  m.def("separability_table", of_table, nb::arg("table"), nb::arg("options"));
  m.def("class_separability_table", classes_of_table, nb::arg("table"), nb::arg("options"));
  m.def("pair_separability_table", pairs_of_table, nb::arg("table"), nb::arg("options"));
}

} // namespace recta::python
