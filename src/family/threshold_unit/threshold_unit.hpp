// Perceptrons and the delta rule from rows to a model with its claim, and back.
#pragma once

#include "family/first_pass.hpp"

#include <recta/curve.hpp>

namespace recta {

std::vector<ModelInfo> threshold_units();

Result<Model> fit_threshold_unit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_threshold_unit(const Model& model, const Rows& rows, const Clock& clock);
Result<TrainingCurve> curve_of(const Request& request, const Schema& schema, const Rows& rows, Index every,
                               const Clock& clock);
// The curves of every class against the rest; for two classes, a single one.
Result<std::vector<TrainingCurve>> curves_of(const Request& request, const Schema& schema, const Rows& rows,
                                             Index every, const Clock& clock);

} // namespace recta
