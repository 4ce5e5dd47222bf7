// fit and verify: the GIL is released while the library works; Ctrl-C stops it and keeps the best so far.
#include "bindings.hpp"
#include "buffers.hpp"
#include "fit_outcome.hpp"
#include "text_settings.hpp"

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

void bind_options(nb::module_& m) {
  nb::enum_<Missing>(m, "Missing")
      .value("refuse", Missing::refuse)
      .value("drop", Missing::drop)
      .value("mean", Missing::mean)
      .value("indicator", Missing::indicator)
      .value("neighbours", Missing::neighbours)
      .value("skip", Missing::skip);
  nb::enum_<Unseen>(m, "Unseen").value("refuse", Unseen::refuse).value("zeros", Unseen::zeros);
  nb::enum_<WeightMeaning>(m, "WeightMeaning")
      .value("precision", WeightMeaning::precision)
      .value("frequency", WeightMeaning::frequency);
  nb::enum_<PolyTerms>(m, "PolyTerms")
      .value("all", PolyTerms::all)
      .value("powers", PolyTerms::powers)
      .value("interactions", PolyTerms::interactions);
  nb::enum_<StandardErrors>(m, "StandardErrors")
      .value("classical", StandardErrors::classical)
      .value("hc0", StandardErrors::hc0)
      .value("hc1", StandardErrors::hc1)
      .value("hc2", StandardErrors::hc2)
      .value("hc3", StandardErrors::hc3)
      .value("cluster", StandardErrors::cluster);
  nb::class_<FitOptions>(m, "FitOptions")
      .def(nb::init<>())
      .def_rw("target", &FitOptions::target)
      .def_rw("weights", &FitOptions::weights)
      .def_rw("offset", &FitOptions::offset)
      .def_rw("positive", &FitOptions::positive)
      .def_rw("multiclass", &FitOptions::multiclass)
      .def_rw("label_set", &FitOptions::label_set)
      .def_rw("label_separator", &FitOptions::label_separator)
      .def_rw("label_columns", &FitOptions::label_columns)
      .def_rw("chain", &FitOptions::chain)
      .def_rw("chains", &FitOptions::chains)
      .def_rw("chain_seed", &FitOptions::chain_seed)
      .def_rw("label_thresholds", &FitOptions::label_thresholds)
      .def_rw("threshold_share", &FitOptions::threshold_share)
      .def_rw("class_weights", &FitOptions::class_weights)
      .def_rw("balanced", &FitOptions::balanced)
      .def_rw("ignore", &FitOptions::ignore)
      .def_rw("poly", &FitOptions::poly)
      .def_rw("poly_terms", &FitOptions::poly_terms)
      .def_rw("basis", &FitOptions::basis)
      .def_rw("feature", &FitOptions::feature)
      .def_rw("intercept", &FitOptions::intercept)
      .def_rw("standardise", &FitOptions::standardise)
      .def_rw("missing", &FitOptions::missing)
      .def_rw("missing_neighbours", &FitOptions::missing_neighbours)
      .def_rw("unseen", &FitOptions::unseen)
      .def_rw("weights_are", &FitOptions::weights_are)
      .def_rw("tolerance", &FitOptions::tolerance)
      .def_rw("confidence", &FitOptions::confidence)
      .def_rw("errors", &FitOptions::errors)
      .def_rw("cluster", &FitOptions::cluster)
      .def_rw("intervals", &FitOptions::intervals)
      .def_rw("max_inflation", &FitOptions::max_inflation)
      .def_rw("components", &FitOptions::components)
      .def_rw("condition_low", &FitOptions::condition_low)
      .def_rw("condition_high", &FitOptions::condition_high)
      .def_rw("time_limit", &FitOptions::time_limit)
      .def_rw("threads", &FitOptions::threads)
      .def_rw("seed", &FitOptions::seed)
      .def_prop_rw("text", &texts_of, &set_texts)
      .def_rw("params", &FitOptions::params);
}

} // namespace

void bind_fit(nb::module_& m) {
  bind_options(m);
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
