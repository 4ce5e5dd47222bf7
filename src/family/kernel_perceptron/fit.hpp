// The kernel perceptron: what it learns, and the proof that it separates.
#pragma once

#include "family/first_pass.hpp"

namespace recta::kernel_perceptron {

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::kernel_perceptron
