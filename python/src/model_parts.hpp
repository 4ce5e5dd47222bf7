// Shared by the bindings of a model.
#pragma once

#include "bindings.hpp"

namespace recta::python {

// The figures of a linear model; those of none otherwise.
inline const LinearSummary& figures_of(const Model& model) {
  static const LinearSummary none;
  return model.is_linear() ? *model.linear() : none;
}

// Before functions that have an answer as an argument.
void bind_answers(nb::module_& m, nb::class_<Model>& type);

} // namespace recta::python
