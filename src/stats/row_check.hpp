// Numbers no statistic can use: the first one is named by row and column. Rows of weight zero are absent and may hold
// anything.
#pragma once

#include "design/batch.hpp"

namespace recta {

Result<void> check_weights(const Batch& batch); // finite and not negative, offsets finite
Result<void> check_numbers(const Batch& batch); // every number and target finite, in rows of positive weight
// For a block whose statistics are not finite: the number to blame, or that squares overflowed.
std::unexpected<Error> blame(const Batch& batch);

} // namespace recta
