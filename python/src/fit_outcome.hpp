// What a fit gives Python: the model, how it went, and what was raised while it ran.
#pragma once

#include "bindings.hpp"
#include "watch.hpp"

namespace recta::python {

struct FitOutcome {
  Model model;
  std::vector<Step> trace;
  std::vector<std::uintptr_t> addresses; // of the memory that was read: x (or indptr, indices, data), y, weights
  nb::object raised;                     // an exception that came while the model was there already, or None
};

template <class Work>
FitOutcome watched(nb::object callback, Index max_iter, Work&& work) {
  PythonWatch watch(std::move(callback), max_iter);
  Result<Model> model;
  {
    const nb::gil_scoped_release release;
    model = work(watch.watch());
  }
  if (!model && watch.raised()) throw std::move(watch.error());
  FitOutcome outcome{unwrap(std::move(model)), watch.trace(), {}, nb::none()};
  if (watch.raised()) outcome.raised = nb::borrow(watch.error().value());
  // The library knows a watch that said no; that it counted to max_iter is known here.
  Stop& stop = outcome.model.certificate.stop;
  if (watch.out_of_iterations() && stop.reason() == Stop::interrupted) stop = Stop::iteration_limit;
  return outcome;
}

} // namespace recta::python
