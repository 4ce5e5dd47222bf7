// Group lasso and multi-task lasso from any rows to a model, and from a model and any rows back to its certificate.
#pragma once

#include "family/first_pass.hpp"

namespace recta {

Result<Model> fit_group_norm(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
// fit_group_norm() after the first pass.
Result<Model> fit_group_norm(const Request& request, Schema schema, const Rows& rows, FirstPass pass,
                             const Clock& clock);

Result<Certificate> verify_group_norm(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta
