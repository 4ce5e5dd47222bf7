// A path of squares: lasso, elastic net or ridge at many strengths, from statistics gathered in one pass or from
// columns in memory.
#pragma once

#include "driver/first_pass.hpp"

#include <recta/path.hpp>

namespace recta {

Result<Path> squares_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                          const Clock& clock);

} // namespace recta
