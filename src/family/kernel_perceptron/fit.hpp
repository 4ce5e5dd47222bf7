// The kernel perceptron: what it learns, and the proof that it separates.
#pragma once

#include "driver/procedure.hpp"

namespace recta::kernel_perceptron {

const Procedure& procedure();

} // namespace recta::kernel_perceptron
