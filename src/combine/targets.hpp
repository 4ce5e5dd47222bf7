// Several targets of numbers by a model that has one: a part per target, fitted through the family of its word and
// verified so.
#pragma once

#include "family/family.hpp"

namespace recta::combine {

// Whether there are several targets, and the family has one at a time.
bool has_parts_by_target(const Request& request, const Rows& rows);

Result<Model> fit_targets(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_targets(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::combine
