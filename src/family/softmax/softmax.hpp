// fit and verify for softmax regression: several classes, one weight vector each.
#pragma once

#include "family/first_pass.hpp"

#include <recta/path.hpp>

namespace recta {

Result<Model> fit_softmax(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_softmax(const Model& model, const Rows& rows, const Clock& clock);
Result<Path> softmax_path(const Request& request, const Schema& schema, const Rows& rows, const PathOptions& how,
                          const Clock& clock);

} // namespace recta
