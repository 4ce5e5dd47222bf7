// The options that the figures of a model depend on, as the model states them.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

FitOptions stated_options(const Model& model);

} // namespace recta
