// Models of libsvm and liblinear, and what is proved of answers that another program gave.
#include "bindings.hpp"
#include "buffers.hpp"
#include "watch.hpp"

#include <recta/foreign.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

ForeignProof verify_rows(const ForeignModel& model, nb::handle x, nb::handle y, nb::handle weights,
                         std::optional<double> c, std::optional<double> epsilon, std::optional<double> nu,
                         double tolerance, int threads) {
  const Rows rows(x, y, weights, {});
  ForeignOptions options{.tolerance = tolerance, .threads = threads};
  if (c) options.c = *c;
  if (epsilon) options.epsilon = *epsilon;
  if (nu) options.nu = *nu;
  Result<ForeignProof> found;
  {
    const nb::gil_scoped_release release;
    found = verify_foreign(model, rows.arrays(), options);
  }
  return unwrap(std::move(found));
}

} // namespace

void bind_foreign(nb::module_& m) {
  nb::class_<ForeignProof>(m, "ForeignProof")
      .def_ro("objective", &ForeignProof::objective)
      .def_ro("optimum_lower", &ForeignProof::optimum_lower)
      .def_ro("optimum_upper", &ForeignProof::optimum_upper)
      .def_ro("optimum_proved", &ForeignProof::optimum_proved)
      .def_ro("conditions", &ForeignProof::conditions)
      .def_prop_ro("gap", &ForeignProof::gap)
      .def_prop_ro("relative_gap", &ForeignProof::relative_gap)
      .def_prop_ro("proved", &ForeignProof::proved)
      .def_prop_ro("sentence", &ForeignProof::sentence);
  nb::class_<ForeignModel>(m, "ForeignModel")
      .def("__getstate__", &foreign_text)
      .def("__setstate__",
           [](ForeignModel& model, const std::string& text) {
             new (&model) ForeignModel(unwrap(parse_foreign(text, "pickle")));
           })
      .def_ro("program", &ForeignModel::program)
      .def_ro("type", &ForeignModel::type)
      .def_ro("notes", &ForeignModel::notes)
      .def_prop_ro("last_feature", &ForeignModel::last_feature)
      .def(
          "save", [](const ForeignModel& model, const std::string& path) { unwrap(write_foreign(model, path)); },
          nb::arg("path"))
      .def(
          "to_recta", [](const ForeignModel& model, Index features) { return unwrap(to_recta(model, features)); },
          nb::arg("features") = 0);
  m.def("is_foreign_model", &is_foreign_model, nb::arg("path"));
  m.def("read_foreign", [](const std::string& path) { return unwrap(read_foreign(path)); }, nb::arg("path"));
  m.def(
      "from_recta", [](const Model& model, const std::string& program) { return unwrap(from_recta(model, program)); },
      nb::arg("model"), nb::arg("program"));
  m.def("foreign_proof", &foreign_proof, nb::arg("name"), nb::arg("objective"), nb::arg("ours"), nb::arg("scale"),
        nb::arg("tolerance"));
  m.def("verify_foreign", verify_rows, nb::arg("model"), nb::arg("x"), nb::arg("y").none(), nb::arg("weights").none(),
        nb::arg("c").none(), nb::arg("epsilon").none(), nb::arg("nu").none(), nb::arg("tolerance"),
        nb::arg("threads") = 0);
}

} // namespace recta::python
