// Diagnosis and comparison of fitted models: figures of rows and columns as arrays.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"
#include "watch.hpp"

#include <recta/diagnosis.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

template <class Work>
Diagnosis watched(Work&& work) {
  PythonWatch watch{nb::object(nb::none())};
  Result<Diagnosis> diagnosis;
  {
    const nb::gil_scoped_release release;
    diagnosis = work(watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(diagnosis));
}

Diagnosis diagnose_arrays(const Model& model, nb::handle x, nb::handle y, nb::handle weights, int threads) {
  const Rows rows(x, y, weights, {});
  return watched([&](const Watch& watch) { return diagnose(model, rows.arrays(), threads, watch); });
}

Diagnosis diagnose_table(const Model& model, const Dataset& data, int threads) {
  return watched([&](const Watch& watch) { return diagnose(model, data, threads, watch); });
}

Comparison compare_models(const Model& small, const Model& large) {
  return unwrap(compare(small, large));
}

Comparison compare_table(const Model& small, const Model& large, const Dataset& data) {
  Result<Comparison> comparison;
  {
    const nb::gil_scoped_release release;
    comparison = compare(small, large, data);
  }
  return unwrap(std::move(comparison));
}

template <class Class>
void bind_column(Class& type, const char* name, double RowInfluence::* value) {
  type.def_prop_ro(
      name,
      [value](const TargetDiagnosis& target) {
        std::vector<double> out;
        for (const RowInfluence& row : target.rows) out.push_back(row.*value);
        return array(std::move(out));
      },
      nb::rv_policy::automatic);
}

std::vector<Index> numbers(const TargetDiagnosis& target) {
  std::vector<Index> out;
  for (const RowInfluence& row : target.rows) out.push_back(row.row);
  return out;
}

std::vector<std::vector<std::string>> remarks(const TargetDiagnosis& target) {
  std::vector<std::vector<std::string>> out;
  for (const RowInfluence& row : target.rows) {
    out.push_back(row.remarks);
    if (row.alone) out.back().insert(out.back().begin(), "alone");
  }
  return out;
}

Numbers of_directions(const Diagnosis& diagnosis, double ConditionIndex::* value) {
  std::vector<double> out;
  for (const ConditionIndex& direction : diagnosis.condition_indices) out.push_back(direction.*value);
  return array(std::move(out));
}

Numbers shares(const Diagnosis& diagnosis) {
  std::vector<double> out;
  for (const ConditionIndex& direction : diagnosis.condition_indices)
    out.insert(out.end(), direction.shares.begin(), direction.shares.end());
  return array(std::move(out), {diagnosis.condition_indices.size(), diagnosis.columns.size()});
}

void bind_targets(nb::module_& m) {
  nb::class_<ResidualTest>(m, "ResidualTest")
      .def_ro("word", &ResidualTest::word)
      .def_ro("statistic", &ResidualTest::statistic)
      .def_ro("freedom", &ResidualTest::freedom)
      .def_ro("p_value", &ResidualTest::p_value)
      .def_ro("sentence", &ResidualTest::sentence);
  nb::class_<TargetDiagnosis> type(m, "TargetDiagnosis");
  type.def_ro("target", &TargetDiagnosis::target)
      .def_prop_ro("numbers", numbers)
      .def_prop_ro("remarks", remarks)
      .def_ro("most_influential", &TargetDiagnosis::most_influential)
      .def_ro("press", &TargetDiagnosis::press)
      .def_ro("predicted_r2", &TargetDiagnosis::predicted_r2)
      .def_ro("outlier", &TargetDiagnosis::outlier)
      .def_ro("outlier_p_value", &TargetDiagnosis::outlier_p_value)
      .def_ro("skewness", &TargetDiagnosis::skewness)
      .def_ro("kurtosis", &TargetDiagnosis::kurtosis)
      .def_ro("tests", &TargetDiagnosis::tests);
  bind_column(type, "fitted", &RowInfluence::fitted);
  bind_column(type, "residual", &RowInfluence::residual);
  bind_column(type, "leverage", &RowInfluence::leverage);
  bind_column(type, "standardised", &RowInfluence::standardised);
  bind_column(type, "studentised", &RowInfluence::studentised);
  bind_column(type, "deleted", &RowInfluence::deleted);
  bind_column(type, "cooks_distance", &RowInfluence::cooks_distance);
  bind_column(type, "dffits", &RowInfluence::dffits);
}

void bind_whole(nb::module_& m) {
  nb::class_<Diagnosis>(m, "Diagnosis")
      .def_ro("rows", &Diagnosis::rows)
      .def_ro("parameters", &Diagnosis::parameters)
      .def_ro("degrees_of_freedom", &Diagnosis::degrees_of_freedom)
      .def_ro("large_leverage", &Diagnosis::large_leverage)
      .def_ro("large_cooks_distance", &Diagnosis::large_cooks_distance)
      .def_ro("large_dffits", &Diagnosis::large_dffits)
      .def_ro("columns", &Diagnosis::columns)
      .def_prop_ro(
          "variance_inflation", [](const Diagnosis& d) { return array(d.variance_inflation); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "singular_values", [](const Diagnosis& d) { return of_directions(d, &ConditionIndex::singular_value); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "condition_indices", [](const Diagnosis& d) { return of_directions(d, &ConditionIndex::index); },
          nb::rv_policy::automatic)
      .def_prop_ro("shares", shares, nb::rv_policy::automatic)
      .def_ro("targets", &Diagnosis::targets)
      .def_ro("findings", &Diagnosis::findings);
}

void bind_comparison(nb::module_& m) {
  nb::class_<Information>(m, "Information")
      .def_ro("parameters", &Information::parameters)
      .def_ro("aic", &Information::aic)
      .def_ro("aicc", &Information::aicc)
      .def_ro("bic", &Information::bic);
  using Target = Comparison::Target;
  nb::class_<Target>(m, "ComparisonTarget")
      .def_ro("target", &Target::target)
      .def_ro("f", &Target::f)
      .def_ro("f_p_value", &Target::f_p_value)
      .def_ro("likelihood_ratio", &Target::likelihood_ratio)
      .def_ro("likelihood_ratio_p_value", &Target::likelihood_ratio_p_value)
      .def_ro("mallows_cp", &Target::mallows_cp)
      .def_ro("small", &Target::small)
      .def_ro("large", &Target::large)
      .def_ro("sentence", &Target::sentence);
  nb::class_<Comparison>(m, "Comparison")
      .def_ro("added", &Comparison::added)
      .def_ro("degrees_of_freedom", &Comparison::degrees_of_freedom)
      .def_ro("features", &Comparison::features)
      .def_ro("targets", &Comparison::targets);
}

} // namespace

void bind_diagnosis(nb::module_& m) {
  bind_targets(m);
  bind_whole(m);
  bind_comparison(m);
  m.def("diagnose", diagnose_arrays, nb::arg("model"), nb::arg("x"), nb::arg("y"), nb::arg("weights").none(),
        nb::arg("threads") = 0);
  m.def("diagnose_table", diagnose_table, nb::arg("model"), nb::arg("table"), nb::arg("threads") = 0);
  m.def("compare", compare_models, nb::arg("small"), nb::arg("large"));
  m.def("compare_table", compare_table, nb::arg("small"), nb::arg("large"), nb::arg("table"));
}

} // namespace recta::python
