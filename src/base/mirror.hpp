// A symmetric matrix of which the upper triangle is there, by column: the lower one becomes its copy.
#pragma once

#include "base/pool.hpp"

namespace recta {

void mirror_upper(double* a, Index n, Pool& pool);

} // namespace recta
