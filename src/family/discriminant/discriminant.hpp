// Fitting lda and qda: one pass for means and products about them, two if the means are needed first, and one that
// proves both. And proving them again.
#pragma once

#include "driver/procedure.hpp"

namespace recta::discriminant {

const Procedure& procedure();

} // namespace recta::discriminant
