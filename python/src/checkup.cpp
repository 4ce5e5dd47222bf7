// The data doctor and the machine.
#include "bindings.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

Checkup checked(const Dataset& data, const FitOptions& options) {
  Result<Checkup> result;
  {
    const nb::gil_scoped_release release;
    result = check(data, options);
  }
  return unwrap(std::move(result));
}

} // namespace

void bind_checkup(nb::module_& m) {
  nb::class_<ColumnCheck>(m, "ColumnCheck")
      .def_ro("name", &ColumnCheck::name)
      .def_ro("missing", &ColumnCheck::missing)
      .def_ro("first_missing_row", &ColumnCheck::first_missing_row)
      .def_ro("distinct", &ColumnCheck::distinct)
      .def_ro("mean", &ColumnCheck::mean)
      .def_ro("deviation", &ColumnCheck::deviation)
      .def_ro("lowest", &ColumnCheck::lowest)
      .def_ro("highest", &ColumnCheck::highest)
      .def_ro("constant", &ColumnCheck::constant)
      .def_ro("duplicate_of", &ColumnCheck::duplicate_of)
      .def_ro("variance_inflation", &ColumnCheck::variance_inflation);
  nb::class_<TargetCheck>(m, "TargetCheck")
      .def_ro("column", &TargetCheck::column)
      .def_ro("classes", &TargetCheck::classes);
  nb::class_<NearDependency>(m, "NearDependency")
      .def_ro("column", &NearDependency::column)
      .def_ro("r2", &NearDependency::r2)
      .def_ro("terms", &NearDependency::terms)
      .def_ro("intercept", &NearDependency::intercept)
      .def_ro("exact", &NearDependency::exact)
      .def_prop_ro("sentence", &NearDependency::sentence);
  nb::class_<Checkup>(m, "Checkup", "What the data doctor found.")
      .def_ro("rows", &Checkup::rows)
      .def_ro("features", &Checkup::features)
      .def_ro("columns", &Checkup::columns)
      .def_ro("targets", &Checkup::targets)
      .def_ro("scale_spread", &Checkup::scale_spread)
      .def_ro("rank", &Checkup::rank)
      .def_ro("condition", &Checkup::condition)
      .def_ro("dependencies", &Checkup::dependencies)
      .def_ro("fit_seconds", &Checkup::fit_seconds)
      .def_ro("table_bytes", &Checkup::table_bytes)
      .def_ro("fit_bytes", &Checkup::fit_bytes)
      .def_ro("advice", &Checkup::advice);
  m.def("check", checked, nb::arg("table"), nb::arg("options"));
  m.def("version", [] { return machine().version; });
}

} // namespace recta::python
