// Sets of labels in the caller's arrays: y has a column of 0 and 1 per label.
#pragma once

#include "rows/sources.hpp"

namespace recta {

Result<void> check_members(const Arrays& arrays);
// The schema of arrays whose labels the options name.
Result<Schema> label_schema(const Arrays& arrays, const FitOptions& options);

} // namespace recta
