// The library calls from the thread that called it, with the GIL released. Python is asked at most every 20 ms, so
// that other Python threads are not held up, unless the callback wants each pass.
#include "watch.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <utility>

namespace recta::python {

using namespace std::chrono_literals;

bool PythonWatch::spent(const Progress& progress) {
  if (max_iter_ <= 0 || progress.stage != "iterating") return false;
  if (iterations_begin_ < 0) iterations_begin_ = progress.pass;
  return progress.pass - iterations_begin_ > max_iter_; // the first pass of an iteration only begins it
}

bool PythonWatch::see(const Progress& progress) {
  if (!stopped_ && spent(progress)) stopped_ = out_of_iterations_ = true;
  if (stopped_) return false;
  const auto now = std::chrono::steady_clock::now();
  const bool new_stage = trace_.empty() || trace_.back().stage != progress.stage;
  if (new_stage || progress.objective || now - noted_ >= 50ms) {
    trace_.push_back({std::string(progress.stage), progress.pass, progress.fraction, progress.seconds,
                      progress.objective, progress.gap});
    noted_ = now;
  }
  const bool new_pass = each_pass_ && progress.pass != std::exchange(pass_, progress.pass);
  const bool due = now - asked_ >= 20ms || new_pass || (new_stage && !callback_.is_none());
  if (!due) return true;
  asked_ = now;
  stopped_ = !ask_python({std::string(progress.stage), progress.pass, progress.fraction, progress.seconds,
                          progress.objective, progress.gap});
  return !stopped_;
}

// False: stop. Signals are heard on the main thread only, where Python handles them.
bool PythonWatch::ask_python(const Step& step) {
  const nb::gil_scoped_acquire gil;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (callback_.is_none()) return true;
    return !callback_(step).is(nb::bool_(false));
  } catch (nb::python_error& error) {
    raised_.emplace(std::move(error));
    return false;
  }
}

FitOptions in_order(FitOptions options, Index max_iter) {
  const bool combined = !options.multiclass.empty() || !options.label_columns.empty() || !options.label_set.empty();
  if (combined && max_iter > 0) options.threads = 1;
  return options;
}

void bind_watch(nb::module_& m) {
  nb::class_<Step>(m, "Step", "Where a fit is: one entry of `trace_`, and what a progress callback is given.")
      .def_ro("stage", &Step::stage)
      .def_ro("passes", &Step::pass)
      .def_ro("fraction", &Step::fraction, "of this stage; negative if unknown")
      .def_ro("seconds", &Step::seconds, "since the fit began")
      .def_ro("objective", &Step::objective)
      .def_ro("gap", &Step::gap)
      .def("__repr__", [](const Step& s) { return "Step(" + s.stage + ", " + std::to_string(s.seconds) + " s)"; })
      .def("__getstate__",
           [](const Step& s) { return nb::make_tuple(s.stage, s.pass, s.fraction, s.seconds, s.objective, s.gap); })
      .def("__setstate__", [](Step& s, const nb::tuple& t) {
        new (&s) Step{nb::cast<std::string>(t[0]),
                      nb::cast<Index>(t[1]),
                      nb::cast<double>(t[2]),
                      nb::cast<double>(t[3]),
                      nb::cast<std::optional<double>>(t[4]),
                      nb::cast<std::optional<double>>(t[5])};
      });
}

} // namespace recta::python
