// Perceptrons and the delta rule from rows to a model with its claim, and back.
#pragma once

#include "driver/procedure.hpp"

#include <recta/curve.hpp>

namespace recta {

std::vector<ModelInfo> threshold_units();

const Procedure& threshold_unit_procedure();
Result<TrainingCurve> curve_of(const Request& request, const Schema& schema, const Rows& rows, Index every,
                               const Clock& clock);
// The curves of every class against the rest; for two classes, a single one.
Result<std::vector<TrainingCurve>> curves_of(const Request& request, const Schema& schema, const Rows& rows,
                                             Index every, const Clock& clock);

} // namespace recta
