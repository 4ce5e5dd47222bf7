// Kernel principal components: the directions of most variance in the space of the kernel's features.
#pragma once

#include "driver/procedure.hpp"

namespace recta::kernel_pca {

const Procedure& procedure();

} // namespace recta::kernel_pca
