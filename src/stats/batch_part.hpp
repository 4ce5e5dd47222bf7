// Some rows of a batch, in the same memory.
#pragma once

#include "design/batch.hpp"

namespace recta {

Batch part_of(const Batch& batch, Index first, Index count);

} // namespace recta
