// Softmax regression: several classes, one weight vector each.
#pragma once

#include "driver/procedure.hpp"

#include <recta/path.hpp>

namespace recta {

const Procedure& softmax_procedure();
Result<Path> softmax_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                          const Clock& clock);

} // namespace recta
