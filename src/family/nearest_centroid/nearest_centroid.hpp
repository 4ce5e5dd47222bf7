// Fitting nearest-centroid, and proving it again.
#pragma once

#include "driver/procedure.hpp"

namespace recta::nearest_centroid {

const Procedure& procedure();

} // namespace recta::nearest_centroid
