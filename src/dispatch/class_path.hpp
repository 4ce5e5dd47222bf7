// A path of logistic regression: every point by Newton's method from the one before, proved by its own duality gap, and
// folds that have as many rows of each class as can be.
#pragma once

#include "dispatch/first_pass.hpp"

#include <recta/path.hpp>

namespace recta {

Result<Path> logistic_path(const Order& order, const Schema& schema, const Rows& rows, const PathOptions& how,
                           const Clock& clock);

} // namespace recta
