// Kernel ridge regression: fits, their proofs, and paths over the strength of the penalty.
#pragma once

#include "family/first_pass.hpp"

#include <recta/path.hpp>

namespace recta::kernel_ridge {

Result<Model> fit(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify(const Model& model, const Rows& rows, const Clock& clock);
Result<Path> path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                  const Clock& clock);

} // namespace recta::kernel_ridge
