// Columns of documents of a fit as plain values, which travel to other machines: a dict per column, of the names that
// TextOptions has.
#pragma once

#include "errors.hpp"

#include <recta/recta.hpp>

namespace recta::python {

nb::list texts_of(const FitOptions& options);
void set_texts(FitOptions& options, const nb::list& texts);

} // namespace recta::python
