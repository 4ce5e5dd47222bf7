// Fitting lda and qda in three passes: means, products about them, and the proof of both. And proving them again.
#pragma once

#include "family/first_pass.hpp"

namespace recta::discriminant {

Result<Model> fit_gaussian(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_gaussian(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::discriminant
