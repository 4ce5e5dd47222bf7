// The score of a part: a model of two classes, which may have a score for each of them.
#pragma once

#include <recta/model.hpp>

namespace recta::combine {

// One number per row, from zero up for the positive class; of two scores their difference. NaN stays.
Result<void> score_two_classes(const Model& part, const Batch& rows, double* out);

} // namespace recta::combine
