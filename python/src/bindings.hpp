// One function a part of the module.
#pragma once

#include "errors.hpp"

#include <recta/recta.hpp>

namespace recta::python {

void bind_certificate(nb::module_& m);
void bind_report(nb::module_& m);
void bind_model(nb::module_& m);
void bind_options(nb::module_& m);
void bind_fit(nb::module_& m);
void bind_features(nb::module_& m);
void bind_path(nb::module_& m);
void bind_cross_validate(nb::module_& m);
void bind_trace(nb::module_& m);
void bind_table(nb::module_& m);
void bind_arrow(nb::module_& m);
void bind_arrow_matrix(nb::module_& m);
void bind_checkup(nb::module_& m);
void bind_moments(nb::module_& m);
void bind_diagnosis(nb::module_& m);
void bind_online(nb::module_& m);
void bind_separability(nb::module_& m);
void bind_label_places(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_calibration(nb::module_& m);
void bind_label_metrics(nb::module_& m);
void bind_neighbours(nb::module_& m);
void bind_kernel(nb::module_& m);
void bind_text(nb::module_& m);
void bind_explain(nb::module_& m);
void bind_foreign(nb::module_& m);
void bind_picture(nb::module_& m);
void bind_parameters(nb::module_& m);
void bind_rounds(nb::module_& m);

// Levels in the order the library keeps them: numbers by value, then text by code point.
void sort_levels(Column& column);

} // namespace recta::python
