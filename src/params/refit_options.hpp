// The options that a model was fitted with, as far as its file tells them.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

FitOptions options_of(const Model& model); // those that figures depend on
FitOptions refit_options(const Model& model);

} // namespace recta
