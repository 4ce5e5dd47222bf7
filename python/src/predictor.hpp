// Predictions for serving: everything that can be checked once is checked when the callable is made.
#pragma once

#include "errors.hpp"

#include <recta/model.hpp>

namespace recta::python {

inline constexpr Index kSmall = 100'000; // numbers that one thread predicts before a second one has started

nb::object fast_predictor(const Model& model);

} // namespace recta::python
