// A descent step by step: the record as arrays, one row a step.
#include "arrays_out.hpp"
#include "bindings.hpp"
#include "buffers.hpp"
#include "watch.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace recta::python {
namespace {

template <class Work>
auto watched(nb::object callback, Work&& work) {
  PythonWatch watch(std::move(callback));
  std::invoke_result_t<Work, const Watch&> traced;
  {
    const nb::gil_scoped_release release;
    traced = work(watch.watch());
  }
  if (watch.raised()) throw std::move(watch.error());
  return unwrap(std::move(traced));
}

Trace trace_arrays(const std::string& word, nb::handle x, nb::handle y, nb::handle weights,
                   std::vector<std::string> names, const FitOptions& options, Index every, nb::object callback) {
  const Rows rows(x, y, weights, std::move(names));
  return watched(std::move(callback),
                 [&](const Watch& watch) { return trace(word, rows.arrays(), options, every, watch); });
}

Trace trace_table(const std::string& word, const Dataset& data, const FitOptions& options, Index every,
                  nb::object callback) {
  return watched(std::move(callback), [&](const Watch& watch) { return trace(word, data, options, every, watch); });
}

TrainingCurve curve_arrays(const std::string& word, nb::handle x, nb::handle y, nb::handle weights,
                           std::vector<std::string> names, const FitOptions& options, Index every,
                           nb::object callback) {
  const Rows rows(x, y, weights, std::move(names));
  return watched(std::move(callback),
                 [&](const Watch& watch) { return training_curve(word, rows.arrays(), options, every, watch); });
}

TrainingCurve curve_table(const std::string& word, const Dataset& data, const FitOptions& options, Index every,
                          nb::object callback) {
  return watched(std::move(callback),
                 [&](const Watch& watch) { return training_curve(word, data, options, every, watch); });
}

template <class Number>
void bind_column(nb::class_<Trace>& type, const char* name, Number TraceStep::* value) {
  type.def_prop_ro(
      name,
      [value](const Trace& trace) {
        std::vector<double> out;
        for (const TraceStep& step : trace.steps) out.push_back(static_cast<double>(step.*value));
        return array(std::move(out));
      },
      nb::rv_policy::automatic);
}

Numbers weights_of(const Trace& trace) {
  std::vector<double> out;
  for (const TraceStep& step : trace.steps) out.insert(out.end(), step.weights.begin(), step.weights.end());
  return array(std::move(out), {trace.steps.size(), trace.features.size()});
}

} // namespace

void bind_trace(nb::module_& m) {
  nb::class_<Trace> type(m, "Trace");
  type.def_ro("word", &Trace::word)
      .def_ro("solver", &Trace::solver)
      .def_ro("objective", &Trace::objective)
      .def_ro("target", &Trace::target)
      .def_rw("label", &Trace::label)
      .def_rw("features", &Trace::features)
      .def_prop_ro("has_intercept", &Trace::own_intercept)
      .def_ro("standardised", &Trace::standardised)
      .def_ro("first_rate", &Trace::rate)
      .def_ro("safe_rate", &Trace::safe_rate)
      .def_ro("stop", &Trace::stop)
      .def_ro("diverged", &Trace::diverged)
      .def_ro("answer_cost", &Trace::cost)
      .def_ro("answer_intercept", &Trace::answer_intercept)
      .def_prop_ro(
          "answer_weights", [](const Trace& trace) { return array(trace.weights); }, nb::rv_policy::automatic)
      .def_prop_ro("weights", weights_of, nb::rv_policy::automatic);
  bind_column(type, "step", &TraceStep::step);
  bind_column(type, "rows", &TraceStep::rows);
  bind_column(type, "rate", &TraceStep::rate);
  bind_column(type, "cost", &TraceStep::cost);
  bind_column(type, "gradient_norm", &TraceStep::gradient_norm);
  bind_column(type, "intercept", &TraceStep::intercept);
  nb::class_<TrainingCurve>(m, "TrainingCurve")
      .def_ro("trace", &TrainingCurve::trace)
      .def_ro("row", &TrainingCurve::row)
      .def_ro("correct", &TrainingCurve::correct)
      .def_ro("rows", &TrainingCurve::rows);
  m.def("training_curve", curve_arrays, nb::arg("word"), nb::arg("x"), nb::arg("y"), nb::arg("weights").none(),
        nb::arg("names"), nb::arg("options"), nb::arg("every"), nb::arg("callback") = nb::none());
  m.def("training_curve_table", curve_table, nb::arg("word"), nb::arg("table"), nb::arg("options"), nb::arg("every"),
        nb::arg("callback") = nb::none());
  m.def("trace", trace_arrays, nb::arg("word"), nb::arg("x"), nb::arg("y"), nb::arg("weights").none(), nb::arg("names"),
        nb::arg("options"), nb::arg("every"), nb::arg("callback") = nb::none());
  m.def("trace_table", trace_table, nb::arg("word"), nb::arg("table"), nb::arg("options"), nb::arg("every"),
        nb::arg("callback") = nb::none());
}

} // namespace recta::python
