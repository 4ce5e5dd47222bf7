// A model of several classes made of models of two: fitted through the family of its word, part by part, and verified
// so.
#pragma once

#include "family/family.hpp"

namespace recta::combine {

// Whether the options ask for it: --multiclass ova, ovo or ecoc, and more than two classes.
Result<bool> is_composite(const Request& request, const Schema& schema);

Result<Model> fit_multiclass(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_multiclass(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::combine
