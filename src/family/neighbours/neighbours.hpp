// Fits and proofs of nearest neighbours.
#pragma once

#include "driver/procedure.hpp"

namespace recta::neighbours {

const Procedure& procedure();

} // namespace recta::neighbours
