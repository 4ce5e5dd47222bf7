// A model of label sets: a model of two classes per label, fitted through the family of its word, alone or in chains,
// and verified so.
#pragma once

#include "family/family.hpp"

namespace recta::combine {

Result<Model> fit_label_set(const Request& request, Schema schema, const Rows& rows, const Clock& clock);
Result<Certificate> verify_label_set(const Model& model, const Rows& rows, const Clock& clock);

} // namespace recta::combine
