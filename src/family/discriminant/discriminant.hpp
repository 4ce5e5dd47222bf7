// Fitting lda and qda: one pass for means and products about them, two if the means are needed first, and one that
// proves both. And proving them again.
#pragma once

#include "family/first_pass.hpp"

namespace recta::discriminant {

Result<Model> fit_gaussian(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_gaussian(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::discriminant
