// The kernel that a model file states, against the one that its parameters ask for.
#pragma once

#include "certificate/stated/differences.hpp"
#include "kernel/kernel.hpp"

namespace recta {

void compare_kernels(const kernel::Settings& stated, const kernel::Settings& by_parameters, Differences& differences);

} // namespace recta
