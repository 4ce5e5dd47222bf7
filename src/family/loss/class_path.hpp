// A path of logistic or softmax regression: every point from the one before, proved by its own duality gap, and folds
// over which the rows of each class are spread as evenly as possible.
#pragma once

#include "family/loss/class_path_fit.hpp"

namespace recta {

Result<Path> class_path(const ClassPathKind& kind, const Request& request, const Schema& schema, const Rows& rows,
                        const PathOptions& how, const Clock& clock);

Result<Path> logistic_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                           const Clock& clock);

} // namespace recta
