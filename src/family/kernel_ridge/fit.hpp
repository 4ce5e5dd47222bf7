// Kernel ridge regression: fits, their proofs, and paths over the strength of the penalty.
#pragma once

#include "driver/procedure.hpp"

#include <recta/path.hpp>

namespace recta::kernel_ridge {

const Procedure& procedure();
Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                  const Clock& clock);

} // namespace recta::kernel_ridge
