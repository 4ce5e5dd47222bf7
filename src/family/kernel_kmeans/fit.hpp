// Clusters by a kernel: rows go to the nearest mean in the space of its features.
#pragma once

#include "driver/procedure.hpp"

namespace recta::kernel_kmeans {

const Procedure& procedure();

} // namespace recta::kernel_kmeans
