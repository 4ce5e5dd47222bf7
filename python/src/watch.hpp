// What Python wants to know while the library works: Ctrl-C, progress, and the trace that is kept with the result.
#pragma once

#include <recta/estimator.hpp>

#include <chrono>
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <vector>

namespace recta::python {

namespace nb = nanobind;

struct Step { // Progress whose stage outlives the fit
  std::string stage;
  Index pass = 0;
  double fraction = 0, seconds = 0;
  std::optional<double> objective, gap;
};

class PythonWatch {
public:
  // max_iter: passes of an iteration after which it stops as if asked to; 0: no limit. A callback with an attribute
  // `each_pass` that is true is called at the beginning of every pass.
  explicit PythonWatch(nb::object callback, Index max_iter = 0)
      : callback_(std::move(callback)), max_iter_(max_iter),
        each_pass_(nb::getattr(callback_, "each_pass", nb::none()).is(nb::bool_(true))) {}

  Watch watch() {
    return [this](const Progress& progress) { return see(progress); };
  }
  const std::vector<Step>& trace() const { return trace_; }
  bool raised() const { return raised_.has_value(); }
  bool out_of_iterations() const { return out_of_iterations_; }
  nb::python_error& error() { return *raised_; }

private:
  bool see(const Progress& progress);
  bool spent(const Progress& progress);
  bool ask_python(const Step& step);

  nb::object callback_;
  Index max_iter_, iterations_begin_ = -1, pass_ = 0;
  bool each_pass_;
  std::vector<Step> trace_;
  std::optional<nb::python_error> raised_;
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point noted_{};
  bool stopped_ = false, out_of_iterations_ = false;
};

// Which parts of a combined model a count of iterations stops depends on their order: one thread keeps it.
FitOptions in_order(FitOptions options, Index max_iter);

void bind_watch(nb::module_& m);

} // namespace recta::python
