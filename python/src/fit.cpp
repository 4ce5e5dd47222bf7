// fit and verify: the GIL is released while the library works; Ctrl-C stops it and keeps the best so far.
#include "bindings.hpp"
#include "buffers.hpp"
#include "fit_outcome.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

FitOutcome fit_arrays(const std::string& word, nb::handle x, nb::handle y, nb::handle weights,
                      std::vector<std::string> names, const FitOptions& options, nb::object callback, Index max_iter,
                      nb::handle cluster, nb::handle offset) {
  Rows rows(x, y, weights, std::move(names));
  rows.cluster_by(cluster);
  rows.offset_by(offset);
  auto outcome = watched(std::move(callback), max_iter, [&](const Watch& watch) {
    return fit(word, rows.arrays(), in_order(options, max_iter), watch);
  });
  outcome.addresses = rows.addresses();
  return outcome;
}

FitOutcome fit_table(const std::string& word, const Dataset& data, const FitOptions& options, nb::object callback,
                     Index max_iter) {
  return watched(std::move(callback), max_iter,
                 [&](const Watch& watch) { return fit(word, data, in_order(options, max_iter), watch); });
}

template <class Work>
Certificate verified(Work&& work) {
  PythonWatch watch{nb::object(nb::none())};
  Result<Certificate> certificate;
  {
    const nb::gil_scoped_release release;
    certificate = work(watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(certificate));
}

// Python gives classes as their places among the labels of the model.
Certificate verify_arrays(const Model& model, nb::handle x, nb::handle y, nb::handle weights, nb::handle offset) {
  Rows rows(x, y, weights, {});
  rows.offset_by(offset);
  Arrays arrays = rows.arrays();
  arrays.classes.labels = model.schema.classes.labels;
  return verified([&](const Watch& watch) { return verify(model, arrays, watch); });
}

// The column of places becomes one of labels.
void name_places(Column& target, const std::vector<std::string>& labels) {
  for (const double place : target.values) target.codes.push_back(static_cast<std::int32_t>(place));
  target.values.clear();
  target.type = ColumnType::category;
  target.levels = labels;
  sort_levels(target);
}

Certificate verify_table(const Model& model, Dataset& data) {
  if (model.classifies())
    for (Column& column : data.columns)
      if (column.name == model.schema.targets.at(0) && column.numeric())
        name_places(column, model.schema.classes.labels);
  return verified([&](const Watch& watch) { return verify(model, data, watch); });
}

} // namespace

void bind_fit(nb::module_& m) {
  nb::class_<FitOutcome>(m, "FitOutcome")
      .def_ro("model", &FitOutcome::model)
      .def_ro("trace", &FitOutcome::trace)
      .def_ro("addresses", &FitOutcome::addresses)
      .def_ro("raised", &FitOutcome::raised);
  m.def("fit", fit_arrays, nb::arg("word"), nb::arg("x"), nb::arg("y").none(), nb::arg("weights").none(),
        nb::arg("names"), nb::arg("options"), nb::arg("callback") = nb::none(), nb::arg("max_iter") = 0,
        nb::arg("cluster") = nb::none(), nb::arg("offset") = nb::none());
  m.def("fit_table", fit_table, nb::arg("word"), nb::arg("table"), nb::arg("options"), nb::arg("callback") = nb::none(),
        nb::arg("max_iter") = 0);
  m.def("verify", verify_arrays, nb::arg("model"), nb::arg("x"), nb::arg("y").none(), nb::arg("weights").none(),
        nb::arg("offset") = nb::none());
  m.def("verify_table", verify_table, nb::arg("model"), nb::arg("table"));
}

} // namespace recta::python
