// Coefficients that a Python caller set after the fit: coef_ and intercept_ may be assigned and written into.
#pragma once

#include "bindings.hpp"

namespace recta::python {

// Whether these are the model's coefficients, those of the first target first, and its intercepts, one or one a target.
// Numbers of float32 are compared as the model's are rounded to float32. False also for what is no array of numbers.
bool holds(const Model& model, nb::handle coefficients, nb::handle intercepts);

// Whether coefficients and an intercept are, bit for bit, what was kept of them; false for what does not lie in one
// piece.
bool same_bits(nb::handle coefficients, nb::handle intercepts, nb::handle kept, nb::handle kept_intercepts);

// The model with these, float64 and one after the other. What the fit said of its answer does not hold for them: there
// is no distance to the optimum, no standard error and no measure of fit any more; verify() finds the distance.
Model changed(const Model& model, nb::handle coefficients, nb::handle intercepts);

} // namespace recta::python
