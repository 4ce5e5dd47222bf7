// Searches over a grid, and the splits they are made on.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "watch.hpp"

#include <algorithm>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

const std::pair<const char*, SplitPlan::Kind> kKinds[] = {
    {"folds", SplitPlan::Kind::folds},         {"leave_one_out", SplitPlan::Kind::leave_one_out},
    {"time", SplitPlan::Kind::time},           {"holdout", SplitPlan::Kind::holdout},
    {"bootstrap", SplitPlan::Kind::bootstrap}, {"hash", SplitPlan::Kind::hash}};

void set_kind(SplitPlan& plan, const std::string& word) {
  for (const auto& [name, kind] : kKinds)
    if (word == name) {
      plan.kind = kind;
      return;
    }
  refuse(ErrorCode::usage, "splits", "\"" + word + "\" is not a kind of splits",
         "choose one of folds, leave_one_out, time, holdout, bootstrap, hash");
}

CrossValidation cross_validate_table(const std::string& word, const Dataset& data, const FitOptions& options,
                                     const CrossValidationOptions& how, nb::object callback) {
  PythonWatch watch(std::move(callback));
  Result<CrossValidation> search;
  {
    const nb::gil_scoped_release release;
    search = cross_validate(word, data, options, how, watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(search));
}

BiasVariance bias_variance_table(const std::string& word, const Dataset& data, const FitOptions& options,
                                 std::optional<GridAxis> over, Index samples, nb::object callback) {
  PythonWatch watch(std::move(callback));
  const BiasVarianceOptions how{.over = std::move(over), .samples = samples, .seed = options.seed};
  Result<BiasVariance> found;
  {
    const nb::gil_scoped_release release;
    found = bias_variance(word, data, options, how, watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(found));
}

nb::dict params_of(const Params& params) {
  nb::dict out;
  for (const auto& [name, value] : params) out[name.c_str()] = nb::cast(value);
  return out;
}

void bind_bias_variance(nb::module_& m) {
  nb::class_<BiasVariancePoint>(m, "BiasVariancePoint")
      .def_prop_ro("params", [](const BiasVariancePoint& point) { return params_of(point.params); })
      .def_ro("error", &BiasVariancePoint::error)
      .def_ro("bias", &BiasVariancePoint::bias)
      .def_ro("variance", &BiasVariancePoint::variance)
      .def_ro("net_variance", &BiasVariancePoint::net_variance)
      .def_ro("rows", &BiasVariancePoint::rows)
      .def_ro("failure", &BiasVariancePoint::failure);
  nb::class_<BiasVariance>(m, "BiasVariance")
      .def_ro("word", &BiasVariance::word)
      .def_ro("target", &BiasVariance::target)
      .def_ro("parameter", &BiasVariance::parameter)
      .def_ro("measure", &BiasVariance::measure)
      .def_ro("rows", &BiasVariance::rows)
      .def_ro("samples", &BiasVariance::samples)
      .def_ro("points", &BiasVariance::points);
  m.def("bias_variance", bias_variance_table, nb::arg("word"), nb::arg("table"), nb::arg("options"),
        nb::arg("over").none(), nb::arg("samples"), nb::arg("callback") = nb::none());
}

// Pairs of the rows trained on and of those left out.
std::vector<std::pair<std::vector<Index>, std::vector<Index>>> pairs_of(const SplitPlan& plan, const SplitRows& rows) {
  const Splits splits = unwrap(make_splits(plan, rows));
  std::vector<std::pair<std::vector<Index>, std::vector<Index>>> out;
  for (Index k = 0; k < splits.count(); ++k) {
    Split split = splits[k];
    out.emplace_back(std::move(split.train), std::move(split.held_out));
  }
  return out;
}

Numbers folds_of(const ScoreValues& values) {
  return array(std::vector<double>(values.folds));
}

void bind_results(nb::module_& m) {
  nb::class_<ScoreValues>(m, "ScoreValues")
      .def_ro("mean", &ScoreValues::mean)
      .def_ro("standard_error", &ScoreValues::standard_error)
      .def_prop_ro("folds", folds_of, nb::rv_policy::automatic);
  nb::class_<GridPoint>(m, "GridPoint")
      .def_prop_ro("params", [](const GridPoint& point) { return params_of(point.params); })
      .def_ro("scores", &GridPoint::scores)
      .def_ro("training", &GridPoint::training)
      .def_ro("failure", &GridPoint::failure)
      .def_ro("seconds", &GridPoint::seconds);
  nb::class_<CrossValidation>(m, "CrossValidation")
      .def_ro("word", &CrossValidation::word)
      .def_ro("target", &CrossValidation::target)
      .def_ro("scores", &CrossValidation::scores)
      .def_ro("points", &CrossValidation::points)
      .def_ro("rows", &CrossValidation::rows)
      .def_ro("splits", &CrossValidation::splits)
      .def_ro("resumed", &CrossValidation::resumed)
      .def_ro("best", &CrossValidation::best)
      .def_ro("notes", &CrossValidation::notes)
      .def_ro("stopped", &CrossValidation::stopped)
      .def_ro("model", &CrossValidation::model);
}

} // namespace

void bind_cross_validate(nb::module_& m) {
  nb::class_<SplitPlan>(m, "SplitPlan")
      .def(nb::init<>())
      .def_prop_rw(
          "kind",
          [](const SplitPlan& plan) {
            return std::string(std::ranges::find(kKinds, plan.kind, [](const auto& one) { return one.second; })->first);
          },
          set_kind)
      .def_rw("folds", &SplitPlan::folds)
      .def_rw("repeats", &SplitPlan::repeats)
      .def_rw("share", &SplitPlan::share)
      .def_rw("contiguous", &SplitPlan::contiguous)
      .def_rw("seed", &SplitPlan::seed);
  nb::class_<SplitRows>(m, "SplitRows")
      .def(nb::init<>())
      .def_rw("rows", &SplitRows::rows)
      .def_rw("label", &SplitRows::label)
      .def_rw("labels", &SplitRows::labels)
      .def_rw("members", &SplitRows::members)
      .def_rw("group", &SplitRows::group)
      .def_rw("time", &SplitRows::time);
  m.def("splits", pairs_of, nb::arg("plan"), nb::arg("rows"));
  nb::class_<GridAxis>(m, "GridAxis")
      .def(
          "__init__",
          [](GridAxis* self, std::string name, std::vector<ParamValue> values) {
            new (self) GridAxis{std::move(name), std::move(values)};
          },
          nb::arg("name"), nb::arg("values"))
      .def_ro("name", &GridAxis::name)
      .def_ro("values", &GridAxis::values);
  m.def(
      "grid_axis", [](const std::string& word, const std::string& text) { return unwrap(grid_axis(word, text)); },
      nb::arg("word"), nb::arg("text"));
  nb::class_<CrossValidationOptions>(m, "CrossValidationOptions")
      .def(nb::init<>())
      .def_rw("grid", &CrossValidationOptions::grid)
      .def_rw("splits", &CrossValidationOptions::splits)
      .def_rw("groups", &CrossValidationOptions::groups)
      .def_rw("time", &CrossValidationOptions::time)
      .def_rw("id", &CrossValidationOptions::id)
      .def_rw("scores", &CrossValidationOptions::scores)
      .def_rw("one_standard_error", &CrossValidationOptions::one_standard_error)
      .def_rw("training", &CrossValidationOptions::training)
      .def_rw("refit", &CrossValidationOptions::refit)
      .def_rw("resume", &CrossValidationOptions::resume);
  bind_results(m);
  m.def("cross_validate", cross_validate_table, nb::arg("word"), nb::arg("table"), nb::arg("options"), nb::arg("how"),
        nb::arg("callback") = nb::none());
  bind_bias_variance(m);
}

} // namespace recta::python
