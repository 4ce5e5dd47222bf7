// The options that a model was fitted with, as far as its file tells them.
#pragma once

#include <recta/estimator.hpp>

namespace recta {

FitOptions refit_options(const Model& model);

} // namespace recta
